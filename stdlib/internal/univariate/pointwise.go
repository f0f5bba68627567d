// Densities of one variate as operations of the engine: what a loop's one iteration does with
// data that are not known one by one.

package univariate

import (
	"math"
	"sync"

	"github.com/seed-12b88e03/ppl/autodiff"
)

// pointwise makes the operation of a function of one variate. Its arguments are held against
// the requirements of the row; what these reject is NaN, as in compiled programs that carry
// no checks.
func (v *Variates) pointwise() *autodiff.Op {
	op := &autodiff.Op{Name: v.Fn}
	p := &points{v: v}
	switch len(v.Args) {
	case 1:
		op.F1 = func(x float64) float64 { return p.value([maxPoint]float64{x}) }
		op.D1 = func(x, f float64) float64 { return p.slopes([maxPoint]float64{x}, f)[0] }
	case 2:
		op.F2 = func(x, y float64) float64 { return p.value([maxPoint]float64{x, y}) }
		op.D2 = func(x, y, f float64) (dx, dy float64) {
			d := p.slopes([maxPoint]float64{x, y}, f)
			return d[0], d[1]
		}
	case 3:
		op.F3 = func(x, y, z float64) float64 { return p.value([maxPoint]float64{x, y, z}) }
		op.D3 = func(x, y, z, f float64) (dx, dy, dz float64) {
			d := p.slopes([maxPoint]float64{x, y, z}, f)
			return d[0], d[1], d[2]
		}
	default:
		return nil
	}
	return op
}

// maxPoint is the greatest number of arguments of an operation.
const maxPoint = 3

// points evaluates a function of one variate. Its scratch memory is used again and again.
type points struct {
	v    *Variates
	pool sync.Pool
}

// room takes scratch memory from the pool.
func (p *points) room() *[]float64 {
	if w, ok := p.pool.Get().(*[]float64); ok {
		return w
	}
	w := make([]float64, p.v.Scratch())
	return &w
}

func (p *points) value(x [maxPoint]float64) float64 {
	w := p.room()
	defer p.pool.Put(w)
	m := len(p.v.Args)
	at := (*w)[:m]
	copy(at, x[:])
	for j, a := range at {
		if !p.v.Requirement(j).OK(a) {
			return math.NaN()
		}
	}
	if p.v.violation(at) != nil {
		return math.NaN()
	}
	return p.v.One(at, nil, *w)
}

// slopes returns the derivatives where the value is f; 0 where that is the logarithm of 0.
func (p *points) slopes(x [maxPoint]float64, f float64) (d [maxPoint]float64) {
	if math.IsInf(f, -1) {
		return d
	}
	w := p.room()
	defer p.pool.Put(w)
	m := len(p.v.Args)
	at, out := (*w)[:m], (*w)[m:2*m]
	copy(at, x[:])
	clear(out)
	p.v.One(at, out, *w)
	copy(d[:], out)
	return d
}
