package check_test

// This file tests the tables that the checker fills in.

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/parser"
)

const typesHead = `functions {
  int f(int x) { return x; }
  real f(real x) { return x; }
  array[] real g(array[] real x) { return x; }
  vector rhs(real t, vector y, real a) { return a * y; }
  real part(array[] int x, int from, int to, vector y) { return sum(y[from:to]); }
  real lik(vector theta, data array[] int y, real s) { return sum(theta) * s; }
  matrix cov(array[] real x, real s) { return identity_matrix(size(x)); }
}
data {
  int n;
  array[n] int k;
  array[n] real x;
  array[n] vector[n] av;
  complex_vector[n] cv;
  tuple(int, vector[n]) t;
}
parameters {
  real p;
  int<lower=1, upper=3> z;
  vector[n] v;
  row_vector[n] r;
  matrix[n, n] m;
}
model {
`

// Every expression of testdata/types.txt has the type and level that stand beside it.
func TestExpressionTypes(t *testing.T) {
	text, err := os.ReadFile("testdata/types.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(text), "\n") {
		x, want, ok := strings.Cut(line, " => ")
		if !ok || line[0] == '#' {
			continue
		}
		prog, info := mustCheck(t, typesHead+"print("+x+");\n}")
		body := prog.Model.Body
		e := body[len(body)-1].(*ast.Print).Args[0]
		got := info.Types[e].String() + " data"
		if info.Levels[e].DependsOnParameters() {
			got = info.Types[e].String() + " parameter"
		}
		if got != want {
			t.Errorf("%s: wanted %s, got %s", x, want, got)
		}
	}
}

// mustCheck parses and checks a program that is right.
func mustCheck(t testing.TB, text string) (*ast.Program, *check.Info) {
	t.Helper()
	prog, problems := parser.Parse(source.NewFile("test.stan", text), parser.Options{})
	if problems.Len() > 0 {
		t.Fatalf("%v", problems.Sorted())
	}
	info, problems := check.Check(prog, testLibrary(t), methods())
	for _, p := range problems.Sorted() {
		t.Errorf("%v: %s: %s %v\n%s", p.Span, p.Code, p.Message, p.Notes, p.Span.Text())
	}
	return prog, info
}

// After a check without errors no expression, name or call is missing in the tables.
func TestTablesAreComplete(t *testing.T) {
	files, err := filepath.Glob("../../examples/corpus/good/*.stan")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		prog, problems := parser.Parse(source.NewFile(path, string(text)), parser.Options{})
		if problems.HasErrors() || prog.Inference != nil {
			continue
		}
		info, problems := check.Check(prog, testLibrary(t), methods())
		if !problems.HasErrors() {
			complete(t, info, prog)
		}
	}
}

// complete walks over a tree and looks every node up.
func complete(t *testing.T, info *check.Info, prog *ast.Program) {
	callees := map[*ast.Ident]bool{}
	exprType := reflect.TypeFor[ast.Expr]()
	walk(reflect.ValueOf(prog), func(v reflect.Value) {
		switch x := v.Interface().(type) {
		case *ast.Call:
			callees[x.Name] = true
			if info.Calls[x] == nil || len(info.Calls[x].Params) != len(x.Args) {
				t.Errorf("%v: call of %s without its parameters", x.Loc, x.Name.Name)
			}
		case *ast.Sample:
			if info.Samples[x] == nil || len(info.Samples[x].Params) != len(x.Args)+1 {
				t.Errorf("%v: sample without its parameters", x.Loc)
			}
		case *ast.TypeExpr:
			if _, ok := info.Declared[x]; !ok {
				t.Errorf("%v: type without meaning", x.Loc)
			}
		case *ast.Assign:
			if _, ok := info.Compound[x]; !ok && x.Op != "=" {
				t.Errorf("%v: compound assignment without type", x.Loc)
			}
		case *ast.Decl:
			if info.Defs[x.Name] == nil {
				t.Errorf("%v: declaration without symbol", x.Loc)
			}
		}
	})
	walk(reflect.ValueOf(prog), func(v reflect.Value) {
		if !v.Type().Implements(exprType) {
			return
		}
		x := v.Interface().(ast.Expr)
		if id, ok := x.(*ast.Ident); ok {
			named := info.Uses[id] != nil || info.Defs[id] != nil
			if sym := info.Uses[id]; sym != nil && sym.Kind != check.FunctionName && !info.Types[id].Equal(sym.Type) {
				t.Errorf("%v: %s is %v, its symbol %v", id.Loc, id.Name, info.Types[id], sym.Type)
			}
			if !named && !callees[id] && info.Types[id].Base != types.VoidBase {
				t.Errorf("%v: name %s stands for nothing", id.Loc, id.Name)
			}
			return
		}
		if tp, ok := info.Types[x]; !ok || tp.Base == types.BadBase {
			t.Errorf("%v: %T without a type: %s", x.Span(), x, x.Span().Text())
		}
		if _, ok := info.Levels[x]; !ok {
			t.Errorf("%v: %T without a level", x.Span(), x)
		}
	})
}

// walk calls f for every pointer to a struct inside v, source files left out.
func walk(v reflect.Value, f func(reflect.Value)) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			walk(v.Elem(), f)
		}
	case reflect.Pointer:
		if v.IsNil() || v.Type() == reflect.TypeFor[*source.File]() {
			return
		}
		f(v)
		walk(v.Elem(), f)
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			walk(v.Field(i), f)
		}
	}
}

func TestCallees(t *testing.T) {
	prog, info := mustCheck(t, `functions {
  real h_lpdf(real y, real m);
  real h_lpdf(real y, real m) { return normal_lupdf(y | m, 1); }
  real h_lcdf(real y, real m) { return 0; }
  real h_lccdf(real y, real m) { return 0; }
}
parameters { real mu; }
model {
  mu ~ h(2) T[0, ];
  target += normal_lupdf(1 | mu, 2);
}
`)
	s := prog.Model.Body[0].(*ast.Sample)
	c := info.Samples[s]
	if c.Name != "h_lpdf" || c.User == nil || !c.Unnormalized || c.User.Def == nil || c.User.Forward == nil {
		t.Errorf("~ h: %+v", c)
	}
	if len(info.Functions) != 3 || c.Lcdf == nil || c.Lccdf == nil || c.Lcdf.User != info.Functions[1] || c.Lccdf.Name != "h_lccdf" {
		t.Errorf("truncation: %+v, %+v", c.Lcdf, c.Lccdf)
	}
	call := prog.Model.Body[1].(*ast.TargetAdd).X.(*ast.Call)
	c = info.Calls[call]
	if c.Name != "normal_lpdf" || !c.Unnormalized || !c.Params[0].Equal(types.Real) || c.User != nil {
		t.Errorf("normal_lupdf: %+v", c)
	}
}

// An int takes on the level of what is assigned to it, and of what decides whether.
func TestDiscreteLevels(t *testing.T) {
	prog, info := mustCheck(t, `parameters {
  int<lower=1, upper=3> z;
  real p;
}
model {
  int a = z;
  int b = 1;
  if (z > 1) b = 2;
  int c = 1;
  if (p > 0) c = 2;
}
`)
	for name, want := range map[string]bool{"a": true, "b": true, "c": false} {
		for _, s := range prog.Model.Body {
			if d, ok := s.(*ast.Decl); ok && d.Name.Name == name && info.Defs[d.Name].Level.DependsOnParameters() != want {
				t.Errorf("%s: wanted dependence %v", name, want)
			}
		}
	}
}
