// Recorded programs at several points in one pass.

package trace

import "github.com/seed-12b88e03/ppl/autodiff"

// MinPoints is at how many points a program must have been wanted before it is compiled for
// several at once, which takes about as long as is gained at so many.
const MinPoints = 1000

// lanes returns the machine for several points of the program that ran last; nil where there
// is none (yet), or n points gain nothing by it.
func (r *Runner) lanes(n int) *autodiff.LaneMachine {
	if n < 2 || r.Last == nil {
		return nil
	}
	l, ok := r.several[r.Last]
	if !ok {
		if !r.Eager && !autodiff.LanesPay(r.Last.Program(), n, MinPoints) {
			return nil
		}
		if r.several == nil || len(r.several) >= 2*r.traced.kept() {
			r.several = map[*autodiff.Machine]*autodiff.LaneMachine{}
		}
		l = autodiff.NewLaneMachine(r.Last.Program())
		r.several[r.Last] = l
	}
	if l != nil && !r.Eager && autodiff.LanesSave(r.Last.Program(), n) == 0 {
		return nil
	}
	return l
}

// Batches evaluates a piece at each point: take gets the machine after each pass, and
// which of the points are in its lanes; alone is called for those in none.
func (r *Runner) Batches(q [][]float64, take func(m *autodiff.LaneMachine, from, to int), alone func(i int)) {
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
			if Undecided(m.Err(l)) {
				alone(i + l)
			}
		}
		i += n
	}
}

// worthWaiting is how many machine operations must be saved at a point for chains to wait
// for each other: what it takes to go from one to the next and back.
const worthWaiting = 1000

// PrefersBatch reports whether more is gained at n points than it takes to go from one chain to
// another.
func (r *Runner) PrefersBatch(n int) bool {
	if r.Eager {
		return true
	}
	p := r.traced.Known(0)
	return p != nil && autodiff.LanesSave(p, n) >= worthWaiting
}

// Undecided reports whether a program's error is none of the model's: its control flow does not
// apply, or a number is where the program is not sure of itself.
func Undecided(err error) bool {
	_, check := err.(*autodiff.CheckError)
	return check || err == autodiff.ErrGuard
}
