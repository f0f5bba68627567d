package lang

// This file reads fits back from their files, and the draws that chains of bread start from: JSON,
// a draw or draws by variable, or the CSV files of a fit.

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/ir/data"
)

// ReadFit reads the folder of a fit; see Open, whose errors it has.
func ReadFit(dir string) (*Fit, error) {
	s, err := Open(dir)
	if err != nil {
		return nil, err
	}
	return s.Fit(), nil
}

// ReadFiles reads a fit from its CSV files, one a chain; see OpenFiles, whose errors it has.
func ReadFiles(paths ...string) (*Fit, error) {
	s, err := OpenFiles(paths...)
	if err != nil {
		return nil, err
	}
	return s.Fit(), nil
}

// Fit judges a stored fit. What only a record holds is missing where there is none.
func (s *Stored) Fit() *Fit {
	f := fromFiles(s.Files, s.name)
	f.Remarks = s.Remarks
	if run := s.Run; run != nil {
		f.Name, f.Method, f.Imputed = run.Name, run.Method, run.Imputed
		p := f.Posterior
		p.Incomplete, p.Plan.Draws, p.Rejected = run.Incomplete, run.Draws, run.Rejections
		p.Plan.Chains = max(run.Chains, p.Plan.Chains) // of an incomplete run, some may not have begun
		for i, c := range run.Adaptation {
			if i < len(p.Chains) {
				p.Chains[i].RejectionCount = c.Rejections
			}
		}
		if run.NoEvidence != "" {
			p.NoEvidence = errors.New(run.NoEvidence)
		}
		p.Population, p.Update = run.Population, run.Update
		p.Stopping = run.Stopping
		p.Fit, p.LogEvidence, p.Duality = reportOf(run.Fit), estimateOf(run.LogEvidence), dualityOf(run.Duality)
	}
	f.judge()
	return f
}

func fromFiles(files *draws.Fit, name string) *Fit {
	p := &infer.Posterior{Plan: files.Plan, Draws: files.Draws, Chains: make([]infer.ChainReport, len(files.Chains))}
	for i, c := range files.Chains {
		p.Chains[i].Adaptation, p.Chains[i].End = c.Adaptation, c.End
	}
	if files.Draws.Kind() == draws.Weighted {
		p.LogWeights = files.Draws.Column(draws.LogWeightColumn)
	}
	quantities := !slices.Contains(files.Chains[0].Names, draws.LogDensityColumn)
	return &Fit{Name: name, Method: files.Plan.Method, Posterior: p, quantities: quantities}
}

// Record puts into a run's record what only some methods know: evidence and bounds, in nats,
// and how an optimiser or annealing went.
func (f *Fit) Record(r *draws.Run) {
	p := f.Posterior
	if e := p.LogEvidence; e != nil {
		r.LogEvidence = recordEstimate(e)
	}
	if p.NoEvidence != nil {
		r.NoEvidence = p.NoEvidence.Error()
	}
	if a := p.Annealing; a != nil {
		r.Annealing = &draws.AnnealingRun{Beta: draws.Numbers(a.Beta), Accept: draws.Numbers(a.Accept), StepSize: draws.Numbers(a.StepSize)}
	}
	r.Duality, r.Rejections, r.Population, r.Update, r.Stopping = recordDuality(p.Duality), p.Rejected, p.Population, p.Update, p.Stopping
	if p.Fit == nil {
		return
	}
	r.Fit = &draws.FitRun{
		Iterations: p.Fit.Iterations, Evaluations: p.Fit.Evaluations, Converged: p.Fit.Converged, Stop: p.Fit.Stop,
		ELBO: recordEstimate(p.Fit.ELBO), Objective: recordEstimate(p.Fit.Objective), ParetoK: draws.Extended(p.Fit.ParetoK),
		Excluded: draws.Number(p.Fit.Excluded), WeightShare: draws.Number(p.Fit.WeightShare),
	}
	r.Fit.Starts, r.Fit.Mode, r.Fit.Normal = draws.Numbers(p.Fit.Starts), p.Fit.Mode, p.Fit.Normal
	if u := p.Fit.Understated; u != nil {
		r.Fit.Understated = &draws.UnderstatedRun{Coordinate: u.Coordinate, Name: u.Name, Ratio: draws.Number(u.Ratio)}
	}
	for _, t := range p.Fit.Trace {
		r.Fit.Trace = append(r.Fit.Trace, draws.TraceRun{
			Path: t.Path, Iteration: t.Iteration, Objective: draws.Number(t.Objective), Error: draws.Number(t.Error),
		})
	}
}

