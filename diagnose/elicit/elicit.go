// This file holds the questions, and simulates what answers them.

package elicit

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// A Number stands in a statement of the prior.
type Number struct {
	Line      int     `json:"line"`
	Statement string  `json:"statement"`
	Name      string  `json:"name"` // as it is written: a literal, or a variable of the data
	Value     float64 `json:"value"`
	Low, High float64 `json:"-"` // of what it may be; infinite where there is no bound
	Step      float64 `json:"-"` // a large step of one without bounds, in its unit
	At        int     `json:"-"` // where it begins in the statement; negative for a variable of the data
}

// A Wanted quantile.
type Wanted struct {
	Share float64 // between 0 and 1
	Value float64
}

// A Quantity is simulated from the prior.
type Quantity struct {
	Name      string
	Plausible *[2]float64 // range that most of it should be in; nil for none
	Want      []Wanted
}

// Sets has the numbers of each quantity in each data set.
type Sets [][][]float64

// Options are the question.
type Options struct {
	Quantities []Quantity
	Numbers    []Number
	Fixed      []bool          // which of these stay as they are where quantiles are wanted
	Set        map[int]float64 // other values of numbers, counted from 1, to look at
	Sets       int             // data sets, at least 1
	Seed       uint64
	// Simulate draws data sets with other values of all numbers; undrawn counts those that could not be drawn.
	Simulate func(ctx context.Context, values []float64, n int, seed uint64) (sets Sets, undrawn int, err error)
}

// Shares of the quantiles that are shown.
var shown = []float64{0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99}

// Least is how many data sets a verdict needs.
const Least = 100

// pooled are all finite numbers of a quantity, sorted.
func pooled(sets [][]float64) []float64 {
	x := slices.Concat(sets...)
	x = slices.DeleteFunc(x, math.IsNaN)
	slices.Sort(x)
	return x
}

// quantiles are those at shares.
func quantiles(sets [][]float64, shares []float64) []float64 {
	x, out := pooled(sets), make([]float64, len(shares))
	for i, p := range shares {
		out[i] = draws.Quantile(x, p)
	}
	return out
}

// share is the part of a quantity's numbers of which is holds, over data sets, with its standard error.
func share(sets [][]float64, is func(x float64) float64) (mean, err float64) {
	var parts []float64
	for _, set := range sets {
		n := 0.0
		for _, x := range set {
			n += is(x)
		}
		if len(set) > 0 {
			parts = append(parts, n/float64(len(set)))
		}
	}
	all := [][]float64{parts}
	return draws.Mean(all), draws.SD(all) / math.Sqrt(float64(len(parts)))
}

// Judge answers.
func Judge(ctx context.Context, o Options) (*diagnose.Verdict, error) {
	values := valuesOf(o.Numbers)
	written, undrawn, err := o.Simulate(ctx, values, o.Sets, o.Seed)
	if err != nil {
		return nil, err
	}
	f := &Figures{Sets: o.Sets, Undrawn: undrawn}
	for i, q := range o.Quantities {
		f.Quantities = append(f.Quantities, describe(q, written[i]))
	}
	switch {
	case slices.ContainsFunc(o.Quantities, func(q Quantity) bool { return len(q.Want) > 0 }):
		err = f.match(ctx, o)
	case len(o.Set) > 0:
		err = f.set(ctx, o)
	default:
		err = f.move(ctx, o)
	}
	if err != nil {
		return nil, err
	}
	return f.verdict(), nil
}

func valuesOf(numbers []Number) []float64 {
	out := make([]float64, len(numbers))
	for i, n := range numbers {
		out[i] = n.Value
	}
	return out
}

// free is a number on a scale without bounds, in units of a large step, and back is the way back; a number on a bound is held to be near it.
func (n *Number) free(x float64) float64 {
	const near = 1e-3
	switch {
	case !math.IsInf(n.Low, 0) && !math.IsInf(n.High, 0):
		p := min(max((x-n.Low)/(n.High-n.Low), near), 1-near)
		return (libm.Log(p) - libm.Log1p(-p)) / math.Ln2
	case !math.IsInf(n.Low, 0):
		return libm.Log(max(x-n.Low, near)) / math.Ln2
	case !math.IsInf(n.High, 0):
		return -libm.Log(max(n.High-x, near)) / math.Ln2
	}
	return x / n.Step
}

func (n *Number) back(u float64) float64 {
	e := libm.Exp(u * math.Ln2)
	switch {
	case !math.IsInf(n.Low, 0) && !math.IsInf(n.High, 0):
		return n.Low + (n.High-n.Low)*e/(1+e)
	case !math.IsInf(n.Low, 0):
		return n.Low + e
	case !math.IsInf(n.High, 0):
		return n.High - 1/e
	}
	return u * n.Step
}

// Check says what is wrong with a value of a number, counted from 1; nil if nothing is.
func Check(numbers []Number, i int, value float64) error {
	if i < 1 || i > len(numbers) {
		return fmt.Errorf("the priors have no number %d; they have %d", i, len(numbers))
	}
	n := numbers[i-1]
	if value > n.Low && value < n.High {
		return nil
	}
	must := "finite"
	switch {
	case !math.IsInf(n.High, 0):
		must = fmt.Sprintf("between %g and %g", n.Low, n.High)
	case !math.IsInf(n.Low, 0):
		must = fmt.Sprintf("above %g", n.Low)
	}
	return fmt.Errorf("number %d, %s in line %d, must be %s, found %g", i, n.Name, n.Line, must, value)
}

// set simulates with other values of numbers.
func (f *Figures) set(ctx context.Context, o Options) error {
	values := valuesOf(o.Numbers)
	for k := range o.Numbers {
		if to, ok := o.Set[k+1]; ok {
			values[k] = to
			f.Found = append(f.Found, Moved{Number: o.Numbers[k], To: to})
		}
	}
	sets, _, err := o.Simulate(ctx, values, o.Sets, o.Seed)
	for i := range sets {
		f.Quantities[i].Set = numbersOf(quantiles(sets[i], shown))
	}
	return err
}

// move simulates with each number moved: a positive one doubled, one without bounds by a large step.
func (f *Figures) move(ctx context.Context, o Options) error {
	for k := range o.Numbers {
		n := &o.Numbers[k]
		values := valuesOf(o.Numbers)
		values[k] = rounded(n.back(n.free(n.Value) + 1))
		sets, _, err := o.Simulate(ctx, values, o.Sets, o.Seed)
		if err != nil {
			return err
		}
		m := Moved{Number: *n, To: values[k]}
		for i := range o.Quantities {
			m.Quantities = append(m.Quantities, numbersOf(quantiles(sets[i], movedShares)))
		}
		f.Moved = append(f.Moved, m)
	}
	return nil
}

// movedShares are those of the quantiles with a number moved.
var movedShares = []float64{0.05, 0.5, 0.95}

// rounded has three significant digits.
func rounded(x float64) float64 {
	if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return x
	}
	scale := 100.0
	for a := math.Abs(x); a >= 10; a /= 10 {
		scale /= 10
	}
	for a := math.Abs(x); a < 1; a *= 10 {
		scale *= 10
	}
	return math.Round(x*scale) / scale
}
