package examples

// This file is workload D2 by hand (handwritten_test.go).

import "math"

// States is the number of hidden states of workload D2.
const States = 4

// HMM is workload D2: a hidden Markov chain summed out by the forward algorithm in the
// log domain. The point is four simplexes as isometric log ratios, the ordered means as
// the first and the logarithms of the differences, log(sigma).
type HMM struct {
	y      []float64
	basis  [States][States - 1]float64 // orthonormal, orthogonal to the constant vector
	weight [][States][States]float64   // time, to, from: share of a predecessor
	emit   [][States]float64           // (y - mu)/sigma
	theta  [States][States]float64     // transition probabilities, from, to
	dtheta [States][States]float64     // derivative with respect to their logarithms
}

// newHMM takes the observations.
func newHMM(y []float64) *HMM {
	m := &HMM{y: y, weight: make([][States][States]float64, len(y)), emit: make([][States]float64, len(y))}
	for c := range States - 1 {
		n := float64(c + 1)
		scale := 1 / math.Sqrt(n*(n+1))
		for r := range c + 1 {
			m.basis[r][c] = scale
		}
		m.basis[c+1][c] = -n * scale
	}
	return m
}

// simplex fills row j of theta with softmax(basis * free), gives the logarithms of the
// row and the log Jacobian.
func (m *HMM) simplex(j int, free []float64) (logs [States]float64, logJacobian float64) {
	sum := 0.0
	for k := range States {
		z := 0.0
		for c, f := range free {
			z += m.basis[k][c] * f
		}
		logs[k] = z
		m.theta[j][k] = math.Exp(z)
		sum += m.theta[j][k]
	}
	norm := math.Log(sum)
	for k := range States {
		logs[k] -= norm
		m.theta[j][k] /= sum
	}
	return logs, -States*norm + 0.5*math.Log(States)
}

// Gradient fills grad and returns the log density.
func (m *HMM) Gradient(q, grad []float64) float64 {
	const free = States * (States - 1)
	var logTheta [States][States]float64 // to, from
	lp := 0.0
	for j := range States {
		logs, logJacobian := m.simplex(j, q[j*(States-1):(j+1)*(States-1)])
		lp += logJacobian
		for k, l := range logs {
			logTheta[k][j] = l
		}
	}
	var mu, gap [States]float64 // means, and differences of neighbours
	mu[0] = q[free]
	for k := 1; k < States; k++ {
		gap[k] = math.Exp(q[free+k])
		mu[k] = mu[k-1] + gap[k]
		lp += q[free+k]
	}
	logSigma := q[free+States]
	sigma := math.Exp(logSigma)
	lp += logSigma - halfLog2Pi - 0.5*sigma*sigma
	for k := range States {
		lp -= 0.5*mu[k]*mu[k]/25 + halfLog2Pi + math.Log(5)
	}

	logs, gamma := m.forward(&logTheta, &mu, sigma, logSigma)
	lp += logs
	dmu, dsigma := m.backward(gamma, sigma)

	for j := range States {
		m.simplexGradient(j, grad[j*(States-1):(j+1)*(States-1)])
	}
	tail := 0.0
	for k := States - 1; k >= 0; k-- {
		tail += dmu[k] - mu[k]/25
		if k == 0 {
			grad[free] = tail
		} else {
			grad[free+k] = tail*gap[k] + 1
		}
	}
	grad[free+States] = (dsigma-sigma)*sigma + 1
	return lp
}

// forward returns the log likelihood and the probabilities of the last state.
func (m *HMM) forward(logTheta *[States][States]float64, mu *[States]float64, sigma, logSigma float64) (float64, [States]float64) {
	var gamma, next, share [States]float64
	inv := 1 / sigma
	constant := -halfLog2Pi - logSigma
	for t, y := range m.y {
		for k := range States {
			e := (y - mu[k]) * inv
			m.emit[t][k] = e
			if t == 0 {
				next[k] = constant - 0.5*e*e - math.Log(States)
			} else {
				next[k] = constant - 0.5*e*e + logSumExp(&gamma, &logTheta[k], &m.weight[t][k])
			}
		}
		gamma = next
	}
	var zero [States]float64
	return logSumExp(&gamma, &zero, &share), share
}

// logSumExp returns log(sum(exp(a+b))), and each term's share of the sum.
func logSumExp(a, b, share *[States]float64) float64 {
	top := math.Inf(-1)
	for j := range a {
		share[j] = a[j] + b[j]
		top = max(top, share[j])
	}
	sum := 0.0
	for j := range share {
		share[j] = math.Exp(share[j] - top)
		sum += share[j]
	}
	for j := range share {
		share[j] /= sum
	}
	return top + math.Log(sum)
}

// backward returns the derivatives with respect to mu and sigma, and fills dtheta.
// adjoint are those with respect to the log probabilities of the states at a time.
func (m *HMM) backward(adjoint [States]float64, sigma float64) (dmu [States]float64, dsigma float64) {
	m.dtheta = [States][States]float64{}
	for t := len(m.y) - 1; t >= 0; t-- {
		var before [States]float64
		for k, a := range adjoint {
			e := m.emit[t][k]
			dmu[k] += a * e / sigma
			dsigma += a * (e*e - 1) / sigma
			if t == 0 {
				continue
			}
			for j, w := range &m.weight[t][k] {
				before[j] += a * w
				m.dtheta[j][k] += a * w
			}
		}
		adjoint = before
	}
	return dmu, dsigma
}

// simplexGradient takes the derivative back to the free numbers of row j, the log
// Jacobian's included.
func (m *HMM) simplexGradient(j int, grad []float64) {
	total := float64(States) // of dtheta, and one for each log in the Jacobian
	for _, d := range &m.dtheta[j] {
		total += d
	}
	for c := range grad {
		g := 0.0
		for k := range States {
			g += m.basis[k][c] * (m.dtheta[j][k] + 1 - total*m.theta[j][k])
		}
		grad[c] = g
	}
}
