// This file follows estimates of the gradient to the optimum.
//
// Each step goes along the estimated natural gradient, the inverse of the family's
// Fisher information times the gradient, factor by factor. The rate starts at 0.3 and
// is searched as for advi: where successive steps point against each other on average
// it is multiplied by 0.7, where they point the same way divided by it. It is also
// divided by the variance of the estimates per parameter, in units of the information, where
// that is more than 1, so that the parameters do not wander. A stage has 250 steps; its result is the average of the
// parameters over its later half, where the next one begins with twice as many draws
// for each estimate, up to 4096, and then twice as many steps. Where the objective there is less than at
// the last step by more than tolerance, chance and the noise of the steps, they have
// swung around the optimum, and the rate halves; otherwise it doubles up to 0.3. The fit has converged
// when a stage's result has moved by less than 2*Tolerance per parameter of any factor, in
// units of the information, its third quarter lies within 4*Tolerance of
// the last, and the objective by less than Tolerance relative to its size (twice
// its standard error allowed), unless the rates were so small that it could not have.

package gvi

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/approx"
)

const (
	stageSteps  = 250
	firstRate   = 0.3
	leastRate   = 1e-4
	leastWay    = 10  // sum of the rates of a stage that can tell that nothing moves
	mostStep    = 0.5 // units of the information per parameter
	turn        = 0.7
	leastDraws  = 10
	mostDraws   = 4096
	valueDraws  = 1000 // that the objective is estimated from after a stage
	fisherDraws = 2000 // scores that the information is estimated from
	mostDenseBy = 60   // parameters of a factor up to which its information is a matrix
	mostLost    = 50   // successive estimates without a value
)

// descent is a stochastic fit.
type descent struct {
	est        *estimator
	r          *rand.Rand
	draws      int
	iterations int
	tolerance  float64
	evaluated  func() int
	onStep     func()
	report     *infer.FitReport

	p, grad, spread, step, old []float64
	drift                      []float64 // between the averages of a stage's third and last quarter
	rate                       float64
	cosine                     approx.Trend
	way                        float64 // sum of the rates of the present stage
	noise                      float64 // variance of the gradient's estimate per parameter, of late
	metric                     []information
	lost                       int
	seen                       []float64 // the last parameters with an estimate
	best                       infer.Approximation
	value                      estimate
}

// information is the information of a factor: a factorised matrix, or its diagonal.
type information struct {
	params   []int
	chol     *mat.Cholesky
	diagonal []float64
}

// run makes stages until the result stands still. On an error, interruption
// included, best is what there is.
func (f *descent) run() error {
	n := f.est.fam.params()
	f.grad, f.spread, f.step, f.old = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	f.rate = firstRate
	draws, steps := max(f.draws, leastDraws), stageSteps
	var last []float64
	var before estimate
	defer f.keep()
	for {
		f.measure()
		steps = min(steps, f.iterations-f.report.Iterations)
		now, value, off, err := f.result(draws, steps)
		if err != nil {
			f.report.Stop = "interrupted"
			return err
		}
		f.value = value
		still := off.value <= float64(f.tolerance*max(1, math.Abs(value.value)))+2*off.error
		if still {
			f.rate = min(2*f.rate, firstRate)
		} else if off.value > 4*f.wander() {
			f.rate = max(f.rate/2, leastRate)
		}
		if last != nil && still && f.way >= leastWay && f.stands(last, now, before, value) {
			f.report.Converged, f.report.Stop = true, "objective and approximation stand still when draws are added"
			return nil
		}
		if f.report.Iterations >= f.iterations {
			f.report.Stop = "the iteration limit was reached"
			return nil
		}
		last, before = now, value
		if draws < mostDraws {
			draws = min(2*draws, mostDraws)
		} else {
			steps *= 2
		}
	}
}

// result makes a stage. It returns the average, the objective there, and by how much that
// at the last step was above it.
func (f *descent) result(draws, steps int) (average []float64, value, off estimate, err error) {
	average, err = f.stage(draws, steps)
	if err != nil {
		return nil, value, off, err
	}
	last, err := f.evaluate()
	if err != nil {
		return nil, value, off, err
	}
	copy(f.p, average)
	value, err = f.evaluate()
	return average, value, estimate{last.value - value.value, libm.Hypot(last.error, value.error)}, err
}

// wander is by how much the objective along the way is expected to be above that at
// the optimum from the noise of the estimates, where the information is the curvature.
func (f *descent) wander() float64 {
	return float64(len(f.p)) * f.rate / max(1, f.noise) * f.noise / 4
}

// stands compares the results of two stages.
func (f *descent) stands(a, b []float64, before, now estimate) bool {
	d := make([]float64, len(a))
	floats.SubTo(d, b, a)
	return f.longest(d) <= 2*f.tolerance && f.longest(f.drift) <= 4*f.tolerance && f.same(before, now)
}

// same reports whether two values agree within tolerance and chance.
func (f *descent) same(a, b estimate) bool {
	return math.Abs(a.value-b.value) <= float64(f.tolerance*max(1, math.Abs(b.value)))+2*libm.Hypot(a.error, b.error)
}

// evaluate estimates the objective at the present parameters.
func (f *descent) evaluate() (estimate, error) {
	f.est.fam.set(f.p)
	e, err := f.est.at(f.r, valueDraws, f.grad, f.spread)
	if infer.IsReject(err) {
		return estimate{math.Inf(1), 0}, nil
	}
	return e, err
}

