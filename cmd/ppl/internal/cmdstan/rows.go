package cmdstan

// This file turns points into rows, and rows of files into points.

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/disk"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/ir/data"
)

// A rowWriter gives the columns of points.
type rowWriter struct {
	infer.Evaluator
	stream *rand.Rand
	row    []float64
}

// newRowWriter makes one for chain i, with the log Jacobian in its density.
func (j *job) newRowWriter(i int) *rowWriter {
	return &rowWriter{
		Evaluator: j.density().NewEvaluator(),
		stream:    rng.New(j.seed, rng.Quantities, 0, uint64(j.id()+i-1)),
		row:       make([]float64, len(j.model.Columns())),
	}
}

// write fills in the row; what a rejected generated quantity leaves is NaN.
func (w *rowWriter) write(q []float64) error {
	for i := range w.row {
		w.row[i] = math.NaN()
	}
	if err := w.Evaluator.Write(q, w.stream, w.row); err != nil && !infer.IsReject(err) {
		return err
	}
	return nil
}

// readDraws reads a CSV file whose first columns, after the sampler's, are the model's
// parameters, and returns these columns of each row, those of warm-up first.
func (j *job) readDraws(path string) ([][]float64, *draws.CSV, error) {
	f, err := disk.Open(path)
	if err != nil {
		return nil, nil, cannotOpen(path, err)
	}
	defer f.Close()
	c, err := draws.ReadCSV(f, path)
	if err != nil {
		return nil, nil, err
	}
	first := slices.IndexFunc(c.Names, func(name string) bool { return !strings.HasSuffix(name, "__") })
	if first < 0 {
		first = len(c.Names)
	}
	if len(c.Names) < first+len(j.names) || !slices.Equal(c.Names[first:first+len(j.names)], j.names) {
		return nil, nil, says("Mismatch between model and fitted_parameters csv file \"%s\": its first columns are %s, the model's parameters are %s",
			path, listed(c.Names[first:]), listed(j.names))
	}
	var rows [][]float64
	for _, row := range slices.Concat(c.Warmup, c.Rows) {
		rows = append(rows, row[first:first+len(j.names)])
	}
	return rows, c, nil
}

// listed names a few of a list.
func listed(names []string) string {
	const few = 5
	if len(names) > few {
		return strings.Join(names[:few], ", ") + ", ..."
	}
	return strings.Join(names, ", ")
}

// readPoint reads the parameter values of a JSON file.
func (j *job) readPoint(path string) ([]float64, error) {
	set, err := readVariables(path, nil)
	if err != nil {
		return nil, err
	}
	q, err := j.model.Unconstrain(set)
	if err != nil {
		var missing *data.Error
		first := j.bounded(err)
		if errors.As(err, &missing) && missing.Code == "data-missing" {
			first = "Exception: " + told("variable does not exist", "parameter initialization", missing.Variable, missing.Message) + "\nparameter " + missing.Variable + " not found\n"
		}
		return nil, says("%s%w\nBad or missing parameter values, cannot unconstrain.", first, err)
	}
	return q, nil
}
