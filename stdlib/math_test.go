// This file checks what the conformance vectors leave out: rows by exact values, NaN,
// allocations.

package stdlib_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// exactCalls are calls whose results are known exactly; "error" stands for a rejection.
// Arguments and results are written as TYPE VALUE.
var exactCalls = []struct{ fn, args, want string }{
	{"int_divide", "int 7; int 2", "int 3"},
	{"int_divide", "int -7; int 2", "int -3"},
	{"int_divide", "int 7; int 0", "error"},
	{"divide", "int 1; int 0", "error"},
	{"divide", "real 1; real 4", "real 0.25"},
	{"divide", "int 7; real 2", "real 3.5"},
	{"modulus", "int -7; int 4", "int -3"},
	{"modulus", "int 7; int 0", "error"},
	{"elt_divide", "int 7; int 2", "int 3"},
	{"elt_divide", "vector [1, 2]; real 4", "vector [0.25, 0.5]"},
	{"elt_divide", "complex_vector [[2, 2]]; complex [0, 2]", "complex_vector [[1, -1]]"},
	{"elt_multiply", "row_vector [1, 2]; row_vector [3, 4]", "row_vector [3, 8]"},
	{"elt_multiply", "complex_vector [[1, 1]]; complex_vector [[0, 1]]", "complex_vector [[-1, 1]]"},
	{"elt_multiply", "vector [1, 2]; int 3", "vector [3, 6]"},
	{"elt_multiply", "complex [0, 1]; complex_vector [[1, 1]]", "complex_vector [[-1, 1]]"},
	{"divide", "real 6; row_vector [2, 3]", "row_vector [3, 2]"},
	{"elt_pow", "vector [2, 3]; real 2", "vector [4, 9]"},
	{"elt_pow", "array[] int [2, 3]; int 2", "array[] real [4, 9]"},
	{"elt_pow", "complex_vector [[0, 1]]; complex [2, 0]", "complex_vector [[-1, 0]]"},
	{"pow", "int 2; int 3", "real 8"},
	{"fma", "real 2; row_vector [1, 2]; real 1", "row_vector [3, 5]"},
	{"fma", "vector [1, 2]; vector [3, 4]; vector [5, 6]", "vector [8, 14]"},
	{"add", "int 2; int 3", "int 5"},
	{"add", "complex [1, 2]; complex [3, -1]", "complex [4, 1]"},
	{"add", "complex_matrix [[[1, 2]]]; complex [1, 0]", "complex_matrix [[[2, 2]]]"},
	{"subtract", "real 2; complex [3, -1]", "complex [-1, 1]"},
	{"subtract", "complex_vector [[1, 2]]; complex_vector [[1, 1], [0, 0]]", "error"},
	{"multiply", "int 2; int 3", "int 6"},
	{"minus", "array[,] int [[1, -2]]", "array[,] int [[-1, 2]]"},
	{"minus", "complex [1, -2]", "complex [-1, 2]"},
	{"plus", "vector [1, -2]", "vector [1, -2]"},
	{"plus", "complex [1, -2]", "complex [1, -2]"},
	{"abs", "int -3", "int 3"},
	{"abs", "array[] int [-3, 3]", "array[] int [3, 3]"},
	{"min", "int 3; int -2", "int -2"},
	{"max", "int 3; int -2", "int 3"},
	{"max", "array[] int [3, 5, 4]", "int 5"},
	{"max", "array[] int []", "error"},
	{"max", "array[] real []", "real \"-inf\""},
	{"sum", "array[] int [3, 5, 4]", "int 12"},
	{"sum", "vector []", "real 0"},
	{"prod", "array[] int [3, 5, 4]", "int 60"},
	{"prod", "vector []", "real 1"},
	{"sd", "vector [7]", "real 0"},
	{"variance", "array[] int [1, 3]", "real 2"},
	{"mean", "array[] int [1, 2]", "real 1.5"},
	{"log_sum_exp", "vector []", "real \"-inf\""},
	{"cumulative_sum", "array[] int [1, 2, 3]", "array[] int [1, 3, 6]"},
	{"logical_eq", "complex [1, 2]; complex [1, 2]", "int 1"},
	{"logical_neq", "complex [1, 2]; complex [1, 2]", "int 0"},
	{"logical_eq", "int 1; real 1", "int 1"},
	{"logical_and", "real 0.5; int 0", "int 0"},
	{"logical_negation", "real 0", "int 1"},
	{"to_complex", "", "complex [0, 0]"},
	{"to_complex", "real 2", "complex [2, 0]"},
	{"to_complex", "vector [1, 2]; real 3", "complex_vector [[1, 3], [2, 3]]"},
	{"get_real", "complex_matrix [[[1, 2], [3, 4]]]", "matrix [[1, 3]]"},
	{"get_imag", "array[] complex [[1, 2], [3, 4]]", "array[] real [2, 4]"},
	{"arg", "real -1", "real 3.141592653589793"},
	{"conj", "vector [2]", "complex_vector [[2, 0]]"},
	{"norm", "real -3", "real 9"},
	{"pow", "complex_vector [[0, 1], [2, 0]]; real 2", "complex_vector [[-1, 0], [4, 0]]"},
	{"pow", "real 2; complex [2, 0]", "complex [4, 0]"},
	{"sum", "complex_matrix [[[1, 2]], [[3, -1]]]", "complex [4, 1]"},
	{"sum", "array[] complex []", "complex [0, 0]"},
	{"prod", "complex_vector [[1, 1], [1, -1], [0, 2]]", "complex [0, 4]"},
	{"prod", "complex_vector []", "complex [1, 0]"},
	{"prod", "array[] complex [[0, 1], [0, 2]]", "complex [-2, 0]"},
	{"cumulative_sum", "array[] complex [[1, 2], [3, 4]]", "array[] complex [[1, 2], [4, 6]]"},
	{"dot_product", "complex_vector [[1, 1], [0, 1]]; complex_row_vector [[2, 0], [1, 0]]", "complex [2, -3]"},
	{"dot_self", "complex_vector [[1, 1], [0, 2]]", "complex [6, 0]"},
	{"conj", "complex_row_vector [[1, 2]]", "complex_row_vector [[1, -2]]"},
	{"to_int", "array[,] real [[1.7], [-1.7]]", "array[,] int [[1], [-1]]"},
	{"to_int", "real 3e9", "error"},
	{"int_step", "int 0", "int 0"},
	{"choose", "array[] int [5, 6]; int 2", "array[] int [10, 15]"},
	{"choose", "int 33; int 16", "int 1166803110"},
	{"sort_desc", "array[] int [1, 3, 2]", "array[] int [3, 2, 1]"},
	{"sort_indices_asc", "array[] int [3, 1, 3, 2]", "array[] int [2, 4, 1, 3]"},
	{"sort_asc", "vector [1, \"nan\"]", "error"},
	{"rank", "vector [3, 1, 2]; int 4", "error"},
	{"quantile", "data vector [1, 2, 3, 5]; data array[] real [0, 0.5]", "array[] real [1, 2.5]"},
	{"squared_distance", "array[] real [1, 2]; array[] real [4, 6]", "real 25"},
	{"distance", "real 1; real -2", "real 3"},
	{"norm2", "vector [3e200, 4e200]", "real 5e200"},
	{"norm2", "vector [3e-200, 4e-200]", "real 5e-200"},
	{"dot_self", "array[] real [1, 2]", "real 5"},
	{"num_elements", "array[] complex_matrix [[[[1, 2], [1, 2]]]]", "int 2"},
	{"size", "real 3", "int 1"},
	{"rows", "row_vector [1, 2, 3]", "int 1"},
	{"cols", "complex_row_vector [[1, 2], [1, 2]]", "int 2"},
	{"fmin", "real \"nan\"; real 1", "real 1"},
	{"log_mix", "vector [0.5, 0.5]; vector [\"-inf\", \"-inf\"]", "real \"-inf\""},
	{"log_mix", "vector [0.5, 0.5]; vector [1, 2, 3]", "error"},
	{"hypergeometric_2F1", "real 1; real 1; real 2; real 1.5", "error"},
	{"hypergeometric_3F2", "vector [1, 1]; vector [2, 2]; real 0.5", "error"},
	{"student_t_qf", "real 0.5; real 3; real 2; real 1", "real 2"},
	{"fft", "complex_vector [[1, 0], [1, 0], [1, 0]]", "complex_vector [[3, 0], [0, 0], [0, 0]]"},
}

