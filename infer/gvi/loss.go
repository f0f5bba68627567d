// This file has the losses of the data.

package gvi

import (
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
)

// Loss is a loss by its name in the language, "nll", "beta" or "gamma", with its
// order; or an expression.
type Loss struct {
	Name  string
	Order float64 // of beta and gamma: positive and not 1
	Own   *OwnLoss
}

// OwnLoss is an expression in a model's scope, whose numbers are added up.
type OwnLoss struct {
	Text string
	// On returns the loss in a model, for one goroutine.
	On func(infer.Model) (Expression, error)
}

// Expression is a sum of numbers that depend on the coordinates.
type Expression interface {
	// Coords are the coordinates that each number depends on, ascending.
	Coords() [][]int
	// Terms fills out, len(out) == len(Coords()), with the numbers at x.
	Terms(x, out []float64) error
	// Gradient returns their sum and fills grad with its gradient.
	Gradient(x, grad []float64) (float64, error)
}

func (l Loss) check() error {
	if l.Own != nil {
		return nil
	}
	switch l.Name {
	case "nll":
		return nil
	case "beta", "gamma":
		if !(l.Order > 0) || l.Order == 1 || math.IsInf(l.Order, 0) {
			return fmt.Errorf("gvi: the order of loss %s must be positive and other than 1 (whose limit is nll()), found %g", l.Name, l.Order)
		}
		return nil
	}
	return fmt.Errorf("gvi: loss must be nll, beta or gamma, found %q", l.Name)
}

// String writes the loss as the language does.
func (l Loss) String() string {
	if l.Own != nil {
		return l.Own.Text
	}
	if l.Name == "nll" {
		return "nll()"
	}
	return fmt.Sprintf("%s(%g)", l.Name, l.Order)
}

// Term is the loss of an observation with log density ell whose power integral of
// the loss's order has the log power, with its derivatives by both.
func (l Loss) Term(ell, power float64) (value, byEll, byPower float64) {
	c := l.Order
	switch l.Name {
	case "beta":
		p, i := libm.Exp((c-1)*ell), libm.Exp(power)
		return -p/(c-1) + i/c, -p, i / c
	case "gamma":
		v := -c / (c - 1) * libm.Exp(float64((c-1)*ell)-float64((c-1)/c*power))
		return v, (c - 1) * v, -(c - 1) / c * v
	}
	return -ell, -1, 0
}

// losses are the losses of all data at a point.
type losses interface {
	// at returns the sum and fills grad with its gradient.
	at(x, grad []float64) (float64, error)
}

// robust is a sum over observations of a loss of order c.
type robust struct {
	loss                    Loss
	obs                     infer.Observations
	scale                   float64 // of the sum
	l, power, byL, byPowers []float64
}

func newRobust(loss Loss, m infer.Model, b *batches) (*robust, error) {
	obs, err := observations(m, fmt.Sprintf("gvi with loss = %s", loss), loss.Order, "loss = nll()")
	if err != nil {
		return nil, err
	}
	obs, scale, err := b.observations(obs)
	if err != nil {
		return nil, err
	}
	n := obs.Len()
	return &robust{loss, obs, scale, make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)}, nil
}

// observations asks a model for its observations with power integrals of order c;
// 0 stands for none. Instead names what does without.
func observations(m infer.Model, method string, c float64, instead string) (infer.Observations, error) {
	missing := &infer.MissingError{
		Method: method, Needs: "a likelihood that is a product over observations with known densities (" + instead + " does without)",
	}
	o, ok := m.(infer.Observed)
	if !ok {
		return nil, missing
	}
	obs, err := o.NewObservations(c)
	if err != nil {
		missing.Reason = err
		return nil, missing
	}
	return obs, nil
}

// own is an expression as a loss.
type own struct{ Expression }

func (o own) at(x, grad []float64) (float64, error) { return o.Gradient(x, grad) }
func (o own) coords() [][]int                       { return o.Coords() }
func (o own) terms(x, out []float64) error          { return o.Terms(x, out) }

// newLoss is the loss on a model, of batches if they are not nil; nil is the negative log likelihood.
func newLoss(l Loss, m infer.Model, b *batches) (losses, error) {
	switch {
	case l.Own != nil:
		e, err := l.Own.On(m)
		return own{e}, err
	case l.Name != "nll":
		return newRobust(l, m, b)
	}
	return nil, nil
}

// coords implements pieces.
func (r *robust) coords() [][]int {
	if l, ok := r.obs.(infer.Located); ok {
		return l.Coords()
	}
	return nil
}

// terms implements pieces.
func (r *robust) terms(x, out []float64) error {
	if err := r.obs.LogTerms(x, r.l, r.power); err != nil {
		return err
	}
	for i, l := range r.l {
		out[i], _, _ = r.loss.Term(l, r.power[i])
	}
	return nil
}

func (r *robust) at(x, grad []float64) (float64, error) {
	if err := r.obs.LogTerms(x, r.l, r.power); err != nil {
		return 0, err
	}
	var sum float64
	for i, l := range r.l {
		var v float64
		v, r.byL[i], r.byPowers[i] = r.loss.Term(l, r.power[i])
		r.byL[i], r.byPowers[i] = r.scale*r.byL[i], r.scale*r.byPowers[i]
		sum += float64(r.scale * v)
	}
	clear(grad)
	return sum, r.obs.PullTerms(x, r.byL, r.byPowers, grad)
}
