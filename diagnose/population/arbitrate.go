// This file asks who is right where a fit and a population from the prior have different answers.

package population

import (
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/anneal"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/normal"
)

// arbitrate makes a population that starts from normals around both answers, where they surely differ. One from the prior may have lost
// a part of the posterior on its way, in which few of its points were: then the new one has surely more evidence, and
// takes its place. A fit at one of two modes adds nothing to what the prior's population has, and the latter stays.
func (c *check) arbitrate() error {
	if c.report.From != draws.PriorStart || c.report.LogEvidence == nil || !conclusive(c.report) || len(c.report.Exchanged) > 0 {
		return nil
	}
	fit, other := c.around(), aroundOf(c.points)
	if fit == nil || other == nil {
		return nil
	}
	start := normal.NewMixture([]*normal.Normal{fit, other}, []float64{1, 1})
	first, report := *c, *c.report
	c.rows, c.ancestor, c.points, c.densities, c.derived, c.report.LogEvidence = nil, nil, nil, nil, nil, nil
	c.report.From = draws.BothStart
	err := c.until(func() (anneal.Source, error) {
		t, ok := infer.Capability[infer.Tempered](c.model.NewEvaluator())
		if !ok {
			return nil, errNoStart
		}
		return anneal.NewBetween(start, t), nil
	}, c.report.Evaluations+c.options.Allowed)
	if err == nil && c.report.Beta == 1 && surelyMore(c.report.LogEvidence, report.LogEvidence) {
		return nil
	}
	report.Evaluations = c.report.Evaluations
	*c = first
	*c.report = report
	return err
}

// surelyMore reports whether one evidence surely exceeds another.
func surelyMore(a, b *draws.EstimateRun) bool {
	return float64(a.Value-b.Value) > diagnose.EvidenceDistance+float64(4*libm.Hypot(float64(a.Error), float64(b.Error)))
}
