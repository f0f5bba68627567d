// The embedded Laplace approximation: signatures only.

package stdlib

import "github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"

const sectionLaplace = "Embedded Laplace Approximation"

// LaplaceLikelihoods are the likelihoods of counts that the approximation knows.
var LaplaceLikelihoods = []string{"bernoulli_logit", "poisson_log", "neg_binomial_2_log"}

// laplaceForms writes the signatures of a function that starts with head: with the
// controls of Stan 2.37, and as later versions have it, with the block size of the
// Hessian before the covariance function and the other controls in a tuple.
func laplaceForms(head string, tol bool) []string {
	const covariance = ", function(...) matrix covariance_function, tuple(...)"
	if !tol {
		return []string{head + covariance + ")", head + ", data int hessian_block_size" + covariance + ")"}
	}
	return []string{
		head + covariance + ", vector theta_init, data real tol, data int max_num_steps, data int hessian_block_size, " +
			"data int solver, data int max_steps_linesearch)",
		head + ", data int hessian_block_size" + covariance + ", tuple(vector, data real, data int, data int, data int, data int) control)",
	}
}

// latentSolveForms writes the signatures of laplace_latent_solve or, with controls, of
// laplace_latent_solve_tol, which Stan 2.40 added: there is no older order of arguments.
func latentSolveForms(head string, tol bool) []string {
	all := laplaceForms(head, tol)
	return all[len(all)-1:]
}

// laplaceOptions are the controls that generate_laplace_options writes after the initial
// guess: tolerance, steps, solver, steps of the line search, and whether other solvers
// are tried (Stan Functions Reference 2.40, Embedded Laplace Approximation).
var laplaceOptions = []float64{1.49012e-08, 500, 1, 1000, 1}

// laplaceOptionsFunctions have the controls of the *_tol functions as a tuple.
func laplaceOptionsFunctions() []*catalogue.Function {
	const (
		name   = "generate_laplace_options"
		result = "tuple(vector, real, int, int, int, int) " + name
		doc    = "the default controls of the embedded Laplace approximation, "
	)
	return []*catalogue.Function{
		{Name: name, Section: sectionLaplace, Doc: doc + "starting at zero, for n latent variables",
			Signatures: []string{result + "(int n)"}, Parts: []string{"zeros_vector"}, Numbers: laplaceOptions},
		{Name: name, Section: sectionLaplace, Doc: doc + "starting at theta_init",
			Signatures: []string{result + "(vector theta_init)"}, Parts: []string{"to_vector"}, Numbers: laplaceOptions},
	}
}

func laplaceFunctions() []*catalogue.Function {
	const (
		likelihood = "(function(vector, ...) real likelihood_function, tuple(...)"
		marginal   = "Laplace approximation of the marginal log likelihood, latent normal variables integrated out"
		solution   = "mean and Cholesky factor of the covariance in the Laplace approximation of latent normal variables"
		latent     = "draw of latent normal variables from their Laplace approximation"
	)
	all := laplaceOptionsFunctions()
	for _, tol := range []bool{false, true} {
		with, doc := "", ""
		if tol {
			with, doc = "_tol", ", with controls"
		}
		all = append(all,
			&catalogue.Function{Name: "laplace_marginal" + with, Higher: SolveLaplace, Section: sectionLaplace, Doc: marginal + doc,
				Signatures: laplaceForms("real laplace_marginal"+with+likelihood, tol)},
			&catalogue.Function{Name: "laplace_latent" + with + "_rng", Higher: DrawLaplace, Section: sectionLaplace, Doc: latent + doc,
				Signatures: laplaceForms("vector laplace_latent"+with+"_rng"+likelihood, tol)},
			&catalogue.Function{Name: "laplace_latent_solve" + with, Higher: LatentLaplace, Section: sectionLaplace, Doc: solution + doc,
				Signatures: latentSolveForms("tuple(vector, matrix) laplace_latent_solve"+with+likelihood, tol)})
		for _, d := range LaplaceLikelihoods {
			lpmf, rng := "laplace_marginal"+with+"_"+d+"_lpmf", "laplace_latent"+with+"_"+d+"_rng"
			rows := []*catalogue.Function{
				{Name: lpmf, Higher: SolveLaplaceCounts, Section: sectionLaplace, Doc: marginal + ", for the likelihood " + d + doc},
				{Name: rng, Higher: DrawLaplaceCounts, Section: sectionLaplace, Doc: latent + ", for the likelihood " + d + doc},
			}
			dispersions := []string{""}
			if d == "neg_binomial_2_log" {
				dispersions = []string{", real eta", ", vector eta"}
			}
			for _, eta := range dispersions {
				args := "array[] int y_index" + eta + ", vector m"
				rows[0].Signatures = append(rows[0].Signatures, laplaceForms("real "+lpmf+"(array[] int y | "+args, tol)...)
				rows[1].Signatures = append(rows[1].Signatures, laplaceForms("vector "+rng+"(array[] int y, "+args, tol)...)
			}
			all = append(all, rows...)
		}
	}
	return all
}
