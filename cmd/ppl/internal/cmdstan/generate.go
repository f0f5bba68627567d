package cmdstan

// This file is method=generate_quantities.

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// generate computes the generated quantities of each draw of the files.
func (j *job) generate() error {
	path := j.text("method", "generate_quantities", "fitted_params")
	if filepath.Ext(path) != ".csv" {
		return says("Fitted params file must be a CSV file, found %s", path)
	}
	if len(j.model.Quantities()) == 0 {
		return says("Model doesn't generate any quantities of interest.")
	}
	n := j.int("method", "generate_quantities", "num_chains")
	in := outputNames(path, "", ".csv", n, j.id())
	out := outputNames(j.text("output", "file"), "", ".csv", n, j.id())
	defer j.model.Bound().TrackRun(j.ctx)()
	for i := range n {
		if err := j.generateFile(i, in[i], out[i]); err != nil {
			return err
		}
	}
	return nil
}

func (j *job) generateFile(i int, in, out string) (err error) {
	rows, _, err := j.readDraws(in)
	if err != nil {
		return err
	}
	t, err := j.newTable(out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	names := j.model.Quantities()
	t.header(names)
	stream := rng.New(j.seed, rng.Quantities, 0, uint64(j.id()+i-1))
	all, generator := make([]float64, len(j.model.Columns())), j.model.Bound().NewGenerator()
	for k, row := range rows {
		if err := j.interrupted(); err != nil {
			return err
		}
		if err := generator.Row(row, stream, all); err != nil && !infer.IsReject(err) {
			return fmt.Errorf("%s: draw %d: %w", in, k+1, err)
		}
		t.row(all[len(all)-len(names):])
	}
	return t.err
}
