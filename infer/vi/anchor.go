// This file takes most of the noise out of minibatches.

package vi

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/infer"
)

// An anchor makes control variates of the likelihood's terms: to a batch's log density and
// gradient it adds those of all terms at a point, less the batch's there. The estimates stay
// unbiased, and only what changes between that point and the draws has noise. A nil anchor
// adds nothing.
type anchor struct {
	at, grad []float64 // the point, and the gradient of all terms there
	lp       float64
	batchLP  float64
	batch    []float64 // gradient of the present batch at the point
}

// newAnchor anchors at q; nil where there is no density.
func newAnchor(sub infer.Subsampled, terms int, q []float64) (*anchor, error) {
	all := make([]int, terms)
	for i := range all {
		all[i] = i
	}
	a := &anchor{at: slices.Clone(q), grad: make([]float64, len(q)), batch: make([]float64, len(q))}
	var err error
	a.lp, err = sub.LogDensityGradTerms(a.at, all, a.grad)
	if sum := a.lp + vec.Sum(a.grad); err != nil && infer.IsReject(err) || err == nil && (math.IsNaN(sum) || math.IsInf(sum, 0)) {
		return nil, nil
	}
	return a, err
}

// draw evaluates a new batch at the point.
func (a *anchor) draw(sub infer.Subsampled, terms []int) (err error) {
	if a != nil {
		a.batchLP, err = sub.LogDensityGradTerms(a.at, terms, a.batch)
	}
	return err
}

// correct adds to the gradient of the present batch and returns what to add to its log
// density.
func (a *anchor) correct(grad []float64) float64 {
	if a == nil {
		return 0
	}
	floats.Add(grad, a.grad)
	floats.Sub(grad, a.batch)
	return a.lp - a.batchLP
}
