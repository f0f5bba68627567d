// Recorded programs at several points in one pass.

package bind

import "github.com/seed-12b88e03/ppl/autodiff"

// fewPoints is at how many points a program must have been wanted before it is compiled for
// several at once, which takes about as long as is gained at so many.
const fewPoints = 1000

// lanes returns the machine for several points of the program that ran last; nil where there
// is none (yet), or n points gain nothing by it.
func (r *runner) lanes(n int) *autodiff.LaneMachine {
	if n < 2 || r.last == nil {
		return nil
	}
	l, ok := r.several[r.last]
	if !ok {
		if !r.eager && !r.last.Program().LanesPay(n, fewPoints) {
			return nil
		}
		if r.several == nil || len(r.several) >= 2*r.traced.kept() {
			r.several = map[*autodiff.Machine]*autodiff.LaneMachine{}
		}
		l = r.last.Program().NewLaneMachine()
		r.several[r.last] = l
	}
	if l != nil && !r.eager && r.last.Program().LanesSave(n) == 0 {
		return nil
	}
	return l
}

// together evaluates a piece at each point: take gets the machine after each pass, and
// which of the points are in its lanes; alone is called for those in none.
func (r *runner) together(q [][]float64, take func(m *autodiff.LaneMachine, from, to int), alone func(i int)) {
	for i := 0; i < len(q); {
		n := min(autodiff.Lanes, len(q)-i)
		m := r.lanes(n)
		if m == nil {
			for range n {
				alone(i)
				i++
			}
			continue
		}
		m.Run(q[i : i+n])
		take(m, i, i+n)
		for l := range n {
			if undecided(m.Err(l)) {
				alone(i + l)
			}
		}
		i += n
	}
}

// worthWaiting is how many machine operations must be saved at a point for chains to wait
// for each other: what it takes to go from one to the next and back.
const worthWaiting = 1000

// worthWaiting reports whether more is gained at n points than it takes to go from one chain to
// another.
func (r *runner) worthWaiting(n int) bool {
	if r.eager {
		return true
	}
	p := r.traced.known(0)
	return p != nil && p.LanesSave(n) >= worthWaiting
}

// undecided reports whether a program's error is none of the model's: its control flow does not
// apply, or a number is where the program is not sure of itself.
func undecided(err error) bool {
	_, check := err.(*autodiff.CheckError)
	return check || err == autodiff.ErrGuard
}
