// Rows that build containers from sizes and a few numbers: linspaced_*, ones_*, one_hot_*, ...

package container

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

const buildSection = "Matrix Constructor Functions"

func buildFunctions() []*catalogue.Function {
	all := []*catalogue.Function{
		{
			Name:       "diag_matrix",
			Signatures: withComplex("matrix diag_matrix(vector x)"),
			Doc:        "the matrix with diagonal x, 0 elsewhere",
			Section:    "Diagonal Matrix Functions",
			Layout: func(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) {
				n := in[0].Dims[0]
				if err := checkNumbers("diag_matrix", []int{n, n}, mostLaidOut, laidOut); err != nil {
					return nil, nil, err
				}
				from := make([]catalogue.Ref, n*n)
				for k := range from {
					from[k] = catalogue.Ref{Arg: -1}
					if k%n == k/n {
						from[k] = catalogue.Ref{Arg: 0, Elem: int32(k % n)}
					}
				}
				return []int{n, n}, from, nil
			},
		},
		builder("identity_matrix", "matrix identity_matrix(int k)", "the k by k identity matrix",
			func(in []catalogue.Tensor, k, n int) float64 { return BoolNumber(k/n == k%n) }),
		builder("uniform_simplex", "vector uniform_simplex(int n)", "the simplex of n equal elements",
			func(_ []catalogue.Tensor, _, n int) float64 { return 1 / float64(n) }),
	}
	for _, form := range []struct{ result, name string }{
		{"array[] int", "int_array"}, {"array[] real", "array"}, {"vector", "vector"}, {"row_vector", "row_vector"},
	} {
		all = append(all,
			builder("ones_"+form.name, form.result+" ones_"+form.name+"(int n)", "n ones",
				func([]catalogue.Tensor, int, int) float64 { return 1 }),
			builder("zeros_"+form.name, form.result+" zeros_"+form.name+"(int n)", "n zeros",
				func([]catalogue.Tensor, int, int) float64 { return 0 }),
			oneHot("one_hot_"+form.name, form.result),
		)
		number := "real"
		if form.name == "int_array" {
			all = append(all, linspacedInts())
			continue
		}
		all = append(all, builder("linspaced_"+form.name,
			form.result+" linspaced_"+form.name+"(data int n, data "+number+" lower, data "+number+" upper)",
			"n numbers in equal steps from lower to upper", linspaced))
	}
	return all
}

func BoolNumber(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// builder makes a row whose result has the size of its first argument (a square matrix
// for a result of that type); element k of n is at(in, k, n).
func builder(name, signature, doc string, at func(in []catalogue.Tensor, k, n int) float64) *catalogue.Function {
	square := signature[:6] == "matrix"
	return &catalogue.Function{
		Name: name, Signatures: []string{signature}, Doc: doc, Section: buildSection,
		Kernel: &catalogue.Kernel{
			Dims: func(in []catalogue.Tensor) ([]int, error) {
				n := IntArg(in[0])
				if err := CheckCount(name, "size", n); err != nil {
					return nil, err
				}
				if name == "uniform_simplex" && n == 0 {
					return nil, RangeError(name, "size", n, 1, 1<<31-1)
				}
				if square {
					return []int{n, n}, nil
				}
				return []int{n}, nil
			},
			Value: func(in []catalogue.Tensor, out, _ []float64) error {
				for k := range out {
					out[k] = at(in, k, IntArg(in[0]))
				}
				return nil
			},
		},
	}
}

func oneHot(name, result string) *catalogue.Function {
	f := builder(name, result+" "+name+"(int n, int k)", "n zeros but for a 1 at position k",
		func(in []catalogue.Tensor, k, _ int) float64 { return BoolNumber(k+1 == IntArg(in[1])) })
	dims := f.Kernel.Dims
	f.Kernel.Dims = func(in []catalogue.Tensor) ([]int, error) {
		if err := CheckRange(name, "k", IntArg(in[1]), 1, IntArg(in[0])); err != nil {
			return nil, err
		}
		return dims(in)
	}
	return f
}

// linspaced is element k of n; the last is the upper bound itself, also for n = 1.
func linspaced(in []catalogue.Tensor, k, n int) float64 {
	low, high := in[1].X[0], in[2].X[0]
	if k == n-1 {
		return high
	}
	return low + float64(k)*(high-low)/float64(n-1)
}

// linspacedInts is linspaced_int_array. Where the range is too narrow for n different
// integers they are repeated; otherwise the upper bound is lowered to where equal steps
// lead (Eigen's LinSpaced on integers).
func linspacedInts() *catalogue.Function {
	f := builder("linspaced_int_array", "array[] int linspaced_int_array(data int n, data int lower, data int upper)",
		"n integers in as equal steps as may be, from lower to at most upper",
		func(in []catalogue.Tensor, k, n int) float64 {
			low, width := IntArg(in[1]), IntArg(in[2])-IntArg(in[1])
			switch {
			case n == 1:
				return in[2].X[0]
			case width+1 < n:
				return float64(low + k/((n+width)/(width+1)))
			}
			return float64(low + k*(width/(n-1)))
		})
	dims := f.Kernel.Dims
	f.Kernel.Dims = func(in []catalogue.Tensor) ([]int, error) {
		if IntArg(in[2]) < IntArg(in[1]) {
			return nil, fmt.Errorf("linspaced_int_array: upper is %d, but must not be less than lower, %d", IntArg(in[2]), IntArg(in[1]))
		}
		return dims(in)
	}
	return f
}
