// The embedded Laplace approximation: calls of laplace_marginal and laplace_latent.

package solver

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
	"github.com/seed-12b88e03/ppl/stdlib/solve"
)

// laplaceDefaults are those of the Stan Functions Reference, Embedded Laplace
// Approximation.
var laplaceDefaults = solve.LaplaceControl{Tol: 0x1p-26, MaxSteps: 500, BlockSize: 1, Halvings: 1000}

// A laplaceProblem is one call. As an autodiff.Opaque its inputs are the initial guess
// of the latent variables, their covariance, and the arguments of the likelihood that
// depend on parameters. Its output is the log marginal likelihood.
type laplaceProblem struct {
	*userCode
	counts  *countLikelihood // a likelihood of the library; nil for the user's
	n       int              // latent variables
	control solve.LaplaceControl
	active  []bool // of a fused call: which inputs need derivatives
}

// A laplaceCall is the call with its arguments told apart.
type laplaceCall struct {
	likelihood []*eval.Value // after the function, or those of the library's likelihood
	covariance *eval.Value
	start      *eval.Value // the initial guess; nil for zero
	control    solve.LaplaceControl
}

// solveLaplace sets an approximation up and computes the marginal likelihood or, for a
// _rng function, a draw of the latent variables.
func (m *Host) solveLaplace(em *eval.Machine, call *eval.HigherCall) (*eval.Value, error) {
	c, err := m.readLaplace(em, call)
	if err != nil {
		return nil, err
	}
	name := call.Fn.Name
	k := c.covariance
	if k.Dims[0] != k.Dims[1] || k.Dims[0] == 0 {
		return nil, fmt.Errorf("%s: the covariance function returned a matrix of %d x %d, but must return a square one", name, k.Dims[0], k.Dims[1])
	}
	n := k.Dims[0]
	if c.start == nil {
		c.start = eval.NewValue(types.Vector, []int{n}, make([]float64, n))
	}
	if len(c.start.X) != n {
		return nil, fmt.Errorf("%s: the initial guess has %d elements, the covariance matrix %d rows", name, len(c.start.X), n)
	}
	if b := c.control.BlockSize; b < 1 || b > n {
		return nil, fmt.Errorf("%s: hessian_block_size is %d, but must be between 1 and the number %d of latent variables", name, b, n)
	}
	p := &laplaceProblem{n: n, control: c.control}
	p.userCode = m.newUserCode(em, call, call.Args[0].Fn, []*eval.Value{c.start}, c.likelihood, 1)
	if !usersLikelihood(call.Fn) {
		if p.counts, err = newCountLikelihood(call.Fn, p.rest, n); err != nil {
			return nil, err
		}
	}
	switch {
	case call.Fn.Higher == stdlib.LatentLaplace:
		return p.latent(em, call, c)
	case strings.HasSuffix(name, "_rng"):
		return p.draw(em, call, c)
	}
	return p.finish(em, call, p, append([]*eval.Value{c.start, k}, p.leaves...), nil)
}

// usersLikelihood reports whether the first argument of fn is a likelihood of the user's.
func usersLikelihood(fn *stdlib.Function) bool {
	switch fn.Higher {
	case stdlib.SolveLaplace, stdlib.DrawLaplace, stdlib.LatentLaplace:
		return true
	}
	return false
}

// readLaplace tells the arguments apart: the likelihood, the covariance function with
// its arguments, and the controls, in the order of Stan 2.37 or with the block size
// before the covariance and the other controls in a tuple, as later versions have it.
func (m *Host) readLaplace(em *eval.Machine, call *eval.HigherCall) (*laplaceCall, error) {
	c := &laplaceCall{control: laplaceDefaults}
	args := call.Args
	at := 0 // of the covariance function
	for i, a := range args {
		if a.Fn != nil {
			at = i
		}
	}
	before := args[:at]
	if last := before[at-1]; last.T.Base == types.IntBase && last.T.Dims == 0 {
		c.control.BlockSize = int(last.X[0])
		before = before[:at-1]
	}
	c.likelihood = before
	if usersLikelihood(call.Fn) {
		c.likelihood = before[1].Fields
	}
	controls := args[at+2:]
	if len(controls) == 1 {
		f := controls[0].Fields // theta_init, tol, max_num_steps, solver, linesearch, fallback
		size := c.control.BlockSize
		controls = []*eval.Value{f[0], f[1], f[2], eval.Int(size), f[3], f[4]}
	}
	if len(controls) > 0 {
		c.start = controls[0]
		if err := c.read(controls[1:]); err != nil {
			return nil, fmt.Errorf("%s: %w", call.Fn.Name, err)
		}
	}
	k, err := em.Apply(call.At, args[at].Fn, promoted(args[at].Fn, args[at+1].Fields))
	c.covariance = k
	return c, err
}

// read takes tolerance, step limit, block size, solver and line search. The three
// solvers of Stan differ in the decomposition that a Newton step uses; here one that
// serves all cases is used.
func (c *laplaceCall) read(v []*eval.Value) error {
	number := func(i int) float64 { return v[i].X[0] }
	c.control = solve.LaplaceControl{Tol: number(0), MaxSteps: int(number(1)), BlockSize: int(number(2)), Halvings: int(number(4))}
	switch {
	case !(c.control.Tol > 0):
		return fmt.Errorf("the tolerance is %g, but must be positive", c.control.Tol)
	case c.control.MaxSteps <= 0:
		return fmt.Errorf("max_num_steps is %d, but must be positive", c.control.MaxSteps)
	case number(3) < 1 || number(3) > 3:
		return fmt.Errorf("the solver is %g, but must be 1, 2 or 3", number(3))
	case c.control.Halvings < 0:
		return fmt.Errorf("max_steps_linesearch is %d, but must not be negative", c.control.Halvings)
	}
	return nil
}

