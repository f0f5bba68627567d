// This file draws from the product of two densities that are known by weighted draws:
// Algorithm 4, with pairs drawn from their exact law.

package swap

import (
	"context"
	"math"
	"math/rand/v2"
	"sort"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// A Product is the law of (a_i + b_j)/2 + N(0, h^2/2), where the pair (i, j) has the
// weight w_i v_j N(a_i | b_j, 2 h^2) and h = T^(-1/(4+d)), T the smaller number of draws. It has scratch
// memory and belongs to one goroutine.
type Product struct {
	a, b       [][]float64
	logv       []float64
	h          float64
	variance   float64   // of the pair weight
	cumulative []float64 // of the marginal law of i
	row        []float64 // scratch
}

// NewProduct prepares draws; nil weights are equal.
func NewProduct(ctx context.Context, a [][]float64, logw []float64, b [][]float64, logv []float64) (*Product, error) {
	h := kernelWidth(min(len(a), len(b)), len(a[0]))
	return newProductOf(ctx, a, logw, b, logv, h, 2*h*h)
}

// newProductOf is NewProduct with width and variance of its own.
func newProductOf(ctx context.Context, a [][]float64, logw []float64, b [][]float64, logv []float64, h, variance float64) (*Product, error) {
	p := &Product{a: a, b: b, logv: logv, h: h, variance: variance, row: make([]float64, len(b))}
	marginal := make([]float64, len(a))
	for i := range a {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p.weigh(i)
		marginal[i] = infer.LogSumExp(p.row)
		if logw != nil {
			marginal[i] += logw[i]
		}
	}
	p.cumulative = make([]float64, len(a))
	infer.Weights(marginal, p.cumulative)
	accumulate(p.cumulative)
	return p, nil
}

// weigh fills row with the log weights of the pairs (i, j).
func (p *Product) weigh(i int) {
	for j, b := range p.b {
		p.row[j] = -squareDistance(p.a[i], b) / (2 * p.variance)
		if p.logv != nil {
			p.row[j] += p.logv[j]
		}
	}
}

// Draw writes an independent draw into z and returns its pair.
func (p *Product) Draw(r *rand.Rand, z []float64) (i, j int) {
	i = pick(p.cumulative, r)
	p.weigh(i)
	infer.Weights(p.row, p.row)
	accumulate(p.row)
	j = pick(p.row, r)
	for k := range z {
		z[k] = float64((p.a[i][k]+p.b[j][k])/2) + float64(p.h/math.Sqrt2*variate.Normal(r))
	}
	return i, j
}

func accumulate(w []float64) {
	for i := 1; i < len(w); i++ {
		w[i] += w[i-1]
	}
}

// pick draws an index by cumulative weights.
func pick(cumulative []float64, r *rand.Rand) int {
	u := r.Float64() * cumulative[len(cumulative)-1]
	return min(sort.SearchFloat64s(cumulative, u), len(cumulative)-1)
}
