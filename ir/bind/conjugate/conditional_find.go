// Which conditional a parameter has, or why none.

package conjugate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// A recording is the log density of the constrained numbers: the sum of roots, of factors the
// entries that a selector chooses.
type recording struct {
	*trace.Recorder
	roots []autodiff.Root
	at    []source.Span // of each root
	sel   *Selector
	from  []source.Span // of each factor

	limits map[int]*trace.Limit // of numbers: one that a call requires and the declarations do not ensure

	domain autodiff.Domain // that it was last multiplied out in
	poly   *autodiff.Polynomial
}

// recorded records the statements at x. The last recording is kept: the blocks of every way to put
// parameters together, and the factors of coordinate ascent, are found on the same one.
func (m *Host) recorded(x []float64, run *trace.Runner) (*recording, error) {
	if m.last != nil && slices.Equal(m.last.Point, x) {
		return m.last, nil
	}
	r, err := m.recordStatements(x, x)
	if err != nil {
		return nil, err
	}
	list, ok := r.Limits()
	if !ok {
		if r, err = m.recordStatements(x, nil); err != nil {
			return nil, err
		}
		r.Point = x
		list, _ = r.Limits()
	}
	if err := m.findLimits(r, run, list); err != nil {
		return nil, err
	}
	m.last = r
	return r, nil
}

// multiplied multiplies the statements out, once for the same domain.
func (r *recording) multiplied(d autodiff.Domain, work int) (*autodiff.Polynomial, bool) {
	if r.poly != nil && slices.Equal(r.domain.Positive, d.Positive) && slices.Equal(r.domain.Unit, d.Unit) && slices.Equal(r.domain.Centre, d.Centre) {
		return r.poly, true
	}
	r.poly = nil // which need not be held while the next is made
	p, ok := autodiff.NewPolynomial(r.Graph, r.roots, d, work)
	if ok {
		r.domain, r.poly = d, p
	}
	return p, ok
}

// recordStatements records the log density of the constrained numbers x, densities
// expanded, without log Jacobian. Loops are kept for the point, and unrolled where it is nil.
func (m *Host) recordStatements(x, point []float64) (*recording, error) {
	rec := m.NewRecorder(len(x))
	rec.Full, rec.Point = true, point
	em := m.Machine()
	em.Rec = rec
	for _, d := range m.Discrete {
		em.SetDiscrete(d.Var, d.Shape.Dims, d.Low, d.High)
	}
	first := 0
	for i := range m.Params {
		p := &m.Params[i]
		n := len(eval.Undefined(p.Shape).X)
		v := eval.NewValue(p.Var.Type, p.Shape.Dims, append([]float64(nil), x[first:first+n]...))
		if n > 0 {
			trace.ViewOf(v, rec.Graph.Input(), first)
		}
		em.Set(p.Var, v)
		first += n
	}
	if err := m.TransformParameters(em, rec); err != nil {
		return nil, err
	}
	if err := m.RunModel(em, rec); err != nil {
		return nil, err
	}
	r := &recording{Recorder: rec, sel: &Selector{}}
	r.sel.low, r.sel.count = em.Discrete()
	for _, t := range em.Terms() {
		root := autodiff.Root{Many: 1}
		switch {
		case t.Many != nil:
			root.Table, root.Many = rec.TableRefs(t.Many.Table), len(t.Many.Vars)
			for _, vars := range t.Many.Vars {
				r.sel.add(vars, len(root.Table))
			}
		case t.Vars != nil:
			root.Table = rec.TableRefs(t.Table)
			r.sel.add(t.Vars, len(t.Table))
		default:
			root.Node = rec.Total([]eval.Term{t}, trace.All)
		}
		r.roots, r.at = append(r.roots, root), append(r.at, t.At)
		for len(r.from) < len(r.sel.vars) {
			r.from = append(r.from, t.At)
		}
	}
	return r, nil
}

