// This file has the divergences as functions of integrals.

package divergence

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// Kind is a kind of divergence.
type Kind int

// The kinds, in the order of the package comment.
const (
	KL Kind = iota
	Renyi
	Alpha
	Beta
	Gamma
	AlphaBetaR
)

var kinds = []struct {
	name string
	args int
}{{"kl", 1}, {"renyi", 1}, {"alpha", 1}, {"beta", 1}, {"gamma", 1}, {"abr", 3}}

// String is the kind's name in the language.
func (k Kind) String() string { return kinds[k].name }

// A Term is one divergence with its parameters, those not used being 0.
type Term struct {
	Kind   Kind
	Params [3]float64
}

// A Divergence is a sum of terms.
type Divergence []Term

// New makes a divergence by its name in the language.
func New(name string, params ...float64) (Divergence, error) {
	for k, row := range kinds {
		if row.name != name {
			continue
		}
		if len(params) != row.args {
			return nil, fmt.Errorf("divergence %s takes %d parameters, found %d", name, row.args, len(params))
		}
		t := Term{Kind: Kind(k)}
		copy(t.Params[:], params)
		return Divergence{t}, t.check()
	}
	return nil, fmt.Errorf("there is no divergence %q", name)
}

func (t Term) check() error {
	p := t.Params
	for _, v := range p[:kinds[t.Kind].args] {
		if !(v > 0) || math.IsInf(v, 0) {
			return fmt.Errorf("the parameters of divergence %s must be positive and finite, found %g", t.Kind, v)
		}
	}
	if t.Kind == AlphaBetaR {
		return checkAlphaBetaR(p[0], p[1], p[2])
	}
	return nil
}

// checkAlphaBetaR refuses orders at which abr is no divergence: see the package comment.
func checkAlphaBetaR(a, b, r float64) error {
	switch {
	case b == 1:
		return fmt.Errorf("divergence abr needs beta other than 1, found %g", b)
	case a+b <= 1:
		return fmt.Errorf("divergence abr needs alpha + beta above 1: otherwise it is infinite or none, found alpha %g and beta %g", a, b)
	case b < 1 && r != 1:
		return fmt.Errorf("divergence abr with beta below 1 is a divergence at r = 1 only: at others it is the power of a negative number "+
			"where q and the prior are far apart; take beta above 1, or r = 1, found beta %g and r %g", b, r)
	}
	return nil
}

// Sum adds divergences.
func Sum(ds ...Divergence) Divergence {
	var out Divergence
	for _, d := range ds {
		out = append(out, d...)
	}
	return out
}

