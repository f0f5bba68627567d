package gibbs

// This file tests updates that need no model: slices and enumeration.

import (
	"context"
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/infertest"
)

// mixed is a target over one real and one whole number: z from 0 to 3 with weights
// 1:2:3:4, and x given z normal with mean z and sd 1.
func mixed() infer.Model {
	m := infertest.FromFunc(2, func(q, _ []float64) (float64, error) {
		d := q[0] - q[1]
		return math.Log(1+q[1]) - d*d/2, nil
	})
	m.Ranges = []infer.Range{{Low: 0, High: 3}}
	return m
}

// TestMixed compares moments with the exact ones: z has mean 2 and variance 1, x the
// same mean and variance 2. Differences are within 4.5 Monte Carlo errors, exceeded by
// chance once in 100,000 runs.
func TestMixed(t *testing.T) {
	for _, palindrome := range []bool{false, true} {
		o := DefaultOptions()
		o.Warmup, o.Draws, o.Chains, o.Palindrome = 200, 4000, 2, palindrome
		m, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Run(context.Background(), mixed(), infer.Options{Seed: 4, Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		s := p.Draws.Summaries()
		for i, sd := range []float64{math.Sqrt2, 1} {
			if got := s[1+i]; math.Abs(got.Mean-2) > 4.5*got.MCSE || math.Abs(got.SD/sd-1) > 0.06 {
				t.Errorf("palindrome %v: %s has mean %v (error %v) and sd %v, want 2 and %v", palindrome, got.Name, got.Mean, got.MCSE, got.SD, sd)
			}
		}
	}
}

// TestWindow draws a whole number with more values than an update tries: geometric
// with ratio 0.999 on 0..20000, whose mean is 999 (the tail beyond is under 1e-8).
func TestWindow(t *testing.T) {
	m := infertest.FromFunc(1, func(q, _ []float64) (float64, error) { return q[0] * math.Log(0.999), nil })
	m.Ranges = []infer.Range{{Low: 0, High: 20000}}
	o := DefaultOptions()
	o.Warmup, o.Draws, o.Chains = 100, 1500, 2
	method, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	p, err := method.Run(context.Background(), m, infer.Options{Seed: 5, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	if s := p.Draws.Summaries()[1]; math.Abs(s.Mean-999) > 4.5*s.MCSE {
		t.Errorf("mean %v (error %v), want 999", s.Mean, s.MCSE)
	}
}
