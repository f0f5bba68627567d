// Integrals over an interval: a call of integrate_1d as an opaque function.

package solver

import (
	"fmt"
	"math"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/stdlib"
	"github.com/seed-12b88e03/ppl/stdlib/solve"
)

// integralDefaults are those of the Stan Functions Reference: the square root of the
// machine precision.
var integralDefaults = solve.Accuracy{Rel: 0x1p-26, Levels: 15}

// An integralProblem is one call. As an autodiff.Opaque its inputs are the limits and
// the arguments of the integrand that depend on parameters.
type integralProblem struct {
	*userCode
	kronrod  bool
	accuracy solve.Accuracy
	active   []bool // of a fused call: which inputs need derivatives
}

// solveIntegral sets an integral up and computes it.
func (m *Host) solveIntegral(em *eval.Machine, call *eval.HigherCall) (*eval.Value, error) {
	args := call.Args
	p := &integralProblem{accuracy: integralDefaults, kronrod: strings.Contains(call.Fn.Name, "kronrod")}
	rest := args[3:]
	switch call.Fn.Higher {
	case stdlib.SolveIntegral:
		rest = args[3:6]
		if len(args) > 6 {
			p.accuracy.Rel = args[6].X[0]
		}
	case stdlib.SolveQuadratureTol:
		p.accuracy = solve.Accuracy{Rel: args[3].X[0], Abs: args[4].X[0], Levels: int(args[5].X[0])}
		rest = args[6:]
	}
	if a := p.accuracy; !(a.Rel >= 0) || !(a.Abs >= 0) || a.Levels < 0 {
		return nil, fmt.Errorf("%s: tolerances and the number of refinements must not be negative", call.Fn.Name)
	}
	p.userCode = m.newUserCode(em, call, args[0].Fn, []*eval.Value{realLead(), realLead()}, rest, 1)
	return p.finish(em, call, p, append([]*eval.Value{args[1], args[2]}, p.leaves...), nil)
}

// String names the integral for dumps.
func (p *integralProblem) String() string {
	if p.active != nil {
		return p.caller + " with partials"
	}
	return p.caller
}

// Fused returns the function that returns the integral with its partial derivatives.
func (p *integralProblem) Fused(active []bool) (autodiff.Opaque, bool) {
	f := *p
	f.active = active
	return &f, true
}

// Instance makes the working memory of one machine.
func (p *integralProblem) Instance() autodiff.Instance {
	s := &integralSolver{integralProblem: p, run: p.runner(), size: 1}
	if p.active != nil {
		for _, a := range p.active[2:] {
			s.inside = s.inside || a
		}
	}
	if s.inside {
		s.size += p.params()
	}
	s.result = make([]float64, s.size)
	if p.kronrod {
		s.gk = solve.NewGaussKronrod(s, s.size)
	} else {
		s.de = solve.NewDoubleExponential(s, s.size)
	}
	return s
}

// An integralSolver is the state of an integralProblem in one machine.
type integralSolver struct {
	*integralProblem
	run    *codeRunner
	inside bool // whether derivatives of the integrand are wanted
	size   int  // 1 and the number of those derivatives
	result []float64
	de     *solve.DoubleExponential
	gk     *solve.GaussKronrod
}

// At evaluates the integrand and, where they are wanted, its derivatives.
func (s *integralSolver) At(x, xc float64, out []float64) error {
	s.run.z[0], s.run.z[1] = x, xc
	if !s.inside {
		v, err := s.run.run()
		copy(out, v)
		return err
	}
	v, rows, err := s.run.runGradient()
	if err != nil {
		return err
	}
	out[0] = v[0]
	for i, d := range rows[0][2:] {
		if math.IsNaN(d) && v[0] == 0 { // far out, where the integrand underflows
			d = 0
		}
		out[1+i] = d
	}
	return nil
}

// Value computes the integral; a fused one gives the partial derivatives behind it.
func (s *integralSolver) Value(in [][]float64, out []float64) error { return s.place(s.solve(in, out)) }

func (s *integralSolver) solve(in [][]float64, out []float64) error {
	a, b := in[0][0], in[1][0]
	if !(a <= b) {
		return domainError("the lower limit is %g, but must not be greater than the upper limit, %g", a, b)
	}
	s.run.load(in[2:])
	clear(s.result)
	switch {
	case a == b && math.IsInf(a, 0):
		return domainError("the integration limits are both %g", a)
	case a < b:
		if err := s.integrate(a, b); err != nil {
			return err
		}
	}
	out[0] = s.result[0]
	if s.active == nil {
		return nil
	}
	return s.partials(a, b, out[1:])
}

func (s *integralSolver) integrate(a, b float64) error {
	if s.kronrod {
		return s.gk.Integrate(a, b, s.accuracy, s.result)
	}
	return s.de.Integrate(a, b, s.accuracy, s.result)
}

// partials writes the derivatives by Leibniz's rule.
func (s *integralSolver) partials(a, b float64, out []float64) error {
	for i, limit := range []float64{a, b} {
		if !s.active[i] {
			continue
		}
		out[0] = 0
		if !math.IsInf(limit, 0) {
			s.run.z[0], s.run.z[1] = limit, 0
			v, err := s.run.run()
			if err != nil {
				return err
			}
			out[0] = v[0]
			if i == 0 {
				out[0] = -v[0]
			}
		}
		out = out[1:]
	}
	if !s.inside {
		return nil
	}
	from := s.result[1:]
	for j, leaf := range s.leaves {
		if s.active[2+j] {
			copy(out, from[:len(leaf.X)])
			out = out[len(leaf.X):]
		}
		from = from[len(leaf.X):]
	}
	return nil
}

// VJP multiplies with the partial derivatives of the fused form; the tape uses it.
func (s *integralSolver) VJP(in [][]float64, out, adj []float64, din [][]float64) {
	fusedVJP(s.integralProblem, in, out, adj, din)
}
