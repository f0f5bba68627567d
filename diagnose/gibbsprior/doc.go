// Package gibbsprior finds the prior that an approximate method effectively used
// (Rendsburg, Kristiadi, Hennig, von Luxburg, "Discovering inductive bias with Gibbs
// priors", 2022).
//
// With F the law of the observations given parameters, and Q what the method answers
// given observations, the Gibbs chain alternates y ~ F(t), t ~ Q(y) (Algorithm 1). Its
// stationary law is the Gibbs prior: for an exact method the stated prior, else the prior
// that the method's answers fit best. The chain starts at draws of the stated prior, one
// for each chain, and its first tenth is dropped. Each fit is run on the model rebound to
// the new observations. Of a method with a density one independent draw is taken, of
// weighted draws one by weight, of a Markov method the last draw of its first chain.
//
// The comparison with the stated prior:
//
//   - each quantity's mean and sd, tested on normal scores of the pooled ranks, so that
//     heavy tails do no harm, with standard errors by the effective number of draws; and the
//     correlations of these scores, of the pairs of quantities that depend on each other most;
//   - the squared maximum mean discrepancy with a Gaussian kernel, the width the median
//     distance, as the unbiased statistic with a permutation test on draws thinned until
//     their autocorrelation is below 0.05. The paper's biased statistic has a floor of
//     2/n, and permuting raw draws of a chain gives false alarms;
//   - a test without a chain: triples t from the prior, y given t, t' from the method
//     given y. If the method is exact t and t' are exchangeable, so that swapping them at
//     random gives the law of every statistic that changes sign with the swap.
//
// Compatibility (Algorithm 2) compares the joint laws of (t_k, y_k) and (t_{k+1}, y_k) by the
// discrepancies of a wide and of a narrow kernel: they agree where some prior, the stated one
// or another, makes all answers exact posteriors, and then t_k and t_{k+1} are exchangeable
// given y_k, which gives the test. So it may be bad only where the method is wrong, and tells a
// method that answers for another prior from one that answers for none.
//
// P-values are adjusted by Holm's method, over quantities and then over the four tests.
// There is no verdict where the chain has not converged or is worth fewer than 100
// draws; up to three times as many steps are made where these would do.
//
// Where the method has a density, pointwise priors (q/f, the prior for which one answer
// would be exact) are judged proper or not, at the data at hand and at some simulated data
// sets; of the former the moments are reported, by importance weights with their Pareto
// shape.
//
// Diagnoses and methods are immutable; chains run in parallel, each with streams of its
// own, so that the same seed gives the same figures whatever the number of jobs.
package gibbsprior
