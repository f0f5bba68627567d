// The verifier accepts good programs and finds each way to corrupt one.

package pass_test

import (
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// find returns the first node of type T in the program's blocks and functions for
// which ok holds.
func find[T any](t *testing.T, p *ir.Program, ok func(T) bool) T {
	t.Helper()
	var found []T
	see := func(n any) bool {
		if x, is := n.(T); is && ok(x) {
			found = append(found, x)
		}
		return true
	}
	for _, f := range p.Functions {
		ir.Inspect(f.Body, see)
	}
	for _, body := range [][]ir.Stmt{p.TransformedData.Body, p.TransformedParameters.Body, p.Model, p.GeneratedQuantities.Body} {
		ir.Inspect(body, see)
	}
	if len(found) == 0 {
		t.Fatalf("no %T to corrupt", *new(T))
	}
	return found[0]
}

func first[T any](t *testing.T, p *ir.Program) T {
	t.Helper()
	return find(t, p, func(T) bool { return true })
}

// A corruption breaks a program in one way; want is part of the error.
type corruption struct {
	name, want string
	damage     func(t *testing.T, p *ir.Program)
}

var frames = []corruption{
	{"slot beyond the frame", "slot 99", func(_ *testing.T, p *ir.Program) { p.Data[0].Slot = 99 }},
	{"frame too small", "of a frame of", func(_ *testing.T, p *ir.Program) { p.Slots-- }},
	{"slot taken", "has slot 0, which", func(_ *testing.T, p *ir.Program) { p.Data[1].Slot = 0 }},
	{"kind", "of kind parameter in a list of kind data", func(_ *testing.T, p *ir.Program) { p.Data[0].Kind = ir.Parameter }},
	{"used before its declaration", "out of its scope", func(_ *testing.T, p *ir.Program) { p.Model = p.Model[1:] }},
	{"used after its block", "out of its scope", func(t *testing.T, p *ir.Program) {
		d := find(t, p, func(d *ir.Declare) bool { return d.Var.Kind == ir.Local })
		g := first[*ir.Declare](t, &ir.Program{GeneratedQuantities: p.GeneratedQuantities})
		g.Init = &ir.Ref{Node: ir.Node{Loc: g.Loc, T: d.Var.Type}, Var: d.Var}
	}},
	{"unlisted output", "lists 0 variables and declares 1", func(_ *testing.T, p *ir.Program) { p.GeneratedQuantities.Vars = nil }},
	{"function index", "has index 5", func(_ *testing.T, p *ir.Program) { p.Functions[0].Index = 5 }},
	{"sizes", "sizes for the type", func(_ *testing.T, p *ir.Program) { p.Parameters[0].Decl.Sizes = p.Data[1].Decl.Sizes }},
	{"no shape", "no sizes", func(_ *testing.T, p *ir.Program) { p.Parameters[0].Decl = nil }},
	{"size of type real", "type is real where int", func(t *testing.T, p *ir.Program) {
		x := p.Data[1].Decl.Sizes[0].(*ir.Ref)
		p.Data[1].Decl.Sizes[0] = &ir.Const{Node: ir.Node{Loc: x.Loc, T: types.Real}, X: 2}
	}},
	{"constraint without name", "a constraint has no name", func(_ *testing.T, p *ir.Program) { p.Data[0].Decl.Constraint.Name = "" }},
}

var expressions = []corruption{
	{"number", "a number of type vector", func(t *testing.T, p *ir.Program) { first[*ir.Const](t, p).T = types.Vector }},
	{"reference type", "the reference's type is matrix", func(t *testing.T, p *ir.Program) { first[*ir.Ref](t, p).T = types.Matrix }},
	{"reference to nothing", "reference to nothing", func(t *testing.T, p *ir.Program) { first[*ir.Ref](t, p).Var = nil }},
	{"call of nothing", "a call of nothing", func(t *testing.T, p *ir.Program) { first[*ir.Call](t, p).Fn = nil }},
	{"missing argument", "takes 1 arguments and gets 0", func(t *testing.T, p *ir.Program) { first[*ir.UserCall](t, p).Args = nil }},
	{"foreign function", "not the program's", func(t *testing.T, p *ir.Program) { first[*ir.FuncRef](t, p).Fn = &ir.Function{} }},
	{"call result", "the call's type is int", func(t *testing.T, p *ir.Program) { first[*ir.UserCall](t, p).T = types.Int }},
	{"needless conversion", "a conversion from int to int", func(t *testing.T, p *ir.Program) {
		find(t, p, func(x *ir.Promote) bool { return x.X.Type().Equal(types.Int) }).T = types.Int
	}},
	{"narrowing", "a conversion from", func(t *testing.T, p *ir.Program) {
		find(t, p, func(x *ir.Promote) bool { return x.X.Type().Equal(types.Int) }).T = types.Vector
	}},
	{"index result", "the index's type is complex", func(t *testing.T, p *ir.Program) { first[*ir.Index](t, p).T = types.Complex }},
	{"too many indices", "indices of", func(t *testing.T, p *ir.Program) {
		x := first[*ir.Index](t, p)
		for range 4 {
			x.Indices = append(x.Indices, ir.IndexArg{Kind: ir.All})
		}
	}},
	{"index kind", "an index of kind 9", func(t *testing.T, p *ir.Program) { first[*ir.Index](t, p).Indices[0].Kind = 9 }},
	{"index without position", "an expression is nil", func(t *testing.T, p *ir.Program) {
		find(t, p, func(x *ir.Index) bool { return x.Indices[0].Kind == ir.Single }).Indices[0].Lo = nil
	}},
	{"field", "field 8 of", func(t *testing.T, p *ir.Program) { first[*ir.Field](t, p).I = 7 }},
	{"array", "the expression's type is", func(t *testing.T, p *ir.Program) {
		first[*ir.Array](t, p).T = types.ArrayOf(types.Matrix, 1)
	}},
	{"array of no dimension", "an array literal of type", func(t *testing.T, p *ir.Program) { first[*ir.Array](t, p).T = types.Real }},
	{"row", "a row literal of type int", func(t *testing.T, p *ir.Program) { first[*ir.Row](t, p).T = types.Int }},
	{"tuple", "a tuple of", func(t *testing.T, p *ir.Program) { first[*ir.Tuple](t, p).Elems = nil }},
	{"branches", "the expression's type is real where vector", func(t *testing.T, p *ir.Program) { first[*ir.Cond](t, p).T = types.Vector }},
	{"logic", "a logical type is real", func(t *testing.T, p *ir.Program) { first[*ir.Logic](t, p).T = types.Real }},
	{"nil argument", "an expression is nil", func(t *testing.T, p *ir.Program) { first[*ir.Call](t, p).Args[0] = nil }},
	{"typed nil", "an expression is nil", func(t *testing.T, p *ir.Program) { first[*ir.Call](t, p).Args[0] = (*ir.Ref)(nil) }},
	{"no place", "no place in the source", func(t *testing.T, p *ir.Program) { first[*ir.Call](t, p).Loc = source.Span{} }},
}

var statements = []corruption{
	{"jump outside a loop", "a jump outside a loop", func(t *testing.T, p *ir.Program) {
		p.Model = append(p.Model, first[*ir.Jump](t, p))
	}},
	{"return outside a function", "a return outside a function", func(t *testing.T, p *ir.Program) {
		p.Model = append(p.Model, find(t, p, func(r *ir.Return) bool { return r.X == nil }))
	}},
	{"return without a value", "a return without a value", func(t *testing.T, p *ir.Program) {
		find(t, p, func(r *ir.Return) bool { return r.X != nil }).X = nil
	}},
	{"return type", "the expression's type is real where", func(_ *testing.T, p *ir.Program) { p.Functions[0].Result = types.Vector }},
	{"assigned type", "the expression's type is", func(t *testing.T, p *ir.Program) {
		a := find(t, p, func(a *ir.Assign) bool { return len(a.To.Path) > 0 })
		a.X = &ir.Const{Node: ir.Node{Loc: a.Loc, T: types.Complex}}
	}},
	{"place type", "the place's type is", func(t *testing.T, p *ir.Program) { first[*ir.Assign](t, p).To.T = types.Complex }},
	{"place without variable", "a place without variable", func(t *testing.T, p *ir.Program) { first[*ir.Assign](t, p).To.Var = nil }},
	{"unpacked into too few", "is unpacked into 1 places", func(t *testing.T, p *ir.Program) {
		u := first[*ir.Unpack](t, p)
		u.To = u.To[:1]
	}},
	{"unpacked type", "is unpacked as", func(t *testing.T, p *ir.Program) { first[*ir.Unpack](t, p).To[0].T = types.Matrix }},
	{"initial value", "the expression's type is", func(t *testing.T, p *ir.Program) {
		d := find(t, p, func(d *ir.Declare) bool { return d.Init != nil && d.Var.Type.Base != types.ComplexBase })
		d.Init = &ir.Const{Node: ir.Node{Loc: d.Loc, T: types.Complex}}
	}},
	{"target of a tuple", "is added to the target", func(t *testing.T, p *ir.Program) {
		first[*ir.TargetAdd](t, p).X = find(t, p, func(x *ir.Tuple) bool { return true })
	}},
	{"density that is none", "a density that is", func(t *testing.T, p *ir.Program) {
		s := first[*ir.Sample](t, p)
		s.Density = &ir.Const{Node: ir.Node{Loc: s.Loc, T: types.Real}}
	}},
	{"truncation", "without its distribution function", func(t *testing.T, p *ir.Program) {
		find(t, p, func(s *ir.Sample) bool { return s.Trunc != nil }).Trunc.LCDF = ir.Callee{}
	}},
	{"condition", "a condition of type vector", func(t *testing.T, p *ir.Program) {
		e := first[*ir.ForEach](t, p)
		first[*ir.While](t, p).Test = e.X
	}},
	{"loop bound", "type is real where int", func(t *testing.T, p *ir.Program) {
		f := first[*ir.For](t, p)
		f.Hi = &ir.Const{Node: ir.Node{Loc: f.Loc, T: types.Real}}
	}},
	{"loop variable", "the loop variable's type", func(t *testing.T, p *ir.Program) { first[*ir.ForEach](t, p).Var.Type = types.Matrix }},
	{"nil statement", "a statement is nil", func(_ *testing.T, p *ir.Program) { p.Model[0] = nil }},
	{"statement without place", "no place in the source", func(t *testing.T, p *ir.Program) { first[*ir.If](t, p).Loc = source.Span{} }},
}

func TestVerifyFindsCorruption(t *testing.T) {
	for _, group := range []struct {
		program string
		list    []corruption
	}{{"expressions", expressions}, {"statements", statements}} {
		for _, c := range group.list {
			t.Run(c.name, func(t *testing.T) { corrupted(t, "../testdata/"+group.program+".stan", c) })
		}
	}
	for _, c := range frames {
		t.Run(c.name, func(t *testing.T) { corrupted(t, "../testdata/frames.stan", c) })
	}
}

func corrupted(t *testing.T, file string, c corruption) {
	p := compile(t, file)
	if err := verify(p); err != nil {
		t.Fatalf("the program is not good to begin with: %v", err)
	}
	c.damage(t, p)
	err := verify(p)
	if err == nil || !strings.Contains(err.Error(), c.want) {
		t.Errorf("got error %v, want one that says %q", err, c.want)
	}
}