func recordEstimate(e *infer.Estimate) *draws.EstimateRun {
	if e == nil {
		return nil
	}
	return &draws.EstimateRun{Value: draws.Number(e.Value), Error: draws.Number(e.Error)}
}

func estimateOf(e *draws.EstimateRun) *infer.Estimate {
	if e == nil {
		return nil
	}
	return &infer.Estimate{Value: float64(e.Value), Error: float64(e.Error)}
}

// reportOf is the report of a record; a density can no longer be evaluated.
func reportOf(r *draws.FitRun) *infer.FitReport {
	if r == nil {
		return nil
	}
	f := &infer.FitReport{
		Iterations: r.Iterations, Evaluations: r.Evaluations, Converged: r.Converged, Stop: r.Stop,
		ELBO: estimateOf(r.ELBO), Objective: estimateOf(r.Objective), ParetoK: float64(r.ParetoK),
		Excluded: float64(r.Excluded), WeightShare: float64(r.WeightShare),
	}
	for _, v := range r.Starts {
		f.Starts = append(f.Starts, float64(v))
	}
	f.Mode, f.Normal = r.Mode, r.Normal
	if u := r.Understated; u != nil {
		f.Understated = &infer.Understatement{Coordinate: u.Coordinate, Name: u.Name, Ratio: float64(u.Ratio)}
	}
	for _, t := range r.Trace {
		f.Trace = append(f.Trace, infer.TracePoint{Path: t.Path, Iteration: t.Iteration, Objective: float64(t.Objective), Error: float64(t.Error)})
	}
	return f
}

// readStart reads posterior draws from a file or the folder of a fit, of the discrete
// parameters, too, where the kernel moves these.
func (m *Model) readStart(path string, whole bool) ([][]float64, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		fit, err := Open(path)
		if err != nil {
			return nil, err
		}
		return m.startsOf(fit.Files.Draws, path, whole)
	}
	if filepath.Ext(path) == ".csv" {
		fit, err := OpenFiles(path)
		if err != nil {
			return nil, err
		}
		return m.startsOf(fit.Files.Draws, path, whole)
	}
	sets, err := data.ReadAllFile(path, nil)
	if err != nil {
		return nil, err
	}
	if len(sets) == 1 {
		sets = m.divided(sets[0])
	}
	var out [][]float64
	for _, set := range sets {
		q, err := m.Point(set)
		if err == nil && whole {
			var z []float64
			z, err = m.bound.UnconstrainDiscrete(set)
			q = append(q, z...)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, q)
	}
	return out, nil
}

// startsOf are the points of draws, a row each.
func (m *Model) startsOf(d *draws.Draws, path string, whole bool) ([][]float64, error) {
	columns := m.ParameterColumns()
	at := make([]int, len(columns))
	for i, name := range columns {
		if at[i] = d.Index(name); at[i] < 0 {
			return nil, fmt.Errorf("%s has no column %s", path, name)
		}
	}
	var out [][]float64
	values := make([]float64, len(columns))
	for chain := range d.Chains() {
		for k := range d.Len(chain) {
			for i, c := range at {
				values[i] = d.Row(chain, k)[c]
			}
			q, err := m.UnconstrainRow(values)
			if err == nil && whole {
				var z []float64
				z, err = m.bound.DiscreteRow(values)
				q = append(q, z...)
			}
			if err != nil {
				return nil, fmt.Errorf("%s, draw %d: %w", path, len(out)+1, err)
			}
			out = append(out, q)
		}
	}
	return out, nil
}

// divided makes a set of each draw where a set has several of every parameter, their number
// outermost, as in {"mu": [1.2, 0.7]} for a real mu; else the set is the one draw.
func (m *Model) divided(set *data.Set) []*data.Set {
	n := -1
	for _, v := range m.Program.IR.Parameters {
		x := set.Vars[v.Name]
		if x == nil || x.IsTuple() || len(x.Dims) != v.Type.Rank()+1 || n >= 0 && x.Dims[0] != n {
			return []*data.Set{set}
		}
		n = x.Dims[0]
	}
	if n <= 0 {
		return []*data.Set{set}
	}
	out := make([]*data.Set, n)
	for k := range out {
		one := *set
		one.Vars = maps.Clone(set.Vars)
		for _, v := range m.Program.IR.Parameters {
			x := *set.Vars[v.Name]
			size := len(x.X) / n
			x.Dims, x.X = slices.Clone(x.Dims[1:]), x.X[k*size:(k+1)*size]
			one.Vars[v.Name] = &x
		}
		out[k] = &one
	}
	return out
}
