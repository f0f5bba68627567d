// Package hmc holds what Hamiltonian samplers share (the metric, the leapfrog
// integrator, and the adaptation of Stan's warm-up) and the simplest of them:
// static Hamiltonian Monte Carlo, the method "hmc" (see Kernel).
//
// The target's log density is minus a potential energy. A momentum p with
// kinetic energy p' M^-1 p / 2 is added, where M^-1 (the inverse metric) is an
// estimate of the target's covariance; the leapfrog integrator then moves
// (q, p) along curves of almost constant energy H = -log density + kinetic.
// See Neal, "MCMC using Hamiltonian dynamics" (2011), and Betancourt, "A
// conceptual introduction to Hamiltonian Monte Carlo" (2017).
//
// A Hamiltonian with its Metric belongs to one chain. A Tuner writes to the
// Hamiltonian that a kernel reads; both run in the chain's goroutine.
package hmc
