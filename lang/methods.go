package lang

// This file holds the table of methods, wrappers and diagnoses: what the checker, the
// command line, the Go API and the help pages know of each option.

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/cavi"
	dv "github.com/seed-12b88e03/ppl/infer/divergence"
	"github.com/seed-12b88e03/ppl/infer/gibbs"
	"github.com/seed-12b88e03/ppl/infer/gvi"
	"github.com/seed-12b88e03/ppl/infer/hmc"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// Methods returns the table of everything that the inference block, --method and --with
// may name. The result is the caller's own.
func Methods() check.Methods {
	return check.Methods{
		Rows: concat(markovMethods(), variationalMethods(), modeMethods(), evidenceMethods(), wrappers()),
		Divergences: []*check.Term{
			{Name: "kl", Doc: "the Kullback-Leibler divergence divided by w", Args: []*check.Option{positive("w", "1", "weight")}},
			{Name: "renyi", Doc: "Renyi's alpha-divergence", Args: []*check.Option{order("alpha")}},
			{Name: "alpha", Doc: "the alpha-divergence", Args: []*check.Option{order("alpha")}},
			{Name: "beta", Doc: "the beta-divergence (density power divergence)", Args: []*check.Option{order("beta")}},
			{Name: "gamma", Doc: "the gamma-divergence", Args: []*check.Option{order("gamma")}},
			{Name: "abr", Doc: "the three-parameter alpha-beta-r divergence", Args: []*check.Option{order("alpha"), order("beta"), order("r")},
				Valid: func(orders []float64) error { _, err := dv.New("abr", orders...); return err }},
		},
		Losses: []*check.Term{
			{Name: "nll", Doc: "the negative log likelihood"},
			{Name: "beta", Doc: "the beta-loss (density power) of the likelihood", Args: []*check.Option{order("beta")}, Valid: robust},
			{Name: "gamma", Doc: "the gamma-loss of the likelihood", Args: []*check.Option{order("gamma")}, Valid: robust},
		},
	}
}