// typedValue reads "TYPE VALUE".
func typedValue(t *testing.T, text string) (types.Type, stdlib.Tensor) {
	t.Helper()
	text = strings.TrimSpace(text)
	at := strings.LastIndexByte(text, ' ')
	if i := strings.Index(text, " ["); i >= 0 {
		at = i
	}
	ty, err := parseTestType(text[:at])
	if err != nil {
		t.Fatal(err)
	}
	tensor, err := readTensor(json.RawMessage(text[at+1:]), ty)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return ty, tensor
}

func TestExactCalls(t *testing.T) {
	lib := stdlib.New()
	for _, call := range exactCalls {
		checkExactCall(t, lib, call.fn, call.args, call.want)
	}
}

// checkExactCall compares a call with its exact result.
func checkExactCall(t *testing.T, lib *stdlib.Library, fn, args, wanted string) {
	t.Helper()
	c := &vectorCase{Fn: fn}
	for arg := range strings.SplitSeq(args, ";") {
		if strings.TrimSpace(arg) == "" {
			continue
		}
		ty, tensor := typedValue(t, arg)
		c.Types = append(c.Types, "data "+ty.String())
		c.types, c.args = append(c.types, ty), append(c.args, tensor)
	}
	f, match := selectRow(lib, c)
	if f == nil {
		t.Errorf("%s(%s): no signature", fn, args)
		return
	}
	got, err := evaluate(f, c.args, 1+boolToInt(match.Result.Base.IsComplex()))
	if wanted == "error" {
		if err == nil {
			t.Errorf("%s(%s) gave %v, want an error", fn, args, got.x)
		}
		return
	}
	checkComplexGradient(t, f, c, got)
	ty, want := typedValue(t, wanted)
	if err != nil || !ty.Equal(match.Result) {
		t.Errorf("%s(%s): %v, error %v; want %s", fn, args, match.Result, err, wanted)
		return
	}
	if !slices.Equal(got.dims, want.Dims) {
		t.Errorf("%s(%s) has sizes %v, want %v", fn, args, got.dims, want.Dims)
		return
	}
	for i, w := range want.X {
		if !closeTo(got.x[i], w, 1e-15+1e-15*math.Abs(w)) {
			t.Errorf("%s(%s) = %v, want %s", fn, args, got.x, wanted)
			return
		}
	}
}

