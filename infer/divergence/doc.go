// Package divergence has the divergences between densities that generalised
// variational inference chooses from, with their gradients.
//
// With q the approximation, pi the prior and
//
//	G(a, b) = integral of q^a pi^b
//
// (Knoblauch, Jewson and Damoulas, "Generalized variational inference", 2019,
// appendix; corrected where the text is in error):
//
//	kl(w)       KLD/w, KLD = E_q[log q - log pi]
//	renyi(a)    log G(a, 1-a) / (a(a-1)): the usual Renyi divergence over a
//	alpha(a)    (1 - G(a, 1-a)) / (a(1-a)); at most 1/(a(1-a)) for a < 1
//	beta(b)     G(b,0)/(b(b-1)) + G(0,b)/b - G(1,b-1)/(b-1)
//	gamma(g)    [log G(g,0) + (g-1) log G(0,g) - g log G(1,g-1)] / (g(g-1))
//	abr(a,b,r)  [(1 + D)^r - 1] / (a(b-1)(a+b-1) r), with s = a+b-1 and
//	            D = a G(s,0) + (b-1) G(0,s) - s G(a,b-1)
//
// Orders are positive, and those of abr are further limited: a b' s times D, b' = b-1, is
// the alpha-beta divergence of Cichocki, which is not negative. So D has the sign of
// a b' s. With b > 1 it is positive, 1 + D at least 1, and abr a divergence for every r.
// With b < 1 it is negative without bound where q and pi are far apart, so that the power
// r of 1 + D is none but for r = 1, which is linear in D. With s <= 0, G(s,0) is infinite
// unless the support is bounded. All others are divergences at every positive order: renyi
// and alpha by Jensen's inequality, beta as a Bregman divergence, gamma by Hölder's.
//
// An order of exactly 1 of the first five stands for the limit, KLD. kl, renyi
// and alpha do not depend on the scale that densities are taken on; beta, gamma
// and abr do.
//
// Everything is a function of KLD and the logs of a few G, so a divergence asks
// nothing more of two densities: that is a Pair. Pairs here are
//
//   - Exponential: two members of an exponential family, in closed form: normal,
//     log-normal, normal-inverse-gamma, which has the gamma and the inverse gamma
//   - Gaussian: two multivariate normals, in closed form
//   - Sampled: densities known at weighted points of q: Monte Carlo, quadrature
//   - Product: independent parts, each a pair
//
// A Pair knows derivatives of its integrals by the parameters of q, and
// Gradient combines them. Divergences are immutable; pairs have scratch memory
// and belong to one goroutine.
package divergence
