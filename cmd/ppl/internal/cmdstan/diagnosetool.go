package cmdstan

// This file is bin/diagnose: what the sampler's columns and the statistics of the draws
// say about a run.

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

// The bounds beyond which diagnose speaks up, CmdStan's as its texts are: clients match them.
const (
	lowEnergyFraction = 0.3     // E-BFMI
	lowESS            = 0.001   // of each transition
	highRHat          = 1.01499 // rank-normalised, of split chains; told as 1.01
)

// runDiagnose is the program.
func runDiagnose(args []string, out, errs io.Writer) int {
	if len(args) == 0 || args[0] == "-h" || args[0] == "--help" {
		fmt.Fprintln(out, "USAGE:  diagnose <filename 1> [<filename 2> ... <filename N>]")
		if len(args) == 0 {
			return exitNotOK
		}
		return exitOK
	}
	files := slices.DeleteFunc(slices.Clone(args), func(path string) bool {
		missing := !exists(path)
		if missing {
			fmt.Fprintf(errs, "Cannot read input csv file: %s.\n", path)
		}
		return missing
	})
	if len(files) < len(args) {
		return exitNotOK
	}
	fit, err := draws.ReadFiles(files...)
	if err != nil {
		fmt.Fprintln(errs, "Error processing:", err)
		return exitNotOK
	}
	if fit.Draws.Total() == 0 {
		fmt.Fprintln(errs, "Error processing: the files hold no draws after warm-up")
		return exitNotOK
	}
	fmt.Fprint(out, diagnosed(fit))
	return exitOK
}

// diagnosed is the whole output.
func diagnosed(fit *draws.Fit) string {
	var b strings.Builder
	good := true
	for _, check := range []func(*strings.Builder, *draws.Fit) bool{
		checkDepth, checkDivergences, checkEnergy, checkESS, checkRHat,
	} {
		good = check(&b, fit) && good
	}
	b.WriteString("Processing complete")
	if good {
		b.WriteString(", no problems detected")
	}
	b.WriteString(".\n")
	return b.String()
}

// count reports how many draws of a column fulfil a condition; ok is false without the column.
func count(fit *draws.Fit, column string, is func(float64) bool) (n int, ok bool) {
	fit.Draws.Each(column, func(_ int, x []float64) {
		ok = true
		for _, v := range x {
			if is(v) {
				n++
			}
		}
	})
	return n, ok
}

// share is "n of total (percent%)".
func share(fit *draws.Fit, n int) string {
	total := fit.Draws.Total()
	return fmt.Sprintf("%d of %d (%.2f%%)", n, total, 100*float64(n)/float64(total))
}

func checkDepth(b *strings.Builder, fit *draws.Fit) bool {
	limit, err := strconv.Atoi(fit.Chains[0].Setting("max_depth"))
	n, ok := count(fit, "treedepth__", func(v float64) bool { return v >= float64(limit) })
	if !ok || err != nil {
		return true
	}
	b.WriteString("Checking sampler transitions treedepth.\n")
	if n == 0 {
		b.WriteString("Treedepth satisfactory for all transitions.\n\n")
		return true
	}
	fmt.Fprintf(b, "%s transitions hit the maximum treedepth limit of %d, or 2^%d leapfrog steps.\n", share(fit, n), limit, limit)
	b.WriteString("Trajectories that are prematurely terminated due to this limit will result in slow exploration.\nFor optimal performance, increase this limit.\n\n")
	return false
}

func checkDivergences(b *strings.Builder, fit *draws.Fit) bool {
	n, ok := count(fit, "divergent__", func(v float64) bool { return v != 0 })
	if !ok {
		return true
	}
	b.WriteString("Checking sampler transitions for divergences.\n")
	if n == 0 {
		b.WriteString("No divergent transitions found.\n\n")
		return true
	}
	fmt.Fprintf(b, "%s transitions ended with a divergence.\n", share(fit, n))
	b.WriteString("These divergent transitions indicate that HMC is not fully able to explore the posterior distribution.\nTry increasing adapt delta closer to 1.\nIf this doesn't remove all divergences, try to reparameterize the model.\n\n")
	return false
}

func checkEnergy(b *strings.Builder, fit *draws.Fit) bool {
	if fit.Draws.Index("energy__") < 0 {
		return true
	}
	b.WriteString("Checking E-BFMI - sampler transitions HMC potential energy.\n")
	lowest := energyFraction(fit.Draws, "energy__")
	if !(lowest < lowEnergyFraction) {
		b.WriteString("E-BFMI satisfactory.\n\n")
		return true
	}
	fmt.Fprintf(b, "The E-BFMI, %.2f, is below the nominal threshold of %.2f which suggests that HMC may have trouble exploring the target distribution.\n", lowest, lowEnergyFraction)
	b.WriteString("If possible, try to reparameterize the model.\n\n")
	return false
}

// energyFraction is Betancourt's estimate of the fraction of missing information: the mean
// squared change of the energy over its variance, of all chains in a row as CmdStan has it.
func energyFraction(d *draws.Draws, column string) float64 {
	mean, rest, change, spread, before := 0.0, 0.0, 0.0, 0.0, math.NaN()
	each := func(f func(v float64)) {
		d.Each(column, func(_ int, x []float64) {
			for _, v := range x {
				f(v)
			}
		})
	}
	n := float64(d.Total())
	each(func(v float64) { mean += v })
	mean /= n
	each(func(v float64) { rest += v - mean })
	mean += rest / n
	each(func(v float64) {
		spread += float64((v - mean) * (v - mean))
		if before == before {
			change += float64((v - before) * (v - before))
		}
		before = v
	})
	return change / spread // both over one less than the draws
}

// failing are the model's columns for which a condition holds.
func failing(fit *draws.Fit, is func(draws.Summary) bool) []string {
	var names []string
	d := fit.Draws.Balanced()
	for _, name := range d.Columns() {
		if is(d.Describe(name).Summary) {
			names = append(names, bracketed(name))
		}
	}
	return names
}

func checkESS(b *strings.Builder, fit *draws.Fit) bool {
	bound := lowESS * float64(fit.Draws.Total())
	bad := failing(fit, func(s draws.Summary) bool { return s.ESSBulk < bound || s.ESSTail < bound })
	if len(bad) == 0 {
		b.WriteString("Rank-normalized split effective sample size satisfactory for all parameters.\n\n")
		return true
	}
	fmt.Fprintf(b, "The following parameters had fewer than %g effective draws per transition:\n  %s\n", lowESS, strings.Join(bad, ", "))
	b.WriteString("Such low values indicate that the effective sample size estimators may be biased high and actual performance may be substantially lower than quoted.\n\n")
	return false
}

func checkRHat(b *strings.Builder, fit *draws.Fit) bool {
	bad := failing(fit, func(s draws.Summary) bool { return s.RHat > highRHat })
	if len(bad) == 0 {
		b.WriteString("Rank-normalized split R-hat values satisfactory for all parameters.\n\n")
		return true
	}
	fmt.Fprintf(b, "The following parameters had rank-normalized split R-hat greater than %.2f:\n  %s\n", highRHat, strings.Join(bad, ", "))
	b.WriteString("Such high values indicate incomplete mixing and biased estimation.\nYou should consider regularizing your model with additional prior information or a more effective parameterization.\n\n")
	return false
}
