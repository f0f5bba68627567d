package diagnose_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// The severity Good is written in measure.go alone: elsewhere it is only compared with. So
// nothing is called good that was not measured and held against a bound.
func TestGoodComesFromMeasures(t *testing.T) {
	read := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		if path == filepath.Join("..", "diagnose", "measure.go") || path == filepath.Join("..", "diagnose", "finding.go") {
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		read++
		for _, at := range writesGood(file, file.Name.Name == "diagnose") {
			t.Errorf("%s: good is written, not measured", files.Position(at))
		}
		return nil
	})
	if err != nil || read < 100 {
		t.Errorf("%d files were read, error %v", read, err)
	}
}

// writesGood are the places where Good, or a text made into a Severity, is anything but the
// operand of a comparison. inside: the file is of the package that declares it.
func writesGood(file *ast.File, inside bool) (at []token.Pos) {
	compared := map[ast.Expr]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				compared[n.X], compared[n.Y] = true, true
			}
		case *ast.CaseClause:
			for _, e := range n.List {
				compared[e] = true
			}
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "diagnose" && n.Sel.Name == "Good" && !compared[n] {
				at = append(at, n.Pos())
			}
			return false
		case *ast.Ident:
			if inside && n.Name == "Good" && !compared[n] {
				at = append(at, n.Pos())
			}
		case *ast.BasicLit:
			if inside && n.Value == `"good"` && !compared[n] {
				at = append(at, n.Pos())
			}
		case *ast.CallExpr: // Severity("good")
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Severity" && len(n.Args) == 1 {
				at = append(at, n.Pos())
			}
		}
		return true
	})
	return at
}

// What could not have failed is not good.
func TestMeasure(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, c := range map[string]struct {
		m             diagnose.Measure
		most, atLeast diagnose.Severity // with the bounds 1 and 2, and 1 and 0.5
	}{
		"below":         {diagnose.Measure{Value: 0.4, Values: 100}, diagnose.Good, diagnose.Bad},
		"between":       {diagnose.Measure{Value: 1.5, Values: 100}, diagnose.Warning, diagnose.Good},
		"beyond":        {diagnose.Measure{Value: 3, Values: 100}, diagnose.Bad, diagnose.Good},
		"at the bound":  {diagnose.Measure{Value: 1, Values: 100}, diagnose.Good, diagnose.Good},
		"not a number":  {diagnose.Measure{Value: nan, Values: 100}, diagnose.None, diagnose.None},
		"infinite":      {diagnose.Measure{Value: inf, Values: 100}, diagnose.None, diagnose.None},
		"minus":         {diagnose.Measure{Value: -inf, Values: 100}, diagnose.None, diagnose.None},
		"one value":     {diagnose.Measure{Value: 0.4, Values: 1}, diagnose.None, diagnose.Bad},
		"no values":     {diagnose.Measure{Value: 1}, diagnose.None, diagnose.None},
		"too few":       {diagnose.Measure{Value: 1, Values: 9, Least: 10}, diagnose.None, diagnose.None},
		"error unknown": {diagnose.Measure{Value: 1, Error: nan, Values: 100}, diagnose.None, diagnose.None},
		"error too big": {diagnose.Measure{Value: 1, Error: 0.6, Values: 100}, diagnose.None, diagnose.None},
		"void":          {diagnose.Measure{Value: 3, Values: 100, Void: "the weights are those of the fit itself"}, diagnose.None, diagnose.None},
	} {
		if most, least := c.m.AtMost(1, 2), c.m.AtLeast(1, 0.5); most != c.most || least != c.atLeast {
			t.Errorf("%s: at most %s, want %s; at least %s, want %s", name, most, c.most, least, c.atLeast)
		}
		if why := c.m.Missing(); (why == "") || strings.HasSuffix(why, ".") {
			t.Errorf("%s: %q", name, why)
		}
	}
	if n := diagnose.Distinct(3, []float64{1, 1, 2}, []float64{2, 3, 4}); n != 3 {
		t.Errorf("%d distinct values up to 3", n)
	}
	if n := diagnose.Distinct(9, []float64{1, 1}, nil); n != 1 {
		t.Errorf("%d distinct values", n)
	}
}

// A bound of a divergence that the error of an integral has put below 0 is shown as 0.
func TestBoundBelowZero(t *testing.T) {
	nan := infer.Estimate{Value: math.NaN()}
	p := &infer.Posterior{Draws: draws.New(1, nil, []string{"x"}), Fit: &infer.FitReport{Converged: true, ParetoK: math.NaN()}, Duality: &infer.Duality{
		Exact: true, LogEvidence: infer.Estimate{Value: -3},
		Factors: []infer.FactorReport{{Name: "x", Bound: infer.Estimate{Value: -1e-5}, Squashing: infer.Estimate{Value: 1.00001}, Information: nan}},
	}}
	for _, f := range diagnose.Posterior(p, nil) {
		if f.Name == "factors" {
			if !strings.Contains(f.Meaning, "is at most 0 nats (squashing constant R = 1); the log evidence is -3,") {
				t.Error(f.Meaning)
			}
			return
		}
	}
	t.Error("no finding")
}
