package cmdstan

// This file is method=pathfinder: paths, and the resampling of their draws.

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/optimize"
	"github.com/seed-12b88e03/ppl/infer/pathfinder"
	"github.com/seed-12b88e03/ppl/infer/psis"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// A pathResult is what one path gives.
type pathResult struct {
	path   *pathfinder.Path
	rows   [][]float64 // lp_approx__, lp__, path__ and the model's columns
	ratios []float64   // log of target over approximation; NaN where lp__ was not computed
	log    []json.RawMessage
	err    error
}

var pathColumns = []string{"lp_approx__", "lp__", "path__"}

func (j *job) pathfinder() error {
	if j.model.Dim() == 0 {
		return says("Model has 0 parameters, cannot run Pathfinder.")
	}
	at := func(name string) int { return j.int("method", "pathfinder", name) }
	n := at("num_paths")
	if n > 1 && at("num_psis_draws") > at("num_draws")*n {
		fmt.Fprintln(j.out, "Warning: Number of PSIS draws is larger than the total number of draws returned by the single Pathfinders. This is likely unintentional and leads to re-sampling from the same draws.")
	}
	began := time.Now()
	defer j.model.Bound().TrackRun(j.ctx)()
	results := j.paths(n)
	var good []*pathResult
	for i, r := range results {
		if r.err != nil {
			fmt.Fprintf(j.errs, "Pathfinder iteration: %d failed: %v\n", i, r.err)
			continue
		}
		good = append(good, r)
	}
	if len(good) == 0 {
		fmt.Fprintln(j.out, "No pathfinders ran successfully")
		return j.started(results[0].err, false)
	}
	if err := j.savePaths(results); err != nil {
		return err
	}
	return j.writePaths(good, n, began)
}

// paths follows n paths, as many at a time as there are threads.
func (j *job) paths(n int) []*pathResult {
	results := make([]*pathResult, n)
	j.each(n, func(i int) {
		results[i] = &pathResult{}
		results[i].err = infer.Guarded(func() error { return j.path(i, n, results[i]) })
	})
	return results
}

// path follows path i of n and draws from its approximation.
func (j *job) path(i, n int, out *pathResult) error {
	init, err := j.init(i, n)
	if err != nil {
		return err
	}
	replicate := uint64(j.id() - 1 + i)
	w := j.newRowWriter(i)
	t := infer.Interruptible(j.ctx, w.Evaluator)
	state := infer.State{Q: make([]float64, t.Dim())}
	if err := init.Start(t, 0, rng.New(j.seed, rng.Init, 0, replicate), &state); err != nil {
		return err
	}
	at := func(name string) int { return j.int("method", "pathfinder", name) }
	stream := rng.New(j.seed, "pathfinder", 0, replicate)
	settings := j.settings(at("max_lbfgs_iters"), "method", "pathfinder")
	var unwritable error
	see := func(c pathfinder.Candidate) {
		if !j.flag("method", "pathfinder", "save_single_paths") {
			return
		}
		r, err := logged(c)
		out.log, unwritable = append(out.log, r), errors.Join(unwritable, err)
	}
	out.path, err = pathfinder.FollowEach(t, stream, state.Q, settings, at("num_elbo_draws"), see)
	if err = errors.Join(err, unwritable); err != nil {
		return err
	}
	j.showPath(i, n, state.LogDensity, out.path)
	withDensity := j.flag("method", "pathfinder", "calculate_lp")
	q := make([]float64, t.Dim())
	for k := range at("num_draws") {
		out.path.Normal.Draw(stream, q)
		lq, lp := out.path.Normal.LogDensity(q), math.NaN()
		if withDensity || k < at("num_elbo_draws") { // CmdStan's first draws are those of the bound
			if lp, err = infer.FiniteLogDensity(t, q); err != nil {
				return err
			}
		}
		if err := w.write(q); err != nil {
			return err
		}
		out.rows = append(out.rows, append([]float64{lq, lp, float64(i + 1)}, w.row...))
		out.ratios = append(out.ratios, lp-lq)
	}
	return nil
}

