// This file has what divergences without a closed form need of the prior alone: the integrals of
// its powers.

package gvi

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
)

// priorDraws is the number of draws that estimate integrals of the prior alone.
const priorDraws = 10000

// fromPoints prepares a divergence without closed form: it needs a prior that has
// an integral, unless a constant factor of it does not matter.
func (m *Method) fromPoints(r *run, g *generalised) error {
	d := m.options.Divergence
	sampler, ok := infer.Capability[infer.PriorSampler](r.ev)
	ok = ok && r.src.points == nil // the whole prior is improper
	var missing error
	if ok {
		missing = sampler.DrawPrior(r.stream("/prior"), make([]float64, r.ev.Dim()))
	}
	proper := ok && missing == nil
	if d.Invariant() && proper || d.Homogeneous() && !proper {
		return nil // log G(0, b) is not used, or is a constant left out
	}
	if !proper {
		return &infer.MissingError{
			Method: fmt.Sprintf("gvi with divergence = %s", d),
			Needs:  "a proper prior (kl, renyi and gamma do with any)", Reason: missing,
		}
	}
	if r.src.bare == nil {
		known, err := r.src.recognise()
		if known != nil || err != nil {
			g.prior = known.power
			return err
		}
	}
	powers, err := m.priorPowers(r, sampler)
	g.prior = powers
	return err
}

// priorPowers estimates log G(0, b) = log E_pi[pi^(b-1)] from draws of the prior.
func (m *Method) priorPowers(r *run, s infer.PriorSampler) (func(b float64) float64, error) {
	x, grad := make([]float64, r.ev.Dim()), make([]float64, r.ev.Dim())
	lp := make([]float64, priorDraws)
	stream := r.stream("/prior")
	for k := range lp {
		if err := s.DrawPrior(stream, x); err != nil {
			return nil, err
		}
		var err error
		if lp[k], err = r.src.prior(x, grad); err != nil {
			return nil, err
		}
		if r.src.bare != nil {
			j, err := r.src.jacobian(x, grad)
			if err != nil {
				return nil, err
			}
			lp[k] -= j
		}
	}
	scaled := make([]float64, priorDraws)
	return func(b float64) float64 {
		for k, v := range lp {
			scaled[k] = (b - 1) * v
		}
		return infer.LogSumExp(scaled) - libm.Log(priorDraws)
	}, nil
}

// power is log G(0, b), the log of the integral of the density to the power of b.
func (n *normalPrior) power(b float64) float64 {
	k := n.normal()
	d := float64(k.Dim())
	atMode := k.LogDensity(k.Mean()) // -d/2 log(2 pi) - log|S|/2
	return float64((b-1)*atMode) - float64(d/2*libm.Log(b))
}
