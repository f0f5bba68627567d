// This file defines location-scale effects and coordinates that are partly centred, and how
// these are learned from draws.

package infer

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// An Effect is a set of coordinates with locations and scales that depend on other coordinates.
type Effect struct {
	Name        string // of the parameter
	Coordinates []int  // positions in q
	Centred     bool   // as the program has it
}

// Written is the form of an effect in the program: "centred" or "non-centred".
func (e *Effect) Written() string {
	if e.Centred {
		return "centred"
	}
	return "non-centred"
}

// Centrable is a Model that knows its location-scale effects.
type Centrable interface {
	Model
	// Effects returns the effects; nil where there are none. The caller must not change them.
	Effects() []Effect
	// NewCentredEvaluator makes an evaluator for one goroutine, of a model with effects.
	NewCentredEvaluator() CentredEvaluator
}

// A CentredEvaluator is an Evaluator of coordinates z, which are the model's coordinates q but for
// those of effects: q = a z + b there, where a and b depend on location and scale and on lambda. Lambda is 0
// at first: z is q.
type CentredEvaluator interface {
	Evaluator
	BatchTarget
	// Lambda is that of each coordinate of the effects, in order, between 0, as the program has it, and 1,
	// the other way. The caller must not change it.
	Lambda() []float64
	// SetLambda sets it; the slice is kept.
	SetLambda(lambda []float64)
	// Original fills q with the model's coordinates at z, and returns the logarithm of the
	// Jacobian determinant, by which the log density at z is greater than that at q.
	Original(z, q []float64) (logJacobian float64, err error)
	// Places fills location and scale of each coordinate of the effects at q.
	Places(q, location, scale []float64) error
}

// affine are the logarithm of a, and b, in q = a z + b, see package ir/bind/centring.
func affine(centred bool, lambda, location, scale float64) (logA, a, b float64) {
	logA = lambda * libm.Log(scale)
	if !centred {
		logA = -logA
	}
	a = libm.Exp(logA)
	if centred {
		return logA, a, location * (1 - float64((1-lambda)*a))
	}
	return logA, a, -location * lambda * a
}

// lambdas are those that are compared.
var lambdas = [...]float64{0, 0.25, 0.5, 0.75, 1}

// A centring learns lambda: for each coordinate of the effects and each of lambdas, mean and sum
// of squared deviations of the coordinate and of the gradient by it.
//
// Of a normal target with independent coordinates the product of the variances of coordinate and gradient
// is 1, and of others it is greater: by how much, says how far the coordinate's conditional
// distributions are from having one scale and one place (the Fisher divergence that metrics are
// learned from; Seyboldt, Carlson and Carpenter 2026). That product is what lambda makes small.
type centring struct {
	effects []Effect
	size    int // coordinates of all effects

	// Scratch of one evaluation.
	q, location, scale []float64
}

// widthOfCentring is how many moments belong to a coordinate.
const widthOfCentring = 4 * len(lambdas)

func newCentring(effects []Effect, dim int) *centring {
	c := &centring{effects: effects}
	for _, e := range effects {
		c.size += len(e.Coordinates)
	}
	c.q, c.location, c.scale = make([]float64, dim), make([]float64, c.size), make([]float64, c.size)
	return c
}

// newMoments makes room for the moments of all coordinates, after their count.
func (c *centring) newMoments() []float64 { return make([]float64, 1+c.size*widthOfCentring) }

// each visits the coordinates of effects: k counts them, and i is the position in q.
func (c *centring) each(visit func(k, i int, e *Effect)) {
	k := 0
	for n := range c.effects {
		for _, i := range c.effects[n].Coordinates {
			visit(k, i, &c.effects[n])
			k++
		}
	}
}

// firstCentred is how far effects are centred until draws tell: little, since a chain that has effects centred more
// than their data call for misses where scales are small, and does not see that it does.
const firstCentred = 0.25

// first is the lambda that chains begin with.
func (c *centring) first() []float64 {
	lambda := make([]float64, c.size)
	c.each(func(k, _ int, e *Effect) {
		lambda[k] = firstCentred
		if e.Centred {
			lambda[k] = 1 - firstCentred
		}
	})
	return lambda
}

