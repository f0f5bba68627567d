package cavi

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
)

// star is a block of n numbers of which the last stands in products with all others.
func star(n int) (*infer.FactorBlock, []float64) {
	b := &infer.FactorBlock{Name: "x", Support: infer.Line, Size: n}
	var natural []float64
	add := func(v float64, s ...infer.StatisticFactor) {
		b.Statistics, natural = append(b.Statistics, s), append(natural, v)
	}
	number := func(i int, power float64) infer.StatisticFactor {
		return infer.StatisticFactor{Func: infer.Number, Index: i, Power: power}
	}
	for i := range n {
		b.Coords = append(b.Coords, i)
		add(math.Sin(float64(i)), number(i, 1))
		if i == n-1 {
			add(-float64(n)/2, number(i, 2))
			break
		}
		add(-1-0.1*float64(i%4), number(i, 2))
		add(0.7, number(i, 1), number(n-1, 1))
	}
	return b, natural
}

// TestSparseFactor: a normal factor of groups with a common mean keeps two numbers a group, at any
// number of groups, and is what the dense one is.
func TestSparseFactor(t *testing.T) {
	for _, n := range []int{60, 240, 960} {
		b, natural := star(n)
		f, err := newFactor(b, false)
		if err != nil {
			t.Fatal(err)
		}
		s, ok := f.(*sparseNormal)
		if !ok || s.pattern.Size() > 2*n {
			t.Fatalf("%d numbers: %T", n, f)
		}
		if n > 100 {
			continue
		}
		dense := newNormal(b)
		for _, g := range []factor{f, dense} {
			if err := g.set(natural); err != nil {
				t.Fatal(err)
			}
		}
		near := func(what string, got, want []float64) {
			t.Helper()
			for i := range want {
				if !(math.Abs(got[i]-want[i]) < 1e-10*(1+math.Abs(want[i]))) {
					t.Errorf("%s %d: %v, dense %v", what, i, got[i], want[i])
				}
			}
		}
		k := len(b.Statistics)
		got, want := make([]float64, k), make([]float64, k)
		f.expect(got)
		dense.expect(want)
		near("statistic", got, want)
		f.moments(got[:n], got[n:2*n])
		dense.moments(want[:n], want[n:2*n])
		near("moment", got, want)
		near("entropy", []float64{f.entropy()}, []float64{dense.entropy()})
		x, rng := make([]float64, n), rand.New(rand.NewPCG(1, 2))
		f.density().draw(rng, x)
		ga, gb := make([]float64, n), make([]float64, n)
		near("log density", []float64{f.density().logDensity(x, ga)}, []float64{dense.density().logDensity(x, gb)})
		near("slope", ga, gb)
	}
	full, _ := star(60)
	for i := range 59 {
		for j := range i {
			full.Statistics = append(full.Statistics, infer.Statistic{{Func: infer.Number, Index: i, Power: 1}, {Func: infer.Number, Index: j, Power: 1}})
		}
	}
	if f, err := newFactor(full, false); err != nil || f.form() != "normal" {
		t.Fatal(err)
	} else if _, ok := f.(*normalFactor); !ok {
		t.Errorf("a full matrix is %T", f)
	}
	improper, natural := star(60)
	natural[1] = 0.5 // a negative precision
	f, err := newFactor(improper, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.set(natural); err == nil {
		t.Error("an improper factor was set")
	}
}