// String writes the divergence as the language does.
func (d Divergence) String() string {
	parts := make([]string, len(d))
	for i, t := range d {
		args := make([]string, kinds[t.Kind].args)
		for j := range args {
			args[j] = strconv.FormatFloat(t.Params[j], 'g', -1, 64)
		}
		parts[i] = t.Kind.String() + "(" + strings.Join(args, ", ") + ")"
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "sum(" + strings.Join(parts, ", ") + ")"
}

// IsKL reports whether the divergence is a multiple of KLD.
func (d Divergence) IsKL() bool {
	for _, t := range d {
		if !t.kl() {
			return false
		}
	}
	return true
}

// Invariant reports whether the divergence is the same on every scale.
func (d Divergence) Invariant() bool {
	for _, t := range d {
		if !t.kl() && t.Kind > Alpha && !(t.Kind == AlphaBetaR && t.Params[0]+t.Params[1] == 2) {
			return false
		}
	}
	return true
}

// Homogeneous reports whether an unknown constant factor of pi adds no more than a
// constant to the divergence, so that minimising over q needs no normalised pi.
func (d Divergence) Homogeneous() bool {
	for _, t := range d {
		if !t.kl() && t.Kind != Renyi && t.Kind != Gamma {
			return false
		}
	}
	return true
}

// kl reports whether the term is a multiple of KLD.
func (t Term) kl() bool {
	return t.Kind == KL || t.Kind != AlphaBetaR && t.Params[0] == 1
}

// Pair is two densities, q with parameters that may move and pi without. Each
// integral may be infinite.
type Pair interface {
	// KL is the Kullback-Leibler divergence of q from pi.
	KL() float64
	// LogPower is log G(a, b).
	LogPower(a, b float64) float64
	// AddKL adds scale times the gradient of KL by the parameters of q.
	AddKL(scale float64, grad []float64)
	// AddLogPower does the same for LogPower.
	AddLogPower(a, b, scale float64, grad []float64)
}

// Value is the divergence between q and pi.
func (d Divergence) Value(p Pair) float64 {
	var sum float64
	for _, t := range d {
		v, _ := t.evaluate(p)
		sum += v
	}
	return sum
}

// Gradient returns the value and adds its gradient by q's parameters to grad.
func (d Divergence) Gradient(p Pair, grad []float64) float64 {
	return d.ScaledGradient(p, 1, grad)
}

// ScaledGradient adds scale times the gradient; the value is not scaled.
func (d Divergence) ScaledGradient(p Pair, scale float64, grad []float64) float64 {
	var sum float64
	for _, t := range d {
		v, uses := t.evaluate(p)
		sum += v
		if t.kl() {
			p.AddKL(scale/t.weight(), grad)
			continue
		}
		for _, u := range uses {
			if u.slope != 0 && u.a != 0 { // G(0, b) does not depend on q
				p.AddLogPower(u.a, u.b, scale*u.slope, grad)
			}
		}
	}
	return sum
}

func (t Term) weight() float64 {
	if t.Kind == KL {
		return t.Params[0]
	}
	return 1
}

// use is an integral that a term depends on, with the term's derivative by the
// integral's log.
type use struct{ a, b, slope float64 }

// evaluate returns the term's value, and what it is made from unless that is KL.
func (t Term) evaluate(p Pair) (float64, [3]use) {
	if t.kl() {
		return p.KL() / t.weight(), [3]use{}
	}
	o := t.Params[0]
	switch t.Kind {
	case Renyi:
		c := 1 / (o * (o - 1))
		return c * p.LogPower(o, 1-o), [3]use{{o, 1 - o, c}}
	case Alpha:
		c := 1 / (o * (1 - o))
		l := p.LogPower(o, 1-o)
		return -c * libm.Expm1(l), [3]use{{o, 1 - o, -c * libm.Exp(l)}}
	case Beta:
		return weighted(p, 0, [3]use{{o, 0, 1 / (o * (o - 1))}, {0, o, 1 / o}, {1, o - 1, -1 / (o - 1)}})
	case Gamma:
		uses := [3]use{{o, 0, 1 / (o * (o - 1))}, {0, o, 1 / o}, {1, o - 1, -1 / (o - 1)}}
		var v float64
		for _, u := range uses {
			v += float64(u.slope * p.LogPower(u.a, u.b))
		}
		return v, uses
	}
	a, b, r := t.Params[0], t.Params[1], t.Params[2]
	s := a + b - 1
	c := 1 / (a * (b - 1) * s)
	if r == 1 { // with b < 1 the sum is negative
		return weighted(p, 0, [3]use{{s, 0, a * c}, {0, s, (b - 1) * c}, {a, b - 1, -s * c}})
	}
	inner, uses := weighted(p, 1, [3]use{{s, 0, a}, {0, s, b - 1}, {a, b - 1, -s}})
	outer := libm.Exp((r-1)*libm.Log(inner)) * c
	for i := range uses {
		uses[i].slope *= outer
	}
	return c * libm.Expm1(r*libm.Log(inner)) / r, uses
}

// weighted returns start plus the sum of slope*G, and turns each slope by G into
// one by log G.
func weighted(p Pair, start float64, uses [3]use) (float64, [3]use) {
	for i, u := range uses {
		uses[i].slope = float64(u.slope * libm.Exp(p.LogPower(u.a, u.b)))
		start += uses[i].slope
	}
	return start, uses
}

// Product is a pair of densities with independent parts. The parameters of its
// parts lie one after the other.
type Product struct {
	Parts  []Pair
	Params []int // number of parameters of each part
}

// KL implements Pair.
func (p Product) KL() float64 {
	var sum float64
	for _, part := range p.Parts {
		sum += part.KL()
	}
	return sum
}

// LogPower implements Pair.
func (p Product) LogPower(a, b float64) float64 {
	var sum float64
	for _, part := range p.Parts {
		sum += part.LogPower(a, b)
	}
	return sum
}

// AddKL implements Pair.
func (p Product) AddKL(scale float64, grad []float64) {
	for i, part := range p.Parts {
		part.AddKL(scale, grad[:p.Params[i]])
		grad = grad[p.Params[i]:]
	}
}

// AddLogPower implements Pair.
func (p Product) AddLogPower(a, b, scale float64, grad []float64) {
	for i, part := range p.Parts {
		part.AddLogPower(a, b, scale, grad[:p.Params[i]])
		grad = grad[p.Params[i]:]
	}
}
