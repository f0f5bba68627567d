// This file has losses and log prior as sums of terms of which it is known on which
// coordinates they depend.

package gvi

import (
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
)

// terms are the loss and the log prior at a point, term by term. The coordinates of a
// term are nil where they are not known.
type terms struct {
	loss, prior [][]int
	at          func(x, loss, prior []float64) error
}

// split reports whether the coordinates of all loss terms are known.
func (t *terms) split() bool {
	return !slices.ContainsFunc(t.loss, func(c []int) bool { return c == nil })
}

// pieces is a loss whose terms can be told apart, or not: then it is one.
type pieces interface {
	// coords are nil, or those of each term.
	coords() [][]int
	// terms fills out with the values at x.
	terms(x, out []float64) error
}

// newTerms takes a model apart. own is the loss, nil for the negative log likelihood.
func newTerms(r *run, own losses) *terms {
	var known infer.Terms
	if a, ok := r.model.(infer.Additive); ok {
		if found, err := a.NewTerms(); err == nil {
			known = found
		}
	}
	t := plainTerms(r.src)
	if known != nil {
		t = knownTerms(r.src, known)
	}
	if own == nil {
		return t
	}
	p, ok := own.(pieces)
	all, grad := make([]float64, len(t.loss)), make([]float64, r.ev.Dim())
	out := &terms{loss: [][]int{nil}, prior: t.prior, at: func(x, loss, prior []float64) (err error) {
		if err = t.at(x, all, prior); err == nil {
			loss[0], err = own.at(x, grad)
		}
		return err
	}}
	if ok && p.coords() != nil {
		out.loss = p.coords()
		out.at = func(x, loss, prior []float64) error {
			if err := t.at(x, all, prior); err != nil {
				return err
			}
			return p.terms(x, loss)
		}
	}
	return out
}

// plainTerms has one term for the likelihood and one for the prior.
func plainTerms(s *source) *terms {
	return &terms{loss: [][]int{nil}, prior: [][]int{nil}, at: func(x, loss, prior []float64) error {
		if err := s.stopped(x); err != nil {
			return err
		}
		s.count++
		p, l, err := s.parts.LogDensityParts(x)
		loss[0], prior[0] = -l, p
		return err
	}}
}

// knownTerms has those of an additive model.
func knownTerms(s *source, known infer.Terms) *terms {
	t := &terms{}
	likelihood := known.Likelihood()
	for i, c := range known.Coords() {
		if c == nil {
			c = []int{}
		}
		if likelihood[i] {
			t.loss = append(t.loss, c)
		} else {
			t.prior = append(t.prior, c)
		}
	}
	all := make([]float64, len(likelihood))
	t.at = func(x, loss, prior []float64) error {
		if err := s.stopped(x); err != nil {
			return err
		}
		s.count++
		if err := known.LogTerms(x, all); err != nil {
			return err
		}
		l, p := 0, 0
		for i, v := range all {
			if likelihood[i] {
				loss[l] = -v
				l++
			} else {
				prior[p] = v
				p++
			}
		}
		return nil
	}
	return t
}

// touching lists the terms that depend on one of the coordinates.
func touching(coords [][]int, moves []int) []int {
	var out []int
	for i, c := range coords {
		if meets(c, moves) {
			out = append(out, i)
		}
	}
	return out
}

// meets reports whether two sets of coordinates have one in common; nil is all.
func meets(a, b []int) bool {
	if a == nil || b == nil {
		return true
	}
	return slices.ContainsFunc(a, func(i int) bool { return slices.Contains(b, i) })
}
