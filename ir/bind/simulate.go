// The model as a simulator: parameters from the prior, observations given them.

package bind

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// A simulator holds what a model and its rebound siblings know about simulating; it is
// filled when first needed.
type simulator struct {
	once sync.Once
	gen  *graph.Generative
	// feeds are the data that transformed data are computed from; sized those that the
	// parameters' declarations read; beforehand those that a draw from the prior reads, with sized.
	feeds, sized, beforehand map[*ir.Var]bool

	tracesLock sync.Mutex
	traces     map[string]*trace.SharedTraces // by piece

	constantOnce sync.Once
	constant     float64
	constantErr  error
}

// reading returns the generative reading of the program.
func (m *Model) reading() *graph.Generative {
	s := m.simulator
	s.once.Do(func() {
		s.gen = m.gaps.limit(graph.NewGenerative(m.prog, m.lib))
		s.feeds = reads(func(visit func(any) bool) { ir.Inspect(m.prog.TransformedData.Body, visit) })
		s.sized = reads(func(visit func(any) bool) { inspectDeclarations(m.prog, visit) })
		s.beforehand = reads(func(visit func(any) bool) {
			inspectDeclarations(m.prog, visit)
			ir.Inspect(s.gen.PriorBody, visit)
		})
	})
	return s.gen
}

// reads collects the variables that a walk meets.
func reads(walk func(visit func(any) bool)) map[*ir.Var]bool {
	out := map[*ir.Var]bool{}
	walk(func(n any) bool {
		if r, ok := n.(*ir.Ref); ok {
			out[r.Var] = true
		}
		return true
	})
	return out
}

// inspectDeclarations walks over the declarations of all variables of a draw.
func inspectDeclarations(p *ir.Program, visit func(any) bool) {
	for _, list := range [][]*ir.Var{p.Parameters, p.TransformedParameters.Vars, p.GeneratedQuantities.Vars} {
		for _, v := range list {
			ir.Inspect([]ir.Stmt{&ir.Declare{Var: v}}, visit)
		}
	}
}

// absent reports whether an observation is missing from the data, and may be.
func (m binder) absent(in *data.Set, v *ir.Var) bool {
	return m.opts.Unobserved && (m.observed[v] || m.blockAssigns(v)) && (in == nil || in.Vars[v.Name] == nil)
}

// blockAssigns reports whether the simulate block assigns a variable.
func (m binder) blockAssigns(v *ir.Var) bool {
	return m.prog.Simulate != nil && assigned(m.prog.Simulate.Body)[v]
}

// observedData are the data that the model block observes, and those that the simulate block
// draws, in whatever form the model has their density.
func observedData(p *ir.Program) map[*ir.Var]bool {
	out := graph.Observed(p)
	if p.Simulate != nil {
		for v := range assigned(p.Simulate.Body) {
			if v.Kind == ir.Datum {
				out[v] = true
			}
		}
	}
	return out
}

// assigned are the variables that statements assign.
func assigned(body []ir.Stmt) map[*ir.Var]bool {
	out := map[*ir.Var]bool{}
	ir.Assignments(body, func(to *ir.Place, _ ir.Expr) { out[to.Var] = true })
	return out
}

// Reading reports how the model is read as a simulator.
func (m *Model) Reading() *graph.Generative { return m.reading() }

// SimulatesByBlock reports whether a simulate block draws the data, whose distribution need
// not be that of the density.
func (m *Model) SimulatesByBlock() bool { return m.prog.Simulate != nil }

// Generative is nil where the model can be simulated from; otherwise it says why not.
// It makes one simulation to find out what depends on the data.
func (m *Model) Generative() error {
	_, err := m.Simulate(rng.New(m.opts.Seed, "trial simulation", 0, 0))
	if infer.IsUndrawable(err) { // at other parameters there are data
		return nil
	}
	return err
}

// A Named value is that of a parameter or an observation. It must not be changed.
type Named struct {
	Var   *ir.Var
	Value *eval.Value
}

// A Simulated data set with the parameters that it came from.
type Simulated struct {
	Point        []float64 // the parameters on the unconstrained scale, discrete ones left out
	Parameters   []Named   // in the order of declaration
	Observations []Named
}

// tries is how often a simulation is begun anew after a rejection: a parameter value
// that the model rejects has density zero.
const tries = 1000

// Simulate draws parameters from the prior and observations given them, by the simulate
// block where there is one. The error wraps graph problems where the model is not
// generative.
func (m *Model) Simulate(r *rand.Rand) (*Simulated, error) {
	switch {
	case m.gaps.written != nil:
		return simulation{m}.whole(r, true, func(w *Model) (*Simulated, error) { return w.Simulate(r) })
	case m.prog.Simulate == nil:
		return m.SimulateDerived(r)
	}
	return simulation{m}.retried(func() (*Simulated, error) { return simulation{m}.runBlock(r, nil) })
}