// stage makes steps and returns the average of the parameters over the later half.
func (f *descent) stage(draws, steps int) (average []float64, err error) {
	average = make([]float64, len(f.p))
	f.drift = make([]float64, len(f.p))
	later := 0
	f.way = 0
	for i := range steps {
		f.est.fam.set(f.p)
		e, err := f.est.at(f.r, draws, f.grad, f.spread)
		if err != nil && !infer.IsReject(err) {
			return nil, err
		}
		f.report.Iterations++
		f.report.Evaluations = f.evaluated()
		f.onStep()
		if err != nil || math.IsNaN(e.value+sumOf(f.grad)) || math.IsInf(e.value+sumOf(f.grad), 0) {
			if f.lost++; f.lost > mostLost {
				return nil, errNowhere
			}
			f.back()
			continue
		}
		f.lost, f.seen = 0, append(f.seen[:0], f.p...)
		f.report.Trace = append(f.report.Trace, infer.TracePoint{Iteration: f.report.Iterations, Objective: e.value, Error: e.error})
		f.move()
		if i >= steps/2 {
			later++
			w := 1 / float64(later)
			for j, p := range f.p {
				average[j] += float64(w * (p - average[j]))
				if last := steps/2 + steps/4; i < last {
					f.drift[j] -= p / float64(steps/4)
				} else {
					f.drift[j] += p / float64(steps-last)
				}
			}
		}
	}
	if later == 0 {
		copy(average, f.p)
	}
	return average, nil
}

// back returns half the way to where there was an estimate: where the objective is infinite
// it stays so, however often it is asked for.
func (f *descent) back() {
	if f.seen == nil {
		return
	}
	for i, v := range f.seen {
		f.p[i] = (f.p[i] + v) / 2
	}
	f.rate = max(f.rate*turn, leastRate)
}

// keep makes the present parameters the result.
func (f *descent) keep() {
	f.est.fam.set(f.p)
	f.best = f.est.fam.approximation()
}

// move makes the step that the gradient asks for.
func (f *descent) move() {
	f.natural(f.spread, f.step)
	n := float64(len(f.p))
	noise := vec.Dot(f.spread, f.step) / n
	if f.noise == 0 {
		f.noise = noise
	}
	f.noise += float64(0.1 * (noise - f.noise))
	f.step, f.old = f.old, f.step
	f.natural(f.grad, f.step)
	square := vec.Dot(f.grad, f.step)
	f.search(vec.Dot(f.grad, f.old), square)
	scale := f.rate / max(1, f.noise)
	if long := math.Sqrt(square / n); scale*long > mostStep {
		scale = mostStep / long
	}
	f.way += scale
	vec.AddScaled(f.p, -scale, f.step)
}

// search adapts the rate to how successive gradients lie to each other.
func (f *descent) search(inner, square float64) {
	switch c := f.cosine.Add(inner, square); {
	case c < -0.5:
		f.rate, f.cosine = max(f.rate*turn, leastRate), approx.Trend{}
	case c > 0.5:
		f.rate, f.cosine = min(f.rate/turn, firstRate), approx.Trend{}
	}
}

// measure estimates the information at the present parameters from scores alone.
func (f *descent) measure() {
	fam := f.est.fam
	fam.set(f.p)
	x, lq, score := make([]float64, fam.dim()), make([]float64, len(f.est.parts)), make([]float64, fam.params())
	f.metric = f.metric[:0]
	var sums []*mat.SymDense
	for _, s := range f.est.parts {
		b := information{params: s.params}
		var sum *mat.SymDense
		if len(s.params) <= mostDenseBy {
			sum = mat.NewSymDense(len(s.params), nil)
		} else {
			b.diagonal = make([]float64, len(s.params))
		}
		f.metric, sums = append(f.metric, b), append(sums, sum)
	}
	for range fisherDraws {
		fam.draw(f.r, x, lq, score)
		for i, b := range f.metric {
			own := make([]float64, len(b.params))
			for j, p := range b.params {
				own[j] = score[p]
				if b.diagonal != nil {
					b.diagonal[j] += own[j] * own[j] / fisherDraws
				}
			}
			if sums[i] != nil {
				sums[i].SymRankOne(sums[i], 1.0/fisherDraws, mat.NewVecDense(len(own), own))
			}
		}
	}
	for i, sum := range sums {
		if sum == nil {
			continue
		}
		b := &f.metric[i]
		b.chol = &mat.Cholesky{}
		if !b.chol.Factorize(sum) {
			b.chol = nil
			b.diagonal = make([]float64, len(b.params))
			for j := range b.diagonal {
				b.diagonal[j] = sum.At(j, j)
			}
		}
	}
}

// natural writes the inverse information times g into out.
func (f *descent) natural(g, out []float64) {
	for _, b := range f.metric {
		own := mat.NewVecDense(len(b.params), nil)
		for j, p := range b.params {
			own.SetVec(j, g[p])
		}
		if b.chol != nil && b.chol.SolveVecTo(own, own) == nil {
			for j, p := range b.params {
				out[p] = own.AtVec(j)
			}
			continue
		}
		for j, p := range b.params {
			out[p] = 0
			if b.diagonal != nil && b.diagonal[j] > 0 {
				out[p] = g[p] / b.diagonal[j]
			}
		}
	}
}

// longest is the largest root mean square by which a factor's parameters differ, in units
// of its information.
func (f *descent) longest(d []float64) float64 {
	most := 0.0
	for _, b := range f.metric {
		sum := 0.0
		own := mat.NewVecDense(len(b.params), nil)
		for j, p := range b.params {
			own.SetVec(j, d[p])
		}
		if b.chol != nil {
			var u mat.TriDense
			b.chol.UTo(&u)
			var v mat.VecDense
			v.MulVec(&u, own)
			sum = vec.Dot(v.Raw(), v.Raw())
		}
		for j := range b.diagonal {
			sum += float64(b.diagonal[j] * own.AtVec(j) * own.AtVec(j))
		}
		most = max(most, math.Sqrt(sum/float64(len(b.params))))
	}
	return most
}
