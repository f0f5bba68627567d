// Package optimize finds modes with L-BFGS, and has the method map.
//
// Each iteration minimises f = -log density along a direction:
//
//  1. The direction is -H g. H is the inverse Hessian that the last few steps
//     s and gradient changes y imply, built by the two-loop recursion from the
//     multiple y's/y'y of the unit matrix. Pairs with y's <= 1e-12 |y|^2 are
//     left out.
//  2. The line search tries step 1 (the first time, a step of length at most
//  1. and looks for the strong Wolfe conditions with c1 = 1e-4, c2 = 0.9:
//     first it brackets, then it narrows the bracket by cubic interpolation.
//     Points where the log density is rejected count as infinitely bad.
//  3. If no point satisfies them the history is dropped and the steepest
//     descent tried; if that fails too, the search is over.
//
// It stops when one of CmdStan's rules holds (f and f' the old and new value,
// g the new gradient, eps the machine epsilon):
//
//	|f - f'| < TolObj
//	|f - f'| / max(|f|, |f'|, 1) < TolRelObj
//	|g| < TolGrad
//	g'Hg / max(|f'|, 1) < TolRelGrad
//	|x - x'| < TolParam
//
// Sources: Nocedal and Wright, "Numerical optimization" (2006), algorithms
// 3.5, 3.6 and 7.4; the CmdStan guide, "Optimization", for the rules.
//
// Deviations: where a rule holds but g'Hg/2 still promises more than 1e-7 nats,
// which the relative rules allow when |f| is large and TolParam when parameters
// are small, up to twenty more iterations are made. CmdStan's first step is
// 0.001 times the gradient, ours has at most length 1. Near the mode, where f no
// longer resolves the decrease, the conditions are taken with a slack of a few
// hundred roundings of f, so that the gradient's accuracy decides and not the
// value's.
//
// The package's functions keep no state and may be called from anywhere.
package optimize
