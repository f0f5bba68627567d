// Package bridge is a model as BridgeStan's C interface sees it (roualdes.github.io/bridgestan, version 2.9): points, names and densities.
//
// Contract. Points and outputs are slices of the caller with the sizes that Num and Dim give. Errors say what is wrong and where;
// none is a panic. cmd/ppl/extra/bridgestan puts the C interface around it.
//
// Concurrency. A Model may be used from several goroutines, an RNG from one.
package bridge

import (
	"errors"
	"math"
	"strings"
	"sync"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/optimize"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/lang"
)

// A Model is a program with its data.
type Model struct {
	Name  string // as stanc names it
	model *lang.Model

	params, transformed int             // columns of the parameters, and with transformed parameters
	targets             [2][2]sync.Pool // of infer.Target, by propto and jacobian
}

// An RNG has the random numbers of generated quantities.
type RNG struct{ seed, drawn uint64 }

// NewRNG begins with the numbers of a seed.
func NewRNG(seed uint32) *RNG { return &RNG{seed: uint64(seed)} }

// next is the seed of one call.
func (r *RNG) next() uint64 {
	r.drawn++
	return rng.New(r.seed, "bridgestan", 0, r.drawn).Uint64()
}

// Open joins the program of a library with data: the path of a file that ends in .json, JSON, or nothing.
func Open(c Carried, given string, seed uint32, print func(string)) (*Model, error) {
	p, err := lang.Compile(c.File, c.Program, lang.Options{})
	if err != nil {
		return nil, err
	}
	var set *data.Set
	switch {
	case strings.HasSuffix(given, ".json"):
		set, err = p.ReadDataFile(given)
	case strings.TrimSpace(given) != "":
		set, err = data.ReadBytes([]byte(given), "data", p.WantsData)
	}
	if err != nil {
		return nil, err
	}
	m, err := p.Bind(set, lang.BindOptions{Seed: uint64(seed), Print: print})
	if err != nil {
		return nil, err
	}
	out := &Model{Name: c.Name, model: m, params: len(m.ParameterColumns()), transformed: len(m.Columns()) - len(m.Quantities())}
	for propto := range out.targets {
		for jacobian := range out.targets[propto] {
			out.targets[propto][jacobian].New = func() any { return m.Density(jacobian == 1, propto == 1) }
		}
	}
	return out, nil
}

// pick leaves out of the columns of a draw those of transformed parameters or of generated quantities.
func pick[T any](m *Model, columns []T, transformed, quantities bool) []T {
	out := append([]T{}, columns[:m.params]...)
	if transformed {
		out = append(out, columns[m.params:m.transformed]...)
	}
	if quantities {
		out = append(out, columns[m.transformed:]...)
	}
	return out
}

// Names are those of the columns.
func (m *Model) Names(transformed, quantities bool) []string {
	return pick(m, m.model.Columns(), transformed, quantities)
}

// UnconstrainedNames are those of the coordinates of a point.
func (m *Model) UnconstrainedNames() []string { return m.model.UnconstrainedNames() }

// Dim is the number of coordinates of a point.
func (m *Model) Dim() int { return m.model.Dim() }

// Constrain fills out with the columns at q. r may be nil without quantities.
func (m *Model) Constrain(transformed, quantities bool, q, out []float64, r *RNG) error {
	seed := uint64(0)
	switch {
	case quantities && r == nil:
		return errors.New("generated quantities need random numbers: the rng is null")
	case quantities:
		seed = r.next()
	}
	values, err := m.model.Constrain(q, seed)
	if err != nil && (quantities || !infer.IsReject(err)) { // what generated quantities reject is no matter without them
		return err
	}
	copy(out, pick(m, values, transformed, quantities))
	return nil
}

// Unconstrain fills q with the point of parameter values, in the order of their columns.
func (m *Model) Unconstrain(values, q []float64) error {
	x, err := m.model.UnconstrainRow(values)
	copy(q, x)
	return err
}

// UnconstrainJSON fills q with the point of parameter values by name.
func (m *Model) UnconstrainJSON(values string, q []float64) error {
	set, err := data.ReadBytes([]byte(values), "parameters", nil)
	if err != nil {
		return err
	}
	x, err := m.model.Unconstrain(set)
	copy(q, x)
	return err
}

// Initialize fills q with a point whose density and gradient are finite: that of parameter values, or one within
// radius of zero, of as many as tries.
func (m *Model) Initialize(values string, r *RNG, radius float64, tries int, jacobian bool, q []float64) error {
	if strings.TrimSpace(values) != "" {
		return m.UnconstrainJSON(values, q)
	}
	if r == nil {
		return errors.New("a random point needs random numbers: the rng is null")
	}
	draw := rng.New(r.next(), rng.Init, 0, 0)
	grad := make([]float64, len(q))
	err := errors.New("there were no tries")
	for range tries {
		for i := range q {
			q[i] = radius * (2*draw.Float64() - 1)
		}
		if _, err = m.Gradient(false, jacobian, q, grad); err == nil {
			return nil
		}
	}
	return err
}

// with lends a target.
func (m *Model) with(propto, jacobian bool, use func(infer.Target) error) error {
	number := map[bool]int{true: 1}
	pool := &m.targets[number[propto]][number[jacobian]]
	t := pool.Get().(infer.Target)
	defer pool.Put(t)
	return infer.Guarded(func() error { return use(t) })
}

// LogDensity is the log density at q.
func (m *Model) LogDensity(propto, jacobian bool, q []float64) (lp float64, err error) {
	err = m.with(propto, jacobian, func(t infer.Target) (err error) {
		lp, err = t.LogDensity(q)
		return err
	})
	return lp, err
}

// Gradient is LogDensity, and fills grad.
func (m *Model) Gradient(propto, jacobian bool, q, grad []float64) (lp float64, err error) {
	err = m.with(propto, jacobian, func(t infer.Target) (err error) {
		lp, err = t.LogDensityGrad(q, grad)
		return err
	})
	return lp, err
}

// Hessian is Gradient, and fills hessian, by rows: differences of gradients, extrapolated.
func (m *Model) Hessian(propto, jacobian bool, q, grad, hessian []float64) (lp float64, err error) {
	err = m.with(propto, jacobian, func(t infer.Target) (err error) {
		if lp, err = t.LogDensityGrad(q, grad); err != nil {
			return err
		}
		h, err := optimize.NewHessian(t, q)
		if err == nil {
			copy(hessian, h.At)
		}
		return err
	})
	return lp, err
}

// HessianVector is LogDensity, and fills product with the Hessian times v: differences of gradients along v, extrapolated.
func (m *Model) HessianVector(propto, jacobian bool, q, v, product []float64) (lp float64, err error) {
	size, long := 1.0, 0.0
	for i := range q {
		size, long = max(size, math.Abs(q[i])), max(long, math.Abs(v[i]))
	}
	clear(product)
	err = m.with(propto, jacobian, func(t infer.Target) (err error) {
		if lp, err = t.LogDensity(q); err != nil || long == 0 {
			return err
		}
		x, grad := make([]float64, len(q)), make([]float64, len(q))
		h := 2e-3 * size / long
		for _, d := range []struct{ step, weight float64 }{{h, 2. / 3}, {-h, -2. / 3}, {2 * h, -1. / 12}, {-2 * h, 1. / 12}} {
			for i := range x {
				x[i] = q[i] + float64(d.step*v[i])
			}
			if _, err := t.LogDensityGrad(x, grad); err != nil {
				return err
			}
			for i, g := range grad {
				product[i] += float64(d.weight / h * g)
			}
		}
		return nil
	})
	return lp, err
}
