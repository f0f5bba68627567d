// Package sgld is stochastic-gradient Langevin dynamics (Welling and Teh 2011): a
// Markov chain whose steps see only a minibatch of the likelihood's terms.
//
// On the unconstrained scale, with g the gradient of the log density estimated from n
// of N terms drawn without replacement, a step is
//
//	q <- q + e/2 G g + sqrt(e) G^(1/2) z,   z standard normal
//
// without a Metropolis test; where the drift is more than 10 d^(1/2) times as long as the
// noise on average in d dimensions, it is cut to that length. G is 1, or with the preconditioner "rmsprop"
// 1/(sqrt(v) + 1e-5 max sqrt(v)) in each coordinate, v being the moving average
// (weight 0.01) of g^2: that of Li et al., "Preconditioned stochastic gradient Langevin
// dynamics" (2016), scaled so that the least entry of G is 1. A step to where there is
// no density is not made; it is recorded as a divergence.
//
// The step size e is constant, or a (b + t)^-gamma at step t after warm-up, with a such
// that it starts at the step size.
//
// # Control variates
//
// With a point a near the posterior's centre the estimate can be g(a) + g_B(q) - g_B(a), g
// the gradient of all terms and g_B that of a batch: unbiased as before, but only what
// changes between a and q has noise (Baker, Fearnhead, Fox and Nemeth, "Control variates
// for stochastic gradient MCMC", 2019). In the middle of the warm-up a is set 10 times, to
// the mean of the points since the last time, which costs a full gradient each time. As a
// step then costs two gradients, control variates are used if they allow steps more than
// twice as long, and not at all with Control off.
//
// # Bias
//
// At a finite step the chain does not leave the posterior invariant. Where that is
// normal with variance 1/h, and the estimated gradient has variance c, the chain's
// variance is exactly
//
//	(1/h) (1 + e c/4) / (1 - e h/4)
//
// so that it is too large by a share of about e (h + c)/4; the mean is right. Unless it
// is given, the step size is such that this share is a tenth in the worst direction:
// e = 0.4 over the largest eigenvalue of H + C, H being minus the Hessian and C the
// covariance of the gradient's estimate, both estimated from batches where the chain
// is. That is done 10 times in the middle of the warm-up; the last 5 estimates' geometric
// mean is taken. Before that, on the way to the posterior, where the gradient is large
// and its noise is, too, the step is 1 over the largest eigenvalue of H, or shorter, so
// that the drift leads no farther than 1. But for the control variates' points neither this
// nor a step costs more than in proportion to the batch; only the prior is evaluated in full.
//
// Deviations: draws are not weighted by their step size where that falls (Welling and
// Teh do); the preconditioner is fixed after warm-up, where Li et al. go on adapting it
// and leave out the drift that this asks for, which is a bias of its own; batches are
// drawn anew at each step rather than by epochs, as the closed form above supposes.
//
// The log density that goes with a draw is the minibatch's estimate.
//
// A chain belongs to one goroutine.
package sgld
