package main

// This file checks exact answers by a second way: sums over the density of the program itself,
// on a lattice or by importance sampling from a Student t that adapts. No engine takes part.

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/lang"
)

// A sum is a posterior as points with weights.
type sum struct {
	q    [][]float64
	logw []float64
}

// effective is Kish's effective number.
func (s *sum) effective() float64 { return infer.ESSWeights(s.logw) }

// logDensity is that of the program, -Inf where there is none.
func logDensity(t infer.Target, q []float64) float64 {
	v, err := t.LogDensity(q)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 1) { // a spike at the edge has infinite density where the logit is rounded away
		return math.Inf(-1)
	}
	return v
}

// onLattice sums over one or two unconstrained coordinates, in a box that the mode is in.
func onLattice(t infer.Target, mode *proposal) *sum {
	axes := make([]axis, t.Dim())
	for i := range axes {
		wide := map[int]float64{1: 64, 2: 16}[t.Dim()]
		far := max(wide, 3*math.Abs(mode.mean.AtVec(i))+wide*min(math.Abs(mode.lower.At(i, i)), max(1, math.Abs(mode.mean.AtVec(i)))))
		axes[i] = plain(-far, min(far, max(1e8, 20*math.Abs(mode.mean.AtVec(i)))))
	}
	s := &sum{}
	lattice(axes, func(q []float64) float64 { return logDensity(t, q) }, func(q []float64, logw float64) {
		s.q, s.logw = append(s.q, q), append(s.logw, logw)
	})
	return s
}

// A proposal is a multivariate Student t with five degrees of freedom.
type proposal struct {
	mean  *mat.VecDense
	lower *mat.TriDense
	logc  float64
}

const proposalNu = 5

func newProposal(mean *mat.VecDense, cov *mat.SymDense) *proposal {
	n := mean.Len()
	for jitter := 0.0; ; jitter = max(2*jitter, 1e-10) {
		var c mat.Cholesky
		with := mat.NewSymDense(n, nil)
		with.CopySym(cov)
		for i := range n {
			with.SetSym(i, i, cov.At(i, i)*(1+jitter)+1e-300)
		}
		if c.Factorize(with) {
			p := &proposal{mean: mean, lower: mat.NewTriDense(n, mat.Lower, nil), logc: -c.LogDet() / 2}
			c.LTo(p.lower)
			return p
		}
		if jitter > 1e6 {
			panic("no covariance")
		}
	}
}

// draw returns a point and its log density, up to a constant of the dimension.
func (p *proposal) draw(r *rand.Rand) ([]float64, float64) {
	n := p.mean.Len()
	z, norm := mat.NewVecDense(n, nil), 0.0
	chi := 0.0
	for range proposalNu {
		g := r.NormFloat64()
		chi += g * g
	}
	scale := math.Sqrt(proposalNu / chi)
	for i := range n {
		v := r.NormFloat64() * scale
		z.SetVec(i, v)
		norm += v * v
	}
	var x mat.VecDense
	x.MulVec(p.lower, z)
	x.AddVec(&x, p.mean)
	return x.RawVector().Data, p.logc - (proposalNu+float64(n))/2*math.Log1p(norm/proposalNu)
}

// sampled draws n points with weights.
func (p *proposal) sampled(t infer.Target, r *rand.Rand, n int) *sum {
	s := &sum{}
	for range n {
		q, logq := p.draw(r)
		if v := logDensity(t, q) - logq; !math.IsInf(v, -1) {
			s.q, s.logw = append(s.q, q), append(s.logw, v)
		}
	}
	return s
}

// fitted is the proposal with the moments of the sum.
func (s *sum) fitted(n int) *proposal {
	w := make([]float64, len(s.logw))
	infer.Weights(s.logw, w)
	mean, cov := mat.NewVecDense(n, nil), mat.NewSymDense(n, nil)
	for i, q := range s.q {
		for j, v := range q {
			mean.SetVec(j, mean.AtVec(j)+w[i]*v)
		}
	}
	for i, q := range s.q {
		for j := range n {
			for k := j; k < n; k++ {
				cov.SetSym(j, k, cov.At(j, k)+w[i]*(q[j]-mean.AtVec(j))*(q[k]-mean.AtVec(k)))
			}
		}
	}
	return newProposal(mean, cov)
}

