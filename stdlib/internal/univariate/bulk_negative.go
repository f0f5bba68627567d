// This file holds the tight loops of the negative binomial mass functions.

package univariate

import (
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// mostTabled is the greatest count of a table of Risings.
const mostTabled = 255

// Risings are, for counts k up to the greatest that occurs, log(Gamma(k+phi) /
// (Gamma(phi) k!)), and its derivative in phi.
type Risings struct {
	phi       float64
	value, dv [mostTabled + 1]float64
}

// Fill prepares the table for a tally, if phi is of moderate size.
func (r *Risings) Fill(y *Tally, phi float64) bool {
	if !(phi >= 1e-3 && phi <= 1e3) {
		return false
	}
	r.phi = phi
	logs, inverses := r.value[1:y.most+1], r.dv[1:y.most+1]
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

// Of is the sum over all counts, and its derivative in phi.
func (r *Risings) Of(y *Tally) (value, dphi float64) {
	for _, k := range y.counts[:y.kinds] {
		value += float64(y.times[k] * r.value[k])
		dphi += float64(y.times[k] * r.dv[k])
	}
	return value, dphi
}

// Terms are what the log mass of n counts with log means eta has beside Of, and the derivative in phi; that in
// eta is eta's, or single where eta is a single number.
func (r *Risings) Terms(n int, eta, y vec.Arg, adj float64) (value, dphi, single float64) {
	args := [2]vec.Arg{eta, y}
	t := vec.NegBinomialTerm.Run(n, args[:], r.phi, vec.Log.At(r.phi), adj)
	return t.Sum[0], -t.Sum[1] - t.Sum[2]/r.phi, t.D[0]
}

// negBinomial2LogBulk does a common precision and small counts by a table.
func negBinomial2LogBulk(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	if n < 2 {
		return 0, false
	}
	var y Tally
	if !y.Count(n, in[0]) {
		return NegBinomialPrecisions(n, in, adj, din)
	}
	return negBinomial2LogTerms(n, in, adj, din, &y)
}

func negBinomial2LogTerms(n int, in []catalogue.Tensor, adj float64, din [][]float64, y *Tally) (float64, bool) {
	var r Risings
	if len(in[2].Dims) > 0 || !vec.Within(in[1].X, -700, 700) || !r.Fill(y, in[2].X[0]) {
		return NegBinomialPrecisions(n, in, adj, din)
	}
	value, dphi := r.Of(y)
	v, dp, single := r.Terms(n, termArg(in, din, 1), termArg(in, nil, 0), adj)
	addSingle(in, din, 1, single)
	addSingle(in, din, 2, adj*(dphi+dp))
	return value + v, true
}

// negBinomial2Bulk goes by way of the logarithms of the means.
func negBinomial2Bulk(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	if n < 2 {
		return 0, false
	}
	var y Tally
	if y.Count(n, in[0]) {
		return negBinomial2Terms(n, in, adj, din, &y)
	}
	switch {
	case !vec.Within(in[1].X, 1e-300, 1e300):
		return 0, false
	case len(in[1].Dims) > 0:
		return negBinomial2Pieces(n, in, adj, din)
	}
	return byLogMean(n, in, adj, din, nil)
}

// byLogMean is the density with one mean by that of its logarithm; the tally is nil where there is none.
func byLogMean(n int, in []catalogue.Tensor, adj float64, din [][]float64, y *Tally) (v float64, ok bool) {
	var eta, slope [1]float64
	eta[0] = vec.Log.At(in[1].X[0])
	sub, dsub := [3]catalogue.Tensor{in[0], {X: eta[:]}, in[2]}, [3][]float64{1: slope[:]}
	d := dsub[:len(din)]
	if len(d) > 0 {
		d[2] = din[2]
	}
	if y == nil {
		v, ok = NegBinomialPrecisions(n, sub[:], adj, d)
	} else {
		v, ok = negBinomial2LogTerms(n, sub[:], adj, d, y)
	}
	gradientOf(din, in, 1).add(0, slope[0]/in[1].X[0])
	return v, ok
}

func negBinomial2Terms(n int, in []catalogue.Tensor, adj float64, din [][]float64, y *Tally) (float64, bool) {
	if !vec.Within(in[1].X, 1e-300, 1e300) {
		return 0, false
	}
	if len(in[1].Dims) == 0 {
		return byLogMean(n, in, adj, din, y)
	}
	dmu := gradientOf(din, in, 1)
	var r Risings
	if len(in[2].Dims) > 0 || !r.Fill(y, in[2].X[0]) {
		return negBinomial2Pieces(n, in, adj, din)
	}
	var eta, slope [piece]float64
	value, dphi := r.Of(y)
	for lo := 0; lo < n; lo += piece {
		hi := min(lo+piece, n)
		e, d, k := eta[:hi-lo], slope[:hi-lo], termArg(in, nil, 0)
		if k.Vector {
			k.X = k.X[lo:hi]
		}
		vec.Log.Map(e, in[1].X[lo:hi])
		clear(d)
		v, dp, _ := r.Terms(hi-lo, vec.Arg{X: e, Vector: true, D: d}, k, adj)
		value, dphi = value+v, dphi+dp
		addLogMeans(dmu, lo, d, in[1].X[lo:hi])
	}
	addSingle(in, din, 2, adj*dphi)
	return value, true
}

// addLogMeans adds derivatives d in the logarithms of means from lo on.
func addLogMeans(dmu Gradient, lo int, d, mu []float64) {
	if dmu.d == nil {
		return
	}
	vec.DivVV.Map(d, d, mu)
	part := dmu.d[lo : lo+len(d)]
	vec.AddVV.Map(part, part, d)
}

// negBinomial2Pieces does a mean for each element without a table, and these between 1e-300 and 1e300.
func negBinomial2Pieces(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	if !vec.Within(in[0].X, 0, greatestShape/2) || !moderateShapes(in[2].X) {
		return 0, false
	}
	var eta, slope [piece]float64
	dmu, value := gradientOf(din, in, 1), 0.0
	for lo := 0; lo < n; lo += piece {
		hi := min(lo+piece, n)
		e, d := eta[:hi-lo], slope[:hi-lo]
		vec.Log.Map(e, in[1].X[lo:hi])
		clear(d)
		sub, dsub := [3]catalogue.Tensor{part(in[0], lo, hi), {Dims: in[1].Dims, X: e}, part(in[2], lo, hi)}, [3][]float64{1: d}
		if len(din) > 0 {
			dsub[2] = din[2]
			if din[2] != nil && len(in[2].Dims) > 0 {
				dsub[2] = din[2][lo:hi]
			}
		}
		v, _ := NegBinomialPrecisions(hi-lo, sub[:], adj, dsub[:])
		value += v
		addLogMeans(dmu, lo, d, in[1].X[lo:hi])
	}
	return value, true
}

// part is elements lo to hi of a container, or the number for all.
func part(t catalogue.Tensor, lo, hi int) catalogue.Tensor {
	if len(t.Dims) > 0 {
		t.X = t.X[lo:hi]
	}
	return t
}
