package cmdstan

// This file is method=log_prob.

import (
	"errors"
	"fmt"
	"path/filepath"
)

// logProb writes log density and gradient at the points of a file.
func (j *job) logProb() (err error) {
	points, err := j.points(j.text("method", "log_prob", "unconstrained_params"), j.text("method", "log_prob", "constrained_params"))
	if err != nil {
		return err
	}
	t, err := j.newTable(j.text("output", "file"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	names := []string{"lp__"}
	for _, name := range j.model.UnconstrainedNames() {
		names = append(names, "g_"+name)
	}
	t.header(names)
	target := j.density().evaluator(j.flag("method", "log_prob", "jacobian"))
	grad := make([]float64, target.Dim())
	for i, q := range points {
		lp, err := target.LogDensityGrad(q, grad)
		if err != nil {
			return says("Error during log_prob calculation: point %d: %w", i+1, err)
		}
		t.row([]float64{lp}, grad)
	}
	return t.err
}

// points reads the points of one of two files.
func (j *job) points(free, constrained string) ([][]float64, error) {
	switch {
	case free == "" && constrained == "":
		return nil, says("No input parameter files provided, cannot calculate log probability density.")
	case free != "" && constrained != "":
		return nil, says("Cannot specify both input files of both constrained and unconstrained parameter values.")
	case free != "":
		return j.freePoints(free)
	case filepath.Ext(constrained) != ".csv":
		q, err := j.readPoint(constrained)
		return [][]float64{q}, err
	}
	rows, _, err := j.readDraws(constrained)
	if err != nil {
		return nil, err
	}
	points := make([][]float64, len(rows))
	for i, row := range rows {
		if points[i], err = j.model.Bound().UnconstrainRow(row); err != nil {
			return nil, fmt.Errorf("%s: draw %d: %w", constrained, i+1, err)
		}
	}
	return points, nil
}

// freePoints reads params_r: one point, or an array of points.
func (j *job) freePoints(path string) ([][]float64, error) {
	set, err := readVariables(path, nil)
	if err != nil {
		return nil, err
	}
	v := set.Vars["params_r"]
	if v == nil || len(v.X) == 0 || len(v.Dims) > 2 {
		return nil, says("%s: Unconstrained parameters file has no variable 'params_r' with unconstrained parameter values!", path)
	}
	size := len(v.X)
	if len(v.Dims) == 2 {
		size = v.Dims[1]
	}
	if size != j.model.Dim() {
		return nil, says("%s: Incorrect number of unconstrained parameters provided! Model has %d parameters but %d were found.", path, j.model.Dim(), size)
	}
	var points [][]float64
	for at := 0; at < len(v.X); at += size {
		points = append(points, v.X[at:at+size])
	}
	return points, nil
}
