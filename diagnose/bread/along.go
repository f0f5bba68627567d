// This file watches the kernel along the path.

package bread

import (
	"github.com/seed-12b88e03/ppl/infer/ais"
	"github.com/seed-12b88e03/ppl/infer/anneal"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// stretches is the number of parts that a path is cut into.
const stretches = 10

// A path is, by stretch: the inverse temperature at its end, the mean acceptance statistic
// of forward and of reverse moves, and the step size at its end.
type path [4][]float64

// A watch sums the acceptance statistic of chains of one length: by direction, chain and
// stretch, so that sums do not depend on the order in which chains run.
type watch struct {
	n    int
	sums [2][][]float64
	many [2][]float64 // moves in a stretch
}

func newWatch(n, chains int) *watch {
	w := &watch{n: n}
	for d := range w.sums {
		w.sums[d] = make([][]float64, chains)
		w.many[d] = make([]float64, w.parts())
	}
	for i := 1; i <= n; i++ {
		w.many[0][w.part(i)]++
		if i < n { // the reverse chain's first move is at the last but one
			w.many[1][w.part(i)]++
		}
	}
	return w
}

func (w *watch) parts() int        { return min(w.n, stretches) }
func (w *watch) part(i int) int    { return (i - 1) * w.parts() / w.n }
func (w *watch) last(part int) int { return ((part+1)*w.n + w.parts() - 1) / w.parts() }

// hook watches a chain.
func (w *watch) hook(direction, chain int) anneal.Hook {
	sums := make([]float64, w.parts())
	w.sums[direction][chain] = sums
	return func(i int, _ float64, m *anneal.Mover) { sums[w.part(i)] += m.Info.AcceptStat }
}

// path returns the means over the chains.
func (w *watch) path(plan *ais.Plan) path {
	var p path
	betas := plan.Betas(w.n)
	for k := range w.parts() {
		p[0] = append(p[0], betas[w.last(k)])
		for d := range w.sums {
			total, chains := 0.0, 0.0
			for _, sums := range w.sums[d] {
				if sums != nil {
					total += sums[k]
					chains++
				}
			}
			p[1+d] = append(p[1+d], total/(chains*w.many[d][k]))
		}
	}
	p[3] = plan.Tuning.StepSizes(p[0])
	return p
}

// PathPoint is what the kernel did on a stretch of the longest chains, on average over the
// data sets.
type PathPoint struct {
	Beta     draws.Number `json:"beta"`           // where the stretch ends
	Forward  draws.Number `json:"accept_forward"` // mean acceptance statistic
	Reverse  draws.Number `json:"accept_reverse"`
	StepSize draws.Number `json:"step_size"` // at the end of the stretch; 0 for kernels without one
}

func pathOf(sets []*dataset) []PathPoint {
	out := []PathPoint{}
	for k := range sets[0].along[0] {
		at := func(row int) draws.Number {
			return draws.Number(meanOf(sets, func(s *dataset) float64 { return s.along[row][k] }).Value)
		}
		out = append(out, PathPoint{at(0), at(1), at(2), at(3)})
	}
	return out
}