// recordParameters compiles the constrained numbers as a function of q, and the log
// Jacobian of those without links, simplexes apart.
func (m *Host) recordParameters(q []float64) (*autodiff.Program, error) {
	rec := m.NewRecorder(m.Dim)
	em := m.Machine()
	em.Rec = rec
	r := &trace.Reader{Machine: em, Lib: m.Lib, Q: trace.Point(q, rec.Graph.Input())}
	var refs []autodiff.Ref
	for i := range m.Params {
		p := &m.Params[i]
		em.Jacobian = m.scalarTransformOf(p).kind == notScalar && constraintName(p) != "simplex"
		v, err := r.Value(p.Var, p.Shape)
		if err != nil {
			return nil, err
		}
		em.Set(p.Var, v)
		for k := range v.X {
			ref := v.Ref(k)
			if ref.Node == autodiff.None {
				ref.Node = rec.Graph.Scalar(v.X[k])
			}
			refs = append(refs, ref)
		}
	}
	return autodiff.Compile(rec.Graph, []autodiff.Node{rec.Graph.Gather(refs), rec.Total(em.Terms(), trace.All)}, rec.Effects), nil
}

// findBlocksAbout analyses the model at q, its normal numbers about their centres; nil
// stands for zero.
func (m *Host) findBlocksAbout(q, centre []float64, by infer.Blocking, limit budget) (*blocks, error) {
	b := &blocks{constrain: &trace.Traced{Record: m.recordParameters}, sel: &Selector{}}
	for i := range m.Params {
		if m.Params[i].Var.Type.Base == types.TupleBase {
			if err := m.addDiscrete(b, q, by, false); err != nil {
				return nil, err
			}
			return m.slicedAs(by, b, "the model has tuples as parameters")
		}
	}
	run := b.constrain.Runner()
	machine, err := run.Run(q)
	if err != nil {
		return nil, err
	}
	x := append([]float64(nil), machine.Root(0)...)
	b.size = len(x)
	m.fillTransforms(b)
	rec, err := m.recorded(x, run)
	if err != nil {
		return nil, err
	}
	b.sel = rec.sel
	if err := m.addDiscrete(b, q, by, b.sel.alone()); err != nil {
		return nil, err
	}
	if m.Dim == 0 && (len(b.list) == 0 || b.list[0].Exact) {
		return b, nil
	}
	if len(rec.Effects) > 0 && trace.Numbers(m.Discrete) > 0 {
		return m.slicedAs(by, b, "what some values of discrete parameters require limits the continuous ones")
	}
	if rec.guarded() {
		return m.slicedAs(by, b, "a condition, an index or a truncation depends on parameters")
	}
	domain := m.domain(b)
	if centre == nil {
		b.centre = make([]float64, b.size)
	} else {
		b.centre, domain.Centre = centre, centre
	}
	poly, ok := rec.multiplied(domain, limit.work)
	if !ok {
		return m.slicedAs(by, b, limit.exceeded)
	}
	b.products = newProducts(rec.Graph, poly, b.size, rec.at)
	if len(rec.Effects) > 0 {
		b.checks = autodiff.Compile(rec.Graph, nil, rec.Effects)
	}
	a := &analysis{m: m, b: b, limits: rec.limits, x: b.products, by: by, from: rec.from, mark: make([]bool, b.size), seen: make([]bool, len(b.products.list))}
	a.parameters()
	if err := a.apart(); err != nil {
		return nil, err
	}
	if limit.forms {
		return b, nil
	}
	b.sections = a.sections()
	if b.checks == nil && by.Choice == "" && len(by.Groups) == 0 {
		a.scaleMoves()
	}
	b.total = b.products.whole()
	switch b.sites = b.products.newSites(b.sel); {
	case b.sites != nil:
		b.list[0].draw = drawSites
	case b.sel.Size > 0 && !b.list[0].Exact:
		b.singles = b.products.newSingles(b.sel)
		return b, m.drawSets(b)
	}
	return b, nil
}

// addDiscrete adds the block of the discrete numbers. Where each factor has one of them only they
// can be drawn jointly; else it takes a walk to know.
func (m *Host) addDiscrete(b *blocks, q []float64, by infer.Blocking, alone bool) error {
	if trace.Numbers(m.Discrete) == 0 {
		return nil
	}
	switch sets := m.setsOf(by); {
	case alone: // it is the same however they are put together
	case by.Choice == infer.ByElement:
		b.list = append(b.list, m.singly(asTold))
		return nil
	case len(sets) > 1:
		b.list = append(b.list, sets...)
		return nil
	}
	if !alone {
		var err error
		if alone, err = m.jointly(q); err != nil {
			return err
		}
	}
	block := m.discreteBlock()
	if !alone {
		if len(by.Groups) > 0 && by.Group(m.Discrete[0].Var.Name) >= 0 {
			return &infer.GroupError{Group: by.Group(m.Discrete[0].Var.Name), Reason: "tables over all that depend on each other are too large"}
		}
		block = m.singly(tooLarge)
	}
	block.group = by.Group(m.Discrete[0].Var.Name)
	b.list = append(b.list, block)
	return nil
}

