package eval_test

// This file holds the reference interpreter to what Stan's reference manual says of statements and expressions, with values
// by hand. Each program is walked, and run as closures.

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// evaluated runs statements and returns the numbers of the variable u, and what was printed.
func evaluated(t *testing.T, functions, text string, closures bool) (u []float64, printed string, err error) {
	t.Helper()
	lib := stdlib.New()
	p, err := bindtest.Compile("test.stan", "functions {\n"+functions+"\n}\ntransformed data {\n"+text+"\n}\n", ".", lib)
	if err != nil {
		t.Fatal(err)
	}
	m := eval.NewMachine(p)
	m.Lib, m.Print = lib, func(s string) { printed += s }
	if closures {
		m.Code = eval.Compile(p)
	}
	if err := m.Run(p.TransformedData.Body); err != nil {
		return nil, printed, err
	}
	i := slices.IndexFunc(p.TransformedData.Vars, func(v *ir.Var) bool { return v.Name == "u" })
	return m.Get(p.TransformedData.Vars[i]).X, printed, nil
}

var nan = math.NaN()

func TestValues(t *testing.T) {
	const m23 = "matrix[2, 3] m = [[1, 2, 3], [4, 5, 6]]; "
	for _, test := range []struct {
		name, functions, text string
		want                  []float64
	}{
		{"integer division and modulus go towards zero", "", "array[4] int u = {7 %/% 2, -7 %/% 2, 7 % -3, -7 % 3};", []float64{3, -3, 1, -1}},
		{"powers", "", "array[4] real u = {2 ^ 3 ^ 2, (-2.0) ^ 2, -2 ^ 2, 2 ^ -1.0};", []float64{512, 4, -4, 0.5}},
		{"logical operators are 0 and 1", "", "array[5] int u = {!0, !2.5, 3 && 0.5, 0 || 0, 2 > 1};", []float64{1, 0, 1, 0, 1}},
		{"the right side of && and || is left alone where the left decides", "int no() { reject(\"asked\"); return 1; }",
			"array[2] int u = {0 && no(), 1 || no()};", []float64{0, 1}},
		{"only one branch of ?: is evaluated", "real no() { reject(\"asked\"); return 1; }", "real u = 1 > 2 ? no() : 5;", []float64{5}},
		{"integers become reals in a mixed array", "", "array[2] real u = {1, 2.5};", []float64{1, 2.5}},
		{"reals are not set before", "", "vector[2] u; u[2] = 3;", []float64{nan, 3}},

		{"columns of a matrix are next to each other", "", m23 + "vector[6] u = to_vector(m);", []float64{1, 4, 2, 5, 3, 6}},
		{"a row", "", m23 + "row_vector[3] u = m[2];", []float64{4, 5, 6}},
		{"a column", "", m23 + "vector[2] u = m[, 2];", []float64{2, 5}},
		{"an element", "", m23 + "real u = m[2, 3];", []float64{6}},
		{"an index of an index", "", m23 + "real u = m[2][3];", []float64{6}},
		{"a range", "", "vector[4] v = [1, 2, 3, 4]'; vector[2] u = v[2:3];", []float64{2, 3}},
		{"ranges without an end", "", "vector[4] v = [1, 2, 3, 4]'; array[2] vector[2] u = {v[:2], v[3:]};", []float64{1, 2, 3, 4}},
		{"an empty range", "", "vector[4] v = [1, 2, 3, 4]'; int u = size(v[3:2]);", []float64{0}},
		{"indices in any order, and repeated", "", "vector[3] v = [1, 2, 3]'; array[4] int i = {3, 1, 1, 2}; vector[4] u = v[i];", []float64{3, 1, 1, 2}},
		{"a submatrix", "", m23 + "matrix[2, 2] u = m[:, {3, 1}];", []float64{3, 6, 1, 4}},
		{"a row of a submatrix", "", m23 + "row_vector[2] u = m[2, 2:3];", []float64{5, 6}},
		{"arrays are in rows", "", "array[2, 3] int a = {{1, 2, 3}, {4, 5, 6}}; array[6] int u = to_array_1d(a);", []float64{1, 2, 3, 4, 5, 6}},
		{"an array of vectors by two indices", "", "array[2] vector[2] a = {[1, 2]', [3, 4]'}; array[2] real u = a[, 2];", []float64{2, 4}},

		{"assignment to an element", "", m23 + "m[1, 2] = 9; vector[6] u = to_vector(m);", []float64{1, 4, 9, 5, 3, 6}},
		{"assignment to a row", "", m23 + "m[1] = [7, 8, 9]; vector[6] u = to_vector(m);", []float64{7, 4, 8, 5, 9, 6}},
		{"assignment to a column by a range", "", m23 + "m[1:2, 3] = [8, 9]'; vector[6] u = to_vector(m);", []float64{1, 4, 2, 5, 8, 9}},
		{"the right side is read before any element is assigned", "", "array[3] int u = {1, 2, 3}; u[2:3] = u[1:2];", []float64{1, 1, 2}},
		{"the last of repeated indices stays", "", "array[2] int u = {0, 0}; u[{1, 1}] = {5, 6};", []float64{6, 0}},
		{"a copy is not the variable", "", "vector[2] v = [1, 2]'; vector[2] u = v; v[1] = 9;", []float64{1, 2}},
		{"compound assignments", "", "vector[2] u = [1, 2]'; u += 1; u *= 2; u -= [1, 1]'; u ./= [3, 5]'; u .*= [2, 3]';", []float64{2, 3}},
		{"a compound assignment reads and writes, each with its index", "int one() { print(\"i\"); return 1; }", "array[1] int u = {4}; u[one()] += 3;", []float64{7}},
		{"tuples", "", "tuple(real, vector[2]) a = (1, [2, 3]'); a.1 += 4; a.2[1] = 6; array[3] real u = {a.1, a.2[1], a.2[2]};", []float64{5, 6, 3}},
		{"unpacking, which swaps", "", "real a = 1; real b = 2; (a, b) = (b, a); array[2] real u = {a, b};", []float64{2, 1}},
		{"complex numbers as pairs", "", "complex z = (1 + 2i) * (3 - 1i); array[2] real u = {get_real(z), get_imag(z)};", []float64{5, 5}},

		{"a loop whose range is empty", "", "int u = 0; for (i in 3:2) u += 1;", []float64{0}},
		{"bounds of a loop are evaluated once", "", "int n = 3; int u = 0; for (i in 1:n) { n = 5; u += 1; }", []float64{3}},
		{"break leaves the inner loop", "", "int u = 0; for (i in 1:3) for (j in 1:3) { if (j == 2) break; u += 1; }", []float64{3}},
		{"continue goes on with the next iteration", "", "int u = 0; for (i in 1:5) { if (i % 2 == 0) continue; u += i; }", []float64{9}},
		{"while", "", "int u = 1; while (u < 100) u *= 3;", []float64{243}},
		{"foreach goes through a matrix by columns", "", m23 + "real u = 0; for (x in m) u = 10 * u + x;", []float64{142536}},
		{"foreach goes through an array by its first index", "", "real u = 0; for (v in {[1, 2]', [3, 4]'}) u = 10 * u + v[2];", []float64{24}},
		{"a local variable begins anew in each iteration", "", "int u = 0; for (i in 1:3) { int k = 0; k += i; u += k; }", []float64{6}},
		{"an inner block's variable is its own", "", "int u = 1; { int v = 5; u += v; } { int v = 7; u += v; }", []float64{13}},

		{"arguments are passed by value", "vector twice(vector v) { vector[size(v)] w = v; w[1] = 9; return 2 * v; }",
			"vector[2] v = [1, 2]'; vector[2] u = twice(v) + v;", []float64{3, 6}},
		{"recursion", "int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }", "int u = fib(15);", []float64{610}},
		{"a return out of loops", "int first(array[] int a) { for (i in 1:size(a)) for (k in 1:3) if (a[i] > 2) return i; return 0; }",
			"int u = first({1, 2, 3, 4});", []float64{3}},
		{"overloads by type", "int f(int x) { return 1; } int f(real x) { return 2; } int f(vector x) { return 3; }",
			"array[3] int u = {f(1), f(1.0), f([1]')};", []float64{1, 2, 3}},

		{"products of matrices", "", m23 + "vector[2] u = m * [1, 0, -1]';", []float64{-2, -2}},
		{"a row times a column", "", "real u = [1, 2, 3] * [4, 5, 6]';", []float64{32}},
		{"a column times a row", "", "matrix[2, 2] u = [1, 2]' * [3, 4];", []float64{3, 6, 4, 8}},
		{"division from the left", "", "vector[2] u = [[2, 0], [1, 4]] \\ [2, 9]';", []float64{1, 2}},
		{"division by a matrix", "", "row_vector[2] u = [2, 8] / [[2, 0], [0, 4]];", []float64{1, 2}},
		{"scalars are broadcast", "", "vector[2] u = 1 ./ ([1, 3]' + 1);", []float64{0.5, 0.25}},
		{"sums of nothing", "", "vector[0] v; array[2] real u = {sum(v), prod(v)};", []float64{0, 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, closures := range []bool{false, true} {
				got, printed, err := evaluated(t, test.functions, test.text, closures)
				if err != nil {
					t.Fatalf("closures %v: %v", closures, err)
				}
				if want := strings.Repeat("i", 2*strings.Count(test.functions, "print")); printed != want {
					t.Errorf("closures %v: printed %q, want %q", closures, printed, want)
				}
				same := func(x, y float64) bool { return x == y || x != x && y != y }
				if !slices.EqualFunc(got, test.want, same) {
					t.Errorf("closures %v: got %v, want %v", closures, got, test.want)
				}
			}
		})
	}
}