// SimulateDerived is Simulate by the model block, also where there is a simulate block.
func (m *Model) SimulateDerived(r *rand.Rand) (*Simulated, error) {
	if err := m.reading().DerivedErr(); err != nil {
		return nil, err
	}
	return simulation{m}.retried(func() (*Simulated, error) {
		s, _, err := simulation{m}.runDerived(r, wantAll, nil)
		return s, err
	})
}

// retried begins anew after rejections.
func (m simulation) retried(run func() (*Simulated, error)) (*Simulated, error) {
	var last error
	for range tries {
		s, err := run()
		if err == nil {
			return s, nil
		}
		if !infer.IsReject(err) {
			return nil, wrapped(err)
		}
		last = err
	}
	return nil, fmt.Errorf("%d simulations in a row were rejected, the last one because of: %w", tries, last)
}

// wrapped makes a single problem a list.
func wrapped(err error) error {
	var p *graph.Problem
	var list *graph.NotGenerative
	if errors.As(err, &p) && !errors.As(err, &list) {
		return &graph.NotGenerative{Problems: []*graph.Problem{p}}
	}
	return err
}

// What a run of the derived simulator is to draw.
type wanted uint8

const (
	wantAll      wanted = iota // parameters and observations
	wantPrior                  // parameters alone
	wantConstant               // parameters, for the sake of the prior's normaliser
)

// runDerived runs the statements of transformed parameters and model; given are the
// values of parameters that are not to be drawn.
func (m simulation) runDerived(r *rand.Rand, want wanted, given map[*ir.Var]*eval.Value) (*Simulated, *eval.Simulation, error) {
	em := m.machine()
	em.Print = nil
	sim := eval.NewSimulation(em, m.reading(), r, want != wantAll)
	sim.Normalise = want == wantConstant
	out := &Simulated{}
	if err := m.addSources(em, sim, want, out, given); err != nil {
		return nil, nil, err
	}
	if err := sim.Run(); err != nil {
		return nil, nil, err
	}
	if err := sim.Depends(); err != nil {
		return nil, nil, err
	}
	if want != wantAll {
		out.Observations = nil
	}
	for _, list := range [][]Named{out.Parameters, out.Observations} {
		for i := range list {
			list[i].Value = sim.Value(list[i].Var)
		}
	}
	if given != nil {
		return out, sim, nil
	}
	return out, sim, m.finish(out, r)
}

// addSources declares parameters and observations to a simulation, which may be many: those that
// no draw from the prior reads are not made for one.
func (m simulation) addSources(em *eval.Machine, sim *eval.Simulation, want wanted, out *Simulated, given map[*ir.Var]*eval.Value) error {
	for _, v := range m.prog.Parameters {
		s, err := em.Shape(v)
		if err != nil {
			return err
		}
		sim.Add(v, s, nil)
		if x, ok := given[v]; ok {
			sim.Fix(v, x)
		}
		out.Parameters = append(out.Parameters, Named{Var: v})
	}
	for _, b := range m.known {
		if !m.observed[b.v] || want == wantPrior && !m.simulator.beforehand[b.v] && m.gaps.of(b.v) == nil {
			continue
		}
		s, err := em.Shape(b.v)
		if err != nil {
			return err
		}
		present := b.x
		if m.opts.Unobserved && undefined(b.x) {
			present = nil
		}
		sim.Add(b.v, s, present)
		if want != wantAll && m.gaps.of(b.v) != nil {
			sim.Fix(b.v, b.x) // priors of missing elements may be given the known ones
		}
		out.Observations = append(out.Observations, Named{Var: b.v})
	}
	return nil
}

// undefined reports whether all numbers of a value are missing.
func undefined(v *eval.Value) bool {
	for _, x := range v.X {
		if !math.IsNaN(x) && x != math.MinInt32 {
			return false
		}
	}
	return true
}

// runBlock runs the simulate block; given are the values of parameters that keep them.
func (m simulation) runBlock(r *rand.Rand, given map[*ir.Var]*eval.Value) (*Simulated, error) {
	em := m.machine()
	em.Print, em.Rand = nil, r
	out := &Simulated{}
	for _, v := range m.prog.Parameters {
		s, err := em.Shape(v)
		if err != nil {
			return nil, err
		}
		x := given[v]
		if x == nil {
			x = eval.Undefined(s)
		}
		em.Set(v, x)
		out.Parameters = append(out.Parameters, Named{Var: v})
	}
	em.Kept = func(v *ir.Var) bool { return given[v] != nil }
	em.Need = m.transformOnDemand(em)
	if err := em.Run(m.prog.Simulate.Body); err != nil {
		return nil, err
	}
	writes := assigned(m.prog.Simulate.Body)
	for _, b := range m.known {
		if b.v.Kind == ir.Datum && (m.observed[b.v] || writes[b.v]) {
			out.Observations = append(out.Observations, Named{Var: b.v, Value: em.Get(b.v)})
		}
	}
	for i := range out.Parameters {
		out.Parameters[i].Value = em.Get(out.Parameters[i].Var)
	}
	if given != nil {
		return out, nil
	}
	return out, m.finish(out, r)
}

