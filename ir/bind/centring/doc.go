// Package centring finds location-scale effects in a recorded log density, and writes the change of variables
// between the program's coordinates and partly centred ones.
//
// An effect is a set of coordinates with a location mu and a scale sigma, which depend on other
// coordinates. It is centred where the coordinates have them,
//
//	q ~ normal(mu, sigma),
//
// and non-centred where what is made of the coordinates has them,
//
//	q ~ normal(0, 1), x = mu + sigma q.
//
// With lambda between 0, which is as the program has it, and 1, which is the other way, the coordinates
//
//	z = sigma^-lambda (q - mu) + (1 - lambda) mu     of a centred effect, and
//	z = sigma^lambda q + lambda mu                   of one that is not,
//
// are those of Gorinova, Moore and Hoffman, "Automatic Reparameterisation of Probabilistic Programs"
// (2019, section 4). Given mu and sigma both are affine, q = a z + b, so that the density changes by the
// product of a alone.
package centring
