// Package gvi is generalised variational inference (method gvi) and variational
// inference with another divergence to the posterior (method fvi).
//
// gvi is Knoblauch, Jewson and Damoulas, "Generalized variational inference"
// (2019): of a family of densities q it takes the one with the least
//
//	E_q[sum of the losses of the data] + D(q || prior)
//
// where loss, divergence D and family are chosen independently. The loss nll
// with D = kl(1) is ordinary variational inference. Robust losses need the data's
// densities one by one (infer.Observed); with p = p(y_i|x) and I_c the
// integral of p(z|x)^c over z they are
//
//	beta(b)   -p^(b-1)/(b-1) + I_b/b
//	gamma(g)  -g/(g-1) p^(g-1) I_g^(-(g-1)/g)
//
// or the loss is an expression of the model's scope, whose numbers are added up.
// Divergences are those of package divergence. fvi minimises, by name,
//
//	renyi(a)  -1/(1-a) log E_q[(p(y,x)/q)^(1-a)], minus the bound of Li and
//	          Turner, "Renyi divergence variational inference" (2016)
//	alpha(a)  -1/(1-a) sum over i of log E_q[(p(y_i|x) (pi/q)^(1/n))^(1-a)], the
//	          energy of Hernandez-Lobato et al., "Black-box alpha-divergence
//	          minimization" (2016), whose alpha is 1-a here
//
// Both tend to minus the evidence lower bound as a tends to 1, and are it for 1.
//
// # Families and points
//
// Families are normals on the unconstrained scale: meanfield, fullrank and
// lowrank (diagonal plus a matrix of low rank), x = x(e) with standard normal e, or
// mixtures of meanfield normals (mixture.go), whose points are those of each component.
// Expectations are sums over points e that stay fixed while the parameters move,
// so the objective is a smooth function with an exact gradient, and L-BFGS takes
// it to its optimum (Giordano, Ingram and Broderick, "Black box variational
// inference with a deterministic objective", 2024). Up to two dimensions of noise
// the points are those of Gauss-Hermite quadrature and the result is exact but
// for rounding. Otherwise they are random: pairs e and -e, given unit covariance
// where they are enough for that, which makes expectations of quadratic losses
// exact. A stage goes to the optimum on its points, and the next one has four
// times as many, drawn anew.
//
// The fit has converged when from one stage to the next the result moved by less
// than 2*Tolerance times the root of 5: by the root of the Jeffreys divergence per
// coordinate, which is the root mean square shift of a mean in standard deviations,
// or change of a log scale. Since errors fall with the root of the number of
// points, that of the later stage is then below 2*Tolerance. It also ends with
// Iterations steps of L-BFGS over all stages, or where more than 65536 points would
// come next; the report says which. It starts from the normal that Pathfinder
// finds for the posterior, and the parameters are taken relative to it.
//
// # Divergences in closed form and from points
//
// A prior is recognised as normal on the unconstrained scale if its gradient is
// affine, which is tried at random points to nine digits, and its density that of
// the normal with these moments. Then D is taken in closed form. For meanfield and a
// prior under which all coordinates are independent, tried in the same way, log
// G(a, b) is the sum of those of the coordinates, which are in closed form where
// normal and by quadrature otherwise. In all other cases D is
// estimated at the points: G(a, b) = E_q[q^(a-1) pi^b], with the part that q
// alone has, G(a, 0), in closed form where it is. An integral that is infinite
// does not show at points. Integrals of the prior alone do not move the optimum
// (but that of abr with r other than 1): they come from 10000 draws of the prior,
// and for an improper one gamma leaves them out.
//
// With a divergence for each parameter the prior must make the parameters
// independent, which is tried at random points, and the family is meanfield; what
// is not named has kl(1). The family conjugate has its own essay (conjugate.go).
//
// The optimum of a Renyi or alpha divergence with a < 1 from random points exists
// only near the right one: with few points a value is best where q is ever wider
// in a direction in which one of them does not move. So a fit with points first
// goes to the optimum with KLD, begins with more points, and takes a stage again,
// with more of them, whose result rests on fewer than five.
//
// kl, renyi and alpha are the same on every scale. For beta, gamma and abr on the
// declared scale, q and prior are both divided by the Jacobian of the
// constraints, so that they are densities of the declared parameters.
//
// # Score functions
//
// All of that is the default, estimator = "reparametrised". The paper's four black-box
// estimators (estimator.go) need no gradient of the loss; "score" takes the one that two
// flags choose: a2, that the loss is a sum over the factors of q, which is so where the
// family has one factor or the model is infer.Additive; and a3, that D is a multiple of
// KLD. Their noise asks for stochastic steps (descent.go). They are here for comparison and
// for losses whose gradient is of no use; where both serve, the default takes a hundredth of
// the evaluations and is exact to more digits.
//
// # Deviations
//
// The papers use stochastic gradients with fixed step sizes, which are there, too, for networks and minibatches
// (adam.go). The paper's algorithms for
// black boxes ascend where the objective is to be minimised, and print log q where its
// gradient is the control variate. The objectives here
// count all constants. ELBO in the report is the evidence lower bound that q has,
// whatever was minimised; Objective is what was, and the trace is of it.
//
// A Method is immutable; everything else belongs to one run and one goroutine.
package gvi
