package main

// This file is ppl help of what has no command: methods, wrappers, findings, functions.

import (
	"reflect"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/repl"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/tools"
	"github.com/seed-12b88e03/ppl/lang"
)

// findingTopics say what the checks of fits look at, by the names that they have in
// diagnosis.json.
var findingTopics = map[string]string{
	"divergences": "Transitions in which the integrator of Hamiltonian Monte Carlo lost the trajectory: its energy rose beyond the bound. There is curvature that the step size is too large for, and the draws may miss what lies behind it. Raise delta; if they remain, reparameterise.",
	"rejections":  "Transitions that ended at a point of density zero, with their energy right: a statement rejects it (reject(), a scale that is not positive) or adds -Inf. The draws are not biased by it. Where it is frequent, declare the edge as a bound of the parameter.",
	"replaced":    "Chains that warm-up found at a place with next to no posterior mass, by mean log density and volume beside the other chains: they went on from where another chain was.",
	"tree_depth":  "Trajectories that were cut off at max_depth before they turned. The draws are valid and cost more than they need to.",
	"e_bfmi":      "The energy Bayesian fraction of missing information: how far the momentum draws move the energy, over its spread. Below 0.3 chains go through the tails slowly (Betancourt 2016).",
	"rhat":        "R-hat, rank-normalised and folded, of split chains: near 1 where all chains have the same distribution, bound 1.01 (Vehtari et al. 2021).",
	"ess_bulk":    "The effective number of independent draws for means and medians, bound 100 for each chain (Vehtari et al. 2021).",
	"ess_tail":    "The effective number of independent draws for the 5 % and 95 % quantiles, bound 100 for each chain (Vehtari et al. 2021).",
	"not_finite":  "Columns with draws that are NaN or infinite, whose summaries and convergence cannot be judged.",
	"incomplete":  "The run was cut short, by an interrupt, a limit or a fault; ppl run --resume goes on with it where --out was given, and ppl update begins again.",
	"pareto_k":    "The shape of the tail of the importance ratios between posterior and approximation: below 0.7 the approximation can be corrected by weights (Vehtari et al. 2024).",
	"rare_values": "Quantities of draws with weights, or of particles, that depend on few of them. Of a column that has one value in nearly all draws the share of other values is not known; of one whose farthest draws have most of the variance the standard deviation is not: how likely so many draws there are if that tail has so much more or less probability that the answer is wrong.",
	"weights":     "The effective share of weighted draws.",
	"elbo":        "The evidence lower bound in nats: what the fit has maximised. It measures no distance by itself.",
	"objective":   "What gvi and fvi have minimised, in nats: loss plus divergence from the prior, or the divergence from the posterior. It measures no distance by itself.",
	"optimiser":   "Whether the search for the best fit ended by its own rule.",

	"population":       "A small population annealed from the prior, or from a wide normal where the prior is improper, compared with the fit in mass and moments: it finds other modes, labels that switch, supports that are clipped. The option check of every method says how much work it may take.",
	"other_evidence":   "log p(y) of the method beside that of the population, in nats: they disagree where one of them has missed posterior mass.",
	"weighted_moments": "Means and standard deviations of an approximation's draws beside those of the same draws with importance weights, where the weights hold.",

	"finite_step":          "The bias of a stochastic gradient method by its step size, which no number of draws takes away.",
	"understated_sd":       "Independent factors, such as those of mean-field approximations, understate standard deviations where parameters are correlated; the finding names the worst.",
	"log_evidence":         "log p(y) with its standard error, in nats.",
	"prior_swap":           "Whether a swap of priors gives the answer of a fit under the new ones, by importance weights.",
	"updated":              "How a fit was taken to other data: by weights, of which at least half of the draws must be in effect; by particles, whose standard error of log p(new data) - log p(old data) may be 1; or by a fit, where the old draws do not reach.",
	"carried":              "How many draws under the old priors are behind the parameters that depend on those with new priors.",
	"generated_quantities": "Draws whose generated quantities could not be computed and are NaN.",
	"starts":               "How many of several starts of an optimisation (starts = N of gvi and fvi) reached the least objective, which is kept. One alone may have been lucky, or the others may be stuck: allow more starts, or begin where the answer is thought to be (init).",
	"improper":             "A marginal of the posterior that has no finite integral as far as quadrature can tell, or is so wide that rounding decides it: give the parameters proper priors.",
	"factors":              "How far a factor of the approximation is from the marginal of the posterior.",
	"mutual_information":   "What the posterior's factors know of each other, in nats: what an approximation by independent ones cannot have.",
}

// topic explains a name that is no command; empty where it is one, or is not known.
func topic(name string) string {
	all := reflect.TypeFor[commands]()
	for i := range all.NumField() {
		if strings.EqualFold(all.Field(i).Name, name) {
			return ""
		}
	}
	var parts []string
	if row := lang.Methods().Row(name); row != nil {
		parts = append(parts, repl.MethodHelp(row))
	}
	if text := findingTopics[strings.ReplaceAll(strings.ToLower(name), "-", "_")]; text != "" {
		parts = append(parts, name+", a finding\n  "+text+"\n")
	}
	if entries := (&tools.FunctionsCmd{Name: name}).Entries(); len(entries) > 0 && slices.ContainsFunc(entries, func(e tools.FunctionEntry) bool { return (&tools.FunctionsCmd{Name: name}).Distance(e.Name) < 4 }) {
		entries = slices.DeleteFunc(entries, func(e tools.FunctionEntry) bool { return (&tools.FunctionsCmd{Name: name}).Distance(e.Name) == 4 })
		parts = append(parts, tools.FunctionsText(entries, true))
	}
	return strings.Join(parts, "\n")
}
