// Full conditionals, found on the program's graph.
//
// The log density is recorded as a function of the constrained parameters, with
// densities written out. What it is as a function of one block, the rest being held
// fixed, is read off the graph (autodiff: Degree, Form); the coefficients of the form
// are then obtained from gradients, which is exact since the form is known. So
// conjugacy is found wherever it is, however the model is written: a normal mean inside
// a linear predictor, a variance through its square root, a precision through an
// inverse, a rate in a loop.
//
//	form in t                        full conditional
//	polynomial of degree 2           normal (a whole vector at once where it is jointly so)
//	a log t - b t                    gamma(a + 1, b)
//	-a log t - b / t                 inverse gamma(a - 1, b)
//	a log t + b log(1 - t)           beta(a + 1, b + 1)
//	sum_k a_k log t_k, a simplex     Dirichlet(a + 1)

package bind

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// A conditional is a block with a known form.
type conditional struct {
	infer.Block
	draw  func(e *jointEvaluator, b *conditional, rng *rand.Rand) error
	at    []int // positions of its numbers among the constrained ones
	link  link  // from constrained to unconstrained, number by number
	prog  *autodiff.Program
	p     *param
	outer int // of simplexes: which element of the array
}

// A link is a transform of single numbers.
type link uint8

const (
	identity  link = iota
	logLink        // lower = 0
	logitLink      // lower = 0, upper = 1
	simplexLink
	otherLink
)

// blocks is a model's sweep.
type blocks struct {
	list      []*conditional
	constrain *traced // unconstrained to constrained numbers
	size      int     // how many constrained numbers
}

// maxNormal is the greatest number of coordinates drawn jointly from a normal.
const maxNormal = 256

// recordConstrained builds the graph of the log density of the constrained numbers x
// and the indicators, densities written out, without log Jacobian.
func (m *Model) recordConstrained(x []float64, size int) (*recorder, autodiff.Node, error) {
	rec := newRecorder(len(x))
	rec.full = true
	em := m.machine()
	em.Rec = rec
	for _, d := range m.discrete {
		em.SetDiscrete(d.v, d.shape.Dims, d.low, d.high)
	}
	at := 0
	for i := range m.params {
		p := &m.params[i]
		n := len(eval.Undefined(p.shape).X)
		v := eval.NewValue(p.v.Type, p.shape.Dims, append([]float64(nil), x[at:at+n]...))
		if n > 0 {
			viewOf(v, rec.g.Input(), at)
		}
		em.Set(p.v, v)
		at += n
	}
	if err := m.transformParameters(em, rec); err != nil {
		return nil, autodiff.None, err
	}
	if err := em.Run(m.prog.Model); err != nil {
		return nil, autodiff.None, err
	}
	return rec, rec.joint(em.Terms(), size), nil
}

// recordParameters compiles the constrained numbers as a function of q.
func (m *Model) recordParameters(q []float64) (*autodiff.Program, error) {
	rec := newRecorder(m.dim)
	em := m.machine()
	em.Rec = rec
	if err := m.setParameters(em, point(q, rec.g.Input())); err != nil {
		return nil, err
	}
	var refs []autodiff.Ref
	for i := range m.params {
		v := em.Get(m.params[i].v)
		for k := range v.X {
			ref := v.Ref(k)
			if ref.Node == autodiff.None {
				ref.Node = rec.g.Scalar(v.X[k])
			}
			refs = append(refs, ref)
		}
	}
	return rec.g.Compile([]autodiff.Node{rec.g.Gather(refs)}, rec.effects), nil
}

// findBlocks analyses the model at q.
func (m *Model) findBlocks(q []float64, sel *selector) (*blocks, error) {
	b := &blocks{constrain: &traced{record: m.recordParameters}}
	if m.numbers() > 0 {
		b.list = append(b.list, m.discreteBlock())
	}
	if m.dim == 0 {
		return b, nil
	}
	tuples := false
	for i := range m.params {
		tuples = tuples || m.params[i].v.Type.Base == types.TupleBase
	}
	if tuples {
		return m.sliced(b, "the model has tuples as parameters"), nil
	}
	run := b.constrain.runner()
	machine, err := run.run(q)
	if err != nil {
		return nil, err
	}
	x := append([]float64(nil), machine.Root(0)...)
	b.size = len(x)
	in := append(x, make([]float64, sel.size)...)
	rec, lp, err := m.recordConstrained(in, b.size)
	if err != nil {
		return nil, err
	}
	if len(rec.effects) > 0 && guarded(rec) {
		return m.sliced(b, "the model's control flow depends on parameters"), nil
	}
	a := &analysis{m: m, rec: rec, lp: lp, b: b, dims: len(in), gradient: autodiff.None}
	a.parameters()
	return b, nil
}

