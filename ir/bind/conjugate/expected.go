// The log joint density as a sum of products of block statistics, for coordinate ascent.
//
// The graph that full conditionals are found on is multiplied out (autodiff:
// Polynomial) into products of powers, logarithms and functions of single numbers. The
// numbers are put into blocks; what a product has of a block is one statistic of it.

package conjugate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// maxExpansion bounds the products of terms looked at when a density is multiplied out.
const maxExpansion = 50_000_000

// Factorise implements infer.Factorisable for a model without discrete parameters; the
// density of others, with these summed out, is no sum of products.
func (m *Host) Factorise(b infer.Blocking) (*infer.Factorisation, error) {
	if trace.Numbers(m.Discrete) > 0 {
		return nil, notFactorised("its discrete parameters are summed out")
	}
	return m.FactoriseJoint(b)
}

// factorised is what coordinate ascent needs.
const factorised = "a log density that is a sum of products of functions of single blocks"

// notFactorised reports why there is no factorisation, and what to use.
func notFactorised(why string, args ...any) error {
	return &infer.MissingError{
		Method: "cavi",
		Needs:  factorised,
		Reason: fmt.Errorf("%s; use gibbs, advi or nuts instead", fmt.Sprintf(why, args...)),
	}
}

// tied is the error of a constraint under which the numbers of a parameter are not free of each other, at its declaration.
func tied(v *ir.Var, constraint string) error {
	e := &eval.Error{Span: v.Loc, Text: fmt.Sprintf("the constraint of %s, %s, ties its numbers together", v.Name, constraint), Help: "use gibbs, advi or nuts instead"}
	if constraint == "ordered" || constraint == "positive_ordered" {
		e.Help += fmt.Sprintf("; or declare %s without the constraint: where that only tells apart what can be exchanged, as the components of a mixture, each order is a mode, of which cavi finds one", v.Name)
	}
	return &infer.MissingError{Method: "cavi", Needs: factorised, Reason: e}
}

// FactoriseJoint is Factorise of the joint density with the discrete parameters.
//
// It analyses the model at 0 or, where it has no density there, at other points. What one call has made
// the next one of the same blocks takes: a check comes before a fit, and what it finds need not be found again.
func (m *Host) FactoriseJoint(b infer.Blocking) (*infer.Factorisation, error) {
	m.lock.Lock()
	defer m.lock.Unlock()
	f := m.ready[b.String()]
	delete(m.ready, b.String())
	if f != nil {
		return f, nil
	}
	f, err := m.factorise(b)
	if err == nil {
		m.ready = map[string]*infer.Factorisation{b.String(): f}
	}
	return f, err
}

func (m *Host) factorise(b infer.Blocking) (*infer.Factorisation, error) {
	rng := rand.New(rand.NewPCG(1, 2))
	q := make([]float64, m.Dim)
	for try := 0; ; try++ {
		f, err := m.factoriseAt(q, b)
		if err == nil || !infer.IsReject(err) || try == 20 {
			return f, err
		}
		for i := range q {
			q[i] = 2*rng.Float64() - 1
		}
	}
}

func (m *Host) factoriseAt(q []float64, b infer.Blocking) (*infer.Factorisation, error) {
	e := &expansion{m: m, blocking: b}
	if err := e.layOut(); err != nil {
		return nil, err
	}
	e.shifts()
	run := (&trace.Traced{Record: m.recordParameters}).Runner()
	machine, err := run.Run(q)
	if err != nil {
		return nil, err
	}
	e.at = slices.Clone(machine.Root(0))
	rec, err := m.recorded(e.at, run)
	if TooLarge(err) {
		return nil, &infer.MissingError{Method: "cavi", Needs: factorised, Reason: err}
	}
	if err != nil {
		return nil, err
	}
	if rec.guarded() {
		return nil, notFactorised("a condition, an index or a truncation depends on parameters")
	}
	if why := m.limitsText(rec); why != "" {
		return nil, notFactorised("%s", why)
	}
	switch cut, err := m.cutOff(rec, run); {
	case err != nil:
		return nil, err
	case cut:
		return nil, notFactorised("the model rejects values that the declarations of the parameters allow, by the constraint of a transformed parameter or reject(): declare the parameters with bounds that say so")
	}
	e.g = rec.Graph
	e.rec = rec
	if err := e.expand(); err != nil {
		return nil, err
	}
	if err := e.group(); err != nil {
		return nil, err
	}
	return e.build()
}

