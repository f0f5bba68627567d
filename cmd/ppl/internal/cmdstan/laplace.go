package cmdstan

// This file is method=laplace. The mode of the file is polished by Newton steps first.

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/laplace"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

func (j *job) laplace() (err error) {
	at, err := j.readMode(j.text("method", "laplace", "mode"))
	if err != nil {
		return err
	}
	refresh := j.int("output", "refresh")
	if refresh > 0 {
		fmt.Fprintln(j.out, "Calculating Hessian")
	}
	target := j.density().evaluator(j.flag("method", "laplace", "jacobian"))
	defer j.model.Bound().TrackRun(j.ctx)()
	fit, err := laplace.At(infer.Interruptible(j.ctx, target), at)
	if err != nil {
		return err
	}
	if refresh > 0 {
		fmt.Fprintln(j.out, "Calculating inverse of Cholesky factor\nGenerating draws")
	}
	t, err := j.newTable(j.text("output", "file"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	t.header([]string{"log_p__", "log_q__"}, j.model.Columns())
	w := j.newRowWriter(0)
	stream := rng.New(j.seed, "cmdstan/laplace", 0, uint64(j.id()-1))
	q := make([]float64, len(at))
	top := fit.Normal.LogDensity(fit.Mode)
	for i := range j.int("method", "laplace", "draws") {
		if refresh > 0 && i%refresh == 0 {
			fmt.Fprintf(j.out, "iteration: %d\n", i)
		}
		fit.Normal.Draw(stream, q)
		lp := math.NaN()
		if j.flag("method", "laplace", "calculate_lp") {
			if lp, err = infer.FiniteLogDensity(target, q); err != nil {
				return err
			}
		}
		if err := w.write(q); err != nil {
			return err
		}
		t.row([]float64{lp, fit.Normal.LogDensity(q) - top}, w.row)
	}
	return t.err
}

// readMode reads the point from the files that optimize writes, or JSON.
func (j *job) readMode(path string) ([]float64, error) {
	switch filepath.Ext(path) {
	case ".json":
		return j.readPoint(path)
	case ".csv":
	default:
		return nil, says("Mode file must be CSV or JSON, found %s", path)
	}
	rows, c, err := j.readDraws(path)
	if err != nil {
		return nil, err
	}
	if c.Setting("method") != "optimize" {
		return nil, fmt.Errorf("%s: CSV file is not output from Stan optimization", path)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: CSV file is incomplete, expecting a row of values", path)
	}
	return j.model.Bound().UnconstrainRow(rows[len(rows)-1])
}
