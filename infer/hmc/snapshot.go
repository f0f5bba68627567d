// This file puts the warm-up of Hamiltonian kernels aside and takes it up again.

package hmc

import "fmt"

// Snapshot implements infer.Resumable: step size, inverse metric, dual averaging, and
// the moments of the present window as far as there are any.
func (t *Tuner) Snapshot() []float64 {
	a := t.average
	x := append([]float64{t.h.StepSize, a.n, a.mu, a.gap, a.smoothed}, t.h.Metric.inv...)
	if all := t.collected(); len(all) > 0 && all[0].n > 0 {
		for _, m := range all {
			x = append(x, m.n)
			x = append(x, m.mean...)
			x = append(x, m.scatter...)
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

// Restore implements infer.Resumable.
func (t *Tuner) Restore(x []float64) error {
	head := 5 + len(t.h.Metric.inv)
	full := head
	for _, m := range t.collected() {
		full += 1 + len(m.mean) + len(m.scatter)
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
	if len(x) < full {
		return nil
	}
	x = x[head:]
	for _, m := range t.collected() {
		m.n = x[0]
		x = x[1:]
		x = x[copy(m.mean, x):]
		x = x[copy(m.scatter, x):]
	}
	return nil
}
