// Two evaluators, one meaning: random programs run by the compiled program and by the
// reference interpreter with the tape, and gradients against finite differences.

package bind_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// seeds is how many random programs tests run.
var seeds = subset.Of(40, 150)

func FuzzNoDiff(f *testing.F) {
	for s := range uint64(seeds) {
		f.Add(s)
	}
	lib := stdlib.New()
	f.Fuzz(func(t *testing.T, seed uint64) {
		text := randomProgram(seed)
		if err := noDiff(seed, text, lib); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, text)
		}
	})
}

// FuzzNoDiffLong is FuzzNoDiff with long containers and loops.
func FuzzNoDiffLong(f *testing.F) {
	for s := range uint64(seeds) {
		f.Add(s)
	}
	lib := stdlib.New()
	f.Fuzz(func(t *testing.T, seed uint64) {
		text := randomLongProgram(seed)
		if err := noDiff(seed, text, lib); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, text)
		}
	})
}

// noDiff compiles a program and compares its evaluators at a few points, all with one
// evaluator, so that recordings are looked up and made anew.
func noDiff(seed uint64, text string, lib *stdlib.Library) error {
	p, err := bindtest.Compile("random.stan", text, "", lib)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(seed, 78))
	in, err := randomData(p, lib, r)
	if err != nil {
		return err
	}
	iterations := 0 // of loops that are recorded as one iteration: the program's are short
	if seed%3 > 0 {
		iterations = 2
	}
	m, err := bind.Bind(p, lib, in, bind.Options{Seed: seed, LeastIterations: iterations})
	if err != nil {
		return nil // a size that does not fit
	}
	e := m.NewEvaluator()
	var points [][]float64
	for range 4 {
		q := make([]float64, m.Dim())
		for i := range q {
			q[i] = r.NormFloat64()
		}
		if err := noDiffAt(m, e, q); err != nil && !jumps(m, q, r) {
			return fmt.Errorf("at %v: %w", q, err)
		}
		points = append(points, q)
	}
	again, err := bind.Bind(p, lib, in, bind.Options{Seed: seed, WithoutNative: true, LeastIterations: iterations})
	if err != nil {
		return err
	}
	slices.Reverse(points)
	for _, q := range points {
		if err := sameBits(e, again.NewEvaluator(), q); err != nil && !jumps(m, q, r) {
			return fmt.Errorf("at %v: %w", q, err)
		}
	}
	return nil
}

// sameBits reports that two evaluators of a program, which have seen other points before
// and of which one may have machine code, give the same numbers to the last bit.
func sameBits(e, f infer.Evaluator, q []float64) error {
	eg, fg := make([]float64, len(q)), make([]float64, len(q))
	x, errE := e.LogDensityGrad(q, eg)
	y, errF := f.LogDensityGrad(q, fg)
	if !sameFailure(errE, errF) {
		return fmt.Errorf("history or machine code matters: %v and %v", errE, errF)
	}
	if errE != nil {
		return nil
	}
	if !close64(x, y, 0) || !slices.EqualFunc(eg, fg, func(a, b float64) bool { return close64(a, b, 0) }) {
		return fmt.Errorf("history or machine code matters: %v %v and %v %v", x, eg, y, fg)
	}
	return nil
}

// jumps reports whether the reference interpreter jumps at q: a comparison there is so close
// to a tie that rounding decides it, and evaluators may differ.
func jumps(m *bind.Model, q []float64, r *rand.Rand) bool {
	lp, _, err := m.PlainDensity(q, true)
	row, near, p := make([]float64, len(m.Columns())), make([]float64, len(m.Columns())), make([]float64, len(q))
	rowErr := m.PlainRow(q, nil, row)
	for range 20 {
		for i := range p {
			p[i] = q[i] + 1e-9*r.NormFloat64()
		}
		lp2, _, err2 := m.PlainDensity(p, true)
		rowErr2 := m.PlainRow(p, nil, near)
		if !sameFailure(err, err2) || !sameFailure(rowErr, rowErr2) || !close64(lp, lp2, 1e-4*(1+math.Abs(lp))) {
			return true
		}
		for i := range row {
			if rowErr == nil && !close64(row[i], near[i], 1e-4*(1+math.Abs(row[i]))) {
				return true
			}
		}
	}
	return false
}

