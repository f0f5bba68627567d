// Coordinates in which location-scale effects are partly centred.

package bind

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind/centring"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/stdlib"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// optCentring is the optimisation by name.
const optCentring = "centring"

// centringOptimisation describes it.
var centringOptimisation = autodiff.Optimisation{Name: optCentring, Doc: "effects with a location and a scale are sampled in coordinates between centred and non-centred, learned in warm-up"}

// centred has the effects of a model, and the programs in their coordinates. They are made when first wanted.
type centred struct {
	once     sync.Once
	effects  *centring.Effects // nil where there are none
	list     []infer.Effect
	gradient *trace.Traced // log density and gradient by (z, lambda)
	back     *trace.Traced // q, log Jacobian and the gradient by (z, lambda, gradient by q)
	places   *trace.Traced // locations and scales by q
}

// Effects implements infer.Centrable. A model whose control flow depends on parameters has none, nor has one that
// is rebound to other observations.
func (m *Model) Effects() []infer.Effect { return m.centring().list }

func (m *Model) centring() *centred {
	c := m.centred
	c.once.Do(func() {
		if m.observationParams != nil || !m.opts.does(optCentring) || !mayHaveEffects(m.prog) {
			return
		}
		if c.effects = findEffects(m); c.effects == nil {
			return
		}
		names := m.coordinateParameters()
		for i := range c.effects.Len() {
			coords := c.effects.Coordinates(i)
			c.list = append(c.list, infer.Effect{Name: names[coords[0]], Coordinates: coords, Centred: c.effects.Centred(i)})
		}
		c.compile(m)
	})
	return c
}

// coordinateParameters names the parameter of each coordinate.
func (m *Model) coordinateParameters() (names []string) {
	for i := range m.params {
		for range m.params[i].Free {
			names = append(names, m.params[i].Var.Name)
		}
	}
	return names
}

// mayHaveEffects reports whether a program has a density with a location and a scale of something that may be a
// parameter, or a parameter with a multiplier.
func mayHaveEffects(prog *ir.Program) (found bool) {
	for _, p := range prog.Parameters {
		if c := p.Decl.Constraint; c != nil && c.Name == "offset_multiplier" {
			return true
		}
	}
	inspectAll(func(n any) {
		if c, ok := n.(*ir.Call); ok && len(c.Args) > 0 {
			if fn, ok := c.Fn.(*stdlib.Function); ok && centring.Concerns(fn) {
				found = found || mentionsParameter(c.Args[0])
			}
		}
	}, prog.TransformedParameters.Body, prog.Model)
	return found
}

// mentionsParameter reports whether a parameter, or what may stand for one, is a part of an expression.
func mentionsParameter(x ir.Expr) (found bool) {
	ir.InspectExpr(x, func(n any) bool {
		if r, ok := n.(*ir.Ref); ok && r.Var.Kind != ir.Datum && r.Var.Kind != ir.TransformedDatum {
			found = true
		}
		return true
	})
	return found
}

// findEffects records the log density and looks for effects.
func findEffects(m *Model) *centring.Effects {
	const tries = 20
	r := rng.New(m.opts.Seed, "centring", 0, 0)
	q := make([]float64, m.dim)
	for range tries {
		f := centring.NewFinder(m.newRecorder(m.dim))
		em := m.recordingOf(m.fast, f.Recorder)
		em.Rec, em.Jacobian, em.Print = f, true, nil
		err := m.walkDensity(em, f.Recorder, trace.Point(q, f.Graph.Input()))
		switch {
		case err == nil && f.Guards > 0:
			return nil
		case err == nil:
			return f.Effects()
		case !infer.IsReject(err):
			return nil
		}
		for i := range q {
			q[i] = variate.Normal(r)
		}
	}
	return nil
}