func guarded(r *recorder) bool { return r.guards > 0 }

// sliced makes every parameter a block without a form.
func (m *Model) sliced(b *blocks, why string) *blocks {
	free := 0
	for i := range m.params {
		b.list = append(b.list, sliceBlock(&m.params[i], free, why))
		free += m.params[i].free
	}
	return b
}

func sliceBlock(p *param, free int, why string) *conditional {
	c := &conditional{p: p}
	c.Block = infer.Block{Name: p.v.Name, Form: "slice", Coords: span(free, p.free), Reason: why}
	return c
}

func span(from, n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = from + i
	}
	return out
}

// discreteBlock draws all discrete parameters jointly from the elimination's tables.
func (m *Model) discreteBlock() *conditional {
	name := ""
	for i, d := range m.discrete {
		if i > 0 {
			name += ", "
		}
		name += d.v.Name
	}
	c := &conditional{draw: drawDiscrete}
	c.Block = infer.Block{Name: name, Form: "enumerated", Exact: true, Coords: span(m.dim, m.numbers())}
	return c
}

func drawDiscrete(e *jointEvaluator, _ *conditional, rng *rand.Rand) error {
	dim := e.model.dim
	z, err := e.recover(e.q[:dim], rng)
	if err != nil {
		return err
	}
	for i, v := range z {
		e.q[dim+i] = float64(v)
	}
	return nil
}

// An analysis goes through the parameters and finds their forms.
type analysis struct {
	m        *Model
	rec      *recorder
	lp       autodiff.Node
	gradient autodiff.Node
	b        *blocks
	dims     int
	normal   *conditional // the joint normal block so far
	marked   []bool       // its numbers
}

func (a *analysis) parameters() {
	a.marked = make([]bool, a.dims)
	at, free := 0, 0
	for i := range a.m.params {
		p := &a.m.params[i]
		n := len(eval.Undefined(p.shape).X)
		a.parameter(p, at, n, free)
		at += n
		free += p.free
	}
}

// parameter finds the conditional of one parameter with numbers [at, at+n).
func (a *analysis) parameter(p *param, at, n, free int) {
	if n == 0 {
		return
	}
	switch l := linkOf(a.m, p); {
	case l == otherLink:
		a.add(sliceBlock(p, free, "its constraint has no known conditional"))
	case l == simplexLink:
		a.simplexes(p, at, n, free)
	case l == identity && a.isNormal(p, at, n, free):
	default:
		a.scalars(p, at, n, free, l)
	}
}

func (a *analysis) add(c *conditional) { a.b.list = append(a.b.list, c) }

// isNormal puts a parameter into the joint normal block, or a block of its own, where
// the log density is a polynomial of degree 2 in all its numbers.
func (a *analysis) isNormal(p *param, at, n, free int) bool {
	own := make([]bool, a.dims)
	for i := range n {
		own[at+i] = true
	}
	if d, ok := a.rec.g.Degree(a.lp, own); !ok || d > 2 || n > maxNormal {
		return false
	}
	if a.normal != nil && len(a.normal.at)+n <= maxNormal {
		joint := append([]bool(nil), a.marked...)
		for i := range n {
			joint[at+i] = true
		}
		if d, ok := a.rec.g.Degree(a.lp, joint); ok && d <= 2 {
			c := a.normal
			c.Name += ", " + p.v.Name
			c.at = append(c.at, span(at, n)...)
			c.Coords = append(c.Coords, span(free, n)...)
			c.prog = a.program(c.at)
			a.marked = joint
			return true
		}
	}
	c := &conditional{p: p, draw: drawNormal, at: span(at, n)}
	c.Block = infer.Block{Name: p.v.Name, Form: "normal", Exact: true, Coords: span(free, n)}
	c.prog = a.program(c.at)
	a.normal, a.marked = c, own
	a.add(c)
	return true
}

