//go:build ignore

package main

// This file reads Go functions into straight-line code.

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"math"
)

// A value is one result, or a jump (rare) around the values up to its skip.
type value struct {
	op    string // as in the table of package emit, or const, arg, rare, end
	args  []*value
	bits  uint64 // of a constant
	param int    // from 1, of a constant that is a term's parameter
	count int    // of a shift
	pred  int    // of a comparison
	mask  bool
	float bool

	rounded bool // a product that no sum may be fused with

	last int // position of the last use
	reg  int
}

type source struct {
	funcs map[string]*ast.FuncDecl
	info  *types.Info
	fset  *token.FileSet
}

func readPackage(dir string) (*source, error) {
	s := &source{funcs: map[string]*ast.FuncDecl{}, fset: token.NewFileSet(),
		info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}}
	var files []*ast.File
	for _, name := range []string{"exp.go", "log.go", "logistic.go", "normal.go", "bernoulli.go", "simple.go", "density.go", "gamma.go", "pow.go", "trig.go",
		"erf.go", "quantile.go", "beta.go"} {
		f, err := parser.ParseFile(s.fset, dir+"/"+name, nil, 0)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
		for _, d := range f.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				s.funcs[f.Name.Name] = f
			}
		}
	}
	conf := types.Config{Importer: importer.ForCompiler(s.fset, "source", nil)}
	_, err := conf.Check("vec", s.fset, files, s.info)
	return s, err
}

// A reader turns one function, with all it calls, into a list of values.
type reader struct {
	src  *source
	wide bool // 8 lanes: scale is one instruction
	code []*value
	seen map[string]*value // equal values are shared
	rare int               // what is jumped over is not
}

type scope map[string]*value

func (r *reader) add(v *value) *value {
	key := fmt.Sprintf("%s %#x %d %d", v.op, v.bits, v.count, v.pred)
	for _, a := range v.args {
		key += fmt.Sprintf(" %p", a)
	}
	if old := r.seen[key]; old != nil {
		return old
	}
	if r.rare == 0 {
		r.seen[key] = v
	}
	r.code = append(r.code, v)
	return v
}

func (r *reader) fail(n ast.Node, what string) {
	panic(fmt.Errorf("%s: %s", r.src.fset.Position(n.Pos()), what))
}

// call inlines a function.
func (r *reader) call(name string, args []*value) (results []*value) {
	f := r.src.funcs[name]
	vars := scope{}
	i := 0
	for _, field := range f.Type.Params.List {
		for _, id := range field.Names {
			vars[id.Name] = args[i]
			i++
		}
	}
	for _, s := range f.Body.List {
		if ret, ok := s.(*ast.ReturnStmt); ok {
			for _, e := range ret.Results {
				results = append(results, r.expr(e, vars))
			}
			return results
		}
		r.stmt(s, vars)
	}
	r.fail(f, "no result")
	return nil
}

func (r *reader) stmt(s ast.Stmt, vars scope) {
	switch s := s.(type) {
	case *ast.DeclStmt: // constants
	case *ast.AssignStmt:
		if len(s.Lhs) == 1 {
			vars[s.Lhs[0].(*ast.Ident).Name] = r.expr(s.Rhs[0], vars)
			return
		}
		call := s.Rhs[0].(*ast.CallExpr)
		args := make([]*value, len(call.Args))
		for i, a := range call.Args {
			args[i] = r.expr(a, vars)
		}
		for i, v := range r.call(call.Fun.(*ast.Ident).Name, args) {
			vars[s.Lhs[i].(*ast.Ident).Name] = v
		}
	case *ast.IfStmt:
		r.branch(s, vars)
	default:
		r.fail(s, "statement not understood")
	}
}

// branch computes both sides and selects. Around a rare one it jumps: the selections
// then write over the old values, so that these hold if it was jumped over.
func (r *reader) branch(s *ast.IfStmt, vars scope) {
	cond := s.Cond
	call, rare := cond.(*ast.CallExpr)
	if rare {
		cond = call.Args[0]
	}
	mask := r.cond(cond, vars, false)
	inner := scope{}
	for name, v := range vars {
		inner[name] = v
	}
	var jump *value
	if rare {
		jump = r.add(&value{op: "rare", args: []*value{mask}})
		r.rare++
	}
	var names []string
	for _, st := range s.Body.List {
		names = append(names, st.(*ast.AssignStmt).Lhs[0].(*ast.Ident).Name)
		r.stmt(st, inner)
	}
	for _, name := range names {
		old := vars[name]
		op := "select"
		if rare {
			op = "keep"
			if old.op == "const" || old.op == "arg" || shared(vars, name) {
				old = r.before(jump, old)
			}
		}
		vars[name] = r.add(&value{op: op, args: []*value{mask, inner[name], old}, float: true})
	}
	if rare {
		r.rare--
		r.add(&value{op: "end", args: []*value{jump}})
	}
}

// shared reports whether another variable has the same value.
func shared(vars scope, name string) bool {
	for other, v := range vars {
		if other != name && v == vars[name] {
			return true
		}
	}
	return false
}

// before copies a value into a register of its own ahead of a jump.
func (r *reader) before(jump, v *value) *value {
	c := &value{op: "copy", args: []*value{v}, float: true}
	for i, x := range r.code {
		if x == jump {
			r.code = append(r.code[:i], append([]*value{c}, r.code[i:]...)...)
			break
		}
	}
	return c
}

