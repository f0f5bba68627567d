// This file starts climbs where the branches of mixtures have their modes.

package population

import (
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/optimize"
)

// branched is a model whose program writes mixtures out. Each branch has the same parameters.
type branched interface {
	Branches() []infer.Model
}

// branches are where climbs end on the branches of mixtures, each from the origin and from the fit's centre. From there a climb on the
// density itself finds a mode that is too narrow, in too many dimensions, for any other start to be near.
func (c *check) branches() (ends [][]float64, spent int, err error) {
	m, ok := c.model.(branched)
	if !ok {
		return nil, 0, nil
	}
	settings := optimize.DefaultSettings()
	settings.MaxIterations = mostClimb
	starts := c.zeros()[:1]
	if wide := c.wide(); wide != nil {
		starts = append(starts, wide.Mean())
	}
	for _, b := range m.Branches() {
		if b.Dim() != c.model.Dim() {
			return nil, spent, nil // discrete parameters are among the coordinates
		}
		target := b.NewEvaluator()
		for _, q := range starts {
			if spent >= c.options.Allowed/(2*searchShare) {
				return ends, spent, nil
			}
			end, err := optimize.Maximize(target, slices.Clone(q), settings, nil)
			if spent += max(end.Evaluations, 1); fatal(err) {
				return nil, spent, err
			}
			if err == nil {
				ends = append(ends, end.X)
			}
		}
	}
	return ends, spent, nil
}
