// Package bread sandwiches log p(y) between forward and reverse annealing on data
// simulated from the model, and so bounds how far annealed chains are from the posterior.
//
// A data set simulated together with its parameters comes with one exact posterior draw:
// those parameters. That is what makes the upper half of the sandwich possible.
//
//  1. Simulate theta* and y from the model, and bind the model to y.
//  2. Pilot (package ais): fix the kernel's tuning as a function of the inverse
//     temperature, and the schedule. For a method with a density, fit it to y first; the
//     path then starts at this density q in place of the prior.
//  3. Forward: from a draw of the path's start along n+1 inverse temperatures to the
//     posterior. The log weight of a chain is below log p(y) on average.
//  4. Reverse: from theta* back, with the time reversal of the kernel. Minus the log
//     weight is above log p(y) on average.
//
// The mean gap between the two, single chains and no averaging of weights before the
// logarithm, is an upper bound on KL(p||q) + KL(q||p) between the posterior p and the law
// q of the final state of the forward chain. It is no statement about any other way in
// which the kernel may be used, such as one long chain. A few chains may carry that mean:
// where they alone make it bad, the verdict is about the bound without the worst hundredth of
// forward chains (trimmed.go), and is a warning.
//
// Errors. The reverse chains of a data set share their start, so that chains are no
// independent replicates; data sets are. Means, standard errors and bootstrap intervals are
// taken over data sets, and with one data set they are conditional on it and its exact draw.
//
// Tests that need no log p(y). (a) For each data set E[exp(f) exp(-r)] = 1 over forward
// values f and reverse values r, whatever their numbers of steps, so the product of the
// two mean exponentials is an e-value: by Markov's inequality its reciprocal bounds a
// p-value. Lengths count alike, the reverse chain of one step is always among them: its
// value is log p(y | theta*), which no mixing can repair where a kernel is wrong. Over data
// sets: Bonferroni. (b) Given the unordered pair of the first forward and the first
// reverse value of a data set, the larger is the reverse one with probability
// 1/(1 + exp(-|difference|)); the number of such data sets is tested against its exact
// distribution, for each number of steps. (c) The logistic regression of which is the
// reverse one on the difference has slope 1; its score there is tested likewise.
// (d) The rank of the exact draw among the states of forward chains, by their weights, is uniform
// (ranks.go); Fisher's combination over data sets. All p-values are adjusted by Holm's method.
//
// The estimate of log p(y) is Bennett's acceptance ratio over the longest chains.
//
// Source: Grosse, Ancha and Roy, "Measuring the reliability of MCMC inference with
// bidirectional Monte Carlo" (2016); Bennett (1976) for the estimate; Andrieu, Doucet and Holenstein,
// "Particle Markov chain Monte Carlo methods" (2010), for the law behind (d); the e-value, the
// pair test and the data set as unit of error are ours.
//
// Same seed, same figures but for the seconds, whatever the number of goroutines.
package bread
