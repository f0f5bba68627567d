// Package mh is Metropolis-Hastings with random-walk proposals that learn the
// shape of the target during warm-up.
//
// Of the coordinates of a target, all on the unconstrained scale, the last may
// be whole numbers (infer.Mixed). A transition is a sequence of moves; each
// proposes q', symmetrically around the present q, and takes it with
// probability min(1, f(q')/f(q)). No gradient is used.
//
//   - Adaptive: one move of all real coordinates at once, q' = q + s L z with z
//     standard normal, then one move of each whole number.
//   - Single: one move of each coordinate after the other, real ones by
//     q_i' = q_i + w_i z.
//
// A whole number with few values (16 at most) moves to one of the others at
// random; with more, by the steps ceil(w |z|) up or down; a step out of its
// range stays.
//
// During warm-up (step i from 0, gain g = (i + 10 + 2 n)^-0.66) the mean and
// the covariance L L' follow the states as moving averages of gain g, and
// log s moves by g (a - a*), a the acceptance probability of the step. That is
// algorithm 4 of Andrieu and Thoms, "A tutorial on adaptive MCMC" (2008). Each
// w_i moves likewise by the acceptance of its own moves, their section 5.2.
// The acceptance aimed at is 0.44 for a single coordinate and falls to 0.234
// as dimensions grow (Roberts and Rosenthal 2001). After warm-up the proposal
// is fixed, so that the chain has the target as its law; the memory of the
// moving averages is polynomial, so that the way from the starting point is
// forgotten.
//
// Each move leaves the target invariant and is its own reversal. A sweep of
// moves has the sweep in the opposite order as its reversal (Kernel.Pair).
//
// Deviations: the gain starts later than the paper's, so that rejections in
// the first steps do not collapse the covariance; before the first step s (or
// w) is halved until one proposal in five from the starting point is accepted.
//
// A Kernel and its Tuner belong to one goroutine.
package mh
