package population

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSameShare compares with sums of binomial probabilities: given 10 rare events in two samples of 20,000 and 100,000,
// the first has each with probability 1/6. Where half of each of two large samples is counted, the difference of the
// shares is normal.
func TestSameShare(t *testing.T) {
	tail := func(from int) (p float64) {
		for k := from; k <= 10; k++ {
			c := 1.0
			for i := range k {
				c *= float64(10-i) / float64(i+1)
			}
			p += c * math.Pow(1.0/6, float64(k)) * math.Pow(5.0/6, float64(10-k))
		}
		return p
	}
	for _, first := range []int{6, 8, 10} {
		got := sameShare(float64(first)/20000, 20000, float64(10-first)/100000, 100000)
		if want := tail(first); math.Abs(math.Log(got/want)) > 0.01 {
			t.Errorf("%d of 10: %g, want %g", first, got, want)
		}
		if back := sameShare(float64(10-first)/100000, 100000, float64(first)/20000, 20000); math.Abs(back/got-1) > 1e-9 {
			t.Errorf("%d of 10 exchanged: %g, not %g", first, back, got)
		}
	}
	z := 0.01 / math.Sqrt(0.25*(1.0/40000+1.0/40000))
	if got, want := sameShare(0.505, 40000, 0.495, 40000), math.Erfc(z/math.Sqrt2)/2; math.Abs(math.Log(got/want)) > 0.02 {
		t.Errorf("of frequent events: %g, want %g", got, want)
	}
}

// heavy is a column of a fit with as many independent draws as a population has starts, each of which has three equal
// points.
func heavy(r *rand.Rand, starts int, fit, points func(*rand.Rand) float64) (*column, []int) {
	c, ancestor := &column{}, []int{}
	for i := range starts {
		v := points(r)
		c.x = append(c.x, v, v, v)
		ancestor = append(ancestor, i, i, i)
		c.fit.values = append(c.fit.values, fit(r))
		c.fit.weights = append(c.fit.weights, 1/float64(starts))
	}
	c.fit.n = float64(starts)
	return c, ancestor
}

// TestHeavyTailsAreNotApart: of samples of one Cauchy distribution, whose standard deviations have nothing to do with each
// other, at most one in a thousand is apart: more than 3 of 500 are with a probability of 0.0018. A seventh of the mass
// that one sample lacks, and a scale of two fifths, are seen.
func TestHeavyTailsAreNotApart(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	cauchy := func(r *rand.Rand) float64 { return math.Tan(math.Pi * (r.Float64() - 0.5)) }
	count := func(times int, fit func(*rand.Rand) float64) (n int) {
		for range times {
			if c, ancestor := heavy(r, 300, fit, cauchy); c.apart(ancestor, effective(ancestor), false) {
				n++
			}
		}
		return n
	}
	if n := count(500, cauchy); n > 3 {
		t.Errorf("%d of 500 pairs of samples of one distribution are apart", n)
	}
	if n := count(20, func(r *rand.Rand) float64 { return cauchy(r) / 2.5 }); n < 18 {
		t.Errorf("of another scale %d of 20 are apart", n)
	}
	if n := count(20, func(r *rand.Rand) float64 {
		for {
			if v := cauchy(r); math.Abs(v) < 4 {
				return v
			}
		}
	}); n < 18 {
		t.Errorf("without tails %d of 20 are apart", n)
	}
}

// TestMixedLineagesTellShares: 24 lineages of 75 points each, which have forgotten where they came from, tell a scale of 0.55 from
// one of 0.32; 24 lineages of equal points are 24 points, and not apart from what they were drawn from.
func TestMixedLineagesTellShares(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, mixed := range []bool{true, false} {
		c, apart := &column{}, 0
		for range 20 {
			var ancestor []int
			c.x, c.fit = nil, fitted{n: 1000}
			for i := range 24 {
				at := 0.32 * r.NormFloat64()
				for range 75 {
					if mixed {
						at = 0.55 * r.NormFloat64()
					}
					c.x, ancestor = append(c.x, at), append(ancestor, i)
				}
			}
			for range 1000 {
				c.fit.values, c.fit.weights = append(c.fit.values, 0.32*r.NormFloat64()), append(c.fit.weights, 0.001)
			}
			if c.apart(ancestor, effective(ancestor), false) {
				apart++
			}
		}
		if mixed && apart < 20 || !mixed && apart > 0 {
			t.Errorf("mixed %v: %d of 20 are apart", mixed, apart)
		}
	}
}

// TestDrawsThatAreOne: draws that are all the same differ from a population by a finite number, so that they can be called bad.
func TestDrawsThatAreOne(t *testing.T) {
	col := column{name: "x", fit: fitted{mean: -17511}, x: []float64{-1, 0, 1, 2}}
	one, ok := col.compared([]int{0, 1, 2, 3})
	if value, _ := one.Difference(); !ok || !(value > 2) || math.IsInf(value, 0) {
		t.Errorf("difference %g, %v; want a finite one above 2", value, ok)
	}
}
