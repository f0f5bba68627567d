package cmdstan

// This file is method=diagnose test=gradient.

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// testGradient compares the gradient at the starting point with central differences. It
// fails where elements differ by more than the bound.
func (j *job) testGradient() (err error) {
	init, err := j.init(0, 1)
	if err != nil {
		return err
	}
	target := j.density().NewEvaluator()
	state := infer.State{Q: make([]float64, target.Dim())}
	if err := init.Start(target, 0, rng.New(j.seed, rng.Init, 0, uint64(j.id()-1)), &state); err != nil {
		return j.started(err, false)
	}
	grad := make([]float64, target.Dim())
	lp, err := target.LogDensityGrad(state.Q, grad)
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "TEST GRADIENT MODE\n\n Log probability=%s\n\n", streamed(lp))
	fmt.Fprintf(&b, "%10s%16s%16s%16s%16s\n", "param idx", "value", "model", "finite diff", "error")
	epsilon, bound := j.real("method", "diagnose", "test", "gradient", "epsilon"), j.real("method", "diagnose", "test", "gradient", "error")
	failed := 0
	for i, g := range grad {
		d, err := centralDifference(target, state.Q, i, epsilon)
		if err != nil {
			return err
		}
		if !(math.Abs(g-d) <= bound) {
			failed++
		}
		fmt.Fprintf(&b, "%10d%16s%16s%16s%16s\n", i, streamed(state.Q[i]), streamed(g), streamed(d), streamed(g-d))
	}
	fmt.Fprintln(j.out, b.String())
	t, err := j.newTable(j.text("output", "file"))
	if err != nil {
		return err
	}
	t.comment(strings.TrimSuffix(b.String(), "\n"))
	if err := t.close(); err != nil {
		return err
	}
	if failed > 0 {
		return errors.New(plural(failed, "element", "elements") + " of the gradient differ from finite differences by more than error = " + streamed(bound))
	}
	return nil
}

func plural(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// centralDifference is the derivative along coordinate i.
func centralDifference(t infer.Target, q []float64, i int, epsilon float64) (float64, error) {
	at := q[i]
	defer func() { q[i] = at }()
	q[i] = at + epsilon
	up, err := t.LogDensity(q)
	if err != nil {
		return 0, err
	}
	q[i] = at - epsilon
	down, err := t.LogDensity(q)
	return (up - down) / (2 * epsilon), err
}
