// The rules about parameters: priors and hard bounds.

package lint

import (
	"math"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// compact are the constraints that confine a parameter to a bounded set, on which a
// flat density is a distribution.
var compact = map[string]bool{
	"lower_upper": true, "simplex": true, "unit_vector": true, "corr_matrix": true, "cholesky_factor_corr": true,
	"row_stochastic_matrix": true, "column_stochastic_matrix": true,
}

// priors warns of parameters that no term of the density is a distribution of. A
// term counts as a prior for the parameters in its variate; an expression added to
// the target without a density counts for every parameter in it. So a parameter that
// stands only right of the bar, as in a likelihood, has none.
func (l *linter) priors() {
	for _, v := range l.withoutPrior() {
		if !isCompact(v.Decl) {
			l.warn(v.Loc, msgImproper, "give it one in the model block; without one the density is flat, and may have no finite integral", v.Name)
		}
	}
}

// withoutPrior are the parameters without a prior, those included whose range is so bounded
// that a flat density is proper.
func (l *linter) withoutPrior() []*ir.Var {
	have := set{}
	for _, f := range l.factors {
		from := f.params
		if x := f.variate(); x != nil {
			from = l.depends.of(x)
		}
		if f.jacobian {
			continue
		}
		for v := range from {
			have[v] = true
		}
	}
	l.passedToTarget(have)
	var out []*ir.Var
	for _, v := range l.program.Parameters {
		if !have[v] {
			out = append(out, v)
		}
	}
	return out
}

// passedToTarget adds parameters given to functions that add to the target, which
// may be priors.
func (l *linter) passedToTarget(have set) {
	for _, body := range [][]ir.Stmt{l.program.TransformedParameters.Body, l.program.Model} {
		ir.Inspect(body, func(n any) bool {
			if c, ok := n.(*ir.UserCall); ok && c.Fn.Target {
				for _, a := range c.Args {
					l.depends.addTo(have, a)
				}
			}
			return true
		})
	}
}

func isCompact(s *ir.Shape) bool {
	if s.Constraint != nil {
		return compact[s.Constraint.Name]
	}
	for _, f := range s.Fields {
		if !isCompact(f) {
			return false
		}
	}
	return len(s.Fields) > 0
}

// hardBounds warns of constant bounds on both sides that are not the natural ones of
// a probability, a correlation or an angle.
func (l *linter) hardBounds() {
	for _, v := range l.program.Parameters {
		c := v.Decl.Constraint
		if c == nil || c.Name != "lower_upper" || v.Type.Base == types.IntBase {
			continue
		}
		lo, ok := constant(c.Args[0])
		hi, ok2 := constant(c.Args[1])
		if !ok || !ok2 || isNatural(lo, hi) {
			continue
		}
		l.warn(v.Loc, msgHardBounds, "unless the bounds are part of the problem, a prior with most of its mass between them is safer: "+
			"mass that the data put outside piles up at a bound", v.Name, lo, hi)
	}
}

func isNatural(lo, hi float64) bool {
	near := func(a, b float64) bool { return math.Abs(a-b) < 0.01 } // pi is often written with few digits
	switch {
	case lo == 0 && hi == 1, lo == -1 && hi == 1:
		return true
	case lo == 0:
		return near(hi, math.Pi) || near(hi, 2*math.Pi)
	}
	return near(lo, -hi) && (near(hi, math.Pi) || near(hi, math.Pi/2)) || math.IsInf(lo, 0) || math.IsInf(hi, 0)
}