// transformOnDemand computes the transformed parameters when one is first read.
func (m simulation) transformOnDemand(em *eval.Machine) func(*ir.Var) error {
	return func(v *ir.Var) error {
		if v.Kind != ir.TransformedParameter {
			return nil
		}
		return em.Run(m.prog.TransformedParameters.Body)
	}
}

// finish computes the unconstrained point, and rejects parameters that the declarations of
// transformed parameters reject.
func (m simulation) finish(s *Simulated, r *rand.Rand) error {
	em := m.machine()
	em.Print = nil
	for _, p := range s.Parameters {
		em.Set(p.Var, p.Value)
	}
	q, err := m.pointOf(em, s.Parameters, r)
	if err != nil {
		return err
	}
	s.Point = q
	for _, v := range m.prog.TransformedParameters.Vars {
		if v.Decl.Constraint != nil {
			return m.transformParameters(em, nil)
		}
	}
	return nil
}

// pointOf is the unconstrained point of parameter values.
func (m simulation) pointOf(em *eval.Machine, values []Named, r *rand.Rand) ([]float64, error) {
	q := make([]float64, 0, m.dim)
	value := map[*ir.Var]*eval.Value{}
	for _, p := range values {
		value[p.Var] = p.Value
	}
	for i := range m.params {
		p := &m.params[i]
		from := len(q)
		var err error
		if q, err = m.unconstrain(em, p.Var.Name, p.Shape, value[p.Var], q); err != nil {
			return nil, &eval.Error{Span: p.Var.Loc, Text: "the simulated " + err.Error()}
		}
		if err := m.drawRadii(p, r, q[from:]); err != nil {
			return nil, err
		}
	}
	for _, x := range q {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, infer.Reject("a simulated parameter lies on the boundary of its support")
		}
	}
	return q, nil
}

// drawRadii returns unit vectors a length on the unconstrained scale: there the vector is
// standard normal, and only its direction counts.
func (m simulation) drawRadii(p *trace.Param, r *rand.Rand, q []float64) error {
	at := 0
	return trace.EachLeaf(p.Shape, func(s *eval.Shape) error {
		l, err := trace.NewLeaf(m.lib, s)
		if err != nil {
			return err
		}
		for range l.Outer {
			if l.Transform != nil && l.Transform.Name == "unit_vector" {
				square := 0.0
				for range l.Free {
					x := variate.Normal(r)
					square += float64(x * x)
				}
				for k := range l.Free {
					q[at+k] *= math.Sqrt(square)
				}
			}
			at += l.Free
		}
		return nil
	})
}

// priorConstant is what normalises the prior beyond the terms of the density; 0 where
// that is not known or the prior is improper.
func (m *Model) priorConstant() (float64, error) {
	s := m.simulator
	s.constantOnce.Do(func() { s.constant, s.constantErr = simulation{m}.findConstant() })
	return s.constant, s.constantErr
}

// LogConstant implements infer.Normalized.
func (m *Model) LogConstant() float64 {
	c, err := m.priorConstant()
	if err != nil {
		return 0
	}
	return c
}

func (m simulation) findConstant() (float64, error) {
	if err := m.reading().DensityErr(); err != nil {
		return 0, err
	}
	r := rng.New(m.opts.Seed, "prior constant", 0, 0)
	var sim *eval.Simulation
	_, err := m.retried(func() (*Simulated, error) {
		var s *Simulated
		var err error
		s, sim, err = m.runDerived(r, wantConstant, nil)
		return s, err
	})
	if err != nil {
		return 0, err
	}
	return sim.LogConstant()
}

// DrawPrior fills q with an independent draw from the prior, implementing
// infer.PriorSampler. The error is an *infer.MissingError where the prior is not proper.
func (e *evaluator) DrawPrior(r *rand.Rand, q []float64) error {
	s, err := e.drawPrior(r)
	if err != nil {
		return err
	}
	copy(q, s.Point)
	return nil
}

func (e *evaluator) drawPrior(r *rand.Rand) (*Simulated, error) {
	m := e.model
	missing := func(err error) error {
		return &infer.MissingError{Method: "a draw from the prior", Needs: "a proper prior", Reason: err}
	}
	if m.prog.Simulate == nil {
		if _, err := m.priorConstant(); err != nil {
			return nil, missing(err)
		}
	}
	s, err := simulation{m}.retried(func() (*Simulated, error) {
		if m.prog.Simulate != nil {
			return simulation{m}.runBlock(r, nil)
		}
		s, _, err := simulation{m}.runDerived(r, wantPrior, nil)
		return s, err
	})
	if _, ok := errors.AsType[*graph.NotGenerative](err); ok {
		err = missing(err)
	}
	return s, err
}

var _ infer.PriorSampler = (*evaluator)(nil)