// A number is one number of a continuous parameter.
type number struct {
	p       *trace.Param
	at      int // among the parameter's numbers
	free    int // position of its free coordinate; of a simplex or a matrix that of the first one
	support infer.Support
	m       infer.BlockMap
	element int // of a simplex or a matrix: which array element it is in
	block   int
}

// An expansion is the log density under analysis.
type expansion struct {
	m        *Host
	g        *autodiff.Graph
	at       []float64 // the numbers
	numbers  []number
	centre   []float64 // that numbers are counted from; nil where all are from zero
	rec      *recording
	poly     *autodiff.Polynomial
	elem     []int // of each atom: the element that it depends on, of a function of a matrix the first one; -1 for none
	role     []matrixRole
	value    []float64 // of atoms that depend on none
	blocking infer.Blocking
	blocks   []infer.FactorBlock
	whole    int     // how many of the blocks are discrete numbers; these come first
	of       []int   // of each discrete number: its block
	offset   []int32 // of each discrete number: its first value among those of its block
	members  [][]int
	named    []int // of each block: the group that it is in, or -1; nil where there are no groups
}

// layOut lists the numbers of the continuous parameters.
func (e *expansion) layOut() error {
	free := 0
	for i := range e.m.Params {
		p := &e.m.Params[i]
		n := len(eval.Undefined(p.Shape).X)
		list, err := e.m.numbersOf(p, n)
		if err != nil {
			return err
		}
		for k := range list {
			list[k].free += free
		}
		e.numbers = append(e.numbers, list...)
		free += p.Free
	}
	return nil
}

// shifts counts numbers from the centres that full conditionals have them about.
func (e *expansion) shifts() {
	b, err := e.m.analysedOnce(infer.Blocking{})
	if err != nil || b.products == nil {
		return
	}
	for i, c := range b.centre {
		if c == 0 || i >= len(e.numbers) {
			continue
		}
		if e.centre == nil {
			e.centre = make([]float64, len(b.centre))
		}
		own := infer.BlockMap(shift(c))
		if m := e.numbers[i].m; m != nil {
			own = shifted{m, c}
		}
		e.centre[i], e.numbers[i].m = c, own
	}
}

// expand multiplies the density out and finds what each atom depends on.
func (e *expansion) expand() error {
	domain := autodiff.Domain{Positive: make([]bool, len(e.at)), Unit: make([]bool, len(e.at)), Centre: e.centre}
	for i, n := range e.numbers {
		domain.Positive[i] = n.support == infer.Positive || n.support == infer.Unit || n.support == infer.Simplex
		domain.Unit[i] = n.support == infer.Unit
	}
	poly, ok := e.rec.multiplied(domain, maxExpansion)
	if !ok {
		return notFactorised("multiplied out, the log density has too many terms")
	}
	e.poly = poly
	e.elem, e.role = make([]int, len(poly.Atoms)), make([]matrixRole, len(poly.Atoms))
	var fixed []autodiff.Ref
	used := e.usedAtoms()
	var depends *autodiff.Dependence // most often there is nothing to ask it
	for i, a := range poly.Atoms {
		e.elem[i] = a.Elem
		if a.Kind != autodiff.Other || !used[i] {
			continue
		}
		if depends == nil {
			depends = e.g.Dependence()
		}
		elems := usesOf(depends, a)
		switch {
		case len(elems) == 0:
			e.elem[i] = -1
			fixed = append(fixed, autodiff.Ref{Node: a.Node, Elem: int32(a.Elem)})
		case len(elems) > 1:
			if e.role[i], _ = roleOf(e.g, a, e.matrixOf(elems[0])); e.role[i] != noRole {
				e.elem[i] = elems[0]
				continue
			}
			return notFactorised("%s occur together in a function that is not a sum of products%s", e.names(elems), e.place(i))
		default:
			e.elem[i] = elems[0]
		}
	}
	return e.evaluate(fixed)
}

// matrixOf are the elements of the matrix that one of them is of; none of other numbers.
func (e *expansion) matrixOf(k int) []int {
	n := &e.numbers[k]
	if n.support != infer.Definite {
		return nil
	}
	size := n.p.Shape.Dims[len(n.p.Shape.Dims)-1]
	return trace.Span(k-n.at+n.element*size*size, size*size)
}