func concat[T any](lists ...[]T) []T {
	var out []T
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

// whole makes an option that takes a whole number of at least least.
func whole(name, def string, least float64, unit, doc string) *check.Option {
	return &check.Option{Name: name, Kind: check.IntKind, Default: def, Min: least, Max: math.Inf(1), Unit: unit, Doc: doc}
}

// mostChains keeps a slip of the finger from asking for all memory.
const mostChains = 100000

// upTo sets the upper limit of an option.
func upTo(most float64, o *check.Option) *check.Option {
	o.Max = most
	return o
}

// positive makes an option that takes a number above zero.
func positive(name, def, doc string) *check.Option {
	return &check.Option{Name: name, Kind: check.RealKind, Default: def, Max: math.Inf(1), OpenMin: true, OpenMax: true, Doc: doc}
}

// order makes the numeric argument of a divergence or loss; it must be given.
func order(name string) *check.Option {
	return positive(name, "", "order of the divergence or loss")
}

// robust checks the order of a robust loss.
func robust(orders []float64) error {
	if orders[0] == 1 {
		return errors.New("the order of the loss must be other than 1, whose limit is nll()")
	}
	return nil
}

// between makes an option that takes a number strictly between 0 and 1.
func between(name, def, doc string) *check.Option {
	return &check.Option{Name: name, Kind: check.RealKind, Default: def, Max: 1, OpenMin: true, OpenMax: true, Doc: doc}
}

// choice makes an option that takes one of several words; the first is the default.
func choice(name, doc string, words ...string) *check.Option {
	return &check.Option{Name: name, Kind: check.EnumKind, Default: words[0], Enum: words, Doc: doc}
}

// flag makes a truth value.
func flag(name, def, doc string) *check.Option {
	return &check.Option{Name: name, Kind: check.BoolKind, Default: def, Doc: doc}
}

func seed() *check.Option {
	return &check.Option{Name: "seed", Kind: check.IntKind, Min: 0, Max: 1<<53 - 1, Doc: "seed of the random numbers; drawn and recorded where it is not given"}
}

func initRadius() *check.Option {
	return &check.Option{Name: "init", Kind: check.RealKind, Default: "2", Max: math.Inf(1), OpenMax: true,
		Doc: "starting points are uniform between -init and init on the unconstrained scale"}
}

// chainOptions are those of all Markov methods.
func chainOptions() []*check.Option {
	return []*check.Option{
		whole("warmup", "1000", 0, "iterations", "iterations that adapt and are thrown away, in each chain"),
		whole("draws", "1000", 1, "draws", "draws kept, in each chain"),
		upTo(mostChains, whole("chains", "4", 1, "chains", "chains, each from its own starting point")),
		whole("thin", "1", 1, "iterations", "every thin-th iteration is kept"),
		initRadius(),
		checkOption(),
		seed(),
	}
}

// untilSettled has a warm-up end by itself where its length is not given.
func untilSettled(options []*check.Option) []*check.Option {
	for _, o := range options {
		if o.Name == "warmup" {
			undecided(o, "until the chains agree in a fit (225, 525 or 1125 iterations), and 1000 inside other methods")
		}
	}
	return options
}

// ownThin has a fit without draws and step_size keep few of its steps.
func ownThin(options []*check.Option, thin int) []*check.Option {
	for _, o := range options {
		if o.Name == "thin" {
			undecided(o, fmt.Sprintf("%d in a fit without draws = N and step_size = E, and 1 otherwise", thin))
		}
	}
	return options
}

// untilPrecise has a run end by itself where its number of draws is not given.
func untilPrecise(options []*check.Option) []*check.Option {
	var out []*check.Option
	for _, o := range options {
		if o.Name == "draws" {
			undecided(o, "until all that is shown has the effective sample size ess and the R-hat rhat in a fit, and 1000 inside other methods")
		}
		out = append(out, o)
		if o.Name == "draws" {
			out = append(out,
				undecided(positive("ess", "", "effective sample size, of bulk and tails, at which a fit without draws = N ends"), strconv.Itoa(endESS)),
				undecided(&check.Option{Name: "rhat", Kind: check.RealKind, Min: 1, Max: math.Inf(1), OpenMin: true, OpenMax: true, Doc: "R-hat at or below which a fit without draws = N ends"}, fmt.Sprint(endRHat)),
				undecided(whole("max_draws", "", 1, "draws", "most draws of a fit without draws = N, in each chain"), strconv.Itoa(mostDraws)))
		}
	}
	return out
}

// undecided takes an option's default away and says what holds instead.
func undecided(o *check.Option, instead string) *check.Option {
	o.Default = ""
	o.Doc += "; where it is not given: " + instead
	return o
}

func metric() *check.Option {
	return choice("metric", "form of the mass matrix, estimated in warm-up unless it is the unit one; one of low rank stretches a few directions beside the diagonal, found as adapt = \"gradient\" finds scales", "diagonal", "dense", "unit", "low_rank")
}

func adapt() *check.Option {
	o := choice("adapt", "what a diagonal mass matrix is estimated from: positions in windows that double, as in Stan (where it is not given), or positions and gradients in a rolling window, as in nutpie", hmc.AdaptStan, hmc.AdaptGradient)
	o.Default = ""
	return o
}

func delta() *check.Option {
	return between("delta", "0.8", "acceptance statistic that the step size is tuned to")
}

func maxError(def, doc string) *check.Option {
	return &check.Option{Name: "max_error", Kind: check.RealKind, Default: def, Min: 0, Max: 1000, OpenMin: true, Unit: "nats", Doc: doc}
}

func maxHalvings(def string, least float64) *check.Option {
	return &check.Option{Name: "max_halvings", Kind: check.IntKind, Default: def, Min: least, Max: 20, Unit: "halvings", Doc: "how often a step may be halved for that"}
}

func stepSize(doc string) *check.Option { return positive("step_size", "", doc) }

// blocks are choices, or groups of parameters.
func blocks(doc string, words ...string) *check.Option {
	o := choice("blocks", doc, words...)
	o.Groups = true
	return o
}

func scan() *check.Option {
	o := choice("scan", "whether a sweep goes through all blocks in turn (where it is not given), or updates as many as there are, each drawn with equal probability", gibbs.Systematic, gibbs.Random)
	o.Default = ""
	return o
}

func markovMethods() []*check.MethodRow {
	const gives = check.GivesDraws | check.GivesKernel
	noUTurn := func(delta *check.Option) []*check.Option {
		return concat(untilPrecise(untilSettled(chainOptions())), []*check.Option{delta, undecided(metric(), "low_rank in a fit, unless adapt = \"stan\" is given, and diagonal inside other methods"), adapt(),
			stepSize("first step size; found by a search where it is not given"),
			{Name: "max_depth", Kind: check.IntKind, Default: "10", Min: 1, Max: 20, Unit: "doublings", Doc: "greatest depth of a trajectory's tree"}})
	}
	return []*check.MethodRow{
		{Name: "nuts", Gives: gives, Doc: "No-U-Turn Hamiltonian Monte Carlo, until the draws are precise enough",
			Options: concat(noUTurn(undecided(delta(), "0.8")), []*check.Option{
				undecided(maxError("", "greatest range of energies within a step of a kept trajectory; a step beyond it is divided"), strconv.Itoa(keptError)),
				undecided(maxHalvings("", 0), strconv.Itoa(keptHalvings)+" in a fit, unless warmup = N or adapt = \"stan\" is given, and 0 otherwise")})},
		{Name: "walnuts", Gives: gives, Doc: "No-U-Turn Hamiltonian Monte Carlo whose steps adapt to the curvature along each trajectory",
			Options: concat(noUTurn(between("delta", "0.8", "share of the steps of trajectories that need not be divided, which the step size is tuned to")), []*check.Option{
				maxError("0.5", "greatest range of energies within a step"), maxHalvings("8", 1)})},
		{Name: "hmc", Gives: gives, Doc: "Hamiltonian Monte Carlo with a fixed number of leapfrog steps",
			Options: concat(chainOptions(), []*check.Option{delta(), metric(), adapt(),
				stepSize("first step size; found by a search where it is not given"),
				whole("leapfrogs", "10", 1, "steps", "leapfrog steps in each trajectory")})},
		{Name: "mh", Gives: gives, Discrete: true, Doc: "Metropolis-Hastings with adaptive random-walk, single-site and discrete proposals",
			Options: concat(chainOptions(), []*check.Option{
				choice("proposal", "all coordinates at once, or one after the other", "adaptive", "single"),
				stepSize("first scale of the proposal, on the unconstrained scale")})},
		{Name: "gibbs", Gives: gives, Discrete: true, Doc: "sampling from the full conditionals: conjugate, enumerated or by slices", Options: concat(chainOptions(), []*check.Option{
			{Name: "order", Kind: check.NameKind, List: true, Doc: "parameters whose blocks come first in a sweep, in this order; the others follow as `ppl check` lists them"},
			undecided(blocks("what is drawn jointly: a parameter, no numbers, or all that can be; where it is given, scales do not move with what they scale", infer.BlockChoices()...), "all that can be, with such moves"),
			scan()})},
		{Name: "sgld", Gives: check.GivesDraws, Doc: "stochastic-gradient Langevin dynamics on minibatches, until the draws are precise enough",
			Options: concat(untilPrecise(ownThin(chainOptions(), sgldThin)), []*check.Option{
				stepSize("step size, at the start of the schedule; found in warm-up where it is not given, so that the bias is a tenth of the variance"),
				whole("batch", "", 1, "terms", "terms of the likelihood in each step; a tenth of them where it is not given"),
				choice("schedule", "whether the step size falls after warm-up, as (offset + t)^-gamma at step t", "constant", "polynomial"),
				{Name: "gamma", Kind: check.RealKind, Default: "0.55", Max: 1, OpenMin: true, Doc: "power of the polynomial schedule"},
				positive("offset", "1000", "steps that the polynomial schedule is ahead by"),
				choice("preconditioner", "scales of the coordinates: all alike, or from the gradients' moving average of squares (RMSprop)", "none", "rmsprop"),
				flag("control_variates", "true", "gradients relative to those at a point found in warm-up, where that allows longer steps")})},
	}
}

// fitOptions are those of the variational methods.
func fitOptions(iterations string) []*check.Option {
	return []*check.Option{
		whole("draws", "1000", 1, "draws", "draws from the approximation"),
		whole("iterations", iterations, 1, "iterations", "most steps of the optimiser"),
		positive("tolerance", "0.01", "relative change of the objective at which it stops"),
		initRadius(),
		checkOption(),
		seed(),
	}
}

// pointSamples is what samples means where the objective is taken at fixed points.
const pointSamples = "with epochs, draws in each step; otherwise random points of the first stage, at least: there are never fewer than twenty or four for each coordinate of the approximation's noise, and up to two of these there is quadrature instead"

// stochasticOptions are those of the methods that estimate their objective; samples says what
// is drawn.
func stochasticOptions(samples string) []*check.Option {
	return []*check.Option{
		whole("samples", "10", 1, "draws", samples),
		whole("batch", "", 1, "terms", "terms of the likelihood in each step; all where it is not given"),
		whole("rank", "", 1, "columns", "rank of the lowrank family's factor; a tenth of the dimension where it is not given"),
	}
}

func startsOption() *check.Option {
	return undecided(whole("starts", "", 1, "starts", "fits of which the one with the least objective is kept: at the points that init gives, then from random ones"), "one, and one more at a point that init gives")
}

func pointOption() *check.Option {
	return &check.Option{Name: "point", Kind: check.NameKind, List: true, Doc: "parameters of the likelihood, without prior, that are estimated by a point"}
}

// adamOptions are those of stochastic steps.
func adamOptions() []*check.Option {
	schedule := choice("schedule", "how ADAM's rate changes: not at all (where it is not given), or to 0 by half a cosine", gvi.ConstantRate, gvi.CosineRate)
	schedule.Default = ""
	return []*check.Option{
		whole("epochs", "", 1, "passes", "passes of ADAM over the likelihood's terms, in place of the optimisation at fixed points"),
		positive("rate", "", "ADAM's rate, of means and of logs of standard deviations on the unconstrained scale; 0.001 where it is not given"),
		schedule,
	}
}

func family(words ...string) *check.Option {
	return choice("family", "form of the approximation", words...)
}

func divergence(def string) *check.Option {
	return &check.Option{Name: "divergence", Kind: check.DivergenceKind, Default: def,
		Doc: "a divergence, a sum(...) of several, or a list by parameter"}
}

func variationalMethods() []*check.MethodRow {
	const gives = check.GivesDraws | check.GivesDensity
	return []*check.MethodRow{
		{Name: "advi", Gives: gives, Doc: "automatic differentiation variational inference: a normal on the unconstrained scale",
			Options: concat(fitOptions("10000"), stochasticOptions("draws for each estimate of the gradient"), []*check.Option{family("meanfield", "fullrank", "lowrank")})},
		{Name: "gvi", Gives: gives, Doc: "generalised variational inference: loss, divergence from the prior, family",
			Options: concat(fitOptions("10000"), stochasticOptions(pointSamples), adamOptions(), []*check.Option{
				{Name: "loss", Kind: check.LossKind, Default: "nll()", Doc: "loss of the data: one of the catalogue, or an expression"},
				divergence("kl(1)"),
				family("meanfield", "fullrank", "lowrank", "mixture", "conjugate"),
				whole("components", "3", 1, "components", "components of the mixture family"),
				choice("scale", "scale on which the divergence is taken", "declared", "unconstrained"),
				pointOption(),
				startsOption(),
				choice("estimator", "how gradients are estimated: along the draws, or by the score function with the one of the last four that fits", gvi.Estimators()...)})},
		{Name: "fvi", Gives: gives, Doc: "variational inference with another divergence to the posterior: Renyi's or the alpha-divergence",
			Options: concat(fitOptions("10000"), stochasticOptions(pointSamples), adamOptions(), []*check.Option{divergence("renyi(0.5)"), pointOption(), startsOption(), family("meanfield", "fullrank", "lowrank")})},
		{Name: "cavi", Gives: gives, Discrete: true, Doc: "coordinate ascent variational inference from the full conditionals",
			Options: []*check.Option{
				whole("draws", "1000", 1, "draws", "draws from the approximation"),
				whole("iterations", "10000", 1, "cycles", "most cycles through the factors"),
				positive("tolerance", "1e-8", "how far a factor may move in the last cycle, in its standard deviations"),
				whole("starts", "4", 1, "starts", "most random starts; the greatest bound is kept, and two that reach it are enough"),
				blocks("what gets a factor of its own: a parameter, each of its elements, or all that is jointly normal given the rest, and discrete parameters that depend on each other; or what shares one", infer.BlockChoices()...),
				choice("nonconjugate", "factors of single numbers without a known form: on a grid, or normal at the mode", cavi.Quadrature, cavi.Laplace),
				initRadius(),
				checkOption(),
				seed(),
			}},
	}
}

func modeMethods() []*check.MethodRow {
	optimiser := func() []*check.Option {
		return []*check.Option{
			whole("iterations", "2000", 1, "iterations", "most steps of the optimiser"),
			positive("tolerance", "2e-12", "relative change of the log density at which it stops"),
			initRadius(),
			checkOption(),
			seed(),
		}
	}
	draws := func() *check.Option { return whole("draws", "1000", 1, "draws", "draws from the approximation") }
	return []*check.MethodRow{
		{Name: "laplace", Gives: check.GivesDraws | check.GivesDensity, Doc: "normal approximation at the mode, on the unconstrained scale",
			Options: append(optimiser(), draws())},
		{Name: "map", Gives: check.GivesDraws, Doc: "the posterior mode",
			Options: append(optimiser(), flag("jacobian", "false", "mode of the density on the unconstrained scale"))},
		{Name: "pathfinder", Gives: check.GivesDraws | check.GivesDensity, Doc: "normal approximations along the path of L-BFGS, the best of them resampled",
			Options: append(optimiser(), draws(),
				whole("paths", "4", 1, "paths", "paths, each from its own starting point"),
				whole("samples", "25", 1, "draws", "draws for each estimate of the evidence lower bound"),
				whole("history", "6", 1, "steps", "steps that the inverse Hessian is made from"))},
	}
}

func schedule() *check.Option {
	return choice("schedule", "spacing of the inverse temperatures; adaptive ones are fixed in a pilot run", "adaptive", "sigmoidal", "linear", "geometric")
}

const annealable = check.GivesKernel | check.GivesDensity

func evidenceMethods() []*check.MethodRow {
	const gives = check.GivesDraws | check.GivesEvidence
	return []*check.MethodRow{
		{Name: "ais", Gives: gives, Wrapper: true, UsesPart: true, InnerDefault: "nuts()", Needs: annealable, Passes: annealable,
			Doc: "annealed importance sampling from the prior (a Markov method) or from the approximation (a variational one)",
			Options: []*check.Option{
				whole("steps", "1000", 1, "temperatures", "steps of the annealing"),
				upTo(mostChains, whole("chains", "100", 1, "chains", "weighted draws, each from its own chain")),
				schedule(), checkOption(), seed()}},
		{Name: "smc", Gives: gives, Wrapper: true, UsesPart: true, InnerDefault: "nuts()", Needs: check.GivesKernel,
			Doc: "tempered sequential Monte Carlo with the method's kernel",
			Options: []*check.Option{
				whole("particles", "1000", 2, "particles", "weighted draws"),
				between("threshold", "0.5", "effective share of particles at which the temperature steps and resampling takes place"),
				whole("moves", "5", 1, "steps", "steps of the kernel after each resampling"),
				flag("waste_free", "true", "the points of all moves count, not only those of the last"), checkOption(), seed()}},
		{Name: "bridge", Gives: gives, Wrapper: true, Passes: annealable, Refuses: map[string]string{"map": "a mode is no sample", "gibbs_prior": "its draws are from a prior, not from a posterior"},
			Doc: "bridge sampling: the evidence from the method's draws",
			Options: []*check.Option{
				whole("iterations", "1000", 1, "iterations", "most iterations of the fixed-point equation"),
				positive("tolerance", "1e-10", "relative change at which it stops"), checkOption(), seed()}},
	}
}
