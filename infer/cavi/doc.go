// Package cavi is coordinate ascent variational inference over the full conditionals
// that the model supplies.
//
// The log joint density is a sum of products of block statistics (infer.Factorisable),
// and the approximation is a product of factors, one for each block. In a cycle each
// block i in turn gets the factor
//
//	q_i(t) proportional to exp E[log p(t, rest)],
//
// the expectation being over the other factors: its natural parameters are those of the
// block's full conditional with statistics of the other blocks replaced by their
// expectations. By the duality formula this maximises the evidence lower bound over q_i,
// so that the bound, which is computed after each cycle, never falls except by rounding.
//
//	conditional                        factor
//	normal, gamma, inverse gamma,      in closed form
//	beta, Dirichlet, Wishart,
//	inverse Wishart, normal-gamma,
//	normal-inverse gamma
//	of a whole number                  enumerated
//	of one number, of no known form    on a grid (trapezoidal rule in asinh of the free
//	                                   coordinate, refined until its normaliser is
//	                                   exact to 1e-12), or normal at its mode on the
//	                                   free scale with Laplace set
//
// All but Laplace's factors are the maximisers themselves. With a Laplace factor the
// bound is still computed exactly but may fall, and the report names these factors.
//
// The start is a point: statistics begin with their values there, those of whole
// numbers with the mean over all values. Whole numbers come first in a cycle. It ends when in a
// cycle no number's mean moved by more than Tolerance of its factor's standard
// deviation, and no standard deviation and no probability by more than that. Mixtures
// have many fixed points, so several random starts are made, until two of them reach the
// same bound, and the greatest is kept.
//
// The result is the product of the factors as a density on the free scale, with draws;
// grids become densities whose logarithm is linear between their points. With it come
// the quantities of the duality paper: see infer.Duality. The evidence that they need is
// computed by quadrature where the model has at most two blocks and integrating one of
// them out leaves one number; else it is estimated from importance weights, with its
// error. The lower bound on a factor's divergence of Corollary 6.1(b) is not computed:
// it is never above 0, by Jensen's inequality.
//
// A model of one coordinate has one block whatever its density is. Others that supply
// no factorisation are refused.
//
// Source: Lee, "Gibbs sampler and coordinate ascent variational inference: a
// set-theoretical review" (2021), algorithm 2; Bishop, "Pattern recognition and machine
// learning" (2006), section 10.1. Deviations: the stopping rule, and grids for
// conditionals without a form.
//
// A Method is immutable; everything else belongs to one run.
package cavi
