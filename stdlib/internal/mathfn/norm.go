// This file holds dot products, norms and distances of vectors.

package mathfn

import (
	"math"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// vectorPairs are the argument types of functions of two vectors.
var vectorPairs = [][2]string{{"vector", "vector"}, {"vector", "row_vector"}, {"row_vector", "vector"}, {"row_vector", "row_vector"}}

// overPairs writes one signature for each kind of two vectors.
func overPairs(name string) []string {
	var all []string
	for _, p := range vectorPairs {
		all = append(all, catalogue.Signature("real", name, p[0]+" x", p[1]+" y"))
	}
	return all
}

func normFunctions() []*catalogue.Function {
	vectors := []string{"vector", "row_vector"}
	arrays := []string{"vector", "row_vector", "array[] real"}
	return []*catalogue.Function{
		{Name: "dot_product", Signatures: append(overPairs("dot_product"), "real dot_product(array[] real x, array[] real y)"),
			Doc: "the sum of the products of elements", Section: catalogue.SectionMatrix, Kernel: dotProduct()},
		{Name: "dot_self", Signatures: append(catalogue.Over("real", "dot_self", vectors), "real dot_self(array[] real x)"),
			Doc: "the sum of squares", Section: catalogue.SectionMatrix, Kernel: dotSelf()},
		{Name: "norm1", Signatures: catalogue.Over("real", "norm1", arrays), Doc: "the sum of the absolute values", Section: catalogue.SectionArray, Kernel: norm1()},
		{Name: "norm2", Signatures: catalogue.Over("real", "norm2", arrays), Doc: "the root of the sum of squares", Section: catalogue.SectionArray, Kernel: norm2()},
		{Name: "squared_distance", Signatures: append(overPairs("squared_distance"), "real squared_distance(array[] real x, array[] real y)", "real squared_distance(real x, real y)"),
			Doc: "the sum of the squared differences of elements", Section: catalogue.SectionArray, Kernel: squaredDistance()},
		{Name: "distance", Signatures: append(overPairs("distance"), "real distance(array[] real x, array[] real y)", "real distance(real x, real y)"),
			Doc: "the root of the sum of the squared differences", Section: catalogue.SectionArray, Kernel: distance()},
	}
}

// addScaled adds a*x to y, where y is wanted.
func addScaled(y []float64, a float64, x []float64) {
	for i := range y {
		y[i] += float64(a * x[i])
	}
}

func dotProduct() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: catalogue.Agree("dot_product"),
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			out[0] = catalogue.Dot(in[0].X, in[1].X)
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
			addScaled(din[0], adj[0], in[1].X)
			addScaled(din[1], adj[0], in[0].X)
		},
	}
}

func dotSelf() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: catalogue.ScalarDims,
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			out[0] = catalogue.Dot(in[0].X, in[0].X)
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
			addScaled(din[0], 2*adj[0], in[0].X)
		},
	}
}

func norm1() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: catalogue.ScalarDims,
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			s := 0.0
			for _, v := range in[0].X {
				s += math.Abs(v)
			}
			out[0] = s
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
			for i := range din[0] {
				din[0][i] += float64(adj[0] * sign(in[0].X[i]))
			}
		},
	}
}

// length is the Euclidean norm of x - y (of x where y is nil), without overflow.
func length(x, y []float64) float64 {
	at := func(i int) float64 {
		if y == nil {
			return x[i]
		}
		return x[i] - y[i]
	}
	ss := 0.0
	for i := range x {
		ss += float64(at(i) * at(i))
	}
	if ss > 1e-290 && ss < 1e300 || math.IsNaN(ss) {
		return math.Sqrt(ss)
	}
	top := 0.0
	for i := range x {
		top = math.Max(top, math.Abs(at(i)))
	}
	if top == 0 || math.IsInf(top, 1) {
		return top
	}
	ss = 0
	for i := range x {
		ss += float64((at(i) / top) * (at(i) / top))
	}
	return top * math.Sqrt(ss)
}

// At 0 norms have no derivative; 0 is a subgradient.
func norm2() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: catalogue.ScalarDims,
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			out[0] = length(in[0].X, nil)
			return nil
		},
		VJP: func(in []catalogue.Tensor, out, adj []float64, din [][]float64, _ []float64) {
			if out[0] != 0 {
				for i := range din[0] {
					din[0][i] += float64(adj[0] * (in[0].X[i] / out[0]))
				}
			}
		},
	}
}

func squaredDistance() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: catalogue.Agree("squared_distance"),
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			s := 0.0
			for i, v := range in[0].X {
				d := v - in[1].X[i]
				s += float64(d * d)
			}
			out[0] = s
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
			addDifferences(din, in, 2*adj[0])
		},
	}
}

// addDifferences adds scale*(x - y) to dx and its negative to dy.
func addDifferences(din [][]float64, in []catalogue.Tensor, scale float64) {
	for i := range din[0] {
		din[0][i] += float64(scale * (in[0].X[i] - in[1].X[i]))
	}
	for i := range din[1] {
		din[1][i] -= float64(scale * (in[0].X[i] - in[1].X[i]))
	}
}

func distance() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: catalogue.Agree("distance"),
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			out[0] = length(in[0].X, in[1].X)
			return nil
		},
		VJP: func(in []catalogue.Tensor, out, adj []float64, din [][]float64, _ []float64) {
			if out[0] != 0 {
				addDifferences(din, in, adj[0]/out[0])
			}
		},
	}
}
