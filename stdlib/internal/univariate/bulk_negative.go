// This file holds the tight loops of the negative binomial mass functions.

package univariate

import (
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// Risings are, for counts k up to the greatest that occurs, log(Gamma(k+phi) /
// (Gamma(phi) k!)), and its derivative in phi.
type Risings struct {
	phi       float64
	value, dv [256]float64
}

// Fill prepares the table for small counts y, if phi is of moderate size and a table pays.
func (r *Risings) Fill(n int, y []float64, phi float64) bool {
	if !(phi >= 1e-3 && phi <= 1e3) || !vec.Within(y, 0, 255) {
		return false
	}
	most := 0.0
	for _, k := range y {
		if k > most {
			most = k
		}
	}
	if most > 8*float64(n) {
		return false
	}
	last := int(most)
	r.phi = phi
	logs, inverses := r.value[1:last+1], r.dv[1:last+1]
	for j := range logs {
		inverses[j] = phi + float64(j)
	}
	vec.Log.Map(logs, inverses)
	vec.Inv.Map(inverses, inverses)
	v, d := 0.0, 0.0
	for j, l := range logs {
		v, d = v+l, d+inverses[j]
		logs[j], inverses[j] = v-LogFactorial(float64(j+1)), d
	}
	return true
}

// Sum is the log mass of n counts with log means eta, and its derivative in phi; that in
// eta is eta's, or single where eta is a single number.
func (r *Risings) Sum(n int, eta, y vec.Arg, adj float64) (value, dphi, single float64) {
	args := [2]vec.Arg{eta, y}
	t := vec.NegBinomialTerm.Run(n, args[:], r.phi, vec.Log.At(r.phi), adj)
	value, dphi = t.Sum[0], -t.Sum[1]-t.Sum[2]/r.phi
	if !y.Vector {
		k := uint8(y.X[0])
		return value + float64(float64(n)*r.value[k]), dphi + float64(float64(n)*r.dv[k]), t.D[0]
	}
	for _, v := range y.X[:n] {
		k := uint8(v)
		value += r.value[k]
		dphi += r.dv[k]
	}
	return value, dphi, t.D[0]
}

// negBinomial2LogBulk does small counts.
func negBinomial2LogBulk(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	if len(in[2].Dims) > 0 {
		return negBinomialPrecisions(n, in, adj, din)
	}
	var r Risings
	if n < 2 || !vec.Within(in[1].X, -700, 700) || !r.Fill(n, in[0].X, in[2].X[0]) {
		return 0, false
	}
	value, dphi, single := r.Sum(n, termArg(in, din, 1), termArg(in, nil, 0), adj)
	addSingle(in, din, 1, single)
	addSingle(in, din, 2, adj*dphi)
	return value, true
}

// negBinomial2Bulk does a mean for each element and a common precision, by way of the
// logarithms of the means.
func negBinomial2Bulk(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	var r Risings
	if n < 2 || len(in[1].Dims) == 0 || len(in[2].Dims) > 0 || !vec.Within(in[1].X, catalogue.LeastNormal, catalogue.MaxFinite) ||
		!r.Fill(n, in[0].X, in[2].X[0]) {
		return 0, false
	}
	var eta, slope [piece]float64
	dmu := gradientOf(din, in, 1).d
	value, dphi := 0.0, 0.0
	for lo := 0; lo < n; lo += piece {
		hi := min(lo+piece, n)
		e, d, y := eta[:hi-lo], slope[:hi-lo], termArg(in, nil, 0)
		if y.Vector {
			y.X = y.X[lo:hi]
		}
		vec.Log.Map(e, in[1].X[lo:hi])
		clear(d)
		v, dp, _ := r.Sum(hi-lo, vec.Arg{X: e, Vector: true, D: d}, y, adj)
		value, dphi = value+v, dphi+dp
		if dmu != nil {
			vec.DivVV.Map(d, d, in[1].X[lo:hi])
			vec.AddVV.Map(dmu[lo:hi], dmu[lo:hi], d)
		}
	}
	addSingle(in, din, 2, adj*dphi)
	return value, true
}
