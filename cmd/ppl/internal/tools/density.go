package tools

// This file is ppl density: the log density and its gradient at given points.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/input"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
)

// DensityCmd evaluates a model.
type DensityCmd struct {
	Model string `arg:"" help:"File of the model."`
	input.ModelFlags
	input.EngineFlags
	At         string `required:"" placeholder:"FILE|zeros" help:"Points: JSON with parameter values by name, or {\"unconstrained\": [...]}, or an array of such; or zeros."`
	NoJacobian bool   `help:"Leave out the log Jacobian of the constraint transforms."`
	Propto     bool   `help:"Leave out constant terms where the model allows it."`
	Check      bool   `help:"Compare the gradient with finite differences; exit code 1 where they disagree."`
	Time       bool   `help:"Add ns_per_gradient, the least time over many short windows."`
}

// A pointReport is the line of one point.
type pointReport struct {
	LogDensity draws.Number   `json:"log_density"`
	Gradient   []draws.Number `json:"gradient"`
	Error      string         `json:"error,omitempty"`
	Check      *checkReport   `json:"check,omitempty"`
	Time       float64        `json:"ns_per_gradient,omitempty"`
}

// A checkReport is the outcome of the comparison with differences.
type checkReport struct {
	OK       bool         `json:"ok"`
	MaxError draws.Number `json:"max_error"` // relative to 1 + the gradient's size
	Worst    string       `json:"worst"`     // the coordinate with that error
}

// Help implements kong.HelpProvider.
func (*DensityCmd) Help() string {
	return frame.Examples("ppl density model.ppl --at zeros", "ppl density model.ppl --at points.json --check")
}

// Run prints one JSON line for each point.
func (c *DensityCmd) Run(a *frame.App) error {
	restoreGC := frame.RelaxGC()
	defer restoreGC()
	p, err := c.Compile(a, c.Model)
	if err != nil {
		return err
	}
	m, err := input.BindModel(context.Background(), a, p, c.DataSource(a, p, c.Model), c.Options(c.SeedOr(1)))
	if err != nil {
		return err
	}
	points, err := c.points(m)
	if err != nil {
		return err
	}
	target := m.Density(!c.NoJacobian, c.Propto)
	enc := json.NewEncoder(a.Stdout)
	enc.SetEscapeHTML(false)
	failed := error(nil)
	for i, q := range points {
		r, err := c.evaluate(target, m, q)
		restoreGC()
		if err != nil {
			failed = fmt.Errorf("point %d: %w", i+1, err)
		}
		if err := enc.Encode(r); err != nil {
			return err
		}
	}
	return failed
}

// points returns the unconstrained points that --at names.
func (c *DensityCmd) points(m *lang.Model) ([][]float64, error) {
	if c.At == "zeros" {
		return [][]float64{make([]float64, m.Dim())}, nil
	}
	sets, err := input.ReadPoints(c.At)
	if err != nil {
		return nil, err
	}
	var out [][]float64
	for _, s := range sets {
		q, err := m.Point(s)
		if err != nil {
			return nil, frame.Wrong(err)
		}
		out = append(out, q)
	}
	return out, nil
}

// evaluate fills in the line of a point. The error says that the point has no density
// or that the check failed.
func (c *DensityCmd) evaluate(t infer.Target, m *lang.Model, q []float64) (pointReport, error) {
	grad := make([]float64, len(q))
	lp, err := t.LogDensityGrad(q, grad)
	r := pointReport{LogDensity: draws.Number(lp)}
	if err != nil {
		r.LogDensity, r.Error = draws.Number(math.NaN()), err.Error()
		return r, err
	}
	r.Gradient = make([]draws.Number, len(grad))
	for i, g := range grad {
		r.Gradient[i] = draws.Number(g)
	}
	if c.Check {
		r.Check = Compare(t, m.UnconstrainedNames(), q, grad, max(Tolerance, min(m.LoosestTolerance(), MostTolerance)))
		if !r.Check.OK {
			err = &frame.Exit{
				Code: frame.ExitFailed,
				Err:  r.Check.failure(),
				Help: "where an ODE is solved, both are only as exact as the tolerances given to the solver; at an edge of the support there are no differences",
			}
		}
	}
	if c.Time {
		r.Time = timeGradient(t, q, grad)
	}
	return r, err
}

