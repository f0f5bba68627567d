// This file has the closed forms within an exponential family.

package divergence

import "github.com/seed-12b88e03/ppl/autodiff/libm"

// Family is an exponential family exp(eta'T(x) - A(eta)) with nothing outside
// the exponential, so that a power of a member is, but for a constant, a member.
// It is described in its usual parameters theta, of which the positive ones are
// given by their logs.
type Family interface {
	// Params is the number of usual parameters.
	Params() int
	// Stats is the number of statistics T.
	Stats() int
	// Natural writes the natural parameters of theta into eta.
	Natural(theta, eta []float64)
	// LogNormalizer is A; +Inf where the density has no integral.
	LogNormalizer(eta []float64) float64
	// Mean writes the expected statistics, the gradient of A, into mu.
	Mean(eta, mu []float64)
	// PullNatural adds the gradient of w'eta by theta.
	PullNatural(theta, w, grad []float64)
	// PullMean adds the gradient of w'mu by theta.
	PullMean(theta, w, grad []float64)
}

// Exponential is a pair of members of one family. With A the log normaliser
//
//	log G(a, b) = A(a eta_q + b eta_pi) - a A(eta_q) - b A(eta_pi)
//	KL          = (eta_q - eta_pi)'mu_q - A(eta_q) + A(eta_pi)
type Exponential struct {
	family                Family
	theta                 []float64
	q, pi, mixed, mu, mix []float64
	aq, api               float64
}

// NewExponential makes a pair with the given prior; Move must be called before
// anything else.
func NewExponential(f Family, prior []float64) *Exponential {
	s := f.Stats()
	e := &Exponential{
		family: f, theta: make([]float64, f.Params()), q: make([]float64, s), pi: make([]float64, s),
		mixed: make([]float64, s), mu: make([]float64, s), mix: make([]float64, s),
	}
	f.Natural(prior, e.pi)
	e.api = f.LogNormalizer(e.pi)
	return e
}

// Move sets q.
func (e *Exponential) Move(theta []float64) {
	copy(e.theta, theta)
	e.family.Natural(e.theta, e.q)
	e.aq = e.family.LogNormalizer(e.q)
	e.family.Mean(e.q, e.mu)
}

// KL implements Pair.
func (e *Exponential) KL() float64 {
	sum := e.api - e.aq
	for i, m := range e.mu {
		sum += float64((e.q[i] - e.pi[i]) * m)
	}
	return sum
}

// AddKL implements Pair. The parts by eta cancel: mu is the gradient of A.
func (e *Exponential) AddKL(scale float64, grad []float64) {
	for i := range e.mixed {
		e.mixed[i] = scale * (e.q[i] - e.pi[i])
	}
	e.family.PullMean(e.theta, e.mixed, grad)
}

func (e *Exponential) blend(a, b float64) {
	for i := range e.mixed {
		e.mixed[i] = float64(a*e.q[i]) + float64(b*e.pi[i])
	}
}

// LogPower implements Pair.
func (e *Exponential) LogPower(a, b float64) float64 {
	e.blend(a, b)
	return e.family.LogNormalizer(e.mixed) - float64(a*e.aq) - float64(b*e.api)
}

// AddLogPower implements Pair.
func (e *Exponential) AddLogPower(a, b, scale float64, grad []float64) {
	e.blend(a, b)
	e.family.Mean(e.mixed, e.mix)
	for i := range e.mix {
		e.mix[i] = scale * a * (e.mix[i] - e.mu[i])
	}
	e.family.PullNatural(e.theta, e.mix, grad)
}

var _ Pair = (*Exponential)(nil)

func lgamma(x float64) float64 {
	v, _ := libm.Lgamma(x)
	return v
}
