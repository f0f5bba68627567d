// Package swap is prior swapping: the posterior under other priors, from a posterior
// under the first ones, without touching the data (Neiswanger and Xing, "Post-inference
// prior swapping", 2017).
//
// The posterior of a model with prior p0 is proportional to p0(t) p(y|t). Under a prior
// p1 it is proportional to that times p1(t)/p0(t). So with a density f in the place of
// the first posterior (the false posterior), the prior swap function
//
//	log f(t) + log p1(t) - log p0(t)
//
// is the log of the new posterior up to a constant. It is evaluated with its gradient
// and sampled by any method, here NUTS by default. Its cost does not depend on the size
// of the data. What stands for f:
//
//   - Exact: the closed form, where the posterior is a normal on the unconstrained
//     scale, or has independent conjugate distributions of the parameters (normal, gamma,
//     inverse gamma, beta, Dirichlet, Wishart and inverse Wishart); that is found out with
//     the data at hand, and refused where it does not hold.
//
//   - Density: the approximation that the wrapped method fitted.
//
//   - Parametric: a normal with mean and covariance of the wrapped method's draws.
//
//   - Semiparametric: the normal, corrected by the draws themselves (Algorithm 1): the
//     estimate is the normal times a kernel mixture whose centres are the false
//     posterior's draws t and whose weights are 1/f(t).
//
//   - Draws: the draws themselves, weighted by new over old priors: the paper's comparator. It
//     has an error that is known where the weights have a variance, and takes priors of
//     discrete parameters, of which the other forms have no density.
//
// Where nothing is named, it is a closed form where one is found by values, else the wrapped
// method's density if it has one, else the parametric normal; from = "exact" looks for such a
// form, too, before it refuses. Where such a density gives another answer than the weighted draws
// do, and their weights hold, these are the answer (weighted.go). Draws come with the values of the log density, which tell more than the draws do: if these are a linear
// combination of a few functions of the parameters (the sufficient statistics of a normal,
// of independent normal, gamma, inverse gamma and beta distributions, also with normal and
// log-normal priors, or of normals with a scale or precision of their own), then regression
// finds it up to rounding, and the posterior stands there in closed form without another
// look at the data. Half of the draws are held out, and the error of the form elsewhere is
// that of the regression; since a log density may be cut off or be another one where no
// draw was, it is compared with the form at a few of the new draws, too, for the report.
// Values that were read from a file have few digits, and are computed anew. A normal of more
// coordinates than the regression takes is looked for at the mode.
//
// Only those coordinates are sampled that the priors in question depend on. The others
// follow: the exchange leaves their law given the former as it is, so a draw of the
// false posterior near by is taken (a kernel in the sampled coordinates says how near), its
// residual from the linear regression on the former kept, and moved along the regression.
// That is exact for normal posteriors and for independent parts, and in the limit of many
// draws for all.
//
// Everything happens in coordinates whitened by the false posterior's covariance, so
// that the sampler starts where the posterior is, and the width h of Algorithm 4 fits
// all directions.
//
// Deviations from the paper. Algorithm 1 multiplies draws of the parametric prior swap
// function with the correction mixture by Algorithm 4, which smooths both once more; here
// those draws get the value of the correction at their place as importance weight, which
// has the same limit, and less error in many dimensions. The paper's width T^(-1/(4+d))
// lets the noise of the mixture swamp the normal in many dimensions: with 4000 draws in
// 20, each point has one centre that counts. The width is therefore the one under which
// draws that are left out are most likely, from the paper's upwards; where the normal
// holds the widest wins, and the estimate is the normal's.
//
// Product is Algorithm 4 by itself, for factors that are known by draws alone: the paper
// draws pairs by a Markov chain over indices; here they are drawn from their exact law, at
// a cost of T^2 kernel evaluations, and the weight of a pair has variance 2 h^2, as the
// product of two kernels of variance h^2 needs, where the paper prints h^2. Times and
// NewSampled are Algorithm 5, for a new prior that is known by draws only: theta ~ draws("FILE") in the
// language. Algorithms 2 and 3 (Metropolis-Hastings and Hamiltonian moves) are whatever
// method is named.
//
// Beside the draws stands a check: importance weights p1/p0 on the false posterior's
// draws, with their Pareto shape, and the largest difference between the two answers. Draws
// of an approximation are weighted by posterior over approximation, too, where their log
// densities are known: else the check would not see what is wrong with the approximation.
//
// Three more things are asked for. Metropolis steps from the new draws to where the old priors
// are zero and the new ones are not show what the exchange cuts off (lost.go). A function that
// grows far out is no distribution (mode.go). And a mode is judged by the gradient of the log
// posterior under the new priors there.
//
// Methods are immutable. Prior exchange comes from the caller as Priors, so that this
// package knows nothing of programs.
package swap
