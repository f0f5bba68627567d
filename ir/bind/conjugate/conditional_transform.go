// Links: how a constrained number follows from a coordinate of its own.

package conjugate

import (
	"math"

	"github.com/seed-12b88e03/ppl/ir/bind/trace"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// A scalarTransform is a transform of single numbers.
type scalarTransform struct {
	kind   scalarTransformKind
	lo, hi float64 // bounds
}

type scalarTransformKind uint8

const (
	notScalar scalarTransformKind = iota // none of these: a simplex, a matrix, bounds that are parameters
	identity                             // no bounds
	above                                // lo + exp(q)
	below                                // hi - exp(q)
	between                              // lo + (hi-lo)*inv_logit(q)
)

// positive reports that the number is above zero, and can be any such number.
func (l scalarTransform) positive() bool { return l.kind == above && l.lo == 0 }

// unit reports that the number can be any between zero and one.
func (l scalarTransform) unit() bool { return l.kind == between && l.lo == 0 && l.hi == 1 }

// constrain returns the number and the log Jacobian at coordinate q.
func (l scalarTransform) constrain(q float64) (x, logJacobian float64) {
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

// scalarTransformOf classifies a parameter's constraint; kind is ownlesswhere its numbers have no
// coordinates of their own, or bounds differ by element or depend on parameters.
func (m *Host) scalarTransformOf(p *trace.Param) scalarTransform {
	c := p.Var.Decl.Constraint
	if c == nil {
		return scalarTransform{kind: identity}
	}
	em := m.Machine()
	var bounds []float64
	for _, x := range c.Args {
		v, err := em.Eval(x)
		if err != nil || len(v.X) != 1 {
			return scalarTransform{}
		}
		bounds = append(bounds, v.X[0])
	}
	switch c.Name {
	case "lower":
		return finiteTransform(scalarTransform{above, bounds[0], math.Inf(1)})
	case "upper":
		return finiteTransform(scalarTransform{below, math.Inf(-1), bounds[0]})
	case "lower_upper":
		return finiteTransform(scalarTransform{between, bounds[0], bounds[1]})
	}
	return scalarTransform{}
}

// finiteTransform drops bounds that are infinite.
func finiteTransform(l scalarTransform) scalarTransform {
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
