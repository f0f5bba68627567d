// This file recognises the closed form of a log density by its values at draws.

package swap

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/mat"
)

const (
	// formDraws is how many draws, at least, a form is fitted to; as many are held out.
	formDraws = 500
	// mostTerms bounds the terms of a form: their number squared times that of the draws
	// is the cost.
	mostTerms = 400
	// farError is the error that a form may have at draws put twice as far from their mean,
	// in nats.
	farError = 0.01
)

// A form is a log density, up to a constant, that is a linear combination of terms: that of
// an exponential family. Where it gives a smooth log density at all draws up to rounding, it
// is that log density. It is immutable once made.
type form struct {
	terms  []term
	coef   []float64
	at     []float64 // means of the terms over the draws fitted to
	scale  []float64 // their standard deviations
	root   []float64 // R of the QR decomposition of the standardised terms, row by row
	spread float64   // root mean square of the residuals
	worst  float64   // largest residual at a draw
}

// LogDensity is the log density at x up to a constant.
func (f *form) LogDensity(x []float64) (lp float64) {
	for k, t := range f.terms {
		lp += float64(f.coef[k] * (t.value(x) - f.at[k]))
	}
	return lp
}

// LogDensityGrad also fills grad with the gradient.
func (f *form) LogDensityGrad(x, grad []float64) float64 {
	clear(grad)
	for k, t := range f.terms {
		t.addGrad(x, f.coef[k], grad)
	}
	return f.LogDensity(x)
}

// errorAt is what errors of the size of the largest residual make of the log density at x.
func (f *form) errorAt(x []float64) float64 {
	n := len(f.terms)
	u := make([]float64, n)
	var square float64
	for i, t := range f.terms { // R'u = standardised terms
		s := (t.value(x) - f.at[i]) / f.scale[i]
		for j := range i {
			s -= float64(f.root[j*n+i] * u[j])
		}
		u[i] = s / f.root[i*n+i]
		square += float64(u[i] * u[i])
	}
	return f.worst * math.Sqrt(square)
}

// fitForm fits terms to values at points by least squares; nil where they are not
// independent over the points, or not finite.
func fitForm(terms []term, points [][]float64, values []float64) *form {
	n, p := len(points), len(terms)
	if n <= p || p > mostTerms {
		return nil
	}
	f := &form{terms: terms, coef: make([]float64, p), at: make([]float64, p), scale: make([]float64, p)}
	design := mat.NewDense(n, p, nil)
	for k, t := range terms {
		column := make([]float64, n)
		for i, x := range points {
			column[i] = t.value(x)
		}
		var ok bool
		if f.at[k], f.scale[k], ok = standardise(column); !ok {
			return nil
		}
		design.SetCol(k, column)
	}
	var qr mat.QR
	qr.Factorize(design)
	const hopeless = 1e12
	if !(qr.Cond() < hopeless) {
		return nil
	}
	target := slices.Clone(values)
	center(target)
	var solution mat.VecDense
	if err := qr.SolveVecTo(&solution, mat.NewVecDense(n, target)); err != nil && !isCondition(err) {
		return nil
	}
	for k := range f.coef {
		f.coef[k] = solution.AtVec(k) / f.scale[k]
	}
	f.root = upper(&qr, p)
	f.residuals(points, target)
	return f
}

// isCondition reports whether an error is about a matrix that is nearly singular only.
func isCondition(err error) bool {
	_, ok := err.(mat.Condition)
	return ok
}

// upper is the factor R, row by row.
func upper(qr *mat.QR, p int) []float64 {
	var r mat.TriDense
	qr.RTo(&r)
	out := make([]float64, p*p)
	for i := range p {
		for j := i; j < p; j++ {
			out[i*p+j] = r.At(i, j)
		}
	}
	return out
}

// residuals notes those of centered values.
func (f *form) residuals(points [][]float64, centered []float64) {
	var squares float64
	for i, x := range points {
		d := math.Abs(centered[i] - f.LogDensity(x))
		squares += float64(d * d)
		f.worst = max(f.worst, d)
	}
	f.spread = math.Sqrt(squares / float64(len(points)))
}

// standardise makes a column one of mean 0 and standard deviation 1; false where it is
// constant or not finite.
func standardise(x []float64) (mean, sd float64, ok bool) {
	mean = center(x)
	for _, v := range x {
		sd += float64(v * v)
	}
	sd = math.Sqrt(sd / float64(len(x)))
	for i := range x {
		x[i] /= sd
	}
	return mean, sd, sd > 1e-12*(1+math.Abs(mean)) && !math.IsInf(sd, 0)
}

// center takes the mean off.
func center(x []float64) (mean float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for i := range x {
		x[i] -= mean
	}
	return mean
}