// guarded reports whether the recording holds for the present control flow only.
func (r *recording) guarded() bool { return r.Guards > 0 }

// fillTransforms fills in what follows from the constraints of the parameters.
func (m *Host) fillTransforms(b *blocks) {
	b.transforms = make([]scalarTransform, b.size)
	b.valueOf = make([]int, m.Dim)
	b.coordOf = make([]int, b.size)
	b.simplexOf = make([]int32, m.Dim)
	for i := range b.simplexOf {
		b.simplexOf[i] = -1
	}
	at, free := 0, 0
	for i := range m.Params {
		p := &m.Params[i]
		l := m.scalarTransformOf(p)
		n := len(eval.Undefined(p.Shape).X)
		for k := range n {
			b.transforms[at+k], b.coordOf[at+k] = l.of(k), -1
		}
		for k := range p.Free {
			b.valueOf[free+k] = -1
			if l.kind != notScalar {
				b.valueOf[free+k], b.coordOf[at+k] = at+k, free+k
			}
		}
		if constraintName(p) == "simplex" && n > 0 {
			m.fillSimplexes(b, p, at, n, free)
		}
		at += n
		free += p.Free
	}
}

// fillSimplexes adds those of a parameter.
func (m *Host) fillSimplexes(b *blocks, p *trace.Param, at, n, free int) {
	k := p.Shape.Dims[len(p.Shape.Dims)-1]
	for j := range n / k {
		s := simplex{at: at + j*k, free: free + j*(k-1), dims: []int{k}}
		for i := range k - 1 {
			b.simplexOf[s.free+i] = int32(len(b.simplexes))
		}
		b.simplexes = append(b.simplexes, s)
	}
}

// domain reports what the constraints guarantee of the numbers.
func (m *Host) domain(b *blocks) autodiff.Domain {
	d := autodiff.Domain{Positive: make([]bool, b.size), Unit: make([]bool, b.size)}
	for i, l := range b.transforms {
		d.Unit[i] = l.unit()
		d.Positive[i] = l.lo >= 0 && (l.kind == above || l.kind == between)
	}
	at := 0
	for i := range m.Params {
		p := &m.Params[i]
		k := len(eval.Undefined(p.Shape).X)
		if constraintName(p) == "simplex" {
			for i := range k {
				d.Positive[at+i] = true
			}
		}
		at += k
	}
	return d
}

func constraintName(p *trace.Param) string {
	if c := p.Var.Decl.Constraint; c != nil {
		return c.Name
	}
	return ""
}

// slicedAs is sliced; the error is a *infer.GroupError where several parameters were to be drawn jointly.
func (m *Host) slicedAs(by infer.Blocking, b *blocks, why string) (*blocks, error) {
	for g, names := range by.Groups {
		if len(names) > 1 {
			return nil, &infer.GroupError{Group: g, Reason: why}
		}
	}
	return m.sliced(b, why), nil
}

// sliced makes every parameter a block without a form.
func (m *Host) sliced(b *blocks, why string) *blocks {
	free := 0
	for i := range m.Params {
		b.list = append(b.list, sliceBlock(&m.Params[i], free, why))
		free += m.Params[i].Free
	}
	return b
}

func sliceBlock(p *trace.Param, free int, why string) *conditional {
	c := &conditional{p: p}
	c.Block = infer.Block{Name: p.Var.Name, Form: "slice", Coords: trace.Span(free, p.Free), Reason: why}
	return c
}

