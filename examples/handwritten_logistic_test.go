package examples

// This file is workload B by hand (handwritten_test.go).

import "math"

// Logistic is workload B: logistic regression. The point is beta.
type Logistic struct {
	x        []float64 // one row of predictors after the other
	sign     []float64 // 1 for successes, -1 for failures
	constant float64
}

// newLogistic takes the rows of predictors and the outcomes, 0 or 1.
func newLogistic(x [][]float64, y []int) *Logistic {
	m := &Logistic{constant: -float64(len(x[0])) * halfLog2Pi}
	for i, row := range x {
		m.x = append(m.x, row...)
		m.sign = append(m.sign, float64(2*y[i]-1))
	}
	return m
}

// Gradient fills grad and returns the log density.
func (m *Logistic) Gradient(q, grad []float64) float64 {
	d := len(q)
	lp := m.constant
	for k, b := range q {
		lp -= 0.5 * b * b
		grad[k] = -b
	}
	for i, s := range m.sign {
		row := m.x[i*d : (i+1)*d]
		eta := 0.0
		for k, x := range row {
			eta += x * q[k]
		}
		eta *= s
		e := math.Exp(-math.Abs(eta))
		lp += math.Min(eta, 0) - math.Log1p(e)
		w := s / (1 + e) // s times the probability of the other outcome
		if eta > 0 {
			w *= e
		}
		for k, x := range row {
			grad[k] += w * x
		}
	}
	return lp
}
