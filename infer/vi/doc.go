// Package vi is automatic differentiation variational inference (method advi):
// the normal distribution q on the unconstrained scale with the largest
// evidence lower bound E_q[log p(y, x) - log q(x)], log Jacobian included.
//
// # Families
//
//   - meanfield: independent coordinates, x = m + s*e
//   - fullrank: x = m + L e, L lower triangular
//   - lowrank: x = m + d*e1 + F e2, F with a few columns
//
// with standard normal e. Means and scales start from a Pathfinder run's
// approximation, or where it finds none at the starting point with scale 0.1.
//
// # Gradients
//
// Each step draws Samples/2 points e and their mirror images -e, and averages
// h = grad log p(x) - grad log q(x) over the points x they are placed at: the
// path derivative, which leaves out the score of q because its mean is zero.
// Its noise vanishes where q equals the posterior, and mirror images cancel
// the noise in the mean that a quadratic log density would give. With C the
// covariance of q the step is along the natural gradient:
//
//	m     += rate * C mean(h)
//	L     += rate' * L tril(mean(L'h e')), the diagonal halved
//	log s += rate/2 * s mean(h e)
//
// (for lowrank: log d like log s, and F += rate/2 * C mean(h e2')). Lengths in
// units of q are cut at one per coordinate. rate' is rate divided by
// 1 + (dim+1)/(Samples/2), since each step sees only that many directions.
//
// # Steps
//
// The rate starts at 1/2 and is searched as the fit goes on: where successive
// steps of the mean point against each other on average (over about ten steps,
// by the inner product C^-1) it is multiplied by 0.7, where they point the same
// way it is divided by 0.7 up to a limit. The fit goes in stages, each half as
// long again as the one before. A stage's result is q with the parameters averaged
// over its later half. The next stage begins at the result or at the stage's
// last point, whichever has the larger bound on the same draws, so nothing
// learned is thrown away; the average wins unless another is better by more
// than chance. The average is also tried with its mean polished: maximised by
// L-BFGS with fixed noise and scales, which does what steps along the gradient
// cannot where the curvature is uneven. The limit of the rate halves with every
// stage whose bound did not rise by more than chance.
//
// # Minibatches
//
// With a batch, each step sees some terms of the likelihood, drawn with replacement. At the
// start of each stage all terms are evaluated once, at q's mean m, and a batch's gradient g_B
// is then taken as g(m) + g_B - g_B(m): unbiased, and free of noise as far as the
// likelihood is quadratic, so that steps are nearly as good as with all terms.
//
// # Convergence
//
// The fit has converged when, from one stage to the next, the bound changed by
// less than Tolerance relative to its size (twice its standard error allowed),
// and the result moved by less than 2*Tolerance: the square root of the
// Jeffreys divergence per coordinate between the two results, which is the root
// mean square shift of a mean in standard deviations, or change of a log scale.
// It may move by up to 5*Tolerance if on the same draws its bound surely (by two
// standard errors) gained less than Tolerance nats: the top may be flat.
// Otherwise it ends with the iteration limit, and the report says so; the
// result of the last stage is used all the same.
//
// Points where the density is rejected drop out with their mirror image; a
// step that loses most of its points shrinks q instead.
//
// Sources: Kucukelbir et al., "Automatic differentiation variational
// inference", JMLR 18 (2017); Roeder, Wu and Duvenaud, "Sticking the landing"
// (2017); Dhaka et al., "Robust, accurate stochastic optimization for
// variational inference" (2020) and Welandawe et al., "Robust, automated, and
// accurate black-box variational inference" (2022), for averaging and stopping;
// Glasmachers et al., "Exponential natural evolution strategies" (2010), for
// steps along L.
//
// Deviations: Kucukelbir et al. and Stan use another gradient estimate, an
// adaptive step per parameter, no averaging, and stop on the bound alone.
//
// A Method is immutable; everything else belongs to one run and one goroutine.
package vi
