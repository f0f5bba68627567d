// Elements of one node that are multiplied alike.

package symbolic

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
)

// TestLayouts multiplies out the sum of squares of a regression on three numbers. However many rows there are
// their squares are looked up term by term once; rows with zeros, which have fewer terms, are
// looked up as often as they begin anew. The sum is compared with that of the numbers.
func TestLayouts(t *testing.T) {
	at := []float64{0.7, -1.3, 2.1}
	for _, c := range []struct {
		rows, zeros, lookups int
	}{{10, 0, 1}, {1000, 0, 1}, {1000, 500, 3}} { // the first row, the one with zeros, the one after it
		g := graph.NewGraph(3)
		data, y := make([]float64, 3*c.rows), make([]float64, c.rows)
		want := 0.0
		for i := range c.rows {
			y[i] = 2 + math.Sin(float64(i))
			d := y[i]
			for j := range 3 {
				x := math.Cos(float64(i*(j+1))) + 1.5
				if c.zeros > 0 && i == c.zeros && j == 1 {
					x = 0
				}
				data[i+j*c.rows] = x
				d -= x * at[j]
			}
			want += d * d
		}
		residual := g.Map(graph.Sub, c.rows, g.Const(y), g.MatVec(g.Const(data), g.InputNode, c.rows))
		square := g.Map(graph.Square, c.rows, residual)
		x := newExpander(g, Domain{}, 1e8)
		p := x.at(g.Sum(square), 0)
		lookups := 0
		for _, l := range x.layouts {
			lookups += l.lookups
		}
		if lookups != c.lookups {
			t.Errorf("%d rows: squares were looked up %d times, want %d", c.rows, lookups, c.lookups)
		}
		got := 0.0
		for _, term := range p {
			v := term.coef
			for _, f := range x.monos.powers.at(term.mono) {
				v *= math.Pow(at[x.atoms[f.Atom].Elem], f.Exp)
			}
			got += v
		}
		if math.Abs(got-want) > 1e-10*want {
			t.Errorf("%d rows: the sum is %v, want %v", c.rows, got, want)
		}
	}
}
