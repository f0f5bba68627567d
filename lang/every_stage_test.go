package lang

// This file feeds one of each statement and each kind of expression (nodes_test.go) to every
// stage: a new type in lang/ast without a case fails, as does a case that a stage does not treat.

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/graph"
	tree "github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/format"
	"github.com/seed-12b88e03/ppl/lang/source"
	text "github.com/seed-12b88e03/ppl/parser"
)

// nodeSteps is the number of iterations of the loop around a case.
const nodeSteps = 40

// compute is a block that adds f(a) to total, for an expression a.
func (c *nodeCase) compute(a string) string {
	return "{ real a = " + a + "; real u = 0; " + c.text + " total += u; }\n"
}

// program has the case's statements once and in a loop, and where they may stand there, in a
// function, in transformed data and in generated quantities.
func (c *nodeCase) program() string {
	functions, td, gq, call := c.functions, "", "", ""
	if !c.model {
		functions += "\nreal through(real x) { real total = 0; " + c.compute("x") + "return total; }\n"
		td = "transformed data { real early = through(0.3); }\n"
		gq = "generated quantities { real late; { real total = 0; " + c.compute("p") + "late = total + early; } }\n"
		call = "target += through(p);\n"
	}
	tp := ""
	if c.jacobian != 0 {
		tp = "transformed parameters { jacobian += 3 * p; }\n"
	}
	return "functions {" + functions + "}\n" + td + "parameters { real p; }\n" + tp + "model { p ~ std_normal(); real total = 0;\n" +
		c.compute("p") + "for (n in 1:40) " + c.compute("p * n / 40") + call + "target += total; }\n" + gq
}

// density is the log density of the program and its derivative.
func (c *nodeCase) density(p float64) (lp, slope float64) {
	lp, slope = -float64(p*p/2)-halfLog2Pi+float64(c.jacobian*p), c.jacobian-p
	times := 1.0
	if !c.model {
		times = 2 // in the function, too
	}
	f, d := c.f(p)
	lp, slope = lp+float64(times*f), slope+float64(times*d)
	for n := 1; n <= nodeSteps; n++ {
		f, d := c.f(p * float64(n) / nodeSteps)
		lp, slope = lp+f, slope+float64(d*float64(n)/nodeSteps)
	}
	return lp, slope
}

// declared lists the types of a folder's sources that are nodes: those for which is holds.
func declared(t *testing.T, dir string, is func(ast.Node) string) []string {
	t.Helper()
	var out []string
	for _, path := range programs(t, filepath.Join(dir, "*.go")) {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if name := is(n); name != "" {
				out = append(out, name)
			}
			return true
		})
	}
	slices.Sort(out)
	if len(out) < 20 {
		t.Fatalf("only %v found in %s", out, dir)
	}
	return out
}

// marked is the receiver of a method stmt or expr, which make a type a node of lang/ast.
func marked(n ast.Node) string {
	f, ok := n.(*ast.FuncDecl)
	if !ok || f.Recv == nil || f.Name.Name != "stmt" && f.Name.Name != "expr" {
		return ""
	}
	if p, ok := f.Recv.List[0].Type.(*ast.StarExpr); ok {
		if name, ok := p.X.(*ast.Ident); ok && name.IsExported() {
			return name.Name
		}
	}
	return ""
}

// embedding is the name of a struct that embeds Node or At, as the nodes of the IR do.
func embedding(n ast.Node) string {
	s, ok := n.(*ast.TypeSpec)
	if !ok {
		return ""
	}
	if body, ok := s.Type.(*ast.StructType); ok {
		for _, f := range body.Fields.List {
			if base, ok := f.Type.(*ast.Ident); ok && len(f.Names) == 0 && (base.Name == "Node" || base.Name == "At") {
				return s.Name.Name
			}
		}
	}
	return ""
}

// used notes the types of a package that values reach without leaving the package.
func used(v reflect.Value, pkg string, seen map[any]bool, types map[string]bool) {
	switch v.Kind() {
	case reflect.Interface:
		used(v.Elem(), pkg, seen, types)
	case reflect.Pointer:
		if v.IsNil() || seen[v.Interface()] {
			return
		}
		seen[v.Interface()] = true
		used(v.Elem(), pkg, seen, types)
	case reflect.Slice:
		for i := range v.Len() {
			used(v.Index(i), pkg, seen, types)
		}
	case reflect.Struct:
		if strings.HasSuffix(v.Type().PkgPath(), pkg) {
			types[v.Type().Name()] = true
			for i := range v.NumField() {
				used(v.Field(i), pkg, seen, types)
			}
		}
	}
}

func TestEveryNodeHasACase(t *testing.T) {
	var have []string
	lowered := map[string]bool{}
	for _, c := range nodeCases {
		have = append(have, c.node)
		p, err := Compile("node.ppl", c.program(), Options{})
		if err != nil {
			t.Fatalf("%s: %s", c.node, ErrorText(err))
		}
		for _, body := range [][]ir.Stmt{p.IR.TransformedData.Body, p.IR.TransformedParameters.Body, p.IR.Model, p.IR.GeneratedQuantities.Body} {
			used(reflect.ValueOf(body), "/ir", map[any]bool{}, lowered)
		}
	}
	for _, name := range declared(t, "ast", marked) {
		if !slices.Contains(have, name) && !slices.Contains(unreadable, name) {
			t.Errorf("ast.%s has no case in nodes_test.go", name)
		}
	}
	for _, name := range declared(t, filepath.Join("..", "ir"), embedding) {
		if !lowered[name] {
			t.Errorf("no case of nodes_test.go becomes an ir.%s", name)
		}
	}
}

