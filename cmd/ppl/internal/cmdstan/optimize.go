package cmdstan

// This file is method=optimize with the quasi-Newton searches.

import (
	"errors"
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/optimize"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// errNoMode is the failure of a search.
var errNoMode = errors.New("optimization did not converge")

// A climb is a search with its files.
type climb struct {
	*job
	target infer.Evaluator // of the density that is maximised
	table  *table
	row    []float64
	all    bool // write all iterates
	lines  int  // of progress since the last heading
}

// optimize writes the mode, or all iterates.
func (j *job) optimize() (err error) {
	c := &climb{job: j, target: j.density().evaluator(j.flag("method", "optimize", "jacobian")),
		row: make([]float64, len(j.model.Columns())), all: j.flag("method", "optimize", "save_iterations")}
	if c.table, err = j.newTable(j.text("output", "file")); err != nil {
		return err
	}
	c.table.header([]string{draws.LogDensityColumn}, j.model.Columns())
	defer func() { err = errors.Join(err, c.table.close()) }()
	defer j.model.Bound().TrackRun(j.ctx)()
	init, err := j.init(0, 1)
	if err != nil {
		return err
	}
	if j.text("method", "optimize", "algorithm") == "newton" {
		return j.started(c.newton(init), false)
	}
	return j.started(c.quasiNewton(init), false)
}

// rule is how CmdStan words the end of a search.
func rule(s optimize.Stop) string {
	switch s {
	case optimize.StopObj, optimize.StopRounding:
		return "Convergence detected: absolute change in objective function was below tolerance"
	case optimize.StopRelObj:
		return "Convergence detected: relative change in objective function was below tolerance"
	case optimize.StopGrad:
		return "Convergence detected: gradient norm is below tolerance"
	case optimize.StopRelGrad:
		return "Convergence detected: relative gradient magnitude is below tolerance"
	case optimize.StopParam:
		return "Convergence detected: absolute parameter change was below tolerance"
	case optimize.StopIterations:
		return "Maximum number of iterations hit, may not be at an optima"
	}
	return "Line search failed to achieve a sufficient decrease, no more progress can be made"
}

// settings are the stopping rules of a search whose arguments are at a path.
func (j *job) settings(iterations int, path ...string) optimize.Settings {
	const eps = 0x1p-52
	at := func(name string) float64 { return j.real(append(append([]string{}, path...), name)...) }
	s := optimize.Settings{
		MaxIterations: iterations, History: 5,
		TolObj: at("tol_obj"), TolRelObj: at("tol_rel_obj") * eps, TolGrad: at("tol_grad"),
		TolRelGrad: at("tol_rel_grad") * eps, TolParam: at("tol_param"),
		Finish: optimize.DefaultSettings().Finish,
	}
	if j.at(path...).find("history_size") != nil {
		s.History = int(at("history_size"))
	}
	return s
}

// bfgsHistory stands for the full matrix of bfgs: with as many pairs as iterations matter
// near the mode, both take the same steps.
const bfgsHistory = 100

func (c *climb) quasiNewton(init infer.Init) error {
	algorithm := c.text("method", "optimize", "algorithm")
	s := c.settings(c.int("method", "optimize", "iter"), "method", "optimize", "algorithm", algorithm)
	if algorithm == "bfgs" {
		s.History = bfgsHistory
	}
	stream := rng.New(c.seed, rng.Init, 0, uint64(c.id()-1))
	t := infer.Interruptible(c.ctx, c.target)
	end, err := optimize.Climb(t, stream, init, s, c.iterate)
	if err != nil {
		return err
	}
	if refresh := c.int("output", "refresh"); refresh > 0 && end.Iteration%refresh != 0 {
		c.progress(end.Point)
	}
	if !c.all {
		c.write(end.X, end.LogDensity)
	}
	good := end.Stop.Converged() || end.Stop == optimize.StopIterations
	if good {
		unbounded, err := unbounded(t, end.X, end.Stop.Converged())
		if err != nil {
			return err
		}
		good = !unbounded
	}
	if good {
		fmt.Fprintf(c.out, "Optimization terminated normally: \n  %s\n", rule(end.Stop))
		return nil
	}
	fmt.Fprintf(c.out, "Optimization terminated with error: \n  %s\n", rule(optimize.StopLineSearch))
	return errNoMode
}

// unbounded reports whether a search ended where there is no mode: rules that are relative to the density
// hold where it is huge, and one that grows without bound may be climbed until the iterations are over. CmdStan's line
// search fails there.
func unbounded(t infer.Target, x []float64, converged bool) (bool, error) {
	found, err := optimize.Assess(t, x, nil)
	if err != nil && !infer.IsReject(err) {
		return false, err
	}
	if found == nil {
		return converged, nil
	}
	return found.Open != nil && found.Open.Rises, nil
}

// iterate sees each iterate.
func (c *climb) iterate(p optimize.Point) {
	refresh := c.int("output", "refresh")
	switch {
	case p.Iteration == 0:
		fmt.Fprintf(c.out, "Initial log joint probability = %s\n", streamed(p.LogDensity))
	case refresh > 0 && p.Iteration > 0 && p.Iteration%refresh == 0:
		c.progress(p)
	}
	if c.all {
		c.write(p.X, p.LogDensity)
	}
}

// progress prints an iterate.
func (c *climb) progress(p optimize.Point) {
	const every = 20 // lines from heading to heading
	if c.lines%every == 0 {
		fmt.Fprintln(c.out, "    Iter      log prob        ||dx||      ||grad||       alpha      alpha0  # evals  Notes ")
	}
	c.lines++
	fmt.Fprintf(c.out, " %7d  %12s  %12s  %12s  %10s  %10s  %7d   \n", p.Iteration, streamed(p.LogDensity), streamed(p.Moved),
		streamed(norm(p)), short(p.Step), short(p.FirstStep), p.Evaluations)
}

// short prints a number with four digits.
func short(v float64) string { return fmt.Sprintf("%.4g", v) }

// write writes a row for a point.
func (c *climb) write(q []float64, lp float64) {
	for i := range c.row {
		c.row[i] = math.NaN()
	}
	r := rng.New(c.seed, rng.Quantities, 0, uint64(c.id()-1))
	if err := c.target.Write(q, r, c.row); err != nil && c.table.err == nil && !infer.IsReject(err) {
		c.table.err = err
	}
	c.table.row([]float64{lp}, c.row)
}
