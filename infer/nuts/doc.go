// Package nuts is the No-U-Turn sampler as Stan runs it.
//
// A transition draws a momentum and follows the Hamiltonian flow from the
// present position, back and forth in time, in a trajectory that doubles
// until it turns back on itself:
//
//  1. Choose a direction at random and build, from that end of the trajectory,
//     a subtree with as many leapfrog steps as the trajectory has points.
//  2. If the subtree diverged or turned inside, drop it and stop.
//  3. Move the proposal into the subtree with probability min(1, w/W), where w
//     and W are the subtree's and the old trajectory's total weights
//     exp(-energy) (biased progressive sampling: it prefers the far end).
//     Inside a subtree, the proposal of the later half wins with its share of
//     the weight (multinomial sampling).
//  4. Stop if the joined trajectory turns, or at the maximum depth.
//
// A stretch of trajectory turns if the sum rho of its momenta no longer has a
// positive product with the velocity at both of its ends. When two stretches
// are joined, three such checks are made: over the whole, over the first
// stretch with the first point of the second, and over the last point of the
// first stretch with the second. The extra two catch turns that fall between
// the stretches, as in trajectories with period just above the step.
//
// Sources: Hoffman and Gelman, "The No-U-Turn sampler" (2014); Betancourt, "A
// conceptual introduction to Hamiltonian Monte Carlo" (2017), appendix A, for
// multinomial sampling and the criterion; the Stan reference manual, "MCMC
// sampling", for the extra checks and all constants.
//
// WALNUTS (Bou-Rabee, Carpenter, Kleppe and Liu, "The within-orbit adaptive leapfrog No-U-Turn sampler", 2025;
// arXiv 2506.18746) replaces the leapfrog step of the trajectory by 1, 2, 4, ... leapfrog steps of the
// same length in all: the least number that keeps the energies at all of them within max_error nats of each other.
// Where a step from its end back would be made by another number, the trajectory ends before it, as before a
// turn: so a trajectory is the same from whichever of its points it is built, and each point is drawn by its density. This is the
// variant without random numbers of halvings. The step size is tuned so that the share delta
// of steps needs no division.
//
// The plain sampler may do the same in sampling alone (Options.MaxHalvings), with a bound of several nats: its warm-up and its
// acceptance statistic stay those of NUTS, and only steps that would leave a point without weight are divided.
//
// Deviations: none in law. Random numbers are used in another order than in
// Stan, so chains differ draw by draw. For annealing there is an exactly
// reversible variant, see Kernel.Pair.
//
// Ownership. A Kernel belongs to one goroutine. Its points are reference
// counted and recycled, so that a transition copies no vectors but the first
// and last position and allocates nothing once the pool is filled.
package nuts
