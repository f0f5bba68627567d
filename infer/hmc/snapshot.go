// This file puts the warm-up of Hamiltonian kernels aside and takes it up again.

package hmc

import "fmt"

// Snapshot implements infer.Resumable: step size, dual averaging, inverse metric, and
// what was collected for the next one, as far as there is anything.
func (t *Tuner) Snapshot() []float64 {
	a := t.average
	x := append([]float64{t.h.StepSize, a.n, a.mu, a.gap, a.smoothed}, t.h.Metric.inv...)
	if low := t.h.Metric.low; low != nil {
		x = append(x, float64(len(low.stretch)))
		x = append(append(x, low.stretch...), low.vectors...)
		x = append(x, t.rolling.learns(), t.rolling.nextSearch())
	}
	all := t.collected()
	if len(all) == 0 || all[0].n == 0 {
		return x
	}
	for _, m := range all {
		x = append(x, m.n)
		x = append(append(x, m.mean...), m.scatter...)
	}
	for _, w := range t.kept() {
		for i, q := range w.qs {
			x = append(append(x, q...), w.gs[i]...)
		}
	}
	return x
}

// collected are the moments that later steps depend on.
func (t *Tuner) collected() []*moments {
	switch {
	case t.moments != nil:
		return []*moments{t.moments}
	case t.rolling != nil:
		r := t.rolling
		return []*moments{r.old.q, r.old.g, r.young.q, r.young.g}
	}
	return nil
}

// kept are the windows whose rows are kept.
func (t *Tuner) kept() []*window {
	if t.rolling == nil || !t.rolling.lowRank {
		return nil
	}
	return []*window{&t.rolling.old, &t.rolling.young}
}

// Restore implements infer.Resumable.
func (t *Tuner) Restore(x []float64) error {
	r := &snapshot{left: x}
	head := r.take(5 + len(t.h.Metric.inv))
	var stretch, directions []float64
	if t.h.Metric.low != nil {
		stretch = r.take(r.count())
		directions = r.take(len(stretch) * t.h.Metric.dim)
		if learns, next := r.count(), r.count(); t.rolling != nil {
			t.rolling.bent, t.rolling.next = learns == 0, next
		}
	}
	if !r.short && len(r.left) > 0 {
		for _, m := range t.collected() {
			m.n = float64(r.count())
			copy(m.mean, r.take(len(m.mean)))
			copy(m.scatter, r.take(len(m.scatter)))
		}
		for _, w := range t.kept() {
			n := int(w.q.n)
			w.qs, w.gs = nil, nil
			for i := 0; i < n && !r.short; i++ {
				w.qs, w.gs = append(w.qs, r.take(t.h.Metric.dim)), append(w.gs, r.take(t.h.Metric.dim))
			}
		}
	}
	if r.short || len(r.left) > 0 {
		return fmt.Errorf("its tuning of %d numbers is none of a %s metric", len(x), t.h.Metric.Kind())
	}
	a := &t.average
	t.h.StepSize, a.n, a.mu, a.gap, a.smoothed = head[0], head[1], head[2], head[3], head[4]
	if t.h.Metric.low != nil {
		return t.h.Metric.setLowRank(head[5:], stretch, directions)
	}
	return t.h.Metric.Set(head[5:])
}

// A snapshot is read from its start.
type snapshot struct {
	left  []float64
	short bool // it ended too early
}

// take returns the next n numbers.
func (s *snapshot) take(n int) []float64 {
	if n > len(s.left) {
		s.short, n = true, len(s.left)
	}
	x := s.left[:n:n]
	s.left = s.left[n:]
	return x
}

// count returns the next number, a length.
func (s *snapshot) count() int {
	x := s.take(1)
	if len(x) == 0 || !(x[0] >= 0 && x[0] < 1<<31) {
		s.short = true
		return 0
	}
	return int(x[0])
}
