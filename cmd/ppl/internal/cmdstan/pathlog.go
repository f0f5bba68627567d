package cmdstan

// This file writes what pathfinder's paths went through: a JSON file for each, with a member
// for each iterate of the search.

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"strconv"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/pathfinder"
)

// An iterateRecord is an iterate of a search, with the names that CmdStan gives its parts.
type iterateRecord struct {
	Iteration int       `json:"iter"`
	Point     []float64 `json:"unconstrained_parameters"`
	Gradient  []float64 `json:"grads"` // of the log density
	*candidateRecord
}

// A candidateRecord is what only iterates behind the start have.
type candidateRecord struct {
	History int  `json:"history_size"`
	Search  bool `json:"lbfgs_success"`
	Usable  bool `json:"pathfinder_success"`
	*normalRecord
	Note string `json:"lbfgs_note"`
}

// A normalRecord is an approximation. Its covariance is L'L where full is set; otherwise, with
// A the root of the diagonal alpha, it is A (I + Q (L'L - I) Q') A.
type normalRecord struct {
	Mean   []float64   `json:"x_center"`
	LogDet float64     `json:"logDetCholHk"` // of the covariance's Cholesky factor
	L      [][]float64 `json:"L_approx"`     // upper triangular, row by row
	Q      [][]float64 `json:"Qk"`
	Alpha  []float64   `json:"alpha"`
	Full   bool        `json:"full"`
}

// logged is the record of a candidate. It holds copies, for the search goes on.
func logged(c pathfinder.Candidate) (json.RawMessage, error) {
	r := iterateRecord{Iteration: c.Point.Iteration, Point: c.Point.X, Gradient: c.Point.Grad}
	if c.Point.Iteration > 0 {
		r.candidateRecord = &candidateRecord{History: c.Pairs, Search: true}
		if c.Normal != nil && !math.IsInf(c.ELBO.Value, -1) {
			r.normalRecord = normalOf(c.Normal)
			r.Usable = r.normalRecord != nil
		}
	}
	return json.Marshal(r)
}

// normalOf takes an approximation apart.
func normalOf(n *normal.Normal) *normalRecord {
	alpha, q, l, ok := n.LowRank()
	if !ok {
		return nil
	}
	r := &normalRecord{Mean: n.Mean(), Alpha: alpha, Q: [][]float64{}}
	k, _ := l.Dims()
	r.Full = k == len(alpha) // q is the unit matrix then
	for _, a := range alpha {
		r.LogDet += libm.Log(a) / 2
	}
	for i := range k {
		r.LogDet += libm.Log(l.At(i, i))
		row := make([]float64, k)
		for j := i; j < k; j++ {
			row[j] = l.At(j, i)
			if r.Full {
				row[j] *= math.Sqrt(alpha[j])
			}
		}
		r.L = append(r.L, row)
	}
	if !r.Full {
		for i := range alpha {
			r.Q = append(r.Q, q.RawRowView(i))
		}
	}
	return r
}

// writePathLog writes the file of one path.
func writePathLog(path string, iterates []json.RawMessage) error {
	var b bytes.Buffer
	b.WriteString("{\n")
	for i, r := range iterates {
		b.WriteString(strconv.Quote(strconv.Itoa(i)) + ": ")
		b.Write(r)
		if i < len(iterates)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString("}\n")
	return os.WriteFile(path, b.Bytes(), 0o666)
}
