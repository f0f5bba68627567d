// This file holds what is said of draws from a chain that is biased by its steps.

package diagnose

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// stochasticGradient is the method whose chain has no Metropolis test, and whose log density is a
// minibatch's estimate: chains differ in its noise, which is no sign that they have not mixed.
const stochasticGradient = "sgld"

// finiteStep reports that the draws of stochastic-gradient dynamics do not follow the
// posterior, and how many steps were refused.
func finiteStep(p *infer.Posterior) Finding {
	size := draws.Mean(p.Draws.Column("stepsize__"))
	refused := ""
	count := 0
	for _, c := range p.Chains {
		count += c.DivergenceCount
	}
	if count > 0 {
		refused = fmt.Sprintf(" %d steps led to where there is no density and were not made.", count)
	}
	return Finding{
		Name: "finite_step", Severity: Warning, Quantity: "draws made without a Metropolis test", Value: draws.Number(p.Draws.Total()),
		Meaning: fmt.Sprintf("At a finite step size, here %.3g on average, the draws of sgld are biased, and more of them do not mend that. "+
			"Of a normal posterior the means are right and the variances too large; with the step size that it finds itself, by about a tenth in the worst direction.%s", size, refused),
		Remedy: "Run it again with half the step_size, or a larger batch, and compare: the bias falls in proportion. Where the data allow it, nuts has no such bias.",
	}
}
