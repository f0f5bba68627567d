// This file has divergences by parameter: their sum over the factors of q and of
// a prior under which the parameters are independent.

package gvi

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/divergence"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// Part is the divergence of a parameter.
type Part struct {
	Parameter  string
	Divergence divergence.Divergence
}

// block is a parameter with its divergence.
type block struct {
	name   string
	coords []int
	div    divergence.Divergence
	src    *source

	// Of a normal prior with independent coordinates:
	single []*divergence.Exponential
	closed divergence.Product

	// Of another one, from points; x is 0 in all other coordinates.
	pair       divergence.Sampled
	x, gp, gj  []float64
	rows       [][]float64 // by the block's coordinates: gradients of log prior and log Jacobian
	jacobians  [][]float64
	slopes     []float64
	grad       []float64
	onDeclared bool // the Jacobian of the constraints counts
}

// newBlocks groups the coordinates. Parameters that are not named take kl(1).
func (m *Method) newBlocks(r *run) ([]*block, error) {
	method := "gvi with a divergence for each parameter"
	named, ok := r.model.(infer.Named)
	if !ok {
		return nil, &infer.MissingError{Method: method, Needs: "names of its parameters"}
	}
	var blocks []*block
	for i, name := range named.UnconstrainedNames() {
		name, _, _ = strings.Cut(name, ".")
		k := slices.IndexFunc(blocks, func(b *block) bool { return b.name == name })
		if k < 0 {
			k = len(blocks)
			blocks = append(blocks, &block{name: name, div: DefaultOptions().Divergence, src: r.src})
		}
		blocks[k].coords = append(blocks[k].coords, i)
	}
	for _, p := range m.options.ByParameter {
		k := slices.IndexFunc(blocks, func(b *block) bool { return b.name == p.Parameter })
		if k < 0 {
			return nil, fmt.Errorf("gvi: divergence is given for %s, which is no parameter with coordinates", p.Parameter)
		}
		blocks[k].div = p.Divergence
	}
	for _, b := range blocks {
		independent, err := b.independent()
		if err != nil {
			return nil, err
		}
		if !independent {
			return nil, &infer.MissingError{
				Method: method,
				Needs:  fmt.Sprintf("a prior under which %s is independent of the other parameters (one divergence for all does without)", b.name),
			}
		}
		if err := b.recognise(); err != nil {
			return nil, err
		}
		if b.onDeclared, err = b.bent(); err != nil {
			return nil, err
		}
		if (b.single == nil || b.onDeclared) && !b.div.Homogeneous() {
			return nil, &infer.MissingError{
				Method: method, Needs: fmt.Sprintf("%s unconstrained with a normal prior for divergence %s (kl, renyi and gamma do with any)", b.name, b.div),
			}
		}
	}
	return blocks, nil
}

// byParameter prepares an objective with a divergence for each parameter.
func (m *Method) byParameter(r *run, g *generalised) error {
	blocks, err := m.newBlocks(r)
	if err != nil {
		return err
	}
	g.blocks = blocks
	for _, b := range blocks {
		if b.onDeclared {
			return nil
		}
	}
	parts, err := newFactored(r.src)
	if parts == nil || err != nil {
		return err
	}
	for _, b := range blocks {
		parts.add(b.div, b.coords)
	}
	g.parts = parts
	return nil
}

// gradient evaluates the log prior where the block's coordinates are x and the
// others rest, and leaves the gradient in gp.
func (b *block) gradient(x, rest []float64) (float64, error) {
	copy(b.x, rest)
	for j, i := range b.coords {
		b.x[i] = x[j]
	}
	return b.src.prior(b.x, b.gp)
}

// independent reports whether the gradient by the block's coordinates is the same,
// to nine digits, wherever the others are: as tried at random points.
func (b *block) independent() (bool, error) {
	d := b.src.target.Dim()
	b.x, b.gp, b.gj = make([]float64, d), make([]float64, d), make([]float64, d)
	r := rng.New(1, "gvi/independent", 0, 0)
	x, rest, first := make([]float64, len(b.coords)), make([]float64, d), make([]float64, len(b.coords))
	for range 4 {
		for j := range x {
			x[j] = variate.Normal(r)
		}
		for try := range 3 {
			for i := range rest {
				rest[i] = variate.Normal(r)
			}
			if _, err := b.gradient(x, rest); err != nil {
				return false, notReject(err)
			}
			for j, i := range b.coords {
				if try == 0 {
					first[j] = b.gp[i]
				} else if !(math.Abs(b.gp[i]-first[j]) <= 1e-9*(1+math.Abs(first[j]))) {
					return false, nil
				}
			}
		}
	}
	return true, nil
}

