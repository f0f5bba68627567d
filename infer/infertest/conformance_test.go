package infertest_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/infertest"
)

var update = flag.Bool("update", false, "rewrite the table of methods and targets")

// kind reports what a method promises, and so how its draws are judged.
type kind int

const (
	chains        kind = iota // exact in the limit: within 5 Monte Carlo errors
	weighted                  // independent draws with weights: within 5 errors of their effective number
	approximation             // off by a declared amount
)

// row is a method in the conformance suite.
type row struct {
	name    string // in the language
	variant string // what is special about its options
	method  func(t testing.TB) infer.Method
	kind    kind
	inflate float64  // weighted: how much the draws depend on each other, at least 1
	on      []string // names of targets it is fair to run it on; nil: all
	// Of an approximation, on each target: most that a mean and an sd may be
	// off, in posterior sds. A missing target is not run; NaN is not judged.
	off map[string][2]float64
	// evidence: the posterior has a log evidence
	evidence bool
	// evaluations after which a run is cancelled by the test of that; 0: 2000
	cancel int
}

func rows() []row {
	return slices.Concat(markovRows(), evidenceRows(), approximationRows(), generalisedRows(), swapRows(), updateRows(), stochasticRows())
}

func (r row) String() string {
	if r.variant == "" {
		return r.name
	}
	return r.name + " " + r.variant
}

func (r row) runs(target string) bool {
	if r.kind == approximation {
		_, ok := r.off[target]
		return ok
	}
	return r.on == nil || slices.Contains(r.on, target)
}

