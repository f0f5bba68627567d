// Rows of random generated quantities, by programs and by the reference interpreter.

package bind_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A rowSource is where rows come from: from points and from values of parameters.
type rowSource struct {
	m     *bind.Model
	write func(q []float64, r *rand.Rand, out []float64) error
	given *bind.Generator
	r     *rand.Rand
}

func newRowSource(p *ir.Program, in *data.Set, o bind.Options) (*rowSource, error) {
	m, err := bind.Bind(p, stdlib.New(), in, o)
	if err != nil {
		return nil, err
	}
	return &rowSource{m: m, write: m.NewEvaluator().Write, given: m.NewGenerator(), r: rand.New(rand.NewPCG(1, 2))}, nil
}

// row is the next one: at a point, or from values where there is none.
func (s *rowSource) row(q, values []float64) ([]float64, error) {
	out := slices.Repeat([]float64{math.NaN()}, len(s.m.Columns()))
	if q == nil {
		return out, s.given.Row(values, s.r, out)
	}
	return out, s.write(q, s.r, out)
}

// quantitiesData is data for the programs of randomQuantities.
func quantitiesData(n int) string {
	x, c, f := make([]string, n), make([]string, n), make([]string, n)
	r := rand.New(rand.NewPCG(uint64(n), 9))
	for i := range n {
		x[i], c[i], f[i] = fmt.Sprintf("%.2f", r.NormFloat64()), fmt.Sprint(1+r.IntN(3)), fmt.Sprint(r.IntN(2))
	}
	list := func(s []string) string { return strings.Join(s, ",") }
	return fmt.Sprintf(`{"N": %d, "x": [%s], "c": [%s], "f": [%s]}`, n, list(x), list(c), list(f))
}

// sameRows compares a few rows, with whatever comes of it for later ones.
func sameRows(fast, slow *rowSource, r *rand.Rand) error {
	for i := range 12 {
		q := make([]float64, fast.m.Dim())
		for k := range q {
			q[k] = r.NormFloat64()
		}
		if i >= 8 {
			q = nil
		}
		values := []float64{r.NormFloat64(), r.ExpFloat64(), r.NormFloat64(), 0, 1, 0.25, 0.25, 0.5}
		got, err := fast.row(q, values)
		want, wantErr := slow.row(q, values)
		if !sameText(err, wantErr) {
			return fmt.Errorf("row %d: %v; plainly %v", i, err, wantErr)
		}
		for k := range got {
			if !close64(got[k], want[k], 1e-9*max(1, math.Abs(want[k]))) {
				return fmt.Errorf("row %d: %s is %v, plainly %v", i, fast.m.Columns()[k], got[k], want[k])
			}
		}
	}
	return nil
}

func FuzzDrawnRows(f *testing.F) {
	for seed := range uint64(60) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		text := randomQuantities(seed)
		p, err := bindtest.Compile("drawn.stan", text, ".", stdlib.New())
		if err != nil {
			t.Skip(err) // an argument of a wrong type
		}
		size := []int{5, 40, 5, 40, 5, 40, 5, 300}[seed%8]
		in, err := data.ReadBytes([]byte(quantitiesData(size)), "drawn.json", func(string) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		o := bind.Options{Seed: 1, LeastIterations: int(seed / 2 % 2 * 2), WithoutNative: seed%5 == 0}
		fast, err := newRowSource(p, in, o)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		slow, err := newRowSource(p, in, o)
		if err != nil {
			t.Fatal(err)
		}
		bind.WithoutRowPrograms(slow.m)
		if err := sameCodeRows(slow.m, rand.New(rand.NewPCG(seed, 6))); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, text)
		}
		if err := sameRows(fast, slow, rand.New(rand.NewPCG(seed, 5))); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, text)
		}
	})
}
