package lang

// This file holds the wrappers' part of the table of methods.

import (
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/infer/swap"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// thresholds are the p-values at which verdicts change; they are adjusted over
// parameters and statistics by Holm's method.
func thresholds() []*check.Option {
	return []*check.Option{
		between("bad", "0.001", "adjusted p-value below which the verdict is bad"),
		between("warning", "0.01", "adjusted p-value below which the verdict is a warning"),
	}
}

func statistics() *check.Option {
	return &check.Option{Name: "statistics", Kind: check.ExprKind, List: true,
		Doc: "quantities to compare, as expressions over the model's variables; all parameters where it is not given"}
}

func wrappers() []*check.MethodRow {
	return []*check.MethodRow{breadRow(), gibbsPrior(), priorSwap(), sbcRow(), priorPredictive(), posteriorPredictive(), heldOutRow()}
}

func breadRow() *check.MethodRow {
	steps := whole("steps", "[10, 100, 1000]", 1, "temperatures", "lengths of the annealed chains; 1 in reverse is always added")
	steps.List = true
	datasets := whole("datasets", "10", 1, "data sets", "simulated data sets; with 1 the verdict is conditional on that one")
	datasets.Idle = [2]string{"data", "given"}
	return &check.MethodRow{Name: "bread", Wrapper: true, Diagnose: true, Needs: annealable,
		Doc: "forward and reverse annealing on simulated data: a sandwich of the evidence, and a bound on the Jeffreys divergence",
		Refuses: map[string]string{
			"smc":         "its particles interact, so there is no chain to run in reverse",
			"sgld":        "its steps leave no target unchanged, so they cannot be run in reverse",
			"map":         "a mode is no sample",
			"gibbs_prior": "its draws are from a prior, not from a posterior",
		},
		Options: []*check.Option{
			steps,
			whole("chains", "100", 1, "chains", "chains for each length and direction"),
			schedule(),
			datasets,
			choice("data", "data that the chains run on", "simulated", "fitted", "given"),
			{Name: "hyper", Kind: check.NameKind, List: true, Doc: "hyperparameters that are taken from the data at hand; the graph names them where it is not given"},
			undecided(whole("settle", "", 0, "moves", "moves under the posterior that the simulated point makes before reverse chains start from it, where the hyperparameters are fitted"), "100"),
			{Name: "start", Kind: check.StringKind, Doc: "exact posterior draws that came with the data, which chains start from in turn: a JSON file with one object, an array of them, or one object with an array of draws for each parameter; or a CSV file or the folder of a fit"},
			{Name: "log_evidence", Kind: check.RealKind, Min: math.Inf(-1), Max: math.Inf(1), OpenMin: true, OpenMax: true,
				Doc: "log p(y) of the given data, where it is known; it gives bounds on either direction's divergence"},
			undecided(whole("pilot", "", 2, "particles", "population of the run that tunes the kernel and the adaptive schedule for each data set, and twice as many moves that tune at each of its temperatures; its work grows with that, and fewer tune worse, which makes the bound wider and leaves it valid"), "100, fewer where the chains make less than 8,000 moves, and temperatures further apart after as many moves as theirs"),
			positive("bad", "10", "bound on the divergence above which the verdict is bad, in nats"),
			positive("warning", "1", "bound on the divergence above which the verdict is a warning, in nats"),
			seed(),
		}}
}

func gibbsPrior() *check.MethodRow {
	return &check.MethodRow{Name: "gibbs_prior", Wrapper: true, Diagnose: true, Gives: check.GivesDraws,
		Doc: "the prior that the method effectively used, drawn by alternating fits and simulated data",
		Options: concat([]*check.Option{
			whole("steps", "1000", 1, "fits", "fits in each chain; up to three times as many where that makes a verdict possible"),
			whole("chains", "4", 1, "chains", "chains of alternating fits and simulations"),
			statistics(),
			flag("warm_start", "false", "each fit starts from the last one"),
			undecided(positive("spread", "", "distance of the chains' starts from the mean of the stated prior, on the unconstrained scale, as a multiple of a draw's"), "1, draws from it"),
			flag("data", "", "as a method, have each row hold the simulated data that it answers, behind the parameters; the row before has those that they came from"),
			seed(),
		}, thresholds())}
}

func priorSwap() *check.MethodRow {
	from := choice("from", fmt.Sprintf("what stands for the posterior under the old priors: its closed form, the method's density, a normal fitted to its draws, or that corrected by them (by %d of them at most, so that more leave a small bias), or the draws themselves, weighted by new over old priors; where it is not given a closed form if the log densities of the draws are those of one, or else the density, or else the normal, and the draws where their weights hold and refute that, or where priors of discrete parameters are swapped", swap.MostCentres),
		"exact", "density", "parametric", "semiparametric", "draws")
	from.Default = ""
	from.EnumNeeds = map[string]check.Gives{"density": check.GivesDensity}
	return &check.MethodRow{Name: "prior_swap", Wrapper: true, Swap: true, Gives: check.GivesDraws, Passes: annealable,
		Refuses: map[string]string{"map": "a mode is no sample, and has no density"},
		Doc:     "the posterior under new priors, from the method's posterior, without touching the data",
		Options: []*check.Option{
			from,
			{Name: "with", Kind: check.MethodKind, Default: "nuts()", Doc: "method that samples from the swapped density, or map() for its mode on the unconstrained scale"},
			checkOption(),
			seed(),
		}}
}

func sbcRow() *check.MethodRow {
	from := choice("from", "where the true parameters come from: the prior, as without it, or the posterior given the data at hand, in which case each fit is of these and the simulated data together", "prior", "posterior")
	from.Default = ""
	return &check.MethodRow{Name: "sbc", Wrapper: true, Diagnose: true,
		Doc: "simulation-based calibration: ranks of the true values among posterior draws over simulated data sets",
		Options: concat([]*check.Option{
			whole("replications", "200", 1, "data sets", "simulated data sets; below 100 there is no verdict"),
			from,
			whole("draws", "99", 1, "draws", "nearly independent draws that each rank is taken among"),
			whole("doublings", "5", 0, "times", "how often, at most, a chain that has fewer draws in effect is run again with twice as many"),
			statistics(),
			whole("bins", "20", 2, "bins", "bins of the histogram of ranks"),
			seed(),
		}, thresholds())}
}

// predictiveOptions are those of predictive checks.
func predictiveOptions() []*check.Option {
	return []*check.Option{
		whole("replications", "250", 1, "data sets", "data sets that the data at hand are compared with; below 100 there is no verdict"),
		{Name: "statistics", Kind: check.ExprKind, List: true,
			Doc: "numbers to compare, as expressions over the model's variables, data included; mean, sd, min, median and max of each observed variable where it is not given"},
		seed(),
	}
}

func priorPredictive() *check.MethodRow {
	return &check.MethodRow{Name: "prior_predictive", Diagnose: true,
		Doc:     "statistics of the data beside those of data sets simulated from the prior",
		Options: predictiveOptions()}
}

func posteriorPredictive() *check.MethodRow {
	from := choice("from", "where the data sets of the calibration come from: the prior, as without it, or the posterior given the data at hand", "prior", "posterior")
	from.Default = ""
	return &check.MethodRow{Name: "posterior_predictive", Wrapper: true, Diagnose: true,
		Refuses: map[string]string{"map": "a mode is no sample", "gibbs_prior": "its draws are from a prior, not from a posterior"},
		Doc:     "statistics of the data beside those of data sets simulated from the posterior, with p-values that are calibrated by data sets from the model",
		Options: concat(predictiveOptions(), []*check.Option{
			whole("calibration", "100", 0, "data sets", "data sets from the model that are fitted and compared in the same way, by which p-values are calibrated; 0 leaves them as they are, and from 1 to 99 there is no verdict"),
			from,
		})}
}

func heldOutRow() *check.MethodRow {
	return &check.MethodRow{Name: "held_out", Wrapper: true, Diagnose: true,
		Refuses: map[string]string{"gibbs_prior": "its draws are from a prior, not from a posterior"},
		Doc:     "log predictive density and errors of predictions for rows of the data that are left out at random",
		Options: []*check.Option{
			undecided(&check.Option{Name: "rows", Kind: check.ExprKind, Doc: "variable of the data that counts the rows: all data whose first size it is lose rows"}, "the first size of what the model observes"),
			whole("splits", "20", 1, "splits", "number of times that rows are left out"),
			between("share", "0.1", "share of the rows that is left out"),
			undecided(&check.Option{Name: "prediction", Kind: check.ExprKind, Doc: "an expression over the model's variables with a number for each observation, whose mean over draws is the prediction"}, "the mean of data simulated at the draws"),
			seed(),
		}}
}