// place names the statement that an atom comes from.
func (e *expansion) place(atom int) string {
	for k, powers := range e.poly.Products {
		for _, p := range powers {
			if int(p.Atom) == atom {
				return fmt.Sprintf(" (%v)", e.rec.at[e.poly.First[k]])
			}
		}
	}
	return ""
}

func (e *expansion) usedAtoms() []bool {
	used := make([]bool, len(e.poly.Atoms))
	for _, powers := range e.poly.Products {
		for _, p := range powers {
			used[p.Atom] = true
		}
	}
	return used
}

// evaluate sets atoms that depend on nothing to their values.
func (e *expansion) evaluate(fixed []autodiff.Ref) error {
	e.value = make([]float64, len(e.poly.Atoms))
	if len(fixed) == 0 {
		return nil
	}
	machine := autodiff.Compile(e.g, []autodiff.Node{e.g.Gather(fixed)}, nil).NewMachine()
	if err := machine.Run(e.at); err != nil {
		return err
	}
	next := 0
	for i, k := range e.elem {
		if k < 0 {
			e.value[i] = machine.Root(0)[next]
			next++
		}
	}
	return nil
}

// names lists parameters that elements of the input belong to.
func (e *expansion) names(elems []int) string {
	var names []string
	for _, k := range elems {
		if name := e.nameOf(k); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > 3 {
		names = append(names[:3], "others")
	}
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// nameOf is a number's name as written in a program.
func (e *expansion) nameOf(k int) string {
	n := &e.numbers[k]
	return trace.NumberName(n.p.Var, n.p.Shape.Dims, n.at)
}

// numbersOf classifies a parameter's numbers; free coordinates count from its first.
func (m *Host) numbersOf(p *trace.Param, n int) ([]number, error) {
	out := make([]number, n)
	c := p.Var.Decl.Constraint
	base := p.Var.Type.Base
	switch {
	case base == types.TupleBase || base.IsComplex():
		return nil, notFactorised("%s is a tuple or complex", p.Var.Name)
	case c == nil:
		for i := range out {
			out[i] = number{p: p, at: i, free: i}
		}
		return out, nil
	case c.Name == "simplex":
		k := p.Shape.Dims[len(p.Shape.Dims)-1]
		to := &blockMap{tr: m.Lib.Transform("simplex"), dims: []int{k}}
		for i := range out {
			out[i] = number{p: p, at: i, free: i / k * (k - 1), support: infer.Simplex, m: to, element: i / k}
		}
		return out, nil
	case c.Name == "cov_matrix":
		k := p.Shape.Dims[len(p.Shape.Dims)-1]
		to := &blockMap{tr: m.Lib.Transform("cov_matrix"), dims: []int{k, k}}
		for i := range out {
			element := i / (k * k)
			out[i] = number{p: p, at: i, free: element * (k * (k + 1) / 2), support: infer.Definite, m: to, element: element}
		}
		return out, nil
	}
	tr := m.Lib.Transform(c.Name)
	if tr == nil || !tr.Elementwise {
		return nil, tied(p.Var, c.Name)
	}
	em := m.Machine()
	var args [][]float64
	for _, x := range c.Args {
		v, err := em.Eval(x)
		if err != nil {
			return nil, notFactorised("the constraint of %s depends on other parameters", p.Var.Name)
		}
		args = append(args, v.X)
	}
	for i := range out {
		out[i] = number{p: p, at: i, free: i}
		own := make([][]float64, len(args))
		for k, a := range args {
			own[k] = []float64{a[min(i, len(a)-1)]}
		}
		out[i].support, out[i].m = supportOf(c.Name, own), &blockMap{tr: tr, dims: []int{1}, args: own}
		if s := out[i].support; s == infer.Positive || s == infer.Unit {
			out[i].m = nil
		}
	}
	return out, nil
}

// supportOf is what values an elementwise constraint leaves.
func supportOf(name string, args [][]float64) infer.Support {
	lower, upper := math.Inf(-1), math.Inf(1)
	switch name {
	case "offset_multiplier":
		return infer.Line
	case "lower":
		lower = args[0][0]
	case "upper":
		upper = args[0][0]
	case "lower_upper":
		lower, upper = args[0][0], args[1][0]
	}
	switch {
	case math.IsInf(lower, -1) && math.IsInf(upper, 1):
		return infer.Line
	case lower == 0 && math.IsInf(upper, 1):
		return infer.Positive
	case lower == 0 && upper == 1:
		return infer.Unit
	}
	return infer.Bounded
}