// compile makes the programs in coordinates z.
func (c *centred) compile(m *Model) {
	n := c.effects.Size()
	c.places = &trace.Traced{Record: func([]float64) (*autodiff.Program, error) { return c.effects.Places(), nil }}
	c.back = &trace.Traced{Record: func([]float64) (*autodiff.Program, error) {
		g := c.effects.Graph(2*m.dim + n)
		q, logJ := c.effects.Write(g, g.View(g.Input(), 0, m.dim), g.View(g.Input(), m.dim, n))
		y := g.Map(autodiff.Add, 1, logJ, g.Dot(q, g.View(g.Input(), m.dim+n, m.dim)))
		return autodiff.Compile(g, []autodiff.Node{q, logJ, autodiff.Gradient(g, y)}, nil), nil
	}}
	c.gradient = &trace.Traced{Record: func(in []float64) (*autodiff.Program, error) {
		q := make([]float64, m.dim)
		if _, err := c.newBack(m.dim).original(in[:m.dim], in[m.dim:], q); err != nil {
			return nil, err
		}
		rec, roots, err := densityRecorder{m}.densityGraph(q, standard, densityForm{})
		if err != nil {
			return nil, err
		}
		effects := rec.Graph.WithLimits(roots, rec.Effects)
		g := rec.Graph.Like(m.dim + n)
		at, logJ := c.effects.Write(g, g.View(g.Input(), 0, m.dim), g.View(g.Input(), m.dim, n))
		s := autodiff.NewSubstitution(rec.Graph, g, at)
		lp := g.Map(autodiff.Add, 1, s.Node(roots[0]), logJ)
		return autodiff.Compile(g, []autodiff.Node{lp, autodiff.Gradient(g, lp)}, s.Nodes(effects)), nil
	}}
}

// back is the way from z to q, and of gradients from q to z, in one goroutine.
type back struct {
	run *trace.Runner
	in  []float64
	dim int
}

func (c *centred) newBack(dim int) *back {
	return &back{run: c.back.Runner(), in: make([]float64, 2*dim+c.effects.Size()), dim: dim}
}

func (b *back) at(z, lambda []float64) (*autodiff.Machine, error) {
	copy(b.in, z)
	copy(b.in[b.dim:], lambda)
	m, err := b.run.Run(b.in)
	if err != nil {
		return nil, infer.Reject(fmt.Sprintf("location or scale of an effect cannot be computed: %v", err))
	}
	return m, nil
}

func (b *back) original(z, lambda, q []float64) (logJacobian float64, err error) {
	m, err := b.at(z, lambda)
	if err != nil {
		return 0, err
	}
	copy(q, m.Root(0))
	return m.Root(1)[0], nil
}

// gradient turns a gradient by q into that by z, with that of the log Jacobian.
func (b *back) gradient(z, lambda, grad []float64) error {
	copy(b.in[b.dim+len(lambda):], grad)
	m, err := b.at(z, lambda)
	if err != nil {
		return err
	}
	copy(grad, m.Root(2))
	return nil
}

// A centredEvaluator implements infer.CentredEvaluator. While lambda is 0 it is the evaluator of the
// coordinates that the program has.
type centredEvaluator struct {
	own      *evaluator
	lambda   []float64
	moved    bool // lambda is not 0
	gradient *trace.Runner
	places   *trace.Runner
	back     *back
	point, q []float64
	points   [][]float64
}

// NewCentredEvaluator implements infer.Centrable.
func (m *Model) NewCentredEvaluator() infer.CentredEvaluator {
	c := m.centring()
	n := c.effects.Size()
	return &centredEvaluator{
		own: m.newEvaluator(standard), lambda: make([]float64, n), gradient: c.gradient.Runner(), places: c.places.Runner(), back: c.newBack(m.dim),
		point: make([]float64, m.dim+n), q: make([]float64, m.dim),
	}
}

// Dim implements infer.Target.
func (e *centredEvaluator) Dim() int { return e.own.Dim() }

// Lambda implements infer.CentredEvaluator.
func (e *centredEvaluator) Lambda() []float64 { return e.lambda }

// SetLambda implements infer.CentredEvaluator.
func (e *centredEvaluator) SetLambda(lambda []float64) {
	e.lambda, e.moved = lambda, false
	for _, l := range lambda {
		e.moved = e.moved || l != 0
	}
}

