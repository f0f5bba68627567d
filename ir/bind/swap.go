// Priors in exchange for others: the new model, and what the exchange adds to the log
// density without a look at the data.

package bind

import (
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind/swap"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/ir/pass"
)

// A Swap is a model with new priors in place of those of some parameters. It is
// immutable and safe for concurrent use.
type Swap struct {
	from, to         *Model
	removed, entered []ir.Stmt // what computes the old and the new priors
	coords           []int
	apart            []int
	whole            []string // columns of the discrete parameters, where the priors depend on one
	difference       *trace.Traced
}

// Swap exchanges priors: the statements of the model block that give a variate of new
// its distribution are taken out, those of new come in. A parameter without a prior
// gets its first one. weighted tells that draws are to be weighted, so that priors may depend
// on discrete parameters. The error is a *swap.Error where it cannot be told what the old
// prior is.
func (m *Model) Swap(new []ir.Stmt, weighted bool) (*Swap, error) {
	x, err := swap.Exchange(m.prog, m.lib, new)
	if err == nil && !weighted {
		err = x.NeedsDraws(new)
	}
	if err != nil {
		return nil, err
	}
	s := &Swap{from: m, to: m.with(x.Prog, &simulator{}), removed: x.Removed, entered: x.Entered, coords: m.coordinates(x.Require)}
	s.apart = m.coordinates(others(m.prog.Parameters, x.Linked))
	s.difference = &trace.Traced{Record: s.record}
	if x.Discrete != nil {
		s.whole = m.discreteColumns()
	}
	return s, nil
}

// discreteColumns are the columns of the discrete parameters, in the order of the joint
// coordinates.
func (m *Model) discreteColumns() []string {
	var out []string
	for _, d := range m.discrete {
		var names []string
		appendVarNames(&names, d.Var, d.Shape)
		own := make([]string, len(names))
		next := 0
		eachNumber(eval.Undefined(d.Shape), func(_ *eval.Value, i int) {
			own[i] = names[next]
			next++
		})
		out = append(out, own...)
	}
	return out
}

// coordinates are the places of parameters on the unconstrained scale.
func (m *Model) coordinates(need map[*ir.Var]bool) []int {
	var out []int
	at := 0
	for i := range m.params {
		for k := range m.params[i].Free {
			if need[m.params[i].Var] {
				out = append(out, at+k)
			}
		}
		at += m.params[i].Free
	}
	return out
}

// Model is the model with the new priors. It draws data sets from them.
func (s *Swap) Model() infer.Model { return s.to }

// Coords are the unconstrained coordinates that Difference depends on, ascending. The
// caller must not change the slice.
func (s *Swap) Coords() []int { return s.coords }

// Apart are the unconstrained coordinates, ascending, of parameters that have the same law under
// the old and the new priors, whatever the values of all others. The caller must not change the slice.
func (s *Swap) Apart() []int { return s.apart }

// others are the variables that are not in a set.
func others(all []*ir.Var, but map[*ir.Var]bool) map[*ir.Var]bool {
	out := map[*ir.Var]bool{}
	for _, v := range all {
		out[v] = !but[v]
	}
	return out
}

// On returns the same exchange of priors in a model rebound to other observations.
func (s *Swap) On(m *Model) (*Swap, error) {
	if m.simulator != s.from.simulator {
		return nil, fmt.Errorf("the priors were swapped in another model")
	}
	return &Swap{from: m, to: m.with(s.to.prog, s.to.simulator), removed: s.removed, entered: s.entered, coords: s.coords, apart: s.apart, whole: s.whole, difference: s.difference}, nil
}

// with is another program on the same data, parameters and outputs.
func (m *Model) with(prog *ir.Program, known *simulator) *Model {
	n := &Model{cancellation: m.cancellation, cpuLimiter: m.cpuLimiter, loosest: m.loosest, prog: prog, lib: m.lib, opts: m.opts, known: m.known, beside: m.beside, gaps: m.gaps, observed: m.observed, roles: graph.NewRoles(prog), params: m.params, discrete: m.discrete,
		dim: m.dim, columns: m.columns, names: m.names, simulator: known, plain: m.plain, draws: m.draws, plainRows: m.plainRows, rowPaths: m.rowPaths, code: codeOf(prog)}
	_ = n.rewrite() // no error: m was rewritten with the same options
	n.prepare()
	return n
}

// branchedWork is how many elementary operations a gradient may take for its branches to be made: each is compiled.
const branchedWork = 20e3

// Branches are models of the same parameters in which mixtures have one branch each (see pass.Branches). A narrow mode of
// a mixture is the mode of its branch, where the density itself shows nothing of it from afar. None where the program
// has no mixtures, or the density is costly.
func Branches(m *Model) (out []infer.Model) {
	programs := pass.Branches(m.prog, m.lib)
	if len(programs) == 0 {
		return nil
	}
	if w, err := m.GradientWork(make([]float64, m.dim)); err != nil || w > branchedWork {
		return nil
	}
	for _, p := range programs {
		out = append(out, m.with(p, &simulator{}))
	}
	return out
}