func TestEveryNodeInEveryStage(t *testing.T) {
	for _, c := range nodeCases {
		t.Run(c.node, func(t *testing.T) {
			t.Run("parser", c.parsed)
			t.Run("format", c.formatted)
			p, err := Compile("node.ppl", c.program(), Options{})
			if err != nil {
				t.Fatalf("%s\n%s", ErrorText(err), c.program())
			}
			t.Run("lint", func(t *testing.T) {
				kinks := 0
				for _, w := range p.Lint().Sorted() {
					if kinks++; !strings.Contains(w.Message, "kinks") || kinks > c.kinks {
						t.Errorf("%v: %s", w.Span, w.Message)
					}
				}
				if kinks < c.kinks {
					t.Errorf("%d warnings of kinks, want %d", kinks, c.kinks)
				}
			})
			t.Run("graph", func(t *testing.T) { c.depends(t, p.IR) })
			if !c.model {
				t.Run("likelihood", c.likelihood)
			}
			for _, without := range [][]string{nil, {"vectorize"}} {
				m, err := p.Bind(nil, BindOptions{Seed: 1, Without: without})
				if err != nil {
					t.Fatal(ErrorText(err))
				}
				c.evaluated(t, m)
			}
			if !c.model {
				t.Run("simulation", c.simulated)
			}
		})
	}
}

// parsed holds the parser to make the node of the case's statements.
func (c *nodeCase) parsed(t *testing.T) {
	body, problems := text.ParseStatements(source.NewFile("node", c.text))
	if problems.Len() > 0 {
		t.Fatal(problems.Sorted()[0].Message)
	}
	types := map[string]bool{}
	used(reflect.ValueOf(body), "/lang/ast", map[any]bool{}, types)
	if c.functions != "" {
		f, _ := text.Parse(source.NewFile("node", "functions {"+c.functions+"}"), text.Options{})
		used(reflect.ValueOf(f.Functions), "/lang/ast", map[any]bool{}, types)
	}
	if !types[c.node] {
		t.Errorf("there is no %s in %s", c.node, c.text)
	}
}

// formatted holds the layout to be the same program.
func (c *nodeCase) formatted(t *testing.T) {
	before, _ := text.Parse(source.NewFile("node", c.program()), text.Options{})
	laid, err := format.Program(before, format.Width)
	if err != nil {
		t.Fatal(err)
	}
	after, problems := text.Parse(source.NewFile("node", laid), text.Options{})
	if diff := cmp.Diff(tree.Dump(before), tree.Dump(after)); diff != "" || problems.Len() > 0 {
		t.Errorf("%d problems, %s\n%s", problems.Len(), diff, laid)
	}
}

// depends holds the graph to see that total depends on p.
func (c *nodeCase) depends(t *testing.T, p *ir.Program) {
	of := map[*ir.Var]bool{p.Parameters[0]: true}
	graph.Dependents(p, of)
	for v := range of {
		if v.Name == "total" {
			return
		}
	}
	t.Error("total does not depend on p")
}

// likelihood holds the graph to see that f of data is likelihood.
func (c *nodeCase) likelihood(t *testing.T) {
	p, err := Compile("node.ppl", "functions {"+c.functions+"}\ndata { real y; } parameters { real p; } model { real total = 0; p ~ std_normal();\n"+
		c.compute("y")+"target += total; }", Options{})
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	if last := p.IR.Model[len(p.IR.Model)-1]; !graph.NewRoles(p.IR).Likelihood(last) {
		t.Errorf("%s is no likelihood", last.Span().Text())
	}
}

// evaluated compares the evaluators with the closed form.
func (c *nodeCase) evaluated(t *testing.T, m *Model) {
	const p = 0.7
	want, slope := c.density(p)
	near := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-9*(1+math.Abs(want))) {
			t.Errorf("%s: %.15g, want %.15g\n%s", what, got, want, c.program())
		}
	}
	lp, grad, err := m.Bound().PlainDensity([]float64{p}, true)
	if err != nil {
		t.Fatal(err)
	}
	near("reference interpreter", lp, want)
	near("derivative by the reference interpreter", grad[0], slope)
	if lp, grad, err = m.Gradient([]float64{p}); err != nil {
		t.Fatal(err)
	}
	near("compiled density", lp, want)
	near("compiled derivative", grad[0], slope)
	if _, err = m.Density(true, true).LogDensityGrad([]float64{p}, grad); err != nil {
		t.Fatal(err)
	}
	near("derivative without constants", grad[0], slope)
	if !c.model {
		x, err := m.Constrain([]float64{p}, 1)
		if err != nil {
			t.Fatal(err)
		}
		late, _ := c.f(p)
		early, _ := c.f(0.3)
		near("generated quantities and transformed data", x[slices.Index(m.Columns(), "late")], late+early)
	}
}

// simulated draws an observation with a scale of 1e-7 around f(p).
func (c *nodeCase) simulated(t *testing.T) {
	m := mustBind(t, "functions {"+c.functions+"}\ndata { real y; } parameters { real p; } model { real total = 0; p ~ std_normal();\n"+
		c.compute("p")+"y ~ normal(total, 1e-7); }", map[string]any{"y": 0.0})
	fit := draws.New(1, nil, []string{"p"})
	fit.Append(draws.Row{Values: []float64{0.7}})
	d, err := m.Predict(context.Background(), fit, GenerateOptions{Seed: 1})
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	want, _ := c.f(0.7)
	if y := d.Row(0, 0)[0]; math.Abs(y-want) > 1e-6 { // ten scales: false alarm below 1e-20
		t.Errorf("y is %v, want %v", y, want)
	}
}
