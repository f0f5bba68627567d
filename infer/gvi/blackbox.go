// This file sets up fits by score-function estimators: which of them, on what.

package gvi

import (
	"errors"
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/normal"
)

// errNoScore reports that the estimators have no way to the divergence.
var errNoScore = errors.New("gvi: score-function estimators take divergences by parameter where all priors are unconstrained or the divergences are kl, renyi or alpha; estimator = \"reparametrised\" takes others, too")

// byScore fits a normal.
func (m *Method) byScore(r *run, rec *infer.Recorder) (infer.Approximation, error) {
	e, err := m.energy(r)
	if err != nil {
		return nil, err
	}
	start, err := r.start(rec.Posterior())
	if start == nil || err != nil {
		return nil, err
	}
	if start.Dim() == 0 {
		f := rec.Posterior().Fit
		f.Converged, f.Stop = true, "there are no parameters"
		return start, nil
	}
	fam := newScoredNormal(newFamily(r.fit.Family, start, r.rank(start.Dim())), start.Dim())
	p := make([]float64, fam.params())
	fam.origin(p)
	est, err := m.estimatorOf(r, fam, e.(*generalised))
	if err != nil {
		return nil, err
	}
	q, err := r.descend(rec, est, p)
	if report := rec.Posterior().Fit; !r.finite(e.(*generalised), q, report) {
		report.Objective = &infer.Estimate{Value: math.Inf(1)}
	}
	return q, err
}

// estimatorOf makes the estimator of an objective for a family of normals.
func (m *Method) estimatorOf(r *run, fam *scoredNormal, g *generalised) (*estimator, error) {
	est := m.estimator(r, fam, newTerms(r, g.loss))
	none := make([]float64, r.ev.Dim())
	switch {
	case g.reach != nil:
		est.exact = func(grad []float64) (float64, error) { return g.reach.at(&batch{fam: fam.gaussian, grad: grad}), nil }
	case g.parts != nil:
		est.exact = func(grad []float64) (float64, error) { return g.parts.at(&batch{fam: fam.gaussian, grad: grad}) }
	case g.blocks != nil:
		return nil, errNoScore
	}
	est.prior = g.prior
	if r.src.bare != nil {
		est.shift = func(x []float64) (float64, error) { return r.src.jacobian(x, none) }
	}
	return est, nil
}

// estimator is the one that is named, or that the flags choose.
func (m *Method) estimator(r *run, fam scoring, t *terms) *estimator {
	name := m.options.Estimator
	if name == Score {
		name = choose(len(fam.factors()) == 1 || t.split(), len(m.options.ByParameter) == 0 && m.options.Divergence.IsKL())
	}
	return newEstimator(name, fam, t, m.options.Divergence)
}

// descend follows an estimator's gradients from the parameters p.
func (r *run) descend(rec *infer.Recorder, est *estimator, p []float64) (infer.Approximation, error) {
	report := rec.Posterior().Fit
	f := &descent{
		est: est, r: r.stream(""), p: p, draws: r.fit.Samples, iterations: r.fit.Iterations, tolerance: r.fit.Tolerance,
		evaluated: func() int { return r.src.count }, onStep: rec.Step, report: report,
	}
	err := f.run()
	if errors.Is(err, errNowhere) {
		err = fmt.Errorf("%s: %w", r.name, err)
	}
	if f.best == nil {
		return nil, err
	}
	report.Objective = &infer.Estimate{Value: f.value.value, Error: f.value.error}
	report.Stop = fmt.Sprintf("%s after %d steps by %s", report.Stop, report.Iterations, est.name)
	if err == nil && report.Converged {
		var few bool
		if few, err = est.restsOnFew(r.stream("shares"), restDraws); few {
			report.Converged = false
			report.Stop += fmt.Sprintf(", but the divergence %s is estimated from the few draws that have nearly all of its integral: the optimum may be another one", est.div)
		}
	}
	return f.best, err
}

// conjugateByScore fits the conjugate family; only the divergence is in closed form.
func (m *Method) conjugateByScore(r *run, rec *infer.Recorder, c *conjugate) (infer.Approximation, error) {
	start, err := r.start(rec.Posterior())
	if start == nil || err != nil {
		return nil, err
	}
	fam := newScoredConjugate(c, start)
	c.approach(fam.start)
	est := m.estimator(r, fam, newTerms(r, nil))
	theta, own := make([]float64, fam.params()), make([]float64, fam.params())
	est.exact = func(grad []float64) (float64, error) {
		fam.theta(theta)
		c.pair.Move(theta)
		clear(own)
		v := c.div.Gradient(c.pair, own)
		for i, g := range own {
			grad[i] += float64(fam.unit[i] * g)
		}
		return v, nil
	}
	return r.descend(rec, est, make([]float64, fam.params()))
}

// newScoredConjugate begins where the normal is, with conditional variances.
func newScoredConjugate(c *conjugate, n *normal.Normal) *scoredConjugate {
	at, power := c.l.prior.At, c.l.prior.Power
	k := n.Dim() - 1
	s := &scoredConjugate{at: at, power: power, start: make([]float64, 2+2*k), unit: make([]float64, 2+2*k)}
	sd, logS := n.ConditionalSD(), float64(power*n.Mean()[at])
	// The log of an inverse gamma has variance trigamma(a), near 1/(a - 1/2), about log b - psi(a).
	a := 0.5 + 1/(power*power*sd[at]*sd[at])
	s.start[0], s.start[1], s.unit[0], s.unit[1] = libm.Log(a), libm.Log(a)+logS, 1, 1
	for j := range k {
		i := coordinateBeside(at, j)
		s.start[2+j], s.unit[2+j] = n.Mean()[i], sd[i]
		s.start[2+k+j], s.unit[2+k+j] = 2*libm.Log(sd[i])-logS, 1
	}
	return s
}