// program compiles the gradient of the log density by the given numbers.
func (a *analysis) program(at []int) *autodiff.Program {
	if a.gradient == autodiff.None {
		a.gradient = a.rec.g.Gradient(a.lp)
	}
	refs := make([]autodiff.Ref, len(at))
	for i, k := range at {
		refs[i] = autodiff.Ref{Node: a.gradient, Elem: int32(k)}
	}
	return a.rec.g.Compile([]autodiff.Node{a.rec.g.Gather(refs)}, nil)
}

// scalars finds the conditional of each number by itself.
func (a *analysis) scalars(p *param, at, n, free int, l link) {
	for i := range n {
		name := p.v.Name
		if n > 1 {
			name = elementName(name, p.shape.Dims, i)
		}
		c := &conditional{p: p, at: []int{at + i}, link: l}
		c.Block = infer.Block{Name: name, Exact: true, Coords: []int{free + i}}
		f, ok := a.rec.g.Form(a.lp, at+i)
		switch {
		case ok && l == identity && f.Within(false, false, 1, 2):
			c.Form, c.draw = "normal", drawNormal
		case ok && l == logLink && f.Within(true, false, 1):
			c.Form, c.draw = "gamma", drawGamma
		case ok && l == logLink && f.Within(true, false, -1):
			c.Form, c.draw = "inverse gamma", drawInvGamma
		case ok && l == logitLink && f.Within(true, true):
			c.Form, c.draw = "beta", drawBeta
		default:
			c.Form, c.Exact, c.Reason = "slice", false, formReason(f, ok)
			a.add(c)
			continue
		}
		c.prog = a.program(c.at)
		a.add(c)
	}
}

// formReason says why a form is not conjugate.
func formReason(f autodiff.Form, ok bool) string {
	if !ok {
		return "the log density is no sum of powers and logarithms of it"
	}
	text := "the log density has in it"
	for _, p := range f.Powers {
		if p != 0 {
			text += fmt.Sprintf(" its power %g,", p)
		}
	}
	if f.Log {
		text += " its logarithm,"
	}
	if f.Log1m {
		text += " the logarithm of one minus it,"
	}
	return text[:len(text)-1] + ", which is no conjugate form on its support"
}

// simplexes finds Dirichlet conditionals.
func (a *analysis) simplexes(p *param, at, n, free int) {
	k := p.shape.Dims[len(p.shape.Dims)-1]
	for j := range n / k {
		name := p.v.Name
		if n > k {
			name = elementName(name, p.shape.Dims[:len(p.shape.Dims)-1], j)
		}
		c := &conditional{p: p, at: span(at+j*k, k), link: simplexLink, draw: drawDirichlet, outer: j}
		c.Block = infer.Block{Name: name, Form: "dirichlet", Exact: true, Coords: span(free+j*(k-1), k-1)}
		for _, i := range c.at {
			if f, ok := a.rec.g.Form(a.lp, i); !ok || !f.Within(true, false) {
				c.Form, c.Exact, c.Reason = "slice", false, formReason(f, ok)
				break
			}
		}
		if c.Exact {
			c.prog = a.program(c.at)
		}
		a.add(c)
	}
}

// linkOf classifies a parameter's constraint.
func linkOf(m *Model, p *param) link {
	c := p.v.Decl.Constraint
	if c == nil {
		return identity
	}
	if c.Name == "simplex" {
		return simplexLink
	}
	em := m.machine()
	var bounds []float64
	for _, x := range c.Args {
		v, err := em.Eval(x)
		if err != nil || len(v.X) != 1 { // depends on parameters, or differs by element
			return otherLink
		}
		bounds = append(bounds, v.X[0])
	}
	switch {
	case c.Name == "lower" && bounds[0] == 0:
		return logLink
	case c.Name == "lower_upper" && bounds[0] == 0 && bounds[1] == 1:
		return logitLink
	}
	return otherLink
}

// Blocks describes the sweep; before the first draw it analyses the model at 0.
func (e *jointEvaluator) Blocks() []infer.Block {
	b, err := e.model.sharedBlocks(e)
	if err != nil {
		return nil
	}
	out := make([]infer.Block, len(b.list))
	for i, c := range b.list {
		out[i] = c.Block
	}
	return out
}

