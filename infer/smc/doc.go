// Package smc is tempered sequential Monte Carlo: a population of particles
// that moves from the prior to the posterior through the densities
// prior * likelihood^b, with the kernel of any Markov method.
//
// One draw of the prior for each of N particles, b = 0. Then, until b = 1:
//
//  1. The next b' is the largest at which the conditional effective sample
//     size of the incremental weights w = likelihood^(b' - b), that is
//     (sum w)^2 / sum w^2, is still threshold * N (bisection; the particles
//     weigh the same, so it equals the plain one). 1 ends the search.
//  2. The mean weight goes into the evidence: p(y) is the product of them.
//  3. Systematic resampling by w; all weights are equal again.
//  4. The kernel is tuned at b': Tune steps of its own warm-up, each started
//     from a particle picked at random, beginning with what was learned at b;
//     then it is frozen.
//  5. Each particle moves by Moves steps of the kernel.
//
// The draws are the particles at b = 1, equally weighted.
//
// Waste-free (Dau and Chopin 2022; the default): the points after each of the
// Moves steps count for steps 1 to 3, not only those after the last. This costs
// nothing and divides the variance of the evidence by nearly as much as the
// kernel mixes. The prior is drawn from N * Moves times. Without it, only the
// last points count.
//
// Error of the evidence. To first order the error of its log is the sum, over
// rounds and points, of w/(sum of w) - 1/(number of points). All points
// descend from independent draws of the prior, so the sums over the descendants
// of each are independent but for the resampling, and their squares add up to
// the variance. Without the waste-free option this is the estimate of Chan and
// Lai (2013) and Lee and Whiteley (2018) for a resampling without noise of its
// own. It sees a kernel that does not mix, since then relatives stay alike.
//
// Sources: Del Moral, Doucet and Jasra (2006); Jasra, Stephens, Doucet and
// Tsagaris (2011) for the adaptive temperatures; Dau and Chopin, "Waste-free
// sequential Monte Carlo" (2022).
//
// Deviations: Dau and Chopin resample fewer particles and count the points that
// they start from as well. Since temperatures and tuning adapt to the particles, the mean of
// the estimated p(y) is p(y) only as N grows, as for every adaptive sampler of
// this kind.
//
// Same seed, same bytes: particle slots have random streams of their own.
package smc