// Original implements infer.CentredEvaluator.
func (e *centredEvaluator) Original(z, q []float64) (logJacobian float64, err error) {
	if !e.moved {
		copy(q, z)
		return 0, nil
	}
	return e.back.original(z, e.lambda, q)
}

// Places implements infer.CentredEvaluator.
func (e *centredEvaluator) Places(q, location, scale []float64) error {
	m, err := e.places.Run(q)
	if err != nil {
		return infer.Reject(fmt.Sprintf("location or scale of an effect cannot be computed: %v", err))
	}
	copy(location, m.Root(0))
	copy(scale, m.Root(1))
	return nil
}

// LogDensity implements infer.Target.
func (e *centredEvaluator) LogDensity(z []float64) (float64, error) {
	logJ, err := e.Original(z, e.q)
	if err != nil {
		return math.NaN(), err
	}
	lp, err := e.own.LogDensity(e.q)
	return lp + logJ, err
}

// LogDensityGrad implements infer.Target.
func (e *centredEvaluator) LogDensityGrad(z, grad []float64) (float64, error) {
	if !e.moved {
		return e.own.LogDensityGrad(z, grad)
	}
	copy(e.point, z)
	copy(e.point[len(z):], e.lambda)
	m, err := e.gradient.Run(e.point)
	if err != nil {
		return e.slow(z, grad)
	}
	copy(grad, m.Root(1)) // all but the derivatives by lambda
	return e.checked(z, m.Root(0)[0], grad)
}

// checked passes on what is finite.
func (e *centredEvaluator) checked(z []float64, lp float64, grad []float64) (float64, error) {
	if lp-lp == 0 && trace.Finite(grad) {
		return lp, nil
	}
	return e.slow(z, grad)
}

// slow goes by the coordinates that the program has, where messages are to be right.
func (e *centredEvaluator) slow(z, grad []float64) (float64, error) {
	logJ, err := e.Original(z, e.q)
	if err != nil {
		return math.NaN(), err
	}
	lp, err := e.own.LogDensityGrad(e.q, grad)
	if err != nil {
		return lp, err
	}
	return lp + logJ, e.back.gradient(z, e.lambda, grad)
}

// LogDensityMany implements infer.BatchTarget.
func (e *centredEvaluator) LogDensityMany(z [][]float64, lp []float64, err []error) {
	for i := range z {
		lp[i], err[i] = e.LogDensity(z[i])
	}
}

// LogDensityGradMany implements infer.BatchTarget.
func (e *centredEvaluator) LogDensityGradMany(z, grad [][]float64, lp []float64, err []error) {
	if !e.moved {
		e.own.LogDensityGradMany(z, grad, lp, err)
		return
	}
	for len(e.points) < len(z) {
		e.points = append(e.points, make([]float64, len(e.point)))
	}
	for i := range z {
		copy(e.points[i], z[i])
		copy(e.points[i][len(z[i]):], e.lambda)
	}
	e.gradient.Batches(e.points[:len(z)], func(m *autodiff.LaneMachine, from, to int) {
		m.Root(1, grad[from:to])
		for i := from; i < to; i++ {
			switch failure := m.Err(i - from); {
			case failure == nil:
				lp[i], err[i] = e.checked(z[i], m.Number(0, i-from), grad[i])
			case !trace.Undecided(failure): // others are evaluated alone
				lp[i], err[i] = e.slow(z[i], grad[i])
			}
		}
	}, func(i int) { lp[i], err[i] = e.LogDensityGrad(z[i], grad[i]) })
}

// PrefersBatch implements infer.BatchTarget.
func (e *centredEvaluator) PrefersBatch(n int) bool {
	if !e.moved {
		return e.own.PrefersBatch(n)
	}
	return e.gradient.PrefersBatch(n)
}

// Write implements infer.Evaluator: the row is that of the program's coordinates.
func (e *centredEvaluator) Write(z []float64, r *rand.Rand, out []float64) error {
	if _, err := e.Original(z, e.q); err != nil {
		return err
	}
	return e.own.Write(e.q, r, out)
}

var (
	_ infer.Centrable = (*Model)(nil)
	_ eval.Recorder   = (*centring.Finder)(nil)
)