// TestConformance runs every method on every target. At 5 errors for each of
// the columns of five targets a row has about 22 comparisons: 500 for 20 rows, a
// false alarm in about 3,000 seeds; evidence within 4 errors adds one in 500.
func TestConformance(t *testing.T) {
	var table []string
	for _, r := range rows() {
		for _, c := range infertest.Targets() {
			if !r.runs(c.Name) {
				table = append(table, fmt.Sprintf("| %s | %s | - | - | - |", r, c.Name))
				continue
			}
			t.Run(r.String()+"/"+c.Name, func(t *testing.T) {
				p := infertest.Fit(t, r.method(t), c.Model, infer.Options{Seed: 41, Jobs: 2})
				mean, sd := worst(p, c.Case)
				r.judge(t, p, c, mean, sd)
				evidence := "-"
				if e := p.LogEvidence; e != nil {
					evidence = fmt.Sprintf("%+.3f ± %.3f", e.Value-c.LogEvidence, e.Error)
				}
				table = append(table, fmt.Sprintf("| %s | %s | %.3f | %.3f | %s |", r, c.Name, mean, sd, evidence))
			})
		}
	}
	if *update {
		text := "Errors of each method on the targets of the conformance suite, written by its test with -update.\n" +
			"Mean and sd: the worst column's error, in units of the posterior sd. Log evidence: error ± stated error.\n\n" +
			"| method | target | mean | sd | log evidence |\n| --- | --- | ---: | ---: | ---: |\n" + strings.Join(table, "\n") + "\n"
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join("testdata", "methods.md"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func (r row) judge(t *testing.T, p *infer.Posterior, c infertest.EvidenceCase, mean, sd float64) {
	t.Helper()
	switch r.kind {
	case chains:
		infertest.CheckMoments(t, p, c.Case, 5, 1.03)
	case weighted:
		infertest.CheckWeightedMoments(t, p, c.Case, 5, r.inflate)
	case approximation:
		if off := r.off[c.Name]; mean > off[0] || sd > off[1] {
			t.Errorf("mean off by %.3f posterior sd, declared %.3f; sd by %.3f, declared %.3f", mean, off[0], sd, off[1])
		}
	}
	if r.evidence != (p.LogEvidence != nil) {
		t.Errorf("gives a log evidence: %v, declared %v", p.LogEvidence != nil, r.evidence)
	} else if r.evidence {
		if z := (p.LogEvidence.Value - c.LogEvidence) / p.LogEvidence.Error; !(math.Abs(z) < 4) {
			t.Errorf("log evidence %.4f, exactly %.4f, error %.4f", p.LogEvidence.Value, c.LogEvidence, p.LogEvidence.Error)
		}
	}
}

// worst are the largest errors of a mean and of an sd over the columns, in
// posterior sds.
func worst(p *infer.Posterior, c infertest.Case) (mean, sd float64) {
	for i, name := range p.Draws.Columns() {
		x := p.Draws.Column(name)
		m, s := draws.Mean(x), draws.SD(x)
		if p.LogWeights != nil {
			m, s = weightedMoments(x[0], p.LogWeights[0])
		}
		mean = math.Max(mean, math.Abs(m-c.Mean[i])/c.SD[i])
		sd = math.Max(sd, math.Abs(s-c.SD[i])/c.SD[i])
	}
	return mean, sd
}

func weightedMoments(x, logw []float64) (mean, sd float64) {
	w := make([]float64, len(x))
	infer.Weights(logw, w)
	for i, v := range x {
		mean += w[i] * v
	}
	for i, v := range x {
		sd += w[i] * (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(sd)
}

// TestContracts: same seed, same bytes, whatever the number of goroutines; a
// cancelled run is incomplete and no error; fatal errors and panics of the
// model come back as they are; a model without parameters is no special case.
func TestContracts(t *testing.T) {
	for _, r := range rows() {
		t.Run(r.String(), func(t *testing.T) {
			m := r.method(t)
			if m.Name() != r.name {
				t.Errorf("the method calls itself %q", m.Name())
			}
			infertest.CheckDeterministic(t, m, infertest.Regression().Model)
			infertest.CheckCancelled(t, m, infertest.Regression().Model, max(r.cancel, 1))
			infertest.CheckFatal(t, m)
			infertest.CheckPanic(t, m)
			infertest.CheckNoParameters(t, m)
		})
	}
}

// TestResume: a Markov method that is cut off again and again makes the draws of one
// that is left alone.
func TestResume(t *testing.T) {
	for _, r := range markovRows() {
		t.Run(r.String(), func(t *testing.T) {
			infertest.CheckResume(t, r.method(t).(infer.Markov), infertest.Funnel().Model)
		})
	}
	infertest.CheckResume(t, infer.FixedParam{}, infertest.Regression().Model)
}

// TestWarmupChangesSomething: after warm-up a Markov method's tuning is another
// than before it, and the kernel is fixed from then on.
func TestWarmupChangesSomething(t *testing.T) {
	for _, r := range markovRows() {
		m, ok := r.method(t).(infer.Markov)
		if !ok {
			t.Errorf("%s is no Markov method", r)
			continue
		}
		_, untuned, err := m.NewKernel(infertest.Regression().Model.NewEvaluator(), 0)
		if err != nil {
			t.Fatal(err)
		}
		before := untuned.Adaptation()
		if before.StepSize == 0 && before.InvMetric == nil {
			continue // nothing to tune, as it says
		}
		p := infertest.Fit(t, m, infertest.Regression().Model, infer.Options{Seed: 1, Jobs: 2})
		for c, report := range p.Chains {
			after := report.Adaptation
			if after.StepSize == before.StepSize && slices.Equal(after.InvMetric, before.InvMetric) {
				t.Errorf("%s: warm-up left chain %d as it was: %+v", r, c, after)
			}
		}
		if i := p.Draws.Index("stepsize__"); i >= 0 {
			for c := range p.Draws.Chains() {
				for k := range p.Draws.Len(c) {
					if p.Draws.Row(c, k)[i] != p.Draws.Row(c, 0)[i] {
						t.Fatalf("%s: the step size changes after warm-up", r)
					}
				}
			}
		}
	}
}

// TestEveryMethodHasARow looks for methods (a Name that returns a literal, in a
// package with a Run that gives a posterior) in the packages beside this one.
func TestEveryMethodHasARow(t *testing.T) {
	known := map[string]bool{}
	for _, r := range rows() {
		known[r.name] = true
	}
	dirs, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, d := range dirs {
		if !d.IsDir() || d.Name() == "infertest" {
			continue
		}
		for _, name := range methodsIn(t, filepath.Join("..", d.Name())) {
			found++
			if !known[name] {
				t.Errorf("method %q of infer/%s has no row in the conformance suite", name, d.Name())
			}
		}
	}
	if found == 0 {
		t.Error("no method was found: the search is broken")
	}
}

// methodsIn are the names of the methods that a package defines.
func methodsIn(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	names, runs := map[string]string{}, map[string]bool{}
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), f, nil, 0)
		if err != nil {
			continue // a file under work
		}
		for _, decl := range tree.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || fn.Body == nil {
				continue
			}
			receiver := strings.TrimPrefix(typeText(fn.Recv.List[0].Type), "*")
			switch fn.Name.Name {
			case "Name":
				if s, ok := literal(fn); ok {
					names[receiver] = s
				}
			case "Run":
				if r := fn.Type.Results; r != nil && len(r.List) == 2 && typeText(r.List[0].Type) == "*infer.Posterior" {
					runs[receiver] = true
				}
			}
		}
	}
	var out []string
	for receiver, name := range names {
		if runs[receiver] {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// literal is the string that a function of one return statement returns.
func literal(fn *ast.FuncDecl) (string, bool) {
	if len(fn.Body.List) != 1 {
		return "", false
	}
	ret, ok := fn.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return "", false
	}
	lit, ok := ret.Results[0].(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(lit.Value)
	return s, err == nil
}

func typeText(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return "*" + typeText(e.X)
	case *ast.SelectorExpr:
		return typeText(e.X) + "." + e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}
