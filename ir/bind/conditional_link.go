// Links: how a constrained number follows from a coordinate of its own.

package bind

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// A link is a transform of single numbers.
type link struct {
	kind   linkKind
	lo, hi float64 // bounds
}

type linkKind uint8

const (
	ownless  linkKind = iota // none of these: a simplex, a matrix, bounds that are parameters
	identity                 // no bounds
	above                    // lo + exp(q)
	below                    // hi - exp(q)
	between                  // lo + (hi-lo)*inv_logit(q)
)

// positive says that the number is above zero, and can be any such number.
func (l link) positive() bool { return l.kind == above && l.lo == 0 }

// unit says that the number can be any between zero and one.
func (l link) unit() bool { return l.kind == between && l.lo == 0 && l.hi == 1 }

// constrain gives the number and the log Jacobian at coordinate q.
func (l link) constrain(q float64) (x, logJacobian float64) {
	switch l.kind {
	case above:
		return l.lo + libm.Exp(q), q
	case below:
		return l.hi - libm.Exp(q), q
	case between:
		u := libm.Exp(-math.Abs(q))
		logJacobian = libm.Log(l.hi-l.lo) - math.Abs(q) - 2*libm.Log1p(u)
		if q < 0 {
			return l.lo + float64((l.hi-l.lo)*(u/(1+u))), logJacobian
		}
		return l.lo + (l.hi-l.lo)/(1+u), logJacobian
	}
	return q, 0
}

// linkOf classifies a parameter's constraint; kind is ownlesswhere its numbers have no
// coordinates of their own, or bounds differ by element or depend on parameters.
func (m *Model) linkOf(p *param) link {
	c := p.v.Decl.Constraint
	if c == nil {
		return link{kind: identity}
	}
	em := m.machine()
	var bounds []float64
	for _, x := range c.Args {
		v, err := em.Eval(x)
		if err != nil || len(v.X) != 1 {
			return link{}
		}
		bounds = append(bounds, v.X[0])
	}
	switch c.Name {
	case "lower":
		return finiteLink(link{above, bounds[0], math.Inf(1)})
	case "upper":
		return finiteLink(link{below, math.Inf(-1), bounds[0]})
	case "lower_upper":
		return finiteLink(link{between, bounds[0], bounds[1]})
	}
	return link{}
}

// finiteLink drops bounds that are infinite.
func finiteLink(l link) link {
	lo, hi := !math.IsInf(l.lo, -1), !math.IsInf(l.hi, 1)
	switch {
	case lo && hi:
		l.kind = between
	case lo:
		l.kind = above
	case hi:
		l.kind = below
	default:
		l.kind = identity
	}
	return l
}