// sharedBlocks analyses the model once. Where it has no density at 0 a few other
// points are tried.
func (m *Model) sharedBlocks(e *jointEvaluator) (*blocks, error) {
	m.blocksLock.Lock()
	defer m.blocksLock.Unlock()
	if m.blocks != nil {
		return m.blocks, nil
	}
	rng := rand.New(rand.NewPCG(1, 1))
	q := make([]float64, m.dim)
	var err error
	for range 20 {
		var sel *selector
		if sel, err = m.newSelector(q); err == nil {
			if m.blocks, err = m.findBlocks(q, sel); err == nil {
				return m.blocks, nil
			}
		}
		for i := range q {
			q[i] = 2*rng.Float64() - 1
		}
	}
	return nil, err
}

// DrawBlock draws block i from its full conditional.
func (e *jointEvaluator) DrawBlock(i int, q []float64, rng *rand.Rand) error {
	b, err := e.model.sharedBlocks(e)
	if err != nil {
		return err
	}
	if err := e.load(b, q); err != nil {
		return err
	}
	c := b.list[i]
	if err := c.draw(e, c, rng); err != nil {
		return err
	}
	copy(q, e.q)
	return nil
}

// load sets the evaluator's state to q: constrained numbers and indicators.
func (e *jointEvaluator) load(b *blocks, q []float64) error {
	dim := e.model.dim
	if e.sel == nil {
		if _, err := e.run(q); err != nil && !infer.IsReject(err) {
			return err
		}
	}
	if e.cond == nil {
		e.cond = &sweep{constrain: b.constrain.runner(), machines: map[*autodiff.Program]*autodiff.Machine{}}
		e.q = make([]float64, len(q))
		e.x = make([]float64, b.size+e.sel.size)
	}
	copy(e.q, q)
	if dim == 0 {
		return nil
	}
	m, err := e.cond.constrain.run(q[:dim])
	if err != nil {
		return err
	}
	copy(e.x, m.Root(0))
	e.sel.fill(q[dim:], e.x[b.size:])
	return nil
}

// A sweep is the machinery of one evaluator's block updates.
type sweep struct {
	constrain *runner
	machines  map[*autodiff.Program]*autodiff.Machine
}

// grad evaluates a block's gradient with its numbers set to v.
func (e *jointEvaluator) grad(c *conditional, v []float64) ([]float64, error) {
	m, ok := e.cond.machines[c.prog]
	if !ok {
		m = c.prog.NewMachine()
		e.cond.machines[c.prog] = m
	}
	for i, k := range c.at {
		e.x[k] = v[i]
	}
	if err := m.Run(e.x); err != nil {
		return nil, err
	}
	return m.Root(0), nil
}

// improper says that a full conditional is no distribution.
func improper(c *conditional, what string, args ...any) error {
	return fmt.Errorf("the full conditional of %s, %s, is improper: %s", c.Name, c.Form, fmt.Sprintf(what, args...))
}

// drawNormal solves for mean and precision: the gradient at 0 and its change along
// each coordinate.
func drawNormal(e *jointEvaluator, c *conditional, rng *rand.Rand) error {
	n := len(c.at)
	v := make([]float64, n)
	g, err := e.grad(c, v)
	if err != nil {
		return err
	}
	g0 := append([]float64(nil), g...)
	prec := blas64.Symmetric{Uplo: blas.Upper, N: n, Stride: n, Data: make([]float64, n*n)}
	for j := range n {
		v[j] = 1
		if g, err = e.grad(c, v); err != nil {
			return err
		}
		v[j] = 0
		for i := range n {
			prec.Data[i*n+j] = g0[i] - g[i]
		}
	}
	if n == 1 {
		if !(prec.Data[0] > 0) {
			return improper(c, "its precision is %g", prec.Data[0])
		}
		e.q[c.Coords[0]] = g0[0]/prec.Data[0] + rng.NormFloat64()/math.Sqrt(prec.Data[0])
		return nil
	}
	// With U'U the precision, U x = (U')^-1 g0 + z gives mean and spread at once.
	u, ok := lapack64.Potrf(prec)
	if !ok {
		return improper(c, "its precision matrix is not positive definite")
	}
	x := blas64.Vector{N: n, Inc: 1, Data: g0}
	blas64.Trsv(blas.Trans, u, x)
	for i := range n {
		g0[i] += rng.NormFloat64()
	}
	blas64.Trsv(blas.NoTrans, u, x)
	for i, k := range c.Coords {
		e.q[k] = g0[i]
	}
	return nil
}

