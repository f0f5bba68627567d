package cmdstan

// This file is the one table of arguments: names, order, defaults and ranges are those of
// CmdStan's guide.

import (
	"math"
	"strconv"
)

// arguments makes the tree anew, without values.
func arguments() []*argument {
	return []*argument{
		pick("method", "sample", "what to do with the model",
			sampleArguments(), optimizeArguments(), variationalArguments(), diagnoseArguments(),
			generateArguments(), pathfinderArguments(), logProbArguments(), laplaceArguments()),
		integer("id", 1, 1, "id > 0", "number of the chain or process; chains with other numbers use other random numbers"),
		groupOf("data", "input", file("file", "file with the data of the model")),
		withDefault(file("init", "starting points: a file, a radius around 0 on the unconstrained scale, or 0"), "2"),
		groupOf("random", "random numbers", &argument{name: "seed", doc: "seed; without it one is drawn from the clock", kind: whole,
			def: "-1", min: -1, max: math.MaxUint32, valid: "integer from 0 to 4294967295 or -1"}),
		groupOf("output", "output",
			withDefault(file("file", "file for the draws"), "output.csv"),
			file("diagnostic_file", "file for positions, momenta and gradients on the unconstrained scale"),
			integer("refresh", 100, 0, "0 <= refresh", "iterations between lines of progress; 0 for none"),
			&argument{name: "sig_figs", doc: "significant digits in the files", kind: whole, def: "8", min: -1, max: 18, valid: "0 <= integer <= 18 or -1 for the default of 8"},
			withDefault(file("profile_file", "file for times of profile statements"), "profile.csv"),
			boolean("save_cmdstan_config", false, "write the arguments as JSON beside the draws")),
		&argument{name: "num_threads", doc: "chains or paths at work at the same time", kind: whole, def: "1", min: -1, max: math.MaxInt32, valid: "integer > 0 or -1 for all processors"},
	}
}

func sampleArguments() *argument {
	return groupOf("sample", "draws from the posterior by Markov chains",
		integer("num_samples", 1000, 0, "0 <= num_samples", "iterations after warm-up"),
		integer("num_warmup", 1000, 0, "0 <= num_warmup", "iterations of warm-up"),
		boolean("save_warmup", false, "write the iterations of warm-up, too"),
		integer("thin", 1, 1, "0 < thin", "every thin-th iteration is written"),
		groupOf("adapt", "what warm-up adapts",
			boolean("engaged", true, "adapt at all"),
			positive("gamma", 0.05, "pull of the step size towards its start"),
			&argument{name: "delta", doc: "acceptance statistic that the step size is tuned to", kind: number, def: "0.8", min: 0, minOpen: true, max: 1, maxOpen: true, valid: "0 < delta < 1"},
			positive("kappa", 0.75, "how fast early iterations are forgotten"),
			positive("t0", 10, "how much the first iterations are damped"),
			integer("init_buffer", 75, 0, "All", "iterations before the metric is estimated"),
			integer("term_buffer", 50, 0, "All", "iterations for the step size at the end"),
			integer("window", 25, 0, "All", "iterations in the first window for the metric"),
			boolean("save_metric", false, "write step size and metric as JSON beside the draws")),
		pick("algorithm", "hmc", "kind of chain",
			groupOf("hmc", "Hamiltonian Monte Carlo",
				pick("engine", "nuts", "how trajectories end",
					groupOf("static", "after a fixed time", positive("int_time", 6.28319, "length of a trajectory in time")),
					groupOf("nuts", "where they turn back", integer("max_depth", 10, 1, "0 < max_depth", "greatest depth of a trajectory's tree"))),
				pick("metric", "diag_e", "form of the mass matrix",
					branch("unit_e", "the unit matrix"), branch("diag_e", "a diagonal"), branch("dense_e", "a full matrix")),
				file("metric_file", "JSON file with inv_metric to start from"),
				positive("stepsize", 1, "step size to start from"),
				&argument{name: "stepsize_jitter", doc: "random part of the step size, as a fraction", kind: number, def: "0", max: 1, valid: "0 <= stepsize_jitter <= 1"}),
			branch("fixed_param", "parameters stay where they start")),
		integer("num_chains", 1, 1, "0 < num_chains", "chains"))
}

// lineSearch are the arguments that all L-BFGS searches share.
func lineSearch() []*argument {
	return []*argument{
		positive("init_alpha", 0.001, "first step of the line search"),
		atLeastZero("tol_obj", 1e-12, "change of the log density at which the search ends"),
		atLeastZero("tol_rel_obj", 10000, "the same relative to its size, in machine precisions"),
		atLeastZero("tol_grad", 1e-8, "norm of the gradient at which the search ends"),
		atLeastZero("tol_rel_grad", 1e7, "the same relative to the log density, in machine precisions"),
		atLeastZero("tol_param", 1e-8, "change of the parameters at which the search ends"),
	}
}

func historySize() *argument {
	return integer("history_size", 5, 1, "0 < history_size", "steps that the inverse Hessian is made from")
}

