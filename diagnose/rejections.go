// This file is the finding about trajectories that ended where the model rejects points.

package diagnose

import (
	"fmt"
	"math"
	"strings"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// rejectionsMany is the share of transitions above which rejections are a warning: below it
// they cost next to nothing, and at no share do they bias the draws.
const rejectionsMany = 0.01

// rejections reports how often trajectories ended where the density is zero, and why. Nothing is
// said where none did.
func rejections(p *infer.Posterior) []Finding {
	count := 0
	for _, c := range p.Chains {
		count += c.RejectionCount
	}
	if count == 0 {
		return nil
	}
	total := p.Draws.Total() * max(1, p.Plan.Thin)
	bound := rejectionsMany * float64(total)
	f := Finding{
		Name: "rejections", Severity: Measure{Value: float64(count), Values: total}.AtMost(bound, math.Inf(1)), Quantity: "transitions after warm-up that met a point of density zero",
		Value: draws.Number(count), Threshold: draws.Number(bound),
	}
	where := fmt.Sprintf("%d of %d trajectories ended at a point that the model rejects", count, total)
	if f.Severity != Warning {
		f.Meaning = where + ", which does no harm when it is so rare: " + reasons(p.Rejected, count) + "."
		return []Finding{f}
	}
	f.Meaning = where + ": " + reasons(p.Rejected, count) + ". The draws keep to the rest of the space, but chains move slowly along such an edge and do not cross a gap."
	f.Remedy = "If it is the edge of a parameter's range, declare it as a bound (lower, upper), so that no trajectory meets it; otherwise find out why these values are reached and whether the model means to exclude them."
	return []Finding{f}
}

// reasons lists the most frequent reasons of count rejections with their places.
func reasons(list []draws.RejectionRun, count int) string {
	const most = 3
	recorded := 0
	for _, r := range list {
		recorded += r.Count
	}
	often := func(n int) string {
		switch {
		case recorded < count:
			return fmt.Sprintf("%d of %d", n, recorded)
		case n == 1:
			return "once"
		}
		return fmt.Sprintf("%d times", n)
	}
	var parts []string
	for i, r := range list {
		if i == most {
			parts = append(parts, fmt.Sprintf("and %d other reasons", len(list)-most))
			break
		}
		text := strings.TrimSuffix(r.Message, ".")
		if r.Place != "" {
			text = r.Place + ": " + text
		}
		parts = append(parts, fmt.Sprintf("%s (%s)", text, often(r.Count)))
	}
	if len(parts) == 0 {
		return "the reasons were not kept"
	}
	text := strings.Join(parts, "; ")
	if recorded < count {
		text += fmt.Sprintf(", counted over the %d whose reasons are kept, the first %d of each chain", recorded, infer.MaxDivergences)
	}
	return text
}
