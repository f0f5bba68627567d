// Numbers that are computed when they are first read.
//
// A recording needs the operations, and mostly not their results: the matrices of a Gaussian
// process go from call to call and end in a term of the log density. Where Machine.Defer is set,
// a large call is recorded, and computed only where a condition, an index, an element or a
// declared constraint reads its numbers.
//
// Values that are not computed yet occur in few places: variables, arguments of calls, results of
// functions, and terms. All other code gets its values from frame.expr or frame.slot, which
// compute them.

package eval

import "github.com/seed-12b88e03/ppl/ir"

// fewDeferred is how many numbers must go into a call, or come out, for it to be deferred.
const fewDeferred = 4096

// deferred is a call that is put off; all values that show its numbers share it.
type deferred struct {
	compute func() // nil when done
	used    bool   // another call or a term depends on it
}

// known returns v with its numbers computed.
func (v *Value) known() *Value {
	if d := v.later; d != nil && d.compute != nil {
		d.compute()
		d.compute = nil
	}
	return v
}

func allKnown(args []*Value) []*Value {
	for _, a := range args {
		a.known()
	}
	return args
}

// Compute computes the numbers of v, if that was put off. The error is that of the call that they result
// from.
func (v *Value) Compute() error { return guarded(func() { v.known() }) }

// uses notes that something else depends on v, so that the program computes it.
func (v *Value) uses() {
	if v.later != nil {
		v.later.used = true
	}
}

// defers reports whether a call with n numbers as its result is to be put off.
func (m *Machine) defers(args []*Value, n int) bool {
	if !m.Defer || m.Rec == nil || m.disc != nil || m.sim != nil || m.tracer != nil {
		return false
	}
	active := false
	for _, a := range args {
		if a.later != nil && a.later.compute != nil {
			return true
		}
		active = active || a.Active()
		n += len(a.X)
	}
	return active && n >= fewDeferred
}

// putOff defers the call that computes the numbers of out.
func (m *Machine) putOff(args []*Value, out *Value, compute func()) {
	for _, a := range args {
		a.uses()
	}
	out.later = &deferred{compute: func() {
		allKnown(args)
		compute()
	}}
	m.open = append(m.open, out)
}

// Complete carries out those deferred calls on which nothing depends: no program will, and
// their arguments are to be checked all the same.
func (m *Machine) Complete() error {
	return guarded(func() {
		for _, v := range m.open {
			if !v.later.used {
				v.known()
			}
		}
		m.open = nil
	})
}

// expr evaluates an expression, with its numbers.
func (f *frame) expr(x ir.Expr) *Value { return f.eval(x).known() }

// exprs is expr for each of a list.
func (f *frame) exprs(xs []ir.Expr) []*Value { return allKnown(f.evals(xs)) }

// slot finds a variable, its numbers computed.
func (f *frame) slot(v *ir.Var) *slot {
	s := f.variable(v)
	if s.v != nil {
		s.v.known()
	}
	return s
}