// showPath prints how a path went.
func (j *job) showPath(i, n int, start float64, p *pathfinder.Path) {
	if j.int("output", "refresh") == 0 {
		return
	}
	label := ""
	if n > 1 {
		label = fmt.Sprintf("Path [%d] :", j.id()+i)
	}
	best := p.Trace[0]
	for _, t := range p.Trace {
		if t.Objective > best.Objective {
			best = t
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%sInitial log joint density = %f\n", label, start)
	fmt.Fprintf(&b, "%s Iter      log prob        ||dx||      ||grad||     alpha      alpha0      # evals       ELBO    Best ELBO        Notes \n", label)
	end := p.Search
	fmt.Fprintf(&b, " %15d  %14.3e  %14.3e  %10.3e  %11.3e  %9.3e  %8d  %9.3e  %9.3e                  \n", end.Iteration, end.LogDensity,
		end.Moved, norm(end.Point), end.Step, end.FirstStep, p.Evaluations, p.Trace[len(p.Trace)-1].Objective, best.Objective)
	fmt.Fprintf(&b, "%sBest Iter: [%d] ELBO (%f) evaluations: (%d)\n", label, best.Iteration, best.Objective, p.Evaluations)
	fmt.Fprint(j.out, b.String())
}

func norm(p optimize.Point) float64 {
	sum := 0.0
	for _, g := range p.Grad {
		sum += g * g
	}
	return math.Sqrt(sum)
}

// savePaths writes the files of each path where that is asked for: its draws, which for a
// single one are the output, and its iterates.
func (j *job) savePaths(results []*pathResult) error {
	if !j.flag("method", "pathfinder", "save_single_paths") {
		return nil
	}
	n := len(results)
	if n == 1 {
		base, _ := splitSuffix(j.text("output", "file"))
		return writePathLog(base+".json", results[0].log)
	}
	logs := outputNames(j.text("output", "file"), "_path", ".json", n, j.id())
	names := outputNames(j.text("output", "file"), "_path", ".csv", n, j.id())
	for i, r := range results {
		if err := writePathLog(logs[i], r.log); err != nil {
			return err
		}
		t, err := j.newTable(names[i])
		if err != nil {
			return err
		}
		t.header(pathColumns, j.model.Columns())
		for _, row := range r.rows {
			t.row(row)
		}
		if err := t.close(); err != nil {
			return err
		}
	}
	return nil
}

// writePaths writes the draws of all paths, resampled where that is asked for.
func (j *job) writePaths(good []*pathResult, n int, began time.Time) error {
	evaluations := 0
	var rows [][]float64
	var ratios []float64
	for _, r := range good {
		evaluations += r.path.Evaluations
		rows, ratios = append(rows, r.rows...), append(ratios, r.ratios...)
	}
	if n > 1 && j.int("output", "refresh") > 0 {
		fmt.Fprintf(j.out, "Total log probability function evaluations:%d\n", evaluations)
	}
	followed := time.Since(began)
	resampled := n > 1 && j.flag("method", "pathfinder", "psis_resample") && j.flag("method", "pathfinder", "calculate_lp")
	if resampled {
		rows = j.resample(rows, ratios)
	}
	t, err := j.newTable(j.text("output", "file"))
	if err != nil {
		return err
	}
	t.header(pathColumns, j.model.Columns())
	for _, row := range rows {
		t.row(row)
	}
	total := time.Since(began)
	switch {
	case resampled:
		t.comment(fmt.Sprintf("\nElapsed Time: %s seconds (Pathfinders)\n              %s seconds (PSIS)\n              %s seconds (Total)\n",
			seconds(followed), seconds(total-followed), seconds(total)))
	default:
		t.comment("\nElapsed Time: " + seconds(total) + " seconds (Total)\n")
	}
	return t.close()
}

// resample draws rows in proportion to their smoothed importance weights.
func (j *job) resample(rows [][]float64, ratios []float64) [][]float64 {
	smooth := psis.Smooth(slices.Clone(ratios), 1)
	if smooth.K > 0.7 {
		fmt.Fprintf(j.out, "Pareto k value (%s) is greater than 0.7. Importance resampling was not able to improve the approximation, which may indicate that the approximation itself is poor.\n", short(smooth.K))
	}
	weights := make([]float64, len(rows))
	infer.Weights(smooth.LogWeights, weights)
	stream := rng.New(j.seed, "pathfinder/resample", 0, uint64(j.id()-1))
	parent := make([]int, j.int("method", "pathfinder", "num_psis_draws"))
	infer.ResampleSystematic(stream, weights, parent)
	variate.Shuffle(stream, len(parent), func(a, b int) { parent[a], parent[b] = parent[b], parent[a] })
	out := make([][]float64, len(parent))
	for i, k := range parent {
		out[i] = rows[k]
	}
	return out
}
