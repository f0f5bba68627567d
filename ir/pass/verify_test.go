// The verifier: what every stage may rely on in a lowered program.

package pass_test

import (
	"errors"
	"fmt"
	"github.com/seed-12b88e03/ppl/ir"
	"reflect"

	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// verify checks the invariants of a program: slots are unique in their frame and
// within its size, though loops one after the other may share a variable; every variable is declared before it is used and in scope where it
// is; types fit together, conversions being explicit (what a library function gives
// for its arguments is taken on trust); loops are left only from inside and functions
// only with their result; no part is nil and every node has a place in the source.
// It is meant for tests after lowering and after each pass.
func verify(p *ir.Program) error {
	v := &verifier{prog: p}
	v.frame(p.Slots, func() { v.program(p) })
	for i, f := range p.Functions {
		if f.Index != i {
			v.fail(f.Loc, "function %s has index %d, but is number %d", f.Name, f.Index, i)
		}
		v.frame(f.Slots, func() { v.function(f) })
	}
	return errors.Join(v.errs...)
}

// maxVerifyErrors is how many errors verify gathers before it gives up.
const maxVerifyErrors = 10

type verifier struct {
	prog  *ir.Program
	errs  []error
	slots int
	taken map[int]*ir.Var  // of the frame at work
	scope map[*ir.Var]bool // visible variables
	fn    *ir.Function     // at work; nil outside
	loops int              // around the current statement
}

func (v *verifier) fail(at source.Span, format string, args ...any) {
	if len(v.errs) < maxVerifyErrors {
		v.errs = append(v.errs, fmt.Errorf("ir: %s: "+format, append([]any{at}, args...)...))
	}
}

// frame runs body with an empty frame of so many slots.
func (v *verifier) frame(slots int, body func()) {
	v.slots, v.taken, v.scope, v.fn, v.loops = slots, map[int]*ir.Var{}, map[*ir.Var]bool{}, nil, 0
	body()
}

// scoped runs body and then hides what it declared.
func (v *verifier) scoped(body func()) {
	before := make(map[*ir.Var]bool, len(v.scope))
	for x := range v.scope {
		before[x] = true
	}
	body()
	v.scope = before
}

func (v *verifier) program(p *ir.Program) {
	for _, x := range p.Data {
		v.declareWith(x, ir.Datum)
	}
	v.piece(&p.TransformedData, ir.TransformedDatum)
	for _, x := range p.Parameters {
		v.declareWith(x, ir.Parameter)
	}
	v.piece(&p.TransformedParameters, ir.TransformedParameter)
	v.scoped(func() { v.stmts(p.Model) })
	v.scoped(func() { v.piece(&p.GeneratedQuantities, ir.Generated) })
	if p.Simulate != nil {
		v.scoped(func() { v.piece(p.Simulate, ir.Local) })
	}
}

// declareWith declares a variable that has sizes and no statement.
func (v *verifier) declareWith(x *ir.Var, kind ir.VarKind) {
	if x == nil {
		v.fail(source.Span{}, "a variable is nil")
		return
	}
	if x.Kind != kind {
		v.fail(x.Loc, "%s is of kind %s in a list of kind %s", x.Name, x.Kind, kind)
	}
	v.shape(x.Loc, x.Decl, x.Type)
	v.declare(x)
}

// piece checks a block and that its variables are those its top level declares.
func (v *verifier) piece(p *ir.Piece, kind ir.VarKind) {
	v.stmts(p.Body)
	var declared []*ir.Var
	for _, s := range p.Body {
		if d, ok := s.(*ir.Declare); ok && d != nil {
			declared = append(declared, d.Var)
		}
	}
	if len(declared) != len(p.Vars) {
		v.fail(source.Span{}, "a piece lists %d variables and declares %d", len(p.Vars), len(declared))
		return
	}
	for i, x := range p.Vars {
		if x != declared[i] || x.Kind != kind {
			v.fail(x.Loc, "%s is listed where a %s variable is declared", x.Name, kind)
		}
	}
}

func (v *verifier) function(f *ir.Function) {
	v.fn = f
	if f.Loc.IsZero() {
		v.fail(f.Loc, "function %s has no place in the source", f.Name)
	}
	for _, x := range f.Params {
		v.declare(x)
	}
	v.stmts(f.Body)
}

// declare brings a variable into scope.
func (v *verifier) declare(x *ir.Var) {
	switch {
	case x == nil:
		v.fail(source.Span{}, "a variable is nil")
		return
	case x.Loc.IsZero():
		v.fail(x.Loc, "%s has no place in the source", x.Name)
	case x.Slot < 0 || x.Slot >= v.slots:
		v.fail(x.Loc, "%s has slot %d of a frame of %d", x.Name, x.Slot, v.slots)
	case v.scope[x]:
		v.fail(x.Loc, "%s is declared again in its own scope", x.Name)
	case v.taken[x.Slot] != nil && v.taken[x.Slot] != x:
		v.fail(x.Loc, "%s has slot %d, which %s has", x.Name, x.Slot, v.taken[x.Slot].Name)
	}
	v.taken[x.Slot] = x
	v.scope[x] = true
}

// shape checks a declaration's sizes and constraint against its type.
func (v *verifier) shape(at source.Span, s *ir.Shape, t types.Type) {
	if s == nil {
		v.fail(at, "a declaration has no sizes")
		return
	}
	v.same(at, "declared", s.Type, t)
	if s.Type.Base == types.TupleBase {
		if len(s.Sizes) != s.Type.Dims || len(s.Fields) != len(s.Type.Fields) {
			v.fail(at, "a tuple has %d sizes and %d fields for the type %s", len(s.Sizes), len(s.Fields), s.Type)
			return
		}
		for i, f := range s.Fields {
			v.shape(at, f, s.Type.Fields[i])
		}
	} else if len(s.Sizes) != s.Type.Rank() {
		v.fail(at, "a declaration has %d sizes for the type %s", len(s.Sizes), s.Type)
	}
	for _, x := range s.Sizes {
		v.exprOf(x, types.Int)
	}
	if c := s.Constraint; c != nil {
		if c.Name == "" || c.Loc.IsZero() {
			v.fail(at, "a constraint has no name or place")
		}
		v.exprs(c.Args)
	}
}

// present reports whether a node is there, and has a place.
func (v *verifier) present(n interface{ Span() source.Span }, what string) bool {
	if n == nil || reflect.ValueOf(n).IsNil() {
		v.fail(source.Span{}, "%s is nil", what)
		return false
	}
	if n.Span().IsZero() {
		v.fail(source.Span{}, "%T has no place in the source", n)
	}
	return true
}

// same checks that two types are equal.
func (v *verifier) same(at source.Span, what string, got, want types.Type) {
	if !got.Equal(want) {
		v.fail(at, "%s type is %s where %s is meant", what, got, want)
	}
}
