// This file evaluates a block's statistics at a point.

package cavi

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/junction"
)

// A reader evaluates statistics of a block. It belongs to one goroutine.
type reader struct {
	block     *infer.FactorBlock
	functions infer.BlockFunctions
	values    []float64 // of the functions
	x         []float64
	inverse   []float64 // of a matrix
	logDet    float64
	wholes    []junction.Value // of a block of whole numbers
}

func newReader(b *infer.FactorBlock) *reader {
	r := &reader{block: b, x: make([]float64, b.Size)}
	if b.Support == infer.Wholes {
		r.wholes = valuesOf(b)
	}
	if b.Functions == nil {
		return r
	}
	r.functions = b.Functions()
	count := 0
	for _, s := range b.Statistics {
		for _, f := range s {
			if f.Func == infer.Function {
				count = max(count, f.Index+1)
			}
		}
	}
	r.values = make([]float64, count)
	return r
}

// at fills out with the statistics at free coordinates and gives the log Jacobian of
// the way from these to the numbers.
func (r *reader) at(free, out []float64) (logJacobian float64, err error) {
	b := r.block
	if b.Support == infer.Whole {
		for k, s := range b.Statistics {
			out[k] = 0
			if float64(b.Low+s[0].Index) == free[0] {
				out[k] = 1
			}
		}
		return 0, nil
	}
	if b.Support == infer.Wholes {
		for k, s := range b.Statistics {
			out[k] = 1
			for _, f := range s {
				if v := r.wholes[f.Index]; float64(b.Lows[v.Number]+v.Value) != free[v.Number] {
					out[k] = 0
				}
			}
		}
		return 0, nil
	}
	switch {
	case b.Support == infer.Positive:
		r.x[0], logJacobian = libm.Exp(free[0]), free[0]
	case b.Support == infer.Unit:
		r.x[0], logJacobian = logistic(free[0]), logLogistic(free[0])+logLogistic(-free[0])
	case b.Map == nil:
		copy(r.x, free)
	default:
		if logJacobian, err = b.Map.Constrain(free, r.x); err != nil {
			return 0, err
		}
	}
	if b.Support == infer.Definite {
		var ok bool
		if r.logDet, r.inverse, ok = inverseOf(int(math.Round(math.Sqrt(float64(b.Size)))), r.x); !ok {
			return 0, singular(b.Name)
		}
	}
	if r.functions != nil {
		if err := r.functions(r.x[0], r.values); err != nil {
			return 0, err
		}
	}
	for k, s := range b.Statistics {
		out[k] = 1
		for i := range s {
			out[k] *= r.factor(&s[i], free)
		}
	}
	return logJacobian, nil
}

// singular is the error at a matrix, here its block's name, that is not positive definite to rounding.
type singular string

// Error implements error.
func (s singular) Error() string { return "cavi: " + string(s) + " is not positive definite" }

// Recoverable implements infer.Recoverable.
func (s singular) Recoverable() bool { return true }

// factor is one factor of a statistic; logs and complements come from the free
// coordinate where that is exact in the tails.
func (r *reader) factor(f *infer.StatisticFactor, free []float64) float64 {
	switch f.Func {
	case infer.Function:
		return power(r.values[f.Index], f.Power)
	case infer.LogDeterminant:
		return r.logDet
	case infer.Inverse:
		return r.inverse[f.Index]
	}
	x := r.x[f.Index]
	switch r.block.Support {
	case infer.Positive:
		if f.Func == infer.LogNumber {
			return power(free[0], f.Power)
		}
	case infer.Unit:
		switch f.Func {
		case infer.LogNumber:
			return power(logLogistic(free[0]), f.Power)
		case infer.LogOneMinus:
			return power(logLogistic(-free[0]), f.Power)
		case infer.OneMinus:
			return power(logistic(-free[0]), f.Power)
		}
	}
	switch f.Func {
	case infer.LogNumber:
		x = libm.Log(x)
	case infer.OneMinus:
		x = 1 - x
	case infer.LogOneMinus:
		x = libm.Log1p(-x)
	}
	return power(x, f.Power)
}

func power(x, k float64) float64 {
	switch k {
	case 1:
		return x
	case 2:
		return x * x
	case -1:
		return 1 / x
	}
	return libm.Pow(x, k)
}