// An analysis goes through the parameters and finds their forms.
type analysis struct {
	m  *Host
	b  *blocks
	x  *products
	by infer.Blocking

	from   []source.Span // of each factor of discrete numbers
	mark   []bool        // of the numbers, those of set
	set    []int
	seen   []bool // scratch of products, all false
	normal []bool // which numbers are in normal blocks; nil until that is asked for
	local  []int  // scratch: the place of each number in a block
	limits map[int]*trace.Limit
}

func (a *analysis) parameters() {
	at, free := 0, 0
	for i := range a.m.Params {
		p := &a.m.Params[i]
		n := len(eval.Undefined(p.Shape).X)
		if n > 0 && p.Free > 0 {
			a.parameter(p, at, n, free)
		}
		at += n
		free += p.Free
	}
	a.scaled()
	for _, c := range a.b.list {
		if c.shape != nil {
			a.finishNormal(c)
		}
	}
}

// parameter finds the conditional of one parameter with numbers [at, at+n).
func (a *analysis) parameter(p *trace.Param, at, n, free int) {
	if v := a.boundOf(p); v != nil {
		a.add(sliceBlock(p, free, fmt.Sprintf("it is a bound of %s, %s", v.Name, place(v.Loc))))
		return
	}
	l := a.b.transforms[at]
	switch name := constraintName(p); {
	case a.limited(at, n):
		a.withLimits(p, at, n, free, l)
	case l.linear():
		a.normals(p, at, n, free)
	case l.positive(), l.unit():
		a.positives(p, at, n, free, l)
	case l.kind != notScalar:
		a.add(sliceBlock(p, free, "its bounds cut off part of what a known conditional reaches"))
	case name == "simplex":
		a.simplexes(p, at, n, free)
	case name == "cov_matrix":
		a.matrices(p, at, n, free)
	case name == "offset_multiplier":
		a.add(sliceBlock(p, free, "its offset or multiplier depends on parameters; without these words it may have a known conditional"))
	default:
		a.add(sliceBlock(p, free, fmt.Sprintf("no conditional is known under its constraint, %s", name)))
	}
}

func (a *analysis) add(c *conditional) {
	c.group = a.by.Group(c.p.Var.Name)
	a.b.list = append(a.b.list, c)
}

// boundOf returns a parameter whose constraint mentions p: an update of p that leaves
// that one's coordinates in place moves its values. nil where there is none.
func (a *analysis) boundOf(p *trace.Param) *ir.Var {
	for i := range a.m.Params {
		v := a.m.Params[i].Var
		if v.Decl.Constraint == nil {
			continue
		}
		if slices.ContainsFunc(v.Decl.Constraint.Args, func(x ir.Expr) bool { return ir.Reads(x, p.Var) }) {
			return v
		}
	}
	return nil
}

// bounds reports whether p is a bound of another parameter.
func (a *analysis) bounds(p *trace.Param) bool { return a.boundOf(p) != nil }

// place writes where something stands.
func place(at source.Span) string {
	if at.File == nil {
		return "in the model"
	}
	p := at.Position()
	return fmt.Sprintf("line %d, column %d", p.Line, p.Column)
}

// obstacle reports of a product why a number, or any of several, has no conditional.
func (a *analysis) obstacle(k int32, own []autodiff.Power, wanted string) string {
	var parts []string
	for _, p := range own {
		parts = append(parts, a.atomText(p))
	}
	return fmt.Sprintf("%s brings in %s, where %s", place(a.x.place(k)), strings.Join(parts, " * "), wanted)
}

// atomText writes an atom to its exponent.
func (a *analysis) atomText(p autodiff.Power) string {
	t := a.x.atoms[p.Atom]
	var s string
	switch t.Kind {
	case autodiff.Other:
		return "a function of it"
	case autodiff.LogElement:
		return "log(" + a.numberName(t.Elem) + ")"
	case autodiff.LogComplement:
		return "log(1 - " + a.numberName(t.Elem) + ")"
	case autodiff.Complement:
		s = "(1 - " + a.numberName(t.Elem) + ")"
	default:
		s = a.numberName(t.Elem)
	}
	if p.Exp != 1 {
		s += fmt.Sprintf("^%g", p.Exp)
	}
	return s
}

// numberName names a constrained number.
func (a *analysis) numberName(i int) string {
	p, at := a.m.numberAt(i)
	return trace.NumberName(p.Var, p.Shape.Dims, at)
}
