// Values that rounding has moved off their constraint.

package bind

import "math"

// rounded is the relative error that values in files may have: they are written with
// some significant digits. What lies further off violates its constraint.
const rounded = 1e-5

// project moves a value back onto the constraint that it violates by no more than
// rounding: bounds, sums and lengths. Others keep their shape under rounding.
func project(transform string, dims []int, x []float64, bounds [][]float64) {
	switch transform {
	case "lower":
		clampTo(x, bounds[0], math.Max)
	case "upper":
		clampTo(x, bounds[0], math.Min)
	case "lower_upper":
		clampTo(x, bounds[0], math.Max)
		clampTo(x, bounds[1], math.Min)
	case "simplex":
		toSum(x, 0, 1, len(x))
	case "unit_vector":
		toLength(x, 0, 1, len(x))
	case "sum_to_zero_vector":
		toZero(x, 0, 1, len(x))
	case "sum_to_zero_matrix":
		eachColumn(dims, x, toZero)
		eachRow(dims, x, toZero)
	case "column_stochastic_matrix":
		eachColumn(dims, x, toSum)
	case "row_stochastic_matrix":
		eachRow(dims, x, toSum)
	case "cholesky_factor_corr":
		eachRow(dims, x, toLength)
	}
}

// clampTo pulls numbers to bounds that they pass by rounding.
func clampTo(x, bound []float64, pull func(x, bound float64) float64) {
	for i := range x {
		b := bound[min(i, len(bound)-1)]
		if in := pull(x[i], b); math.Abs(in-x[i]) <= rounded*math.Abs(b) {
			x[i] = in
		}
	}
}

func eachColumn(dims []int, x []float64, f func(x []float64, from, step, n int)) {
	for j := range dims[1] {
		f(x, j*dims[0], 1, dims[0])
	}
}

func eachRow(dims []int, x []float64, f func(x []float64, from, step, n int)) {
	for i := range dims[0] {
		f(x, i, dims[0], dims[1])
	}
}

// toSum scales n numbers to sum 1.
func toSum(x []float64, from, step, n int) {
	sum := 0.0
	for k := range n {
		sum += x[from+k*step]
	}
	if math.Abs(sum-1) > rounded {
		return
	}
	for k := range n {
		x[from+k*step] /= sum
	}
}

// toLength scales n numbers to length 1.
func toLength(x []float64, from, step, n int) {
	square := 0.0
	for k := range n {
		square += float64(x[from+k*step] * x[from+k*step])
	}
	if math.Abs(square-1) > rounded {
		return
	}
	for k := range n {
		x[from+k*step] /= math.Sqrt(square)
	}
}

// toZero shifts n numbers to sum 0.
func toZero(x []float64, from, step, n int) {
	sum, size := 0.0, 0.0
	for k := range n {
		sum += x[from+k*step]
		size += math.Abs(x[from+k*step])
	}
	if math.Abs(sum) > rounded*size {
		return
	}
	for k := range n {
		x[from+k*step] -= sum / float64(n)
	}
}
