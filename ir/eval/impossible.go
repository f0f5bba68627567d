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

// attempt evaluates, and returns why the point was rejected. Where discrete parameters are summed out that is a matter of
// their present values: others may be accepted. A program that is recorded serves at other points, where other values may
// be rejected, and its recording rejects.
func (m *Machine) attempt(evaluate func()) (rejected error) {
	if _, program := m.Rec.(FactorRecorder); program || m.sim != nil {
		evaluate()
		return nil
	}
	rejected = guarded(evaluate)
	var e *Error
	if rejected != nil && !(errors.As(rejected, &e) && e.Reject) {
		panic(stop{rejected})
	}
	return rejected
}

// exclude gives density zero to the joint values of a table that were rejected, which have no value there. They get that of
// one that was not, since what follows must be evaluated at some value. Where there is none the point is rejected.
func (m *Machine) exclude(at source.Span, t *table, rejected error) {
	i := slices.IndexFunc(t.values, func(v *Value) bool { return v != nil })
	if i < 0 {
		panic(stop{rejected})
	}
	zero := Term{At: at, Vars: t.vars, Likelihood: m.likelihood, Table: make([]*Value, len(t.values)), ends: t.ends}
	for k, v := range t.values {
		zero.Table[k] = Real(0)
		if v == nil {
			t.values[k], zero.Table[k] = t.values[i], Real(math.Inf(-1))
		}
	}
	m.terms = append(m.terms, zero)
}

// numbers takes values that have no density in a factor as impossible, if there are others.
func (t *Term) numbers() {
	none := func(v *Value) bool { return math.IsNaN(v.X[0]) }
	if !slices.ContainsFunc(t.Table, none) || !slices.ContainsFunc(t.Table, func(v *Value) bool { return !none(v) }) {
		return
	}
	t.Table = slices.Clone(t.Table)
	for k, v := range t.Table {
		if none(v) {
			t.Table[k] = Real(math.Inf(-1))
		}
	}
}