// two evaluates the gradient of a single number at two points.
func (e *jointEvaluator) two(c *conditional, s, t float64) (gs, gt float64, err error) {
	g, err := e.grad(c, []float64{s})
	if err != nil {
		return 0, 0, err
	}
	gs = g[0]
	if g, err = e.grad(c, []float64{t}); err != nil {
		return 0, 0, err
	}
	return gs, g[0], nil
}

// drawGamma: the gradient is a/t - b.
func drawGamma(e *jointEvaluator, c *conditional, rng *rand.Rand) error {
	g1, g2, err := e.two(c, 1, 2)
	if err != nil {
		return err
	}
	a := 2 * (g1 - g2)
	b := a - g1
	if !(a > -1) || !(b > 0) {
		return improper(c, "shape %g, rate %g", a+1, b)
	}
	e.q[c.Coords[0]] = logGamma(rng, a+1) - math.Log(b)
	return nil
}

// drawInvGamma: the gradient is -a/t + b/t^2.
func drawInvGamma(e *jointEvaluator, c *conditional, rng *rand.Rand) error {
	g1, g2, err := e.two(c, 1, 2)
	if err != nil {
		return err
	}
	b := 2*g1 - 4*g2 // g1 = -a + b, g2 = -a/2 + b/4
	a := b - g1
	if !(a > 1) || !(b > 0) {
		return improper(c, "shape %g, scale %g", a-1, b)
	}
	e.q[c.Coords[0]] = math.Log(b) - logGamma(rng, a-1)
	return nil
}

// drawBeta: the gradient is a/t - b/(1-t).
func drawBeta(e *jointEvaluator, c *conditional, rng *rand.Rand) error {
	g1, g2, err := e.two(c, 0.25, 0.75)
	if err != nil {
		return err
	}
	// g1 = 4a - 4b/3, g2 = 4a/3 - 4b
	a := (3*g1 - g2) * 3 / 32
	b := (g1 - 3*g2) * 3 / 32
	if !(a > -1) || !(b > -1) {
		return improper(c, "parameters %g and %g", a+1, b+1)
	}
	e.q[c.Coords[0]] = logGamma(rng, a+1) - logGamma(rng, b+1) // the logit
	return nil
}

// drawDirichlet: the gradient by t_k is a_k/t_k.
func drawDirichlet(e *jointEvaluator, c *conditional, rng *rand.Rand) error {
	k := len(c.at)
	v := make([]float64, k)
	for i := range v {
		v[i] = 1 / float64(k)
	}
	g, err := e.grad(c, v)
	if err != nil {
		return err
	}
	greatest := math.Inf(-1)
	for i := range v {
		a := g[i]*v[i] + 1
		if !(a > 0) {
			return improper(c, "parameter %d is %g", i+1, a)
		}
		v[i] = logGamma(rng, a)
		greatest = math.Max(greatest, v[i])
	}
	total := 0.0
	for i := range v {
		v[i] = math.Exp(v[i] - greatest)
		total += v[i]
	}
	for i := range v {
		v[i] = math.Max(v[i]/total, math.SmallestNonzeroFloat64)
	}
	free := make([]float64, k-1)
	if err := e.model.lib.Transform("simplex").Unconstrain([]int{k}, v, nil, free); err != nil {
		return err
	}
	for i, at := range c.Coords {
		e.q[at] = free[i]
	}
	return nil
}

// logGamma draws the log of a standard gamma variate (Marsaglia and Tsang 2000; for
// shapes below 1 by the power of a uniform, on the log scale).
func logGamma(rng *rand.Rand, shape float64) float64 {
	if shape < 1 {
		return logGamma(rng, shape+1) + math.Log(rng.Float64())/shape
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := rng.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		if math.Log(rng.Float64()) < 0.5*x*x+d-d*v+d*math.Log(v) {
			return math.Log(d) + math.Log(v)
		}
	}
}

var _ infer.Conditionals = (*jointEvaluator)(nil)