// atMode is the proposal at a mode, with the curvature's covariance, widened.
func atMode(t *testing.T, m *lang.Model, target infer.Target) *proposal {
	t.Helper()
	n := m.Dim()
	problem := optimize.Problem{
		Func: func(q []float64) float64 { return -max(logDensity(target, q), -1e300) },
		Grad: func(g, q []float64) {
			if _, err := target.LogDensityGrad(q, g); err != nil {
				clear(g)
			}
			for i := range g {
				g[i] = -g[i]
			}
		},
	}
	at := make([]float64, n)
	for i := range at {
		at[i] = 0.1
	}
	if r, err := optimize.Minimize(problem, at, &optimize.Settings{MajorIterations: 300}, &optimize.BFGS{}); err == nil || r != nil {
		at = r.X
	}
	cov := mat.NewSymDense(n, nil)
	for i := range n {
		cov.SetSym(i, i, 1)
	}
	if rows, _, err := m.Hessian(at); err == nil {
		var e mat.EigenSym
		h := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				h.SetSym(i, j, -(rows[i][j]+rows[j][i])/2)
			}
		}
		if e.Factorize(h, true) {
			var v mat.Dense
			values := e.Values(nil)
			e.VectorsTo(&v)
			for i := range n {
				for j := i; j < n; j++ {
					c := 0.0
					for k, lambda := range values {
						c += 2 * v.At(i, k) * v.At(j, k) / max(lambda, 1e-12*math.Abs(values[n-1])+1e-14)
					}
					cov.SetSym(i, j, c)
				}
			}
		}
	}
	return newProposal(mat.NewVecDense(n, at), cov)
}

// secondWay returns the means and standard deviations of columns by sums, and the effective
// number of points.
func secondWay(t *testing.T, m *lang.Model, modes, wide bool) (moments map[string]moment, effective float64) {
	t.Helper()
	target := m.Density(true, false)
	s := &sum{[][]float64{{}}, []float64{0}} // where all parameters are discrete
	var p *proposal
	if m.Dim() > 0 {
		p = atMode(t, m, target)
	}
	if wide {
		mean, cov := mat.NewVecDense(m.Dim(), nil), mat.NewSymDense(m.Dim(), nil)
		for i := range m.Dim() {
			cov.SetSym(i, i, 4)
		}
		s = newProposal(mean, cov).sampled(target, rand.New(rand.NewPCG(3, 4)), 1_000_000)
		effective = s.effective()
	} else if m.Dim() > 1 {
		r := rand.New(rand.NewPCG(3, 4))
		for range 8 {
			if s = p.sampled(target, r, 1500); len(s.q) > 0 && s.effective() > 20 {
				p = s.fitted(m.Dim())
			}
		}
		s = p.sampled(target, r, 8000)
		effective = s.effective()
	}
	if m.Dim() == 0 {
		effective = 2000
	}
	if !wide && m.Dim() == 1 || m.Dim() == 2 && (modes || effective < 5000) { // not near a Student t
		s = onLattice(target, atMode(t, m, target))
		effective = 100 * s.effective() // a rule, no sample: what is drawn below limits it
	}
	// Points are drawn by systematic resampling, and discrete parameters given them.
	const n = 2000
	w := make([]float64, len(s.logw))
	infer.Weights(s.logw, w)
	for i := 1; i < len(w); i++ {
		w[i] += w[i-1]
	}
	ev, r := m.Bound().NewEvaluator(), rand.New(rand.NewPCG(5, 6))
	names := m.Columns()
	row := make([]float64, len(names))
	first, second := make([]float64, len(names)), make([]float64, len(names))
	for i := range n {
		at := sort.SearchFloat64s(w, (float64(i)+0.5)/n*w[len(w)-1])
		if err := ev.Write(s.q[min(at, len(s.q)-1)], r, row); err != nil {
			t.Fatal(err)
		}
		for j, v := range row {
			first[j] += v / n
			second[j] += v * v / n
		}
	}
	moments = map[string]moment{}
	for j, name := range names {
		moments[name] = moment{Name: name, Mean: first[j], SD: math.Sqrt(second[j] - first[j]*first[j])}
	}
	return moments, min(effective, n)
}

// severalModes are classes of which a sample that adapts may see one mode only: their
// instances of at most two parameters are summed on a lattice.
var severalModes = map[string]bool{"one_of_many": true, "plane_modes": true, "squares": true, "corners": true,
	"cross": true, "units_modes": true, "narrow_many": true, "group_spike": true, "many_labels": true, "three_widths": true, "clusters_each": true, "by_quantile": true, "outside": true, "two_doses": true, "distance_seen": true,
	"ordered_modes": true, "few_bumps": true, "ranging": true, "flip_flop": true, "lines_mixed": true, "folded_line": true, "prior_or_noise": true, "cubic": true, "sorted_seen": true, "fractional": true, "prior_mixture": true, "largest_of": true, "region_ball": true, "region_box": true, "region_side": true, "region_far": true}

