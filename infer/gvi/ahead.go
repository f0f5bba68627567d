// This file evaluates together what will be asked for one after the other.

package gvi

import "github.com/seed-12b88e03/ppl/infer"

// ahead has the answers to some of the next questions to a Tempered, in their order.
type ahead struct {
	x, grad           [][]float64
	beta              []float64
	prior, likelihood []float64
	err               []error
	next              int
	store             []float64 // of grad
}

// ask evaluates gradients of the parts at points with all of some betas, in the order in
// which partsGrad will be asked for them, if the model evaluates them together.
func (s *source) ask(points [][]float64, betas ...float64) {
	a := &s.ahead
	a.x, a.next = a.x[:0], 0
	many, ok := s.parts.(infer.BatchTempered)
	if !ok || s.ctx.Err() != nil || !many.PrefersBatchParts(len(points)*len(betas)) {
		return
	}
	a.beta = a.beta[:0]
	for _, x := range points {
		for _, b := range betas {
			a.x, a.beta = append(a.x, x), append(a.beta, b)
		}
	}
	if n := len(a.x); n > len(a.grad) {
		d := s.target.Dim()
		a.store, a.grad = make([]float64, n*d), make([][]float64, n)
		for k := range a.grad {
			a.grad[k] = a.store[k*d : (k+1)*d]
		}
		a.prior, a.likelihood, a.err = make([]float64, n), make([]float64, n), make([]error, n)
	}
	n := len(a.x)
	many.LogDensityPartsGradMany(a.x, a.beta, a.grad[:n], a.prior[:n], a.likelihood[:n], a.err[:n])
}

// partsGrad is LogDensityPartsGrad of the parts; it takes the next answer that is there
// already, if that is to this question.
func (s *source) partsGrad(x []float64, beta float64, grad []float64) (prior, likelihood float64, err error) {
	a := &s.ahead
	if k := a.next; k < len(a.x) && len(x) > 0 && &a.x[k][0] == &x[0] && a.beta[k] == beta {
		a.next++
		copy(grad, a.grad[k])
		return a.prior[k], a.likelihood[k], a.err[k]
	}
	a.x = a.x[:0]
	return s.parts.LogDensityPartsGrad(x, beta, grad)
}