// draw computes a draw of the latent variables.
func (p *laplaceProblem) draw(em *eval.Machine, call *eval.HigherCall, c *laplaceCall) (*eval.Value, error) {
	if em.Rand == nil {
		return nil, fmt.Errorf("%s: no random numbers are to be had here", p.caller)
	}
	out := eval.NewValue(call.Result, []int{p.n}, make([]float64, p.n))
	s, err := p.solved(c)
	if err == nil {
		err = s.laplace.Draw(em.Rand, out.X)
	}
	return out, p.rejection(err)
}

// latent computes the mean and the Cholesky factor of the approximation. The functions of
// Stan have no derivatives either: what depends on parameters is for generated quantities,
// where nothing is recorded.
func (p *laplaceProblem) latent(em *eval.Machine, call *eval.HigherCall, c *laplaceCall) (*eval.Value, error) {
	if em.Rec != nil && (c.covariance.Active() || c.start.Active() || slices.ContainsFunc(p.leaves, (*eval.Value).Active)) {
		return nil, fmt.Errorf("%s has no derivatives: its arguments may depend on parameters in generated quantities only", p.caller)
	}
	mean := eval.NewValue(call.Result.Fields[0], []int{p.n}, make([]float64, p.n))
	factor := eval.NewValue(call.Result.Fields[1], []int{p.n, p.n}, make([]float64, p.n*p.n))
	s, err := p.solved(c)
	if err == nil {
		err = s.laplace.Latent(mean.X, factor.X)
	}
	out := eval.NewValue(call.Result, nil, nil)
	out.Fields = []*eval.Value{mean, factor}
	return out, p.rejection(err)
}

// solved is a solver that has found the mode.
func (p *laplaceProblem) solved(c *laplaceCall) (*laplaceSolver, error) {
	s := p.Instance().(*laplaceSolver)
	in := [][]float64{c.start.X, c.covariance.X}
	for _, v := range p.leaves {
		in = append(in, v.X)
	}
	return s, s.solve(in, make([]float64, 1))
}

// rejection is a solver's error as one about the arguments of the call.
func (p *laplaceProblem) rejection(err error) error {
	if e, ok := err.(*solve.Error); ok {
		return &stdlib.DomainError{Func: p.caller, Text: e.Text}
	}
	return err
}

// String names the approximation for dumps.
func (p *laplaceProblem) String() string {
	if p.active != nil {
		return p.caller + " with partials"
	}
	return p.caller
}

// Fused returns the function that returns the value with its partial derivatives.
func (p *laplaceProblem) Fused(active []bool) (autodiff.Opaque, bool) {
	f := *p
	f.active = active
	return &f, true
}

// Instance makes the working memory of one machine.
func (p *laplaceProblem) Instance() autodiff.Instance {
	s := &laplaceSolver{laplaceProblem: p, eta: make([]float64, p.params()), deta: make([]float64, p.params())}
	if p.counts == nil {
		s.run = p.runner()
	}
	s.laplace = solve.NewLaplace(s, p.n, p.params(), p.control)
	return s
}

// A laplaceSolver is the state of a laplaceProblem in one machine.
type laplaceSolver struct {
	*laplaceProblem
	run     *codeRunner // of the user's likelihood
	laplace *solve.Laplace
	eta     []float64 // the arguments that depend on parameters
	deta    []float64 // the derivatives with respect to them
}

// load sets the arguments that depend on parameters.
func (s *laplaceSolver) load(leaves [][]float64) {
	if s.run != nil {
		s.run.load(leaves)
		return
	}
	at := 0
	for _, x := range leaves {
		at += copy(s.eta[at:], x)
	}
}

// Gradient evaluates the log likelihood.
func (s *laplaceSolver) Gradient(theta, grad []float64) (float64, error) {
	if s.run == nil {
		return s.counts.gradient(theta, s.eta, grad)
	}
	copy(s.run.z, theta)
	v, rows, err := s.run.runGradient()
	if err != nil {
		return 0, err
	}
	copy(grad, rows[0])
	return v[0], nil
}

// Value computes the approximation; a fused one gives the partial derivatives behind it.
func (s *laplaceSolver) Value(in [][]float64, out []float64) error { return s.place(s.solve(in, out)) }

func (s *laplaceSolver) solve(in [][]float64, out []float64) error {
	if err := checkFinite("initial guess", in[0]); err != nil {
		return err
	}
	if err := checkFinite("element of the covariance matrix", in[1]); err != nil {
		return err
	}
	s.load(in[2:])
	v, err := s.laplace.Solve(in[0], in[1])
	if err != nil {
		return err
	}
	if math.IsNaN(v) {
		return domainError("the approximate log marginal likelihood is no number")
	}
	out[0] = v
	if s.active == nil {
		return nil
	}
	return s.partials(in, out[1:])
}

// partials writes the derivatives; the initial guess has none.
func (s *laplaceSolver) partials(in [][]float64, out []float64) error {
	if s.active[0] {
		clear(out[:s.n])
		out = out[s.n:]
	}
	var dk []float64
	if s.active[1] {
		dk = out[:len(in[1])]
		out = out[len(in[1]):]
	}
	deta := s.deta
	if err := s.laplace.Derivatives(dk, deta); err != nil {
		return err
	}
	for j, x := range in[2:] {
		if s.active[2+j] {
			copy(out, deta[:len(x)])
			out = out[len(x):]
		}
		deta = deta[len(x):]
	}
	return nil
}

// VJP multiplies with the partial derivatives of the fused form; the tape uses it.
func (s *laplaceSolver) VJP(in [][]float64, out, adj []float64, din [][]float64) {
	fusedVJP(s.laplaceProblem, in, out, adj, din)
}