func optimizeArguments() *argument {
	return groupOf("optimize", "the point with the greatest density",
		pick("algorithm", "lbfgs", "kind of search",
			groupOf("bfgs", "quasi-Newton", lineSearch()...),
			groupOf("lbfgs", "quasi-Newton with short memory", append(lineSearch(), historySize())...),
			groupOf("newton", "Newton steps")),
		boolean("jacobian", false, "maximise on the unconstrained scale, with the log Jacobian"),
		integer("iter", 2000, 1, "0 < iter", "most iterations"),
		boolean("save_iterations", false, "write every iterate"))
}

func variationalArguments() *argument {
	return groupOf("variational", "a normal approximation with the largest evidence lower bound",
		pick("algorithm", "meanfield", "form of the approximation",
			groupOf("meanfield", "independent coordinates"), groupOf("fullrank", "a full covariance")),
		integer("iter", 10000, 1, "0 < iter", "most iterations"),
		integer("grad_samples", 1, 1, "0 < grad_samples", "draws for each estimate of the gradient"),
		integer("elbo_samples", 100, 1, "0 < elbo_samples", "draws for each estimate of the bound"),
		positive("eta", 1, "step length; ppl finds its own"),
		groupOf("adapt", "search of the step length",
			boolean("engaged", true, "search at all"),
			integer("iter", 50, 1, "0 < iter", "iterations for each trial")),
		positive("tol_rel_obj", 0.01, "relative change of the bound at which it ends"),
		integer("eval_elbo", 100, 1, "0 < eval_elbo", "iterations between estimates of the bound"),
		integer("output_samples", 1000, 0, "0 <= output_samples", "draws from the approximation"))
}

func diagnoseArguments() *argument {
	return groupOf("diagnose", "checks of the model",
		pick("test", "gradient", "what to check",
			groupOf("gradient", "the gradient against finite differences",
				positive("epsilon", 1e-6, "step of the differences"),
				positive("error", 1e-6, "difference from which an element counts as wrong"))))
}

func generateArguments() *argument {
	return groupOf("generate_quantities", "generated quantities for earlier draws",
		file("fitted_params", "CSV file with the draws"),
		integer("num_chains", 1, 1, "0 < num_chains", "files, numbered from id"))
}

func pathfinderArguments() *argument {
	return groupOf("pathfinder", "normal approximations along the path of an optimiser",
		append(append(lineSearch(), historySize()),
			integer("num_psis_draws", 1000, 1, "0 < num_psis_draws", "draws of the result"),
			integer("num_paths", 4, 1, "0 < num_paths", "paths"),
			boolean("save_single_paths", false, "write the draws of every path"),
			boolean("psis_resample", true, "resample the paths' draws by their importance"),
			boolean("calculate_lp", true, "compute the log density of every draw"),
			integer("max_lbfgs_iters", 1000, 1, "0 < max_lbfgs_iters", "most iterations of a path"),
			integer("num_draws", 1000, 1, "0 < num_draws", "draws of each path"),
			integer("num_elbo_draws", 25, 1, "0 < num_elbo_draws", "draws for each evidence lower bound"))...)
}

func logProbArguments() *argument {
	return groupOf("log_prob", "log density and gradient at given points",
		file("unconstrained_params", "JSON file with params_r: one point, or an array of points"),
		file("constrained_params", "JSON file with parameter values by name, or CSV file of draws"),
		boolean("jacobian", true, "add the log Jacobian of the constraints"))
}

func laplaceArguments() *argument {
	return groupOf("laplace", "draws from the normal approximation at a mode",
		file("mode", "CSV file of optimize, or JSON file with parameter values"),
		boolean("jacobian", true, "approximate on the unconstrained scale, with the log Jacobian"),
		integer("draws", 1000, 1, "0 < draws", "draws"),
		boolean("calculate_lp", true, "compute the log density of every draw"))
}

func groupOf(name, doc string, args ...*argument) *argument {
	return &argument{name: name, doc: doc, args: args}
}

func branch(name, doc string) *argument { return &argument{name: name, doc: doc, kind: bare} }

func pick(name, def, doc string, of ...*argument) *argument {
	return &argument{name: name, doc: doc, kind: choice, def: def, args: of}
}

func integer(name string, def, least int, valid, doc string) *argument {
	return &argument{name: name, doc: doc, kind: whole, def: strconv.Itoa(def), min: float64(least), max: math.MaxInt32, valid: valid}
}

func positive(name string, def float64, doc string) *argument {
	return &argument{name: name, doc: doc, kind: number, def: formatReal(def), minOpen: true, max: math.MaxFloat64, valid: "0 < " + name}
}

func atLeastZero(name string, def float64, doc string) *argument {
	return &argument{name: name, doc: doc, kind: number, def: formatReal(def), max: math.MaxFloat64, valid: "0 <= " + name}
}

func boolean(name string, def bool, doc string) *argument {
	a := &argument{name: name, doc: doc, kind: truth, def: "0"}
	if def {
		a.def = "1"
	}
	return a
}

func file(name, doc string) *argument { return &argument{name: name, doc: doc, kind: text} }

func withDefault(a *argument, def string) *argument {
	a.def = def
	return a
}
