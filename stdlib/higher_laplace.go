// The embedded Laplace approximation: signatures only.

package stdlib

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
		head + ", data int hessian_block_size" + covariance + ", data tuple(vector, real, int, int, int, int) control)",
	}
}

func laplaceFunctions() []*Function {
	const (
		likelihood = "(function(vector, ...) real likelihood_function, tuple(...)"
		marginal   = "Laplace approximation of the marginal log likelihood, latent normal variables integrated out"
		latent     = "draw of latent normal variables from their Laplace approximation"
	)
	var all []*Function
	for _, tol := range []bool{false, true} {
		with, doc := "", ""
		if tol {
			with, doc = "_tol", ", with controls"
		}
		all = append(all,
			&Function{Name: "laplace_marginal" + with, Higher: SolveLaplace, Section: sectionLaplace, Doc: marginal + doc,
				Signatures: laplaceForms("real laplace_marginal"+with+likelihood, tol)},
			&Function{Name: "laplace_latent" + with + "_rng", Higher: DrawLaplace, Section: sectionLaplace, Doc: latent + doc,
				Signatures: laplaceForms("vector laplace_latent"+with+"_rng"+likelihood, tol)})
		for _, d := range LaplaceLikelihoods {
			lpmf, rng := "laplace_marginal"+with+"_"+d+"_lpmf", "laplace_latent"+with+"_"+d+"_rng"
			rows := []*Function{
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