func noDiffAt(m *bind.Model, e infer.Evaluator, q []float64) error {
	grad := make([]float64, len(q))
	got, err := e.LogDensityGrad(q, grad)
	want, wantGrad, wantErr := m.PlainDensity(q, true)
	if !sameFailure(err, wantErr) {
		return fmt.Errorf("compiled %v, %v; plain %v, %v", got, err, want, wantErr)
	}
	if err != nil {
		return nil
	}
	size, err := termSize(m, q, true)
	if err != nil {
		return err
	}
	if !close64(got, want, 1e-10*size) {
		return fmt.Errorf("compiled value %v, plain value %v", got, want)
	}
	if err := sameRow(m, e, q); err != nil {
		return err
	}
	if math.IsInf(want, 0) || math.IsNaN(want) || size > 1e8 {
		return nil
	}
	if err := closeGradients(grad, wantGrad, 1e-9); err != nil {
		return err
	}
	return differences(m, q, grad, size)
}

// sameRow compares the row of outputs of the compiled program with the plain one.
func sameRow(m *bind.Model, e infer.Evaluator, q []float64) error {
	got, want := make([]float64, len(m.Columns())), make([]float64, len(m.Columns()))
	err, wantErr := e.Write(q, nil, got), m.PlainRow(q, nil, want)
	if !sameFailure(err, wantErr) {
		return fmt.Errorf("row: compiled %v, plain %v", err, wantErr)
	}
	if err != nil {
		return nil
	}
	for i := range want {
		if !close64(got[i], want[i], 1e-9*(1+math.Abs(want[i]))) {
			return fmt.Errorf("row: %s is %v compiled, %v plain", m.Columns()[i], got[i], want[i])
		}
	}
	return nil
}

// differences compares a gradient with differences of the value. Near a kink or a
// jump differences with several step sizes disagree, and nothing is said.
func differences(m *bind.Model, q, grad []float64, size float64) error {
	e := m.NewEvaluator()
	largest := 1.0
	for _, v := range grad {
		largest = math.Max(largest, math.Abs(v))
	}
	for i := range q {
		d1, ok1 := difference(e, q, i, 1e-3)
		d2, ok2 := difference(e, q, i, 5e-4)
		d3, ok3 := difference(e, q, i, 2.3e-4)
		scale := 1e-5*largest + 1e-9*size
		if !ok1 || !ok2 || !ok3 || math.Max(math.Abs(d1-d2), math.Abs(d1-d3)) > scale {
			continue
		}
		if close64(grad[i], d3, 10*scale) {
			continue
		}
		// The cosine of a large number has its waves within a step: a derivative so large is told by tiny steps.
		tiny, ok := difference(e, q, i, 1e-9)
		if !ok || math.Abs(grad[i]) < 1e-3*size || !close64(grad[i], tiny, 0.01*math.Abs(grad[i])) {
			return fmt.Errorf("gradient[%d] is %v, differences say %v", i, grad[i], d3)
		}
	}
	return nil
}

// difference is a derivative by a formula of order 4.
func difference(e infer.Evaluator, q []float64, i int, h float64) (float64, bool) {
	p := append([]float64(nil), q...)
	at := func(d float64) float64 {
		p[i] = q[i] + d
		lp, err := e.LogDensity(p)
		if err != nil {
			return math.NaN()
		}
		return lp
	}
	d := (8*(at(h)-at(-h)) - (at(2*h) - at(-2*h))) / (12 * h)
	return d, !math.IsNaN(d) && !math.IsInf(d, 0)
}
