package lang

// This file reads fits back from their files.

import (
	"errors"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
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
		f.Name, f.Method = run.Name, run.Method
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
		p.Population = run.Population
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
	r.Duality, r.Rejections, r.Population, r.Stopping = recordDuality(p.Duality), p.Rejected, p.Population, p.Stopping
	if p.Fit == nil {
		return
	}
	r.Fit = &draws.FitRun{
		Iterations: p.Fit.Iterations, Evaluations: p.Fit.Evaluations, Converged: p.Fit.Converged, Stop: p.Fit.Stop,
		ELBO: recordEstimate(p.Fit.ELBO), Objective: recordEstimate(p.Fit.Objective), ParetoK: draws.Extended(p.Fit.ParetoK),
		Excluded: draws.Number(p.Fit.Excluded), WeightShare: draws.Number(p.Fit.WeightShare),
	}
	r.Fit.Mode = p.Fit.Mode
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
	f.Mode = r.Mode
	if u := r.Understated; u != nil {
		f.Understated = &infer.Understatement{Coordinate: u.Coordinate, Name: u.Name, Ratio: float64(u.Ratio)}
	}
	for _, t := range r.Trace {
		f.Trace = append(f.Trace, infer.TracePoint{Path: t.Path, Iteration: t.Iteration, Objective: float64(t.Objective), Error: float64(t.Error)})
	}
	return f
}
