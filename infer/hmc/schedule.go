// This file lays out the warm-up: which iterations adapt what.

package hmc

// Window is a stretch of warm-up iterations, from Start up to End.
type Window struct {
	Start, End int
	// Metric: positions are collected over the window, and at its end the
	// metric is set from them and the step size starts anew. The step size
	// is adapted in every window.
	Metric bool
}

// Buffers are the lengths that shape a schedule, in iterations.
type Buffers struct {
	Init int // fast stretch at the start, to find the typical set
	Term int // fast stretch at the end, to settle the step size
	Base int // first metric window; each one after is twice as long
}

// StanBuffers are Stan's defaults.
func StanBuffers() Buffers { return Buffers{Init: 75, Term: 50, Base: 25} }

// minMetricWarmup is the shortest warm-up in which the metric is adapted.
const minMetricWarmup = 20

// Schedule lays out a warm-up of n iterations as Stan does: a fast window, a
// series of metric windows each twice as long as the one before, the last
// stretched over what remains, and a fast window. Where the buffers do not
// fit, they become 15 %, 75 % and 10 % of n; below 20 iterations only the step
// size is adapted.
//
// Deviation: with buffers that do not fit, Stan leaves the end of its only
// metric window unset until the next restart; here the window ends where
// Stan's message says.
func Schedule(n int, b Buffers) []Window {
	if n <= 0 {
		return nil
	}
	if n < minMetricWarmup {
		return []Window{{0, n, false}}
	}
	if b.Init+b.Term+b.Base > n {
		b.Init, b.Term = n*15/100, n/10
		b.Base = n - b.Init - b.Term
	}
	var table []Window
	if b.Init > 0 {
		table = append(table, Window{0, b.Init, false})
	}
	start, stop := b.Init, n-b.Term
	for size := max(b.Base, 1); start < stop; size *= 2 {
		end := min(start+size, stop)
		// Where the window after this one would not fit in full, this one
		// takes its place as well. The first keeps its length.
		if first := start == b.Init; !first && end+2*size > stop {
			end = stop
		}
		table = append(table, Window{start, end, true})
		start = end
	}
	if b.Term > 0 {
		table = append(table, Window{stop, n, false})
	}
	return table
}
