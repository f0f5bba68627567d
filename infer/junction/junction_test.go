package junction

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// enumerated is the distribution by going through all values.
func enumerated(count []int, events []Event, x []float64) (logZ float64, p []float64, of map[string]float64) {
	p, of = make([]float64, len(events)), map[string]float64{}
	total := 0.0
	z := make([]int, len(count))
	var walk func(i int)
	walk = func(i int) {
		if i < len(count) {
			for v := range count[i] {
				z[i] = v
				walk(i + 1)
			}
			return
		}
		lp := 0.0
		happens := make([]bool, len(events))
		for k, event := range events {
			happens[k] = true
			for _, v := range event {
				happens[k] = happens[k] && z[v.Number] == v.Value
			}
			if happens[k] {
				lp += x[k]
			}
		}
		w := math.Exp(lp)
		total += w
		of[fmt.Sprint(z)] = w
		for k := range events {
			if happens[k] {
				p[k] += w
			}
		}
	}
	walk(0)
	for k := range p {
		p[k] /= total
	}
	for k := range of {
		of[k] /= total
	}
	return math.Log(total), p, of
}

// structures are a chain, a star, a ring, a triple and numbers apart.
func structures(r *rand.Rand) (count []int, events []Event, x []float64) {
	count = []int{2, 3, 4, 2, 3, 2, 1}[:3+r.IntN(5)]
	n := len(count)
	scopes := [][]int{}
	switch r.IntN(5) {
	case 0:
		for i := 1; i < n; i++ {
			scopes = append(scopes, []int{i - 1, i})
		}
	case 1:
		for i := 1; i < n; i++ {
			scopes = append(scopes, []int{0, i})
		}
	case 2:
		for i := range n {
			scopes = append(scopes, []int{i, (i + 1) % n})
		}
	case 3:
		scopes = append(scopes, []int{2, 0, 1})
	}
	for i := range n {
		scopes = append(scopes, []int{i})
	}
	for _, scope := range scopes {
		entries := 1
		for _, i := range scope {
			entries *= count[i]
		}
		for e := range entries {
			if r.IntN(5) == 0 {
				continue // a table need not have all its entries
			}
			var event Event
			for at, k := e, len(scope)-1; k >= 0; k-- {
				event = append(event, Value{scope[k], at % count[scope[k]]})
				at /= count[scope[k]]
			}
			events = append(events, event)
			v := 2 * r.NormFloat64()
			if r.IntN(12) == 0 {
				v = math.Inf(-1)
			}
			x = append(x, v)
		}
	}
	return count, events, x
}

// TestAgainstEnumeration: normaliser, probabilities, densities and frequencies of draws.
func TestAgainstEnumeration(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	met := 0
	for range 300 {
		count, events, x := structures(r)
		tree, err := New(count, events, 1e6)
		if err != nil {
			t.Fatal(err)
		}
		logZ, p, of := enumerated(count, events, x)
		s := tree.NewState()
		s.Set(make([]float64, len(x))) // another distribution first
		if possible := s.Set(x); possible != !math.IsInf(logZ, -1) {
			t.Fatalf("possible %v, log normaliser %g", possible, logZ)
		} else if !possible {
			continue
		}
		if math.Abs(s.LogNormalizer()-logZ) > 1e-12*(1+math.Abs(logZ)) {
			t.Fatalf("log normaliser %g, by enumeration %g", s.LogNormalizer(), logZ)
		}
		total := 0
		for _, n := range count {
			total += n
		}
		got, values := make([]float64, len(x)), make([]float64, total)
		s.Expect(got)
		s.Values(values)
		entropy := 0.0
		for _, p := range of {
			if p > 0 {
				entropy -= p * math.Log(p)
			}
		}
		if math.Abs(s.Entropy()-entropy) > 1e-12 {
			t.Fatalf("entropy %g, by enumeration %g", s.Entropy(), entropy)
		}
		sum := 0.0
		for _, v := range values {
			sum += v
		}
		if math.Abs(sum-float64(len(count))) > 1e-12 {
			t.Fatalf("the values of %d numbers have probabilities that add up to %g", len(count), sum)
		}
		for k := range p {
			if math.Abs(got[k]-p[k]) > 1e-13 {
				t.Fatalf("event %v: %g, by enumeration %g", events[k], got[k], p[k])
			}
		}
		z := make([]int, len(count))
		seen := map[string]float64{}
		const n = 2000
		kept := s.Copy()
		s.Set(make([]float64, len(x))) // the copy stays
		for range n {
			kept.Draw(r, z)
			seen[fmt.Sprint(z)]++
			if lp := kept.LogDensity(z); math.Abs(math.Exp(lp)-of[fmt.Sprint(z)]) > 1e-12 {
				t.Fatalf("%v: %g, by enumeration %g", z, math.Exp(lp), of[fmt.Sprint(z)])
			}
		}
		for key, want := range of {
			if sd := math.Sqrt(want * (1 - want) / n); math.Abs(seen[key]/n-want) > 6*sd+3./n {
				t.Fatalf("%s drawn with frequency %g, probability %g", key, seen[key]/n, want)
			}
		}
		met++
	}
	if met < 250 {
		t.Errorf("%d distributions were compared", met)
	}
}

// TestTooLarge: a grid of 30 by 30 has no small tables.
func TestTooLarge(t *testing.T) {
	const side = 30
	count := make([]int, side*side)
	var events []Event
	for i := range count {
		count[i] = 2
		if i%side > 0 {
			events = append(events, Event{{i, 1}, {i - 1, 1}})
		}
		if i >= side {
			events = append(events, Event{{i, 1}, {i - side, 1}})
		}
	}
	_, err := New(count, events, 1e6)
	var size *SizeError
	if !errors.As(err, &size) || size.Entries <= 1e6 {
		t.Errorf("error %v", err)
	}
}
