// Package loo estimates how well a model predicts observations that it has not seen, from
// the draws of one fit.
//
// The measure is the expected log predictive density, elpd: the sum over the observations
// of log p(y_i | the other observations). Two estimates are made from the log density of
// each observation at each draw:
//
//   - Leave-one-out cross-validation by Pareto smoothed importance sampling (PSIS-LOO).
//     Draws of the posterior are weighted by 1/p(y_i | theta), which takes y_i out of it.
//     The Pareto shape k of these weights reports whether the estimate can be believed, one
//     observation at a time: up to min(1 - 1/log10(S), 0.7) for S draws it can; above 1 the
//     mean that is estimated need not exist.
//   - The widely applicable information criterion, WAIC: the log density averaged over the
//     posterior, less its variance. It has no such diagnostic, and is given for comparison
//     with the literature.
//
// The error of elpd is sqrt(N) times the standard deviation of the observations' terms;
// differences of two models on the same observations have the error of their differences,
// which is mostly much smaller.
//
// Weights for a mixture of several models' predictions are those of stacking and of
// pseudo-BMA+, both of Yao, Vehtari, Simpson and Gelman, "Using stacking to average Bayesian
// predictive distributions", Bayesian Analysis 13 (2018).
//
// Draws of an approximation, or with weights, are weighted to the posterior first, as in
// Magnusson, Andersen, Jonasson and Vehtari, "Bayesian leave-one-out cross-validation for
// large data", ICML 2019.
//
// Source: Vehtari, Gelman and Gabry, "Practical Bayesian model evaluation using
// leave-one-out cross-validation and WAIC", Statistics and Computing 27 (2017); Vehtari,
// Simpson, Gelman, Yao and Gabry, "Pareto smoothed importance sampling", JMLR 25 (2024).
//
// Deviation: the relative efficiency of the draws is that of package draws, from ranks
// not normalised and split chains, where the R package loo does not split them.
//
// The functions are pure; they may be called from anywhere, and use all processors.
package loo