// recognise finds the closed form of a normal prior with independent coordinates:
// each derivative is affine in its own coordinate.
func (b *block) recognise() error {
	n, d := len(b.coords), b.src.target.Dim()
	rest, x := make([]float64, d), make([]float64, n)
	gradient := func() ([]float64, error) {
		_, err := b.gradient(x, rest)
		out := make([]float64, n)
		for j, i := range b.coords {
			out[j] = b.gp[i]
		}
		return out, err
	}
	zero, err := gradient()
	if err != nil {
		return notReject(err)
	}
	r := rng.New(1, "gvi/recognise", 2, 0)
	mean, precision := make([]float64, n), make([]float64, n)
	for try := range 7 {
		for j := range x {
			x[j] = variate.Normal(r) * libm.Exp(float64(try-3))
		}
		g, err := gradient()
		if err != nil {
			return notReject(err)
		}
		for j := range x {
			if try == 0 {
				precision[j] = (zero[j] - g[j]) / x[j]
				mean[j] = zero[j] / precision[j]
			}
			want := float64(precision[j] * (mean[j] - x[j]))
			if !(precision[j] > 0) || !(math.Abs(g[j]-want) <= 1e-9*(1+math.Abs(want))) {
				return nil
			}
		}
	}
	for j := range x {
		e := divergence.NewExponential(divergence.Normal{}, []float64{mean[j], -libm.Log(precision[j]) / 2})
		b.single = append(b.single, e)
		b.closed.Parts, b.closed.Params = append(b.closed.Parts, e), append(b.closed.Params, 2)
	}
	b.grad = make([]float64, 2*n)
	return nil
}

// bent reports whether the log Jacobian counts and moves with the block.
func (b *block) bent() (bool, error) {
	if b.src.bare == nil || b.div.Invariant() {
		return false, nil
	}
	r := rng.New(1, "gvi/jacobian", 1, 0)
	for range 3 {
		for i := range b.x {
			b.x[i] = variate.Normal(r)
		}
		if _, err := b.src.jacobian(b.x, b.gj); err != nil {
			return true, notReject(err)
		}
		for _, i := range b.coords {
			if math.Abs(b.gj[i]) > 1e-10 {
				return true, nil
			}
		}
	}
	return false, nil
}

func (b *block) prepare(n *nodes) {
	if b.single != nil && !b.onDeclared {
		return
	}
	rows := func() [][]float64 {
		out := make([][]float64, len(n.w))
		for k := range out {
			out[k] = make([]float64, len(b.coords))
		}
		return out
	}
	b.pair = divergence.Sampled{Weights: n.w, LogQ: make([]float64, len(n.w)), LogPi: make([]float64, len(n.w))}
	b.rows, b.jacobians, b.slopes = rows(), rows(), make([]float64, 2*len(n.w))
}

// at returns the divergence and adds its derivatives.
func (b *block) at(batch *batch) (float64, error) {
	f := batch.fam.(*meanField)
	if b.single != nil && !b.onDeclared {
		return b.inClosedForm(f, batch.grad), nil
	}
	rest, at := make([]float64, f.d), make([]float64, len(b.coords))
	for k, x := range batch.x {
		lq := 0.0
		for j, i := range b.coords {
			at[j] = x[i]
			lq -= float64(batch.e[k][i]*batch.e[k][i]/2) + normal.LogRoot2Pi + libm.Log(f.s[i])
		}
		lp, err := b.gradient(at, rest)
		if err != nil {
			return 0, err
		}
		var lj float64
		if b.onDeclared {
			if lj, err = b.src.jacobian(b.x, b.gj); err != nil {
				return 0, err
			}
		}
		b.pair.LogQ[k], b.pair.LogPi[k] = lq-lj, lp-lj
		for j, i := range b.coords {
			b.rows[k][j], b.jacobians[k][j] = b.gp[i], b.gj[i]
		}
	}
	clear(b.slopes)
	v := b.div.Gradient(&b.pair, b.slopes)
	for k := range batch.x {
		byQ, byPi := b.slopes[k], b.slopes[len(batch.x)+k]
		for j, i := range b.coords {
			batch.gx[k][i] += float64(byPi * b.rows[k][j])
			if b.onDeclared {
				batch.gx[k][i] -= float64((byQ + byPi) * b.jacobians[k][j])
			}
			batch.grad[f.d+i] -= byQ // log q falls with log s
		}
	}
	return v, nil
}

func (b *block) inClosedForm(f *meanField, grad []float64) float64 {
	for j, i := range b.coords {
		b.single[j].Move([]float64{f.m[i], libm.Log(f.s[i])})
	}
	clear(b.grad)
	v := b.div.Gradient(b.closed, b.grad)
	for j, i := range b.coords {
		grad[i] += float64(f.unit[i] * b.grad[2*j])
		grad[f.d+i] += b.grad[2*j+1]
	}
	return v
}