// failure says what a check that failed has found.
func (r *checkReport) failure() error {
	if math.IsInf(float64(r.MaxError), 1) {
		return fmt.Errorf("the log density is not finite close to the point in %s, so that there is no difference to compare the gradient with", r.Worst)
	}
	return fmt.Errorf("the gradient and finite differences disagree by %.3g in %s", float64(r.MaxError), r.Worst)
}

// Tolerance is the error of a gradient, relative to 1 + its size, beyond which the
// check fails. What the differences themselves are unsure of comes on top. Where differential equations are solved, errors of
// their solutions and of their sensitivities differ by up to the tolerance that the solver was given; of that,
// mostTolerance is granted, so that a gradient that is wrong still fails.
const (
	Tolerance     = 1e-5
	MostTolerance = 1e-3
)

// digits is the relative rounding error that a log density is granted.
const digits = 16 * 0x1p-52

// Compare holds the gradient against central differences of fourth order. They are
// taken with three steps; where these disagree (rounding, the error of an ODE solver),
// the differences can say no more than that, nor more than the last digits of the density
// allow.
func Compare(t infer.Target, names []string, q, grad []float64, tolerance float64) *checkReport {
	r := &checkReport{OK: true}
	x := append([]float64(nil), q...)
	f, err := t.LogDensity(x)
	if err != nil {
		return &checkReport{MaxError: draws.Number(math.Inf(1))}
	}
	for i := range q {
		h := 1e-3 * math.Max(1, math.Abs(q[i]))
		near, err := difference(t, x, i, h)
		far, errFar := difference(t, x, i, 2*h)
		farther, errFarther := difference(t, x, i, 4*h)
		unsure := max(near, far, farther) - min(near, far, farther)
		scale := 1 + math.Abs(grad[i])
		diff := math.Abs(near-grad[i]) / scale
		if errors.Join(err, errFar, errFarther) != nil || math.IsNaN(diff) || math.IsNaN(unsure) || math.IsInf(unsure, 0) {
			diff = math.Inf(1)
		}
		rounding := digits * math.Abs(f) / h
		if math.IsInf(diff, 1) || diff > tolerance+(2*unsure+rounding)/scale { // unsure, too, is not finite then
			r.OK = false
		}
		if diff >= float64(r.MaxError) {
			r.MaxError, r.Worst = draws.Number(diff), names[i]
		}
	}
	return r
}

// difference is the derivative along coordinate i by (8 (f1 - f-1) - (f2 - f-2)) / 12h.
func difference(t infer.Target, x []float64, i int, h float64) (float64, error) {
	at := x[i]
	defer func() { x[i] = at }()
	sum := 0.0
	var errs []error
	for _, p := range []struct{ step, weight float64 }{{1, 8}, {-1, -8}, {2, -1}, {-2, 1}} {
		x[i] = at + p.step*h
		f, err := t.LogDensity(x)
		errs = append(errs, err)
		sum += p.weight * f
	}
	return sum / (12 * h), errors.Join(errs...)
}

// Windows are shorter than what a busy processor gives a process at a time, so that some are not interrupted.
const (
	timeTotal  = 500 * time.Millisecond
	timeWindow = 200 * time.Microsecond
)

// timeGradient is the least mean time of a gradient, in nanoseconds, over windows.
func timeGradient(t infer.Target, q, grad []float64) float64 {
	best := math.Inf(1)
	n := 1
	for began := time.Now(); time.Since(began) < timeTotal; {
		window := time.Now()
		for range n {
			_, _ = t.LogDensityGrad(q, grad) // it worked at this point before
		}
		took := time.Since(window)
		best = math.Min(best, float64(took.Nanoseconds())/float64(n))
		if took < timeWindow { // the clock is read seldom enough not to count
			n *= 2
		}
	}
	return best
}
