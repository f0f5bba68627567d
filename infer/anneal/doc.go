// Package anneal has what methods that move from one density to another share:
// paths, schedules, kernels tuned along a path and frozen, and teams of
// goroutines.
//
// A path joins a density f_0 that can be drawn from to the posterior f_1:
//
//	log f_b = prior + b * likelihood,   0 <= b <= 1,
//
// for f_0 the prior. With f_0 a fitted approximation q the same form holds with
// "prior" = log q and "likelihood" = log p(theta, y) - log q, so everything here
// works on infer.Tempered alone; Between makes one of a q. All parts are
// normalised, so that the integral of f_1 is p(y).
//
// A Mover is any Markov method's kernel at work on a path. Its tuning is a
// Tuning: a table over b that a pilot run filled and that is never changed
// afterwards, since a kernel that adapts leaves no density unchanged. Forward
// takes an exact draw of f_0 to an approximate one of the posterior, Reverse an
// exact draw of the posterior back; both sum the increments
// (b_i - b_{i-1}) * likelihood. With n = len(betas)-1 of them:
//
//   - forward: x_0 ~ f_0; for i = 1..n add the increment at x_{i-1}, then
//     x_i ~ K_i. The mean of exp(sum) is p(y), so the mean of sum is at most
//     log p(y).
//   - reverse: z_n ~ posterior; for i = n..1 add the increment at z_i, then
//     z_{i-1} ~ K'_{i-1}, with K' the time reversal of the forward kernel
//     with the same tuning. The mean of exp(-sum) is 1/p(y), so the mean of sum
//     is at least log p(y). (The move at b_n that the proof begins with leaves
//     the law unchanged and is left out unless asked for; the one at b_0 moves
//     nothing that counts.)
//
// Neal, "Annealed importance sampling" (2001); Grosse, Ancha and Roy,
// "Measuring the reliability of MCMC inference with bidirectional Monte Carlo"
// (2016). n counts increments, where the latter counts distributions.
//
// Ownership. Path, Mover and Between belong to one goroutine. A Tuning is
// read-only once made. A WorkerPool belongs to one goroutine and hands its movers to
// others.
package anneal