// Where a run stops, the place and what the program was at, in the same words either way. What came before is printed.
func TestStops(t *testing.T) {
	for _, test := range []struct {
		name, functions, text string
		printed, want         string
	}{
		{"an index above", "", "vector[2] v; int k = 3; print(1); real u = v[k];", "1", "index"},
		{"an index of zero", "", "vector[2] v; int k = 0; real u = v[k];", "", "index"},
		{"a range beyond the end", "", "vector[2] v; int k = 3; vector[3] u = v[1:k];", "", "range"},
		{"sizes of a sum", "", "vector[2] v; vector[3] w; vector[2] u = v + w;", "", "size"},
		{"sizes of a product", "", "matrix[2, 2] v; vector[3] w; vector[2] u = v * w;", "", "columns of x is 2"},
		{"sizes of an assignment", "", "vector[2] u; vector[3] w; u = w;", "", "size"},
		{"a negative size", "", "int k = -1; vector[k] v; int u = 0;", "", "size"},
		{"division of an integer by zero", "", "int k = 0; int u = 3 %/% k;", "", "divisor is 0"},
		{"modulus by zero", "", "int k = 0; int u = 3 % k;", "", "divisor is 0"},
		{"an integer too large", "", "int k = 2147483647; int u = k + 1;", "", "2147483648"},
		{"reject", "", `real x = 2.5; if (x > 2) reject("x is ", x); int u = 0;`, "", "x is 2.5"},
		{"fatal_error", "", `fatal_error("stop ", {1, 2}); int u = 0;`, "", "stop [1,2]"},
		{"an array of unequal parts", "", "vector[2] v; vector[3] w; array[2] vector[2] u = {v, w};", "", "sizes"},
		{"in a function", "real f(vector v, int k) { return v[k]; }", "real u = f([1, 2]', 3);", "", "index"},
		{"recursion without an end", "int f(int n) { return f(n + 1); }", "int u = f(1);", "", "call"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var texts [2]string
			for i, closures := range []bool{false, true} {
				_, printed, err := evaluated(t, test.functions, test.text, closures)
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Fatalf("closures %v: error %v, want one with %q", closures, err, test.want)
				}
				if printed != test.printed {
					t.Errorf("closures %v: printed %q, want %q", closures, printed, test.printed)
				}
				texts[i] = fmt.Sprintf("%#v", err.Error())
			}
			if texts[0] != texts[1] {
				t.Errorf("walked: %s, as closures: %s", texts[0], texts[1])
			}
		})
	}
}
