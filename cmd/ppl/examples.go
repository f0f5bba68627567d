package main

import "github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"

// This file holds the examples that the help of each command ends with.

// Help implements kong.HelpProvider.
func (*runCmd) Help() string {
	return frame.Examples(
		"ppl run model.ppl --data data.json --seed 1",
		"ppl run model.stan --method 'nuts(delta = 0.95)' --draws 2000",
		"ppl run model.ppl --out fit              # write draws as they are made",
		"ppl run model.ppl --out fit --format zarr --predictive   # for ArviZ",
		"ppl run model.ppl --variables mu,tau     # what is shown and kept",
		"ppl run model.ppl --out fit --resume     # go on after an interrupt or a crash",
		"ppl run model.ppl --out fit --resume --draws 4000   # extend a fit whose number of draws was given",
	)
}

// Help implements kong.HelpProvider.
func (*diagnoseCmd) Help() string {
	return frame.Examples(
		"ppl diagnose model.ppl                   # the block's diagnose lines, or a consultation: may the answer be used?",
		"ppl diagnose model.ppl --with 'sbc(nuts(), replications = 200)' --out judged",
		"ppl diagnose model.ppl --with 'sbc(nuts(), replications = 200)' --out judged --resume",
		"ppl diagnose fit                         # the findings of an earlier fit",
	)
}

// Help implements kong.HelpProvider.
func (*generateCmd) Help() string {
	return "Without --seed the seed is that of the fit.\n\n" + frame.Examples(
		"ppl generate more.ppl --fit fit          # more.ppl has the parameters of the fit's model",
		"ppl generate more.ppl --fit fit --out generated --variables y_rep",
	)
}

// Help implements kong.HelpProvider.
func (*looCmd) Help() string {
	return frame.Examples(
		"ppl loo fit                              # of log_lik, or of the factors of the likelihood",
		"ppl loo fit --group school               # leave whole groups out",
		"ppl loo pooled hierarchical --json       # compare two models of the same data, and weigh them",
	)
}

// Help implements kong.HelpProvider.
func (*sensitivityCmd) Help() string {
	return frame.Examples(
		"ppl sensitivity fit                      # priors or data?",
		"ppl sensitivity fit --priors 19,20       # the statements of these lines count as priors",
		"ppl sensitivity fit --swap 'tau ~ normal(0, 1)'",
	)
}

// Help implements kong.HelpProvider.
func (*updateCmd) Help() string {
	return frame.Examples(
		"ppl update monday --data tuesday.json --out tuesday",
		"ppl update tuesday --data wednesday.json --out wednesday",
	)
}

// Help implements kong.HelpProvider.
func (*priorCmd) Help() string {
	return frame.Examples(
		"ppl prior model.ppl                      # what the priors expect of each observed variable",
		"ppl prior model.ppl --plausible 'y: 0..200' --show 'sd(y)'",
		"ppl prior model.ppl --want 'y: 5%=0 50%=2 95%=10'   # numbers in the priors that give this",
	)
}

// Help implements kong.HelpProvider.
func (*profileCmd) Help() string {
	return frame.Examples(
		"ppl profile model.ppl                    # time by statement, and how each is computed",
		"ppl profile model.ppl --fit fit          # at a draw of the fit; what mixes worst, too",
	)
}

// Help implements kong.HelpProvider.
func (*compareCmd) Help() string {
	return frame.Examples(
		"ppl compare pooled hierarchical          # Bayes factor and leave-one-out prediction",
		"ppl compare pooled hierarchical --json",
	)
}

// Help implements kong.HelpProvider.
func (*checkCmd) Help() string {
	return frame.Examples(
		"ppl check model.ppl",
		"ppl check model.ppl --data data.json     # sizes and constraints, too",
		"ppl check model.ppl --dump=ir",
	)
}

// Help implements kong.HelpProvider.
func (*simulateCmd) Help() string {
	return frame.Examples(
		"ppl simulate model.ppl --seed 1 > data.json",
		"ppl run model.ppl --data data.json",
		"ppl simulate model.ppl --fit fit --replications 20   # from the posterior predictive",
		"ppl simulate model.ppl --fit fit --check # posterior predictive check",
		"ppl simulate model.ppl --check           # prior predictive check",
	)
}

// Help implements kong.HelpProvider.
func (*plotCmd) Help() string {
	return frame.Examples(
		"ppl plot fit                             # all pictures, to fit/plots",
		"ppl plot fit --kind trace,pairs --parameters mu,tau,theta[1] --format png --out pictures",
		"ppl plot fit --predictive y_sim=y --data data.json",
		"ppl plot judged                          # of ppl diagnose --out judged",
	)
}

// Help implements kong.HelpProvider.
func (*reportCmd) Help() string {
	return frame.Examples("ppl report fit                           # to fit/report.html", "ppl report fit judged --out report.html --parameters mu,tau")
}

// Help implements kong.HelpProvider.
func (*versionCmd) Help() string {
	return frame.Examples("ppl version", "ppl version --licences                   # of the software of others that is inside")
}

// Help implements kong.HelpProvider.
func (*helpCmd) Help() string {
	return frame.Examples("ppl help run", "ppl help --man run | man -l -            # its manual page")
}

// Help implements kong.HelpProvider.
func (*completionCmd) Help() string {
	return frame.Examples(
		"ppl completion bash > /etc/bash_completion.d/ppl",
		"ppl completion zsh > \"${fpath[1]}/_ppl\"",
		"ppl completion fish > ~/.config/fish/completions/ppl.fish",
	)
}
