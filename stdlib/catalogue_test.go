// This file holds what must be true of every row of the catalogue.

package stdlib_test

import (
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// TestRowsAreComplete checks that each row says in one way what it computes, has its
// words for the reader, and signatures that can be read and bear its name.
func TestRowsAreComplete(t *testing.T) {
	lib := stdlib.New()
	for _, name := range lib.Names() {
		for _, f := range lib.Functions(name) {
			ways := boolToInt(f.Op != nil) + boolToInt(f.Layout != nil) + boolToInt(f.Kernel != nil) +
				boolToInt(f.Draw != nil) + boolToInt(f.Higher != "") + boolToInt(len(f.Parts) > 0)
			if ways != 1 {
				t.Errorf("%s: %d of Op, Layout, Kernel, Draw, Higher, Parts are set, want one", name, ways)
			}
			if f.Doc == "" || f.Section == "" || strings.Contains(f.Doc, "\n") {
				t.Errorf("%s: wants one line of Doc and a Section, has %q, %q", name, f.Doc, f.Section)
			}
			if len(f.Signatures) == 0 {
				t.Errorf("%s: no signatures", name)
			}
			for _, text := range f.Signatures {
				sig, err := types.ParseSignature(text)
				if err != nil {
					t.Error(err)
				} else if sig.Name != name {
					t.Errorf("%s: signature %q is of %s", name, text, sig.Name)
				}
			}
			checkOp(t, f)
			if k := f.Kernel; k != nil && (k.Dims == nil || k.Value == nil) {
				t.Errorf("%s: a kernel wants Dims and Value", name)
			}
			if d := f.Draw; d != nil && (d.Dims == nil || d.Draw == nil) {
				t.Errorf("%s: a drawer wants Dims and Draw", name)
			}
		}
	}
}

// checkOp wants exactly one value function, and a derivative of its arity or none.
func checkOp(t *testing.T, f *stdlib.Function) {
	if f.Op == nil {
		if f.Valid != nil {
			t.Errorf("%s: Valid without Op", f.Name)
		}
		return
	}
	op := f.Op
	values := [3]bool{op.F1 != nil, op.F2 != nil, op.F3 != nil}
	slopes := [3]bool{op.D1 != nil, op.D2 != nil, op.D3 != nil}
	n := 0
	for i, v := range values {
		n += boolToInt(v)
		if slopes[i] && !v {
			t.Errorf("%s: a derivative of %d arguments without the function", f.Name, i+1)
		}
	}
	if n != 1 {
		t.Errorf("%s: %d value functions, want one", f.Name, n)
	}
}

// testedElsewhere are the functions without conformance vectors, by the test that
// has them.
var testedElsewhere = map[string]string{
	"unit_vectors_jacobian": "TestUnitVectorSpellings", "unit_vectors_unconstrain": "TestUnitVectorSpellings",
	"elt_pow": "TestExactCalls", "int_divide": "TestExactCalls",
	"eigenvectors_sym": "TestDecompositions", "svd_U": "TestDecompositions", "svd_V": "TestDecompositions",
	"eigenvalues": "TestDecompositions", "eigenvectors": "TestDecompositions",
	"to_vector_array": "TestArraysOfColumnsAndRows", "to_row_vector_array": "TestArraysOfColumnsAndRows",
	"poisson_binomial_lpmf": "TestPoissonBinomial", "poisson_binomial_cdf": "TestPoissonBinomial",
	"poisson_binomial_lcdf": "TestPoissonBinomial", "poisson_binomial_lccdf": "TestPoissonBinomial",
	"complex_schur_decompose_t": "TestDecompositions", "complex_schur_decompose_u": "TestDecompositions",
}

// isTestedElsewhere knows whole groups as well: functions that give a tuple are their
// parts, constraint functions are run by TestTransformFunctions, random numbers by
// TestDrawsFitDistribution, functions of functions by package ir/bind.
func isTestedElsewhere(f *stdlib.Function) bool {
	return testedElsewhere[f.Name] != "" || len(f.Parts) > 0 || f.Higher != "" || f.Draw != nil || strings.HasSuffix(f.Name, "_constrain")
}

// TestEveryFunctionIsTested lists functions that no vector calls.
func TestEveryFunctionIsTested(t *testing.T) {
	called := map[string]bool{}
	for _, c := range readCases(t) {
		called[c.Fn] = true
	}
	lib := stdlib.New()
	defer func() {
		t.Logf("%d functions, %d of them called by conformance vectors", len(lib.Names()), len(called))
	}()
	for _, name := range lib.Names() {
		if !called[name] && !isTestedElsewhere(lib.Function(name)) {
			t.Errorf("%s: no conformance vector calls it, and testedElsewhere does not name a test", name)
		}
	}
}

// BenchmarkNew measures what every process does at its start.
func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		stdlib.New()
	}
}