// checkComplexGradient compares with differences where complex numbers go in or come
// out; the conformance vectors have no derivatives of those.
func checkComplexGradient(t *testing.T, f *stdlib.Function, c *vectorCase, r result) {
	complexOut := len(r.x) == 2*product(r.dims)
	want := make([]bool, len(c.args))
	for i, ty := range c.types {
		want[i] = ty.Base != types.IntBase
		complexOut = complexOut || ty.Base.IsComplex()
	}
	if !complexOut || !differentiable(f) || len(r.x) == 0 {
		return
	}
	adj := make([]float64, len(r.x))
	for i := range adj {
		adj[i] = 1 - 0.3*float64(i)
	}
	all, err := gradients(f, c.args, r, adj, want)
	if err != nil {
		t.Fatal(err)
	}
	if miss := checkDifferences(f, c, r, adj, want, all); miss != "" {
		t.Errorf("%s(%s): %s", c.Fn, c.Types, miss)
	}
}

// numbersFromNaN are the elementwise functions that give a number for NaN: tests and
// comparisons, and fmin and fmax as in C.
var numbersFromNaN = map[string]bool{"is_nan": true, "is_inf": true, "step": true, "int_step": true, "fmin": true, "fmax": true,
	"logical_eq": true, "logical_neq": true, "logical_lt": true, "logical_lte": true, "logical_gt": true, "logical_gte": true,
	"logical_and": true, "logical_or": true, "logical_negation": true}

// TestNaN passes NaN to every argument of every elementwise function in turn that may
// be real: the result is NaN or the call is rejected.
func TestNaN(t *testing.T) {
	lib := stdlib.New()
	for _, name := range lib.Names() {
		for _, f := range lib.Functions(name) {
			if f.Op == nil || numbersFromNaN[name] {
				continue
			}
			sig, err := types.ParseSignature(f.Signatures[len(f.Signatures)-1])
			if err != nil {
				t.Fatal(err)
			}
			for i := range f.Op.Arity() {
				if p := sig.Params[i]; p.Pattern == types.AnyI || p.Pattern == types.Exact && p.Type.Base == types.IntBase {
					continue
				}
				in := make([]stdlib.Tensor, f.Op.Arity())
				for j := range in {
					in[j].X = []float64{0.5}
				}
				in[i].X = []float64{math.NaN()}
				if r, err := evaluate(f, in, 1); err == nil && !math.IsNaN(r.x[0]) {
					t.Errorf("%s with NaN as argument %d is %g", name, i+1, r.x[0])
				}
			}
		}
	}
}

// TestMathKernelsDoNotAllocate runs value and derivative of the reductions and other
// kernels of math.jsonl.
func TestMathKernelsDoNotAllocate(t *testing.T) {
	lib := stdlib.New()
	done := map[*stdlib.Function]int{}
	for _, c := range readCases(t) {
		if c.File != "math" || c.Error {
			continue
		}
		f, match := selectRow(lib, c)
		if f == nil || f.Kernel == nil || done[f] > 3 || match.Result.Base.IsComplex() {
			continue
		}
		done[f]++
		if n := kernelAllocations(f.Kernel, c); n > 0 {
			t.Errorf("%s: %v allocations", c.name(), n)
		}
	}
}