// record compiles the difference and its gradient as they are computed at q.
func (s *Swap) record(q []float64) (*autodiff.Program, error) {
	rec := s.from.newRecorder(s.from.dim)
	em := s.to.machine() // its program has the variables of all statements
	em.Rec, em.Print = rec, nil
	if err := s.to.setParameters(em, trace.Point(q, rec.Graph.Input())); err != nil {
		return nil, err
	}
	var sums [2]autodiff.Node
	for i, body := range [][]ir.Stmt{s.entered, s.removed} {
		terms, err := priorTerms(em, body)
		if err != nil {
			return nil, err
		}
		sums[i] = rec.Total(terms, trace.All)
	}
	d := rec.Graph.Map(autodiff.Sub, 1, sums[0], sums[1])
	return autodiff.Compile(rec.Graph, []autodiff.Node{d, autodiff.Gradient(rec.Graph, d), sums[0], sums[1]}, rec.Effects), nil
}

// priorTerms runs statements and gives the terms that they add.
func priorTerms(em *eval.Machine, body []ir.Stmt) ([]eval.Term, error) {
	em.Reset()
	if err := em.Run(body); err != nil {
		return nil, err
	}
	return append([]eval.Term(nil), em.Terms()...), nil
}

// Whole are the columns of the discrete parameters, in order, where the priors depend on one;
// nil where they depend on continuous ones alone. Points of Difference then have their values
// after the unconstrained coordinates.
func (s *Swap) Whole() []string { return s.whole }

// Difference evaluates log new prior - log old prior, for one goroutine. Where the new
// prior is zero it is -Inf; where the old one is, the false posterior is zero as well,
// and so it is -Inf, too.
func (s *Swap) Difference() infer.Target {
	if s.whole != nil {
		return &jointDifference{s, s.to.machine(), make([]int, len(s.whole))}
	}
	return &difference{s, s.difference.Runner()}
}

// A jointDifference is a difference of priors that depend on discrete parameters.
type jointDifference struct {
	swap    *Swap
	machine *eval.Machine
	values  []int
}

// Dim counts the unconstrained and the whole-number coordinates.
func (d *jointDifference) Dim() int { return d.swap.from.dim + len(d.values) }

// sums are the log densities of the new and the old priors.
func (d *jointDifference) sums(q []float64) (sums [2]float64, err error) {
	m, em := d.swap.to, d.machine
	if err := m.setContinuous(em, trace.Point(q[:m.dim], autodiff.None)); err != nil {
		return sums, err
	}
	for i, z := range q[m.dim:] {
		d.values[i] = int(z)
	}
	m.setDrawn(em, d.values)
	for i, body := range [][]ir.Stmt{d.swap.entered, d.swap.removed} {
		terms, err := priorTerms(em, body)
		if err != nil {
			return sums, err
		}
		for _, t := range terms {
			sums[i] += t.Value.X[0]
		}
	}
	return sums, nil
}

// LogDensity implements infer.Target.
func (d *jointDifference) LogDensity(q []float64) (float64, error) {
	sums, err := d.sums(q)
	return finiteOrZero(sums[0] - sums[1]), err
}

// LogDensityGrad implements infer.Target; whole numbers have no gradient, and nobody asks for
// one.
func (d *jointDifference) LogDensityGrad(q, _ []float64) (float64, error) {
	return math.NaN(), fmt.Errorf("priors of discrete parameters have no gradient")
}

// OldZero is that of difference.
func (d *jointDifference) OldZero(q []float64) (bool, error) {
	sums, err := d.sums(q)
	return err == nil && math.IsInf(sums[1], -1) && !math.IsInf(finiteOrZero(sums[0]), -1), err
}

type difference struct {
	swap *Swap
	run  *trace.Runner
}

// Dim is the number of unconstrained coordinates of the model.
func (d *difference) Dim() int { return d.swap.from.dim }

// LogDensity implements infer.Target.
func (d *difference) LogDensity(q []float64) (float64, error) {
	m, err := d.run.Run(q)
	if err != nil {
		return math.NaN(), err
	}
	return finiteOrZero(m.Root(0)[0]), nil
}

// LogDensityGrad implements infer.Target.
func (d *difference) LogDensityGrad(q, grad []float64) (float64, error) {
	m, err := d.run.Run(q)
	if err != nil {
		return math.NaN(), err
	}
	copy(grad, m.Root(1))
	return finiteOrZero(m.Root(0)[0]), nil
}

// OldZero reports whether the old priors are zero at q where the new ones are not: the
// posterior under the old priors says nothing of such points. The errors are those of
// LogDensity.
func (d *difference) OldZero(q []float64) (bool, error) {
	m, err := d.run.Run(q)
	if err != nil {
		return false, err
	}
	return math.IsInf(m.Root(3)[0], -1) && !math.IsInf(finiteOrZero(m.Root(2)[0]), -1), nil
}

// finiteOrZero replaces a value that is not a log density by the log of zero.
func finiteOrZero(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 1) {
		return math.Inf(-1)
	}
	return x
}