// add takes up a state of an evaluator. A state without location and scale that can be told is left out.
func (c *centring) add(m []float64, ev CentredEvaluator, s *State) error {
	if _, err := ev.Original(s.Q, c.q); err != nil {
		return err
	}
	if err := ev.Places(c.q, c.location, c.scale); err != nil {
		return err
	}
	m[0]++
	c.each(func(k, i int, e *Effect) {
		_, a, _ := affine(e.Centred, ev.Lambda()[k], c.location[k], c.scale[k])
		own := m[1+k*widthOfCentring:][:widthOfCentring]
		for l, lambda := range lambdas {
			_, al, bl := affine(e.Centred, lambda, c.location[k], c.scale[k])
			welford(own[4*l:], m[0], (c.q[i]-bl)/al)
			welford(own[4*l+2:], m[0], float64(s.Grad[i]/a*al))
		}
	})
	return nil
}

// welford adds the nth number to a mean and a sum of squared deviations.
func welford(m []float64, n, x float64) {
	d := x - m[0]
	m[0] += d / n
	m[1] += float64(d * (x - m[0]))
}

// pool merges the moments of chains.
func (c *centring) pool(chains [][]float64) []float64 {
	out := c.newMoments()
	for _, m := range chains {
		if m[0] == 0 {
			continue
		}
		n := out[0] + m[0]
		for k := 1; k < len(m); k += 2 {
			d := m[k] - out[k]
			out[k] += d * m[0] / n
			out[k+1] += m[k+1] + float64(d*d*out[0]*m[0]/n)
		}
		out[0] = n
	}
	return out
}

// leastDraws is how many draws, of all chains, are learned from.
const leastDraws = 40

// learn returns a lambda for each coordinate, and by how many nats the best is better than the present one for the
// effect for which it is most so. Effects that gain less than least keep the present one. A coordinate's own
// moments and the mean of its effect's count the same.
func (c *centring) learn(m, present []float64, least float64) (lambda []float64, gain float64) {
	lambda = make([]float64, c.size)
	copy(lambda, present)
	if m[0] < leastDraws {
		return lambda, 0
	}
	off := 0
	for _, e := range c.effects {
		n := len(e.Coordinates)
		if g := learnEffect(m[1+off*widthOfCentring:], m[0], present[off:off+n], lambda[off:off+n], least); g > gain {
			gain = g
		}
		off += n
	}
	return lambda, gain
}

// learnEffect is learn for one effect.
func learnEffect(m []float64, count float64, present, lambda []float64, least float64) (gain float64) {
	n := len(present)
	scores, mean := make([][len(lambdas)]float64, n), [len(lambdas)]float64{}
	for k := range n {
		for l := range lambdas {
			own := m[k*widthOfCentring+4*l:]
			s := libm.Log(own[1]/count) + libm.Log(own[3]/count)
			if math.IsNaN(s) || math.IsInf(s, 0) {
				return 0
			}
			scores[k][l] = s
			mean[l] += s / float64(n)
		}
	}
	best := make([]float64, n)
	for k := range n {
		at := 0
		for l := range lambdas {
			if scores[k][l]+mean[l] < scores[k][at]+mean[at] {
				at = l
			}
		}
		best[k] = lambdas[at]
		gain += (scores[k][indexOf(present[k])] - scores[k][at]) / float64(n)
	}
	if gain < least {
		return 0
	}
	copy(lambda, best)
	return gain
}

// indexOf is the place of a lambda among lambdas.
func indexOf(lambda float64) int { return int(4 * lambda) }

// stretches are the ratios of a coordinate's variance under one lambda to that under another.
func (c *centring) stretches(m, from, to []float64) []float64 {
	out := make([]float64, c.size)
	for k := range out {
		own := m[1+k*widthOfCentring:]
		out[k] = own[4*indexOf(to[k])+1] / own[4*indexOf(from[k])+1]
	}
	return out
}
