package elicit

// This file has the numbers of the priors moved by hand, one step after the other.

import (
	"context"
	"math"
	"slices"
	"strings"
)

// Sliders are the numbers in the priors, with the quantiles of the quantities that follow them.
//
// Concurrency. One call at a time.
type Sliders struct {
	Values []float64 // of the numbers, as they are now

	o     Options
	begun []float64 // where the numbers were
	moved []float64 // by how many large steps
}

// NewSliders are sliders at the numbers as they are written, or as o has them set.
func NewSliders(o Options) *Sliders {
	s := &Sliders{Values: valuesOf(o.Numbers), o: o}
	for k, x := range o.Set {
		s.Values[k-1] = x
	}
	s.begun, s.moved = slices.Clone(s.Values), make([]float64, len(s.Values))
	return s
}

// Numbers are those of the priors.
func (s *Sliders) Numbers() []Number { return s.o.Numbers }

// Move takes number i, from 0, by a part of a large step: of one that must be positive, to a multiple by that power of two.
func (s *Sliders) Move(i int, by float64) {
	n, to := &s.o.Numbers[i], s.begun[i]
	if moved := s.moved[i] + by; moved != 0 {
		to = rounded(n.back(n.free(to) + moved))
	}
	if to > n.Low && to < n.High {
		s.Values[i] = to
		s.moved[i] += by
	}
}

// Away is how many large steps number i is from where it is written.
func (s *Sliders) Away(i int) float64 {
	n := &s.o.Numbers[i]
	return n.free(s.Values[i]) - n.free(n.Value)
}

// Statement is that of number i, with the numbers in it as they are now.
func (s *Sliders) Statement(i int) string {
	of := s.o.Numbers[i]
	text, shift := of.Statement, 0
	for k, n := range s.o.Numbers {
		if n.Line != of.Line || n.Statement != of.Statement || n.At < 0 || s.Values[k] == n.Value {
			continue
		}
		to := number(s.Values[k])
		text = text[:n.At+shift] + to + text[n.At+shift+len(n.Name):]
		shift += len(to) - len(n.Name)
	}
	return strings.TrimSpace(text)
}

// Quantiles simulates with the numbers as they are now, by the same random numbers each time, so that what changes is what was moved. The table
// has a row for each quantity.
func (s *Sliders) Quantiles(ctx context.Context) (header []string, rows [][]string, err error) {
	sets, _, err := s.o.Simulate(ctx, s.Values, s.o.Sets, s.o.Seed)
	if err != nil {
		return nil, nil, err
	}
	header = []string{""}
	for _, p := range shown {
		header = append(header, percent(p))
	}
	for i, q := range s.o.Quantities {
		row := []string{q.Name}
		for _, x := range quantiles(sets[i], shown) {
			if math.IsNaN(x) {
				row = append(row, "")
				continue
			}
			row = append(row, number(x))
		}
		rows = append(rows, row)
	}
	return header, rows, nil
}
