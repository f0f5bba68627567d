// This file is the objective at fixed nodes, as a function of the family's
// parameters.

package gvi

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-12b88e03/ppl/infer"
)

// batch is a family's points with what an energy says of them.
type batch struct {
	fam family
	e   [][]float64 // noise
	x   [][]float64 // the points
	w   []float64   // their weights, which sum to 1
	lq  []float64   // log q there
	// To be filled in: the derivatives of the energy by x, lq and the weights, and by the
	// family's parameters where the energy depends on them directly.
	gx   [][]float64
	gl   []float64
	gw   []float64 // by the logs of the weights
	grad []float64
}

// An energy is an objective, to be minimised, as a function of a batch.
type energy interface {
	// at returns the value and fills in the derivatives, which are zero before.
	at(b *batch) (float64, error)
	// prepare is called when there are new nodes.
	prepare(fam family, n *nodes)
}

// objective is minus an energy at fixed nodes; it implements infer.Target.
type objective struct {
	energy energy
	nodes  *nodes
	batch  batch
	none   []float64
}

func newObjective(e energy, fam family, n *nodes, dim int) *objective {
	o := &objective{energy: e, nodes: n, none: make([]float64, fam.params())}
	points := func() [][]float64 {
		flat, out := make([]float64, len(n.e)*dim), make([][]float64, len(n.e))
		for k := range out {
			out[k] = flat[k*dim : (k+1)*dim]
		}
		return out
	}
	o.batch = batch{fam: fam, e: n.e, x: points(), w: append([]float64{}, n.w...), lq: make([]float64, len(n.e)), gx: points(), gl: make([]float64, len(n.e)), gw: make([]float64, len(n.e))}
	e.prepare(fam, n)
	return o
}

// Dim implements infer.Target.
func (o *objective) Dim() int { return o.batch.fam.params() }

// LogDensity implements infer.Target.
func (o *objective) LogDensity(p []float64) (float64, error) { return o.LogDensityGrad(p, o.none) }

// LogDensityGrad implements infer.Target.
func (o *objective) LogDensityGrad(p, grad []float64) (float64, error) {
	b := &o.batch
	b.fam.set(p)
	b.grad = grad
	clear(grad)
	strata, _ := b.fam.(stratified)
	for k, e := range o.nodes.e {
		b.fam.place(e, b.x[k])
		b.lq[k] = b.fam.logDensity(e)
		clear(b.gx[k])
		if strata != nil {
			b.w[k] = o.nodes.w[k] * strata.share(e)
		}
	}
	clear(b.gl)
	clear(b.gw)
	v, err := o.energy.at(b)
	if err != nil {
		return 0, err
	}
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, infer.Reject("the objective is not finite")
	}
	for k, e := range o.nodes.e {
		b.fam.pull(e, b.gx[k], b.gl[k], grad)
		if strata != nil {
			strata.pullShare(e, b.gw[k], grad)
		}
	}
	floats.Scale(-1, grad)
	return -v, nil
}
