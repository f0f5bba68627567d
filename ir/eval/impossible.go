// Values of discrete parameters that a mass function refuses.

package eval

import (
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// impossible reports whether a refused call shows that the present values of discrete
// parameters have mass zero, such as fewer animals than were counted: a mass function
// refuses an integer, whatever its real arguments are, and other values may do. Anything
// else that a function refuses rejects the point.
func (d *discreteState) impossible(fn *stdlib.Function, err error) bool {
	var e *stdlib.DomainError
	if d == nil || len(d.touched) == 0 && !d.branching() || !isMass(fn.Name) || !errors.As(err, &e) || !e.Integer {
		return false
	}
	d.refusal = named(fn, err)
	return true
}

// branching reports whether the statement is within a condition on discrete parameters.
func (d *discreteState) branching() bool {
	return slices.ContainsFunc(d.pinned, func(times int) bool { return times > 0 })
}

func isMass(name string) bool {
	return strings.HasSuffix(name, "_lpmf") || strings.HasSuffix(name, "_lupmf")
}

// allRefused fails where no value of the discrete parameters was accepted: the model is at
// fault then, and the refusal tells more than a density of zero.
func (d *discreteState) allRefused(at source.Span, t *table) {
	if d.refusal == nil || d.branching() {
		return
	}
	for _, v := range t.values {
		if v.Active() || !math.IsInf(v.X[0], -1) {
			return
		}
	}
	failWith(at, d.refusal)
}
