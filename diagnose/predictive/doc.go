// Package predictive compares statistics of the data at hand with those of data sets that are simulated from the posterior or the
// prior, and makes p-values of the first kind uniform.
//
// Prior predictive (Box 1980): data sets from the prior. The share of them with a larger statistic is a p-value as it stands.
//
// Posterior predictive (Gelman, Meng and Stern 1996): a data set for each draw of a fit. The data are used twice, for the
// fit and for the comparison, so that p-values lie nearer to 1/2 than uniform ones, for a statistic that the parameters
// follow all of them. Calibration (Hjort, Dahl and Steinbakk 2006; Paganin and de Valpine 2023) takes the comparison for a statistic itself:
// its distance, the difference between the observed and the mean simulated value in standard deviations of the simulated
// ones, is compared with the distances of data sets that the model made, each fitted and compared in the same way. Where these come from the
// prior, the p-value is uniform over data from the model, for every statistic. Where they come from the posterior given the data at hand, it is
// so for statistics whose distances do not depend on parameters, such as those of residuals; a statistic that the parameters follow keeps its
// first p-value.
//
// The p-values are two-sided, and adjusted over statistics by Holm's method.
//
// Same seed, same bytes, whatever the number of goroutines.
package predictive
