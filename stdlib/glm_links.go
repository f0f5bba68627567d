// The links of the generalised linear models with one predictor.

package stdlib

import "math"

func normalLink(b glmBlock, eta, d []float64) float64 {
	sum, logSigma := 0.0, 0.0
	common := len(b.extra) == 1
	if common {
		logSigma = math.Log(b.extra[0]) * float64(len(eta))
	}
	for i, e := range eta {
		sigma := argAt(b.extra, i)
		z := (argAt(b.y, i) - e) / sigma
		sum -= 0.5 * z * z
		if !common {
			logSigma += math.Log(sigma)
		}
		d[i] = z / sigma
		if b.dy != nil {
			addArgAt(b.dy, i, -b.adj*d[i])
		}
		if b.dextra != nil {
			addArgAt(b.dextra, i, b.adj*(z*z-1)/sigma)
		}
	}
	return sum - logSigma - float64(len(eta))*halfLogTwoPi
}

// bernoulliLink gathers prod (1 + exp(-|eta|)) before taking its logarithm, as each
// factor is between 1 and 2.
func bernoulliLink(b glmBlock, eta, d []float64) float64 {
	const most = 1e150
	sum, product := 0.0, 1.0
	one := len(b.y) == 1
	for i, t := range eta {
		y := b.y[0]
		if !one {
			y = b.y[i]
		}
		if y == 0 {
			t = -t // the log odds of what was seen
		}
		e := math.Exp(-math.Abs(t))
		miss := 1 / (1 + e) // the chance of what was not seen
		if t > 0 {
			miss *= e
		} else {
			sum += t
		}
		if len(eta) == 1 {
			sum -= math.Log1p(e)
		} else if product *= 1 + e; product > most {
			sum -= math.Log(product)
			product = 1
		}
		if y == 0 {
			miss = -miss
		}
		d[i] = miss
	}
	return sum - math.Log(product)
}

func poissonLink(b glmBlock, eta, d []float64) float64 {
	sum := 0.0
	for i, e := range eta {
		y := argAt(b.y, i)
		mean := math.Exp(e)
		d[i] = y - mean
		if y < 256 && mean <= math.MaxFloat64 {
			sum += y*e - mean - logFactorial(y)
			continue
		}
		b.point[0], b.point[1] = y, e
		sum += poissonLogLog(b.point[:2], nil)
	}
	return sum
}

func negBinomialLink(b glmBlock, eta, d []float64) float64 {
	sum, logPhi := 0.0, math.Log(b.extra[0])
	for i, e := range eta {
		phi := argAt(b.extra, i)
		if len(b.extra) > 1 {
			logPhi = math.Log(phi)
		}
		v, de, dPhi := negBinomialMass(argAt(b.y, i), e, e-logPhi, phi)
		sum += v
		d[i] = de
		if b.dextra != nil {
			addArgAt(b.dextra, i, b.adj*dPhi)
		}
	}
	return sum
}

func binomialLink(b glmBlock, eta, d []float64) float64 {
	sum := 0.0
	x, dx := b.point[:3], b.point[3:6]
	for i, e := range eta {
		x[0], x[1], x[2] = argAt(b.y, i), argAt(b.trials, i), e
		sum += binomialLogitLog(x, dx)
		d[i] = dx[2]
	}
	return sum
}
