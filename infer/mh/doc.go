// Package mh is Metropolis-Hastings with random-walk proposals that learn the
// shape of the target during warm-up.
//
// Of the coordinates of a target, all on the unconstrained scale, the last may
// be whole numbers (infer.Mixed). A transition is a sequence of moves; each
// proposes q', symmetrically around the present q, and takes it with
// probability min(1, f(q')/f(q)). No gradient is used.
//
//   - Adaptive: moves of all real coordinates at once, q' = q + s L z with z standard
//     normal, as many as there are of them; then one move of each whole number.
//     From 64 coordinates on, the steps of a transition are made before its first move, as one
//     product of matrices.
//   - Single: one move of each coordinate after the other, real ones by
//     q_i' = q_i + w_i z.
//
// A whole number with few values (16 at most) moves to one of the others at
// random; with more, by the steps ceil(w |z|) up or down; a step out of its
// range stays.
//
// So both evaluate the density once for each coordinate in a transition.
//
// The first quarter of an adaptive warm-up moves one coordinate after the other, since
// that finds the coordinates' scales from anywhere. From a twentieth of the warm-up on
// the mean and the covariance L L' follow the states, starting from the w_i, as moving
// averages of gain 2/(k + 10 + 2 n) at state k: a state's weight grows with k, so that
// the way from the starting point is forgotten and yet three quarters of the states
// count. With the joint moves, log s moves by g times the excess of the acceptance
// probability over a*, summed over the moves and divided by sqrt(n), g = (k + 10 +
// 2 n)^-0.66. This is algorithm 4 of Andrieu and Thoms, "A tutorial on adaptive MCMC"
// (2008), but for the gains and the beginning. Each w_i moves likewise by the acceptance
// of its own moves, with g = (i + 10)^-0.66 at step i, their section 5.2.
// The acceptance aimed at is 0.44 for a single coordinate and falls to 0.234
// as dimensions grow (Roberts and Rosenthal 2001). After warm-up the proposal
// is fixed, so that the chain has the target as its law.
//
// Each move leaves the target invariant and is its own reversal. A sweep of
// moves has the sweep in the opposite order as its reversal (Kernel.Pair).
//
// Before the first step w (or, without sweeps, s) is halved until one proposal in five
// from the starting point is accepted. With a step size given or adopted there are no
// sweeps: s starts there.
//
// A Kernel and its Tuner belong to one goroutine.
package mh