// afar are classes of modes so far apart, or of steps, that draws of wide Student t's are weighted.
var afar = map[string]bool{"bump_seen": true, "regimes": true, "period": true, "bump_if": true, "bump_twice": true, "alias": true, "capped": true, "index_bump": true}

// smaller makes instances in the plane of classes that have none of so few parameters.
var smaller = map[string]func(w *writer) *problem{
	"narrow_many":    func(w *writer) *problem { return narrowIn(w, 2) },
	"group_spike":    func(w *writer) *problem { return spikeIn(w, 2) },
	"many_labels":    func(w *writer) *problem { return labelsOf(w, 2) },
	"three_widths":   func(w *writer) *problem { return widthsIn(w, 2) },
	"shell":          func(w *writer) *problem { return shellIn(w, 2, 0.2) },
	"funnel_groups":  func(w *writer) *problem { return unitGroups(w, 2, 1) },
	"rare_wide":      func(w *writer) *problem { return wideIn(w, 1, 15) },
	"rare_far":       func(w *writer) *problem { return farIn(w, 1) },
	"largest_of":     func(w *writer) *problem { return largestIn(w, 2, 0.7) },
	"few_bumps":      func(w *writer) *problem { return bumpsIn(w, 2) },
	"prior_or_noise": func(w *writer) *problem { return noiseAt(w, w.uniform(4, 8)) },
	"region_ball":    func(w *writer) *problem { return ballOf(w, 2, 0.4, 0.9) },
	"region_box":     func(w *writer) *problem { return boxOf(w, 2, 0.4, 0.9) },
	"units_apart":    func(w *writer) *problem { return linesOf(w, 3, false) },
}

// TestExactAnswers compares the exact answers of an instance of each class, under both
// priors, with sums over the program's density: means to 5 standard errors and standard
// deviations to 5 of theirs, where there are 400 effective points and more.
func TestExactAnswers(t *testing.T) {
	for _, c := range slices.Concat(classes(), told(), sight(), fresh(), fresher(), strangers(), regions()) {
		if f := smaller[c.name]; f != nil {
			c.make = f
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.instance(0).Improper {
				t.Skip("there is nothing to compare")
			}
			done := 0
			for number := uint64(0); number < 12 && done < 1; number++ {
				p := c.instance(number)
				m, err := p.bind()
				if err != nil {
					t.Fatal(lang.ErrorText(err))
				}
				modes := severalModes[c.name]
				if modes && m.Dim() > 2 || afar[c.name] && m.Dim() > 3 {
					continue
				}
				got, effective := secondWay(t, m, modes, afar[c.name])
				if effective < 400 {
					continue
				}
				done++
				for _, e := range p.Exact {
					g, ok := got[e.Name]
					se := 1/math.Sqrt(effective) + 0.01
					if shift := math.Abs(g.Mean-e.Mean) / e.SD; !ok || !(shift <= 5*se) { // a NaN is an error, too
						t.Errorf("%d: %s has mean %.5g, by sums %.5g: %.3f sd (error %.3f)", number, e.Name, e.Mean, g.Mean, shift, se)
					}
					if ratio := math.Abs(math.Log(g.SD / e.SD)); !e.MeanOnly && !(ratio <= 6*se) {
						t.Errorf("%d: %s has sd %.5g, by sums %.5g (error %.3f)", number, e.Name, e.SD, g.SD, se)
					}
				}
			}
			if done == 0 {
				t.Error("no instance can be compared")
			}
		})
	}
}

// TestLattice: narrow peaks far apart, between which no box closes in. The first two numbers of
// each are its place, the third its standard deviation; all weigh the same.
func TestLattice(t *testing.T) {
	for _, peaks := range [][][3]float64{
		{{-10, -10, 0.2}, {10.03, 9.97, 0.2}},
		{{-20, 3, 0.15}, {0.11, 3.07, 0.4}, {21, 2.9, 0.15}},
		{{0.3, -0.2, 0.05}},
	} {
		want := make([]mixture, 2)
		for k := range want {
			for _, p := range peaks {
				want[k].add(0, []float64{p[k]}, []float64{p[2] * p[2]})
			}
		}
		got := cube([]string{"a", "b"}, []axis{plain(-30, 30), plain(-30, 30)}, func(x []float64) float64 {
			var logs []float64
			for _, p := range peaks {
				logs = append(logs, normalLog(x[0], p[0], p[2])+normalLog(x[1], p[1], p[2]))
			}
			return infer.LogSumExp(logs)
		})
		for k, m := range got {
			w := want[k].moments("x")[0]
			if math.Abs(m.Mean-w.Mean) > 1e-3*w.SD || math.Abs(m.SD-w.SD) > 1e-3*w.SD {
				t.Errorf("%v: %+v, want %+v", peaks, m, w)
			}
		}
	}
}
