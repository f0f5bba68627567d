package main

// This file has requests for parts of sums, and answers, that are not as they should be.

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/solver"
	"github.com/seed-12b88e03/ppl/lang"
)

// askedSum is a model with a sum, the sum's name at a point, and its inputs there.
func askedSum(t *testing.T) (find func(*infer.Sum) (*solver.Parts, error), s *infer.Sum, in []float64) {
	t.Helper()
	const text = `
functions {
  real part(array[] int k, int first, int last, real mu) { return poisson_log_lpmf(k | mu) + sum(sin(to_vector(k) * mu)); }
}
transformed data { array[20000] int k; for (i in 1:20000) k[i] = i % 7; }
parameters { real mu; }
model { target += reduce_sum(part, k, 100, mu); }`
	p, err := lang.Compile("sum.ppl", text, lang.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Bind(nil, lang.BindOptions{Divide: true})
	if err != nil {
		t.Fatal(err)
	}
	end := bind.Delegate(m.Bound(), spying(func(sum *infer.Sum, at [][]float64) { s, in = sum, slices.Concat(at...) }))
	defer end()
	if _, err := m.Bound().NewEvaluator().LogDensityGrad([]float64{0.3}, make([]float64, 1)); err != nil || s == nil {
		t.Fatalf("the sum is not evaluated in parts: %v", err)
	}
	return func(s *infer.Sum) (*solver.Parts, error) { return bind.Parts(m.Bound(), s) }, s, in
}

type spying func(*infer.Sum, [][]float64)

func (f spying) Parts(s *infer.Sum, in [][]float64, _ bool, _ func(int, float64, []float64)) {
	f(s, in)
}

// bytesOf are numbers and structures as they are sent.
func bytesOf(t *testing.T, all ...any) (out []byte) {
	t.Helper()
	for _, x := range all {
		var err error
		if out, err = binary.Append(out, binary.LittleEndian, x); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func TestSumRequests(t *testing.T) {
	find, s, in := askedSum(t)
	n := uint32(len(s.Values))
	known := map[[16]byte]*solver.Parts{}
	r := sumRequest{Key: [16]byte{1}, Gradient: true, Jacobian: true, From: 1, To: n, Dim: 1, Parts: n}
	out, err := answerSum(bytesOf(t, r, in), known, find, nil)
	if err != nil || string(out) != string(rune(isUnknown)) {
		t.Errorf("a sum that is not known: %q, %v", out, err)
	}
	// Another value of a part is another sum.
	other := slices.Clone(s.Values)
	other[n-1] = math.Nextafter(other[n-1], 0)
	r.Tell = true
	out, err = answerSum(bytesOf(t, r, s.At, other, in), known, find, nil)
	if err != nil || out[0] != isRefusal || !strings.Contains(string(out), "the program, its data or the processor's arithmetic are others") {
		t.Errorf("another sum: %q, %v", out, err)
	}
	other[0] = 7 // of no part that is asked for
	other[n-1] = s.Values[n-1]
	out, err = answerSum(bytesOf(t, r, s.At, other, in), known, find, nil)
	if err != nil || out[0] != partsFollow {
		t.Errorf("parts of which all are the same: %q, %v", out, err)
	}
	count := map[int]float64{}
	if got := eachPart(out[1:], func(part int, value float64, row []float64) {
		if count[part] = value; len(row) != 1 {
			t.Errorf("part %d has a gradient of %d numbers", part, len(row))
		}
	}); got != int(n)-1 || len(count) != got || count[1] != s.Values[1] {
		t.Errorf("found %v", count)
	}
	r.Tell = false
	if out, err = answerSum(bytesOf(t, r, in), known, find, nil); err != nil || out[0] != partsFollow {
		t.Errorf("a sum that is known: %q, %v", out, err)
	}
	if out, err = answerSum(bytesOf(t, r, in, in), known, find, nil); err != nil || out[0] != isRefusal {
		t.Errorf("too many inputs: %q, %v", out, err)
	}
	r.Key, r.Tell, r.Index = [16]byte{2}, true, 5
	if out, err = answerSum(bytesOf(t, r, s.At, s.Values, in), known, find, nil); err != nil || out[0] != isRefusal {
		t.Errorf("a sum that there is not: %q, %v", out, err)
	}
}

// What cannot be read is an error, whatever it says.
func TestBrokenSums(t *testing.T) {
	fails := func(*infer.Sum) (*solver.Parts, error) { return nil, errors.New("no such sum") }
	for name, text := range map[string][]byte{
		"short":     {1, 2, 3},
		"odd":       append(bytesOf(t, sumRequest{}), 1),
		"beyond":    bytesOf(t, sumRequest{To: 3, Parts: 2}),
		"many":      bytesOf(t, sumRequest{Tell: true, Dim: math.MaxUint32, Parts: math.MaxUint32}),
		"too short": bytesOf(t, sumRequest{Tell: true, Dim: 1, Parts: 1}, 1.5),
	} {
		if out, err := answerSum(text, map[[16]byte]*solver.Parts{}, fails, nil); err == nil {
			t.Errorf("%s: found %q", name, out)
		}
	}
	whole := bytesOf(t, sumPart{Part: 1, Dim: 2, Value: 3}, []float64{4, 5})
	for cut := range len(whole) {
		if n := eachPart(whole[:cut], func(int, float64, []float64) {}); n != 0 {
			t.Errorf("%d of %d bytes are a part", cut, len(whole))
		}
	}
	if n := eachPart(bytesOf(t, sumPart{Dim: math.MaxUint32}), func(int, float64, []float64) {}); n != 0 {
		t.Error("a part without its gradient is taken")
	}
}