var predicates = map[token.Token][2]int{
	token.LSS: {0x11, 0x15}, token.LEQ: {0x12, 0x16}, token.GTR: {0x1e, 0x1a},
	token.GEQ: {0x1d, 0x19}, token.EQL: {0x00, 0x04}, token.NEQ: {0x04, 0x00},
}

// cond makes a mask; not turns it round.
func (r *reader) cond(e ast.Expr, vars scope, not bool) *value {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return r.cond(e.X, vars, not)
	case *ast.UnaryExpr:
		return r.cond(e.X, vars, !not)
	case *ast.BinaryExpr:
		if p, ok := predicates[e.Op]; ok {
			v := &value{op: "compare", args: []*value{r.expr(e.X, vars), r.expr(e.Y, vars)}, pred: p[0], mask: true}
			if not {
				v.pred = p[1]
			}
			return r.add(v)
		}
		op := "mask and"
		if (e.Op == token.LOR) != not {
			op = "mask or"
		}
		return r.add(&value{op: op, args: []*value{r.cond(e.X, vars, not), r.cond(e.Y, vars, not)}, mask: true})
	}
	r.fail(e, "condition not understood")
	return nil
}

func (r *reader) constant(bits uint64) *value { return r.add(&value{op: "const", bits: bits}) }

func (r *reader) expr(e ast.Expr, vars scope) *value {
	if tv := r.src.info.Types[e]; tv.Value != nil {
		return r.constantOf(tv)
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return r.expr(e.X, vars)
	case *ast.Ident:
		return vars[e.Name]
	case *ast.UnaryExpr:
		return r.negate(r.expr(e.X, vars))
	case *ast.BinaryExpr:
		return r.binary(e, vars)
	case *ast.CallExpr:
		return r.callExpr(e, vars)
	}
	r.fail(e, "expression not understood")
	return nil
}

func (r *reader) constantOf(tv types.TypeAndValue) *value {
	if b := tv.Type.Underlying().(*types.Basic); b.Info()&types.IsFloat != 0 {
		f, _ := constant.Float64Val(tv.Value)
		return r.constant(math.Float64bits(f))
	}
	u, _ := constant.Uint64Val(constant.ToInt(tv.Value))
	return r.constant(u)
}

func (r *reader) negate(x *value) *value {
	return r.add(&value{op: "neg", args: []*value{x, r.constant(1 << 63)}, float: true})
}

func (r *reader) binary(e *ast.BinaryExpr, vars scope) *value {
	x := r.expr(e.X, vars)
	float := r.src.info.Types[e].Type.Underlying().(*types.Basic).Info()&types.IsFloat != 0
	if e.Op == token.SHL || e.Op == token.SHR {
		n, _ := constant.Int64Val(constant.ToInt(r.src.info.Types[e.Y].Value))
		return r.add(&value{op: e.Op.String(), args: []*value{x}, count: int(n)})
	}
	op := e.Op.String()
	if !float {
		op = "u" + op
	}
	y := r.expr(e.Y, vars)
	if op == "+" || op == "-" {
		for _, v := range []*value{x, y} {
			if v.op == "*" && !v.rounded {
				r.fail(e, "a compiler may fuse a product and a sum, across statements too: write float64(x*y)")
			}
		}
	}
	return r.add(&value{op: op, args: []*value{x, y}, float: float})
}

func (r *reader) callExpr(e *ast.CallExpr, vars scope) *value {
	name := ""
	switch f := e.Fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = "math." + f.Sel.Name
	}
	switch name {
	case "math.NaN":
		return r.constant(math.Float64bits(math.NaN()))
	case "math.Inf":
		sign, _ := constant.Int64Val(r.src.info.Types[e.Args[0]].Value)
		return r.constant(math.Float64bits(math.Inf(int(sign))))
	}
	args := make([]*value, len(e.Args))
	for i, a := range e.Args {
		args[i] = r.expr(a, vars)
	}
	switch name {
	case "float64":
		args[0].rounded = true
		return args[0]
	case "math.Float64bits", "math.Float64frombits":
		return args[0]
	case "math.FMA":
		return r.fma(args)
	case "math.Sqrt":
		return r.add(&value{op: "sqrt", args: args, float: true})
	case "math.Abs":
		return r.add(&value{op: "u&", args: []*value{args[0], r.constant(1<<63 - 1)}, float: true})
	case "math.Copysign":
		size := r.add(&value{op: "u&", args: []*value{args[0], r.constant(1<<63 - 1)}})
		sign := r.add(&value{op: "u&", args: []*value{args[1], r.constant(1 << 63)}})
		return r.add(&value{op: "u|", args: []*value{size, sign}, float: true})
	case "scale":
		if r.wide {
			k := r.add(&value{op: "-", args: []*value{args[1], r.constant(math.Float64bits(0x1.8p52))}, float: true})
			return r.add(&value{op: "scale", args: []*value{args[0], k}, float: true})
		}
	}
	if r.src.funcs[name] == nil {
		r.fail(e, "function not understood")
	}
	return r.call(name, args)[0]
}

// fma drops the signs of arguments into the operation: it has four forms.
func (r *reader) fma(args []*value) *value {
	v := &value{op: "fma", args: append([]*value(nil), args...), float: true}
	product, sum := "M", "ADD"
	for i, a := range args {
		if a.op != "neg" {
			continue
		}
		v.args[i] = a.args[0]
		if i == 2 {
			sum = "SUB"
		} else if product == "M" {
			product = "NM"
		} else {
			product = "M"
		}
	}
	v.op = "VF" + product + sum
	return r.add(v)
}
