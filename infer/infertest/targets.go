// This file has the targets of the conformance suite: one of each kind of
// parameter, all with prior and likelihood apart and exact answers.

package infertest

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// Targets are those that every method is run on.
func Targets() []EvidenceCase {
	return []EvidenceCase{Regression(), Bounded(), Simplex(), Ordered(), Funnel()}
}

// Regression is a correlated normal posterior in three dimensions.
func Regression() EvidenceCase {
	c := ConjugateLine(3)
	c.Name = "regression"
	c.Model.Factors = Quadratic(c.Model)
	return c
}

// Bounded is a probability: beta(2, 3) with 6 successes in 20 trials.
func Bounded() EvidenceCase {
	c := BetaBinomial(6, 20)
	c.Name = "bounded"
	return c
}

// Simplex is theta ~ dirichlet(2, 3, 4) with counts 5, 1, 7, on the scale of
// log(theta_i/theta_3): the posterior is dirichlet(7, 4, 11), the evidence of
// these outcomes in a given order is B(posterior)/B(prior).
func Simplex() EvidenceCase {
	a0, counts := [3]float64{2, 3, 4}, [3]float64{5, 1, 7}
	logB := func(a [3]float64) float64 {
		return lgamma(a[0]) + lgamma(a[1]) + lgamma(a[2]) - lgamma(a[0]+a[1]+a[2])
	}
	softmax := func(q []float64) (theta [3]float64) {
		top := max(q[0], q[1], 0)
		theta = [3]float64{libm.Exp(q[0] - top), libm.Exp(q[1] - top), libm.Exp(-top)}
		sum := theta[0] + theta[1] + theta[2]
		for i := range theta {
			theta[i] /= sum
		}
		return theta
	}
	m := FromParts(2, func(q []float64, beta float64, grad []float64) (prior, lik float64, err error) {
		theta := softmax(q)
		var weight float64
		for i, p := range theta {
			prior += a0[i] * libm.Log(p) // the Jacobian is the product of the theta
			lik += counts[i] * libm.Log(p)
			weight += a0[i] + beta*counts[i]
		}
		for i := range grad { // none where no gradient is asked for
			grad[i] = a0[i] + beta*counts[i] - weight*theta[i]
		}
		return prior - logB(a0), lik, nil
	})
	m.Names = []string{"theta.1", "theta.2", "theta.3"}
	m.Writer = func(q []float64, _ *rand.Rand, out []float64) error {
		theta := softmax(q)
		copy(out, theta[:])
		return nil
	}
	draw := func(r *rand.Rand, a [3]float64, q []float64) {
		last := gammaInt(r, int(a[2]))
		for i := range q {
			q[i] = libm.Log(gammaInt(r, int(a[i])) / last)
		}
	}
	m.Prior = func(r *rand.Rand, q []float64) error {
		draw(r, a0, q)
		return nil
	}
	post, sum := a0, 0.0
	for i := range post {
		post[i] += counts[i]
		sum += post[i]
	}
	c := Case{Name: "simplex", Model: m, Draw: func(r *rand.Rand, q []float64) { draw(r, post, q) }}
	for _, a := range post {
		p := a / sum
		c.Mean, c.SD = append(c.Mean, p), append(c.SD, math.Sqrt(p*(1-p)/(sum+1)))
	}
	return EvidenceCase{c, logB(post) - logB(a0)}
}

// Ordered is x_1 < x_2, a priori the order statistics of two standard normals,
// with y = (x_1 + x_2)/sqrt(2) + noise of sd 1/2, y = 1. The scaled sum s and
// difference d are independent: s is N(0, 1), so N(0.8, 0.2) a posteriori, and
// d is half-normal; x = (s -+ d)/sqrt(2). On the unconstrained scale x_1 = q_1,
// x_2 = q_1 + exp(q_2).
func Ordered() EvidenceCase {
	const y, noise = 1, 0.5
	m := FromParts(2, func(q []float64, beta float64, grad []float64) (prior, lik float64, err error) {
		gap := libm.Exp(q[1])
		x1, x2 := q[0], q[0]+gap
		r := (y - (x1+x2)/math.Sqrt2) / noise
		prior = math.Ln2 - 2*logRoot2Pi - (x1*x1+x2*x2)/2 + q[1]
		lik = -r*r/2 - logRoot2Pi - libm.Log(noise)
		if grad != nil {
			pull := beta * r / noise / math.Sqrt2
			grad[0] = -x1 - x2 + 2*pull
			grad[1] = (-x2+pull)*gap + 1
		}
		return prior, lik, nil
	})
	m.Names = []string{"x.1", "x.2"}
	m.Writer = func(q []float64, _ *rand.Rand, out []float64) error {
		out[0], out[1] = q[0], q[0]+libm.Exp(q[1])
		return nil
	}
	draw := func(r *rand.Rand, mean, sd float64, q []float64) {
		s, d := mean+sd*variate.Normal(r), math.Abs(variate.Normal(r))
		q[0] = (s - d) / math.Sqrt2
		q[1] = libm.Log(d * math.Sqrt2)
	}
	m.Prior = func(r *rand.Rand, q []float64) error {
		draw(r, 0, 1, q)
		return nil
	}
	const v = 1 + noise*noise // of y
	mean, variance := y/v, noise*noise/v
	half := math.Sqrt(2 / math.Pi) // mean of a half-normal, whose variance is 1 - 2/pi
	sd := math.Sqrt((variance + 1 - 2/math.Pi) / 2)
	return EvidenceCase{
		Case: Case{
			Name: "ordered", Model: m, Mean: []float64{(mean - half) / math.Sqrt2, (mean + half) / math.Sqrt2}, SD: []float64{sd, sd},
			Draw: func(r *rand.Rand, q []float64) { draw(r, mean, math.Sqrt(variance), q) },
		},
		LogEvidence: -y*y/(2*v) - libm.Log(v)/2 - logRoot2Pi,
	}
}

// Funnel is v ~ N(0, 1), x ~ N(0, exp(v)) in sd exp(v/2), with y = v + N(0, 1)
// observed as 0.5: v is N(1/4, 1/2) a posteriori and x has variance
// E(exp(v)) = exp(1/4 + 1/4). It is a mild one, on which fixed step sizes are
// still fair.
func Funnel() EvidenceCase {
	const y = 0.5
	m := FromParts(2, func(q []float64, beta float64, grad []float64) (prior, lik float64, err error) {
		v, x := q[0], q[1]
		square := x * x * libm.Exp(-v)
		if grad != nil {
			grad[0] = -v - 0.5 + square/2 + beta*(y-v)
			grad[1] = -x * libm.Exp(-v)
		}
		return -v*v/2 - v/2 - square/2 - 2*logRoot2Pi, -(y-v)*(y-v)/2 - logRoot2Pi, nil
	})
	m.Names = []string{"v", "x"}
	m.Factors = funnelFactors(y)
	draw := func(r *rand.Rand, mean, sd float64, q []float64) {
		q[0] = mean + sd*variate.Normal(r)
		q[1] = libm.Exp(q[0]/2) * variate.Normal(r)
	}
	m.Prior = func(r *rand.Rand, q []float64) error {
		draw(r, 0, 1, q)
		return nil
	}
	return EvidenceCase{
		Case: Case{
			Name: "funnel", Model: m, Mean: []float64{y / 2, 0}, SD: []float64{math.Sqrt(0.5), libm.Exp(0.25)},
			Draw: func(r *rand.Rand, q []float64) { draw(r, y/2, math.Sqrt(0.5), q) },
		},
		LogEvidence: -y*y/4 - libm.Log(2)/2 - logRoot2Pi,
	}
}
