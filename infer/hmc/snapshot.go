// This file puts the warm-up of Hamiltonian kernels aside and takes it up again.

package hmc

import "fmt"

// Snapshot implements infer.Resumable: step size, inverse metric, dual averaging, and
// the moments of the present window as far as there are any.
func (t *Tuner) Snapshot() []float64 {
	a := t.average
	x := append([]float64{t.h.StepSize, a.n, a.mu, a.gap, a.smoothed}, t.h.Metric.inv...)
	if m := t.moments; m != nil && m.n > 0 {
		x = append(x, m.n)
		x = append(x, m.mean...)
		x = append(x, m.scatter...)
	}
	return x
}

// Restore implements infer.Resumable.
func (t *Tuner) Restore(x []float64) error {
	head := 5 + len(t.h.Metric.inv)
	full := head
	if t.moments != nil {
		full += 1 + len(t.moments.mean) + len(t.moments.scatter)
	}
	if len(x) != head && len(x) != full {
		return fmt.Errorf("its tuning has %d numbers, a %s metric takes %d or %d", len(x), t.h.Metric.Kind(), head, full)
	}
	t.h.StepSize = x[0]
	a := &t.average
	a.n, a.mu, a.gap, a.smoothed = x[1], x[2], x[3], x[4]
	if err := t.h.Metric.Set(x[5:head]); err != nil {
		return err
	}
	if len(x) == full && full > head {
		m := t.moments
		m.n = x[head]
		copy(m.mean, x[head+1:])
		copy(m.scatter, x[head+1+len(m.mean):])
	}
	return nil
}
