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
	lo, hi float64     // bounds; of an affine one offset and multiplier
	each   [][]float64 // of a parameter's affine one: its offsets and multipliers, one or one for each element
}

type scalarTransformKind uint8

const (
	notScalar scalarTransformKind = iota // none of these: a simplex, a matrix, bounds that are parameters
	identity                             // no bounds
	above                                // lo + exp(q)
	below                                // hi - exp(q)
	between                              // lo + (hi-lo)*inv_logit(q)
	affine                               // lo + hi*q
)

// linear reports that the number can be any at all.
func (l scalarTransform) linear() bool { return l.kind == identity || l.kind == affine }

// coordinate is the inverse of a linear one.
func (l scalarTransform) coordinate(x float64) float64 {
	if l.kind == affine {
		return (x - l.lo) / l.hi
	}
	return x
}

// positive reports that the number is above zero, and can be any such number.
func (l scalarTransform) positive() bool { return l.kind == above && l.lo == 0 }

// unit reports that the number can be any between zero and one.
func (l scalarTransform) unit() bool { return l.kind == between && l.lo == 0 && l.hi == 1 }

// constrain returns the number and the log Jacobian at coordinate q.
func (l scalarTransform) constrain(q float64) (x, logJacobian float64) {
	switch l.kind {
	case affine:
		return l.lo + float64(l.hi*q), libm.Log(l.hi)
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

// scalarTransformOf classifies a parameter's constraint; kind is notScalar where its numbers have no
// coordinates of their own, or bounds differ by element or depend on parameters.
func (m *Host) scalarTransformOf(p *trace.Param) scalarTransform {
	c := p.Var.Decl.Constraint
	if c == nil {
		return scalarTransform{kind: identity}
	}
	em := m.Machine()
	var bounds [][]float64
	for _, x := range c.Args {
		v, err := em.Eval(x)
		if err != nil || len(v.X) != 1 && c.Name != "offset_multiplier" {
			return scalarTransform{}
		}
		bounds = append(bounds, v.X)
	}
	switch c.Name {
	case "lower":
		return finiteTransform(scalarTransform{kind: above, lo: bounds[0][0], hi: math.Inf(1)})
	case "upper":
		return finiteTransform(scalarTransform{kind: below, lo: math.Inf(-1), hi: bounds[0][0]})
	case "lower_upper":
		return finiteTransform(scalarTransform{kind: between, lo: bounds[0][0], hi: bounds[1][0]})
	case "offset_multiplier":
		return scalarTransform{kind: affine, each: bounds}
	}
	return scalarTransform{}
}

// of is that of one element.
func (l scalarTransform) of(k int) scalarTransform {
	if l.kind == affine {
		offset, multiplier := l.each[0], l.each[1]
		return scalarTransform{kind: affine, lo: offset[min(k, len(offset)-1)], hi: multiplier[min(k, len(multiplier)-1)]}
	}
	return l
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
