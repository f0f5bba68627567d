// Package legs writes the ways of chains that are moved in other processes, and reads them (infer.Relay).
//
// Contract. What is read has the bits of what was written; errors arrive as words, with their places.
package legs

import (
	"bytes"
	"encoding/gob"
	"errors"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
)

// Decode reads what Encode has written.
func Decode[T any](text []byte) (*T, error) {
	x := new(T)
	err := gob.NewDecoder(bytes.NewReader(text)).Decode(x)
	return x, err
}

// A wirePassage is an infer.Passage whose errors are words.
type wirePassage struct {
	At         *infer.Checkpoint
	Rows       []float64
	Rejections []wireRejection
}

type wireRejection struct {
	Chain, Iteration int
	Point            []float64
	Known            int // from 1 in knownCauses; 0: the words say it
	Where, Why       string
}

// knownCauses are those that their reader explains.
var knownCauses = []error{infer.ErrZeroDensity, infer.ErrNaNDensity, infer.ErrInfiniteDensity}

// A reported is an error that another process has put into words. It implements infer.Placed.
type reported struct{ where, why string }

func (r reported) Error() string {
	if r.where == "" {
		return r.why
	}
	return r.where + ": " + r.why
}
func (r reported) Place() string  { return r.where }
func (r reported) Reason() string { return r.why }

// Encode writes what is exported of x.
func Encode(x any) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(x)
	return b.Bytes(), err
}

// EncodePassage writes a passage.
func EncodePassage(p *infer.Passage) ([]byte, error) {
	out := wirePassage{At: p.At, Rows: p.Rows}
	for _, r := range p.Rejections {
		w := wireRejection{Chain: r.Chain, Iteration: r.Iteration, Point: r.Point, Known: 1 + slices.Index(knownCauses, r.Cause), Why: r.Cause.Error()}
		if at, ok := errors.AsType[infer.Placed](r.Cause); ok {
			w.Where, w.Why = at.Place(), at.Reason()
		}
		out.Rejections = append(out.Rejections, w)
	}
	return Encode(out)
}

// DecodePassage reads what EncodePassage has written.
func DecodePassage(text []byte) (*infer.Passage, error) {
	in, err := Decode[wirePassage](text)
	if err != nil {
		return nil, err
	}
	p := &infer.Passage{At: in.At, Rows: in.Rows}
	for _, w := range in.Rejections {
		r := infer.Rejection{Chain: w.Chain, Iteration: w.Iteration, Point: w.Point, Cause: reported{w.Where, w.Why}}
		if w.Known > 0 && w.Known <= len(knownCauses) {
			r.Cause = knownCauses[w.Known-1]
		}
		p.Rejections = append(p.Rejections, r)
	}
	return p, nil
}
