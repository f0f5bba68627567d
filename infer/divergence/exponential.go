// This file has pairs of members of one exponential family.

package divergence

// Family is a parametric family of which powers of members are, but for constants, members, with the
// integrals of a pair in closed form. Members are given by their usual parameters theta, of which
// the positive ones are logs: natural parameters, as mean over variance, lose all digits where a
// member is narrow.
type Family interface {
	// Params is the number of parameters.
	Params() int
	// KL is the divergence of the member at q from that at pi.
	KL(q, pi []float64) float64
	// AddKL adds scale times its gradient by q.
	AddKL(q, pi []float64, scale float64, grad []float64)
	// LogPower is log G(a, b), +Inf where there is no integral; a is positive or 0.
	LogPower(q, pi []float64, a, b float64) float64
	// AddLogPower adds scale times its gradient by q; a is positive.
	AddLogPower(q, pi []float64, a, b, scale float64, grad []float64)
}

// Exponential is a pair of members of one family.
type Exponential struct {
	family Family
	q, pi  []float64
}

// NewExponential makes a pair with the given prior; Move must be called before
// anything else.
func NewExponential(f Family, prior []float64) *Exponential {
	return &Exponential{family: f, q: make([]float64, f.Params()), pi: append([]float64(nil), prior...)}
}

// Move sets q.
func (e *Exponential) Move(theta []float64) { copy(e.q, theta) }

// KL implements Pair.
func (e *Exponential) KL() float64 { return e.family.KL(e.q, e.pi) }

// AddKL implements Pair.
func (e *Exponential) AddKL(scale float64, grad []float64) {
	e.family.AddKL(e.q, e.pi, scale, grad)
}

// LogPower implements Pair.
func (e *Exponential) LogPower(a, b float64) float64 { return e.family.LogPower(e.q, e.pi, a, b) }

// AddLogPower implements Pair.
func (e *Exponential) AddLogPower(a, b, scale float64, grad []float64) {
	e.family.AddLogPower(e.q, e.pi, a, b, scale, grad)
}

var _ Pair = (*Exponential)(nil)
