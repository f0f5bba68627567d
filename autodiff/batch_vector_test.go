// Operations on vectors at several points at once against the same ones at one.

package autodiff

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestLanesOfVectors does each operation on vectors, numbers and constants, for lengths that
// leave something of the last iteration.
func TestLanesOfVectors(t *testing.T) {
	needLanes(t)
	for n := shortVector + 1; n < shortVector+2*sumIteration; n += 3 {
		r := rand.New(rand.NewPCG(uint64(n), 5))
		data := make([]float64, n)
		for i := range data {
			data[i] = r.NormFloat64()
		}
		g := NewGraph(2*n + 2)
		if err := g.Disable("lift", "sums"); err != nil {
			t.Fatal(err)
		}
		x, y, c := g.View(g.Input(), 2, n), g.View(g.Input(), 2+n, n), g.Const(data)
		a := g.Map(Exp, 1, g.Elem(g.Input(), 0))
		var roots []Node
		for _, op := range []*Op{Add, Sub, Mul, Shift} {
			for _, in := range [][2]Node{{x, y}, {x, a}, {a, x}, {x, c}, {c, x}, {c, a}, {a, c}} {
				v := g.Map(op, n, in[0], in[1])
				roots = append(roots, g.Sum(v), g.Dot(v, x), g.Dot(c, v), g.Dot(v, v))
			}
		}
		for _, op := range []*Op{Neg, Inv, Square, Sqrt} {
			roots = append(roots, g.Sum(g.Map(op, n, g.Map(Mul, n, a, x))))
		}
		p := g.Compile(roots, nil)
		points := make([][]float64, 7)
		for i := range points {
			points[i] = make([]float64, g.dims)
			for k := range points[i] {
				points[i][k] = r.NormFloat64()
			}
		}
		compareLanes(t, p, points)
		found := map[kind]int{}
		for _, h := range p.batchProgram().prog.callInsts {
			if v, ok := h.fn.(*laneVector); ok {
				found[v.kind]++
			}
		}
		if found[kindMap] < 10 || found[kindSum] < 20 || found[kindDot] < 40 {
			t.Errorf("%d elements: only %d operations, %d sums and %d products for all lanes\n%s", n, found[kindMap], found[kindSum], found[kindDot], fmt.Sprint(p.Stats()))
		}
	}
}

// A pass saves more at each point the more points it has, and nothing for a single one.
func TestLanesSave(t *testing.T) {
	needLanes(t)
	const iterations = 50
	rng := rand.New(rand.NewPCG(1, 2))
	data := make([]float64, iterations)
	for k := range data {
		data[k] = rng.NormFloat64()
	}
	for _, c := range recurrences {
		if c.name != "hmm" && c.name != "kalman" {
			continue
		}
		g := NewGraph(c.carries + c.shared + c.steps*iterations)
		y, err := c.objective(g, iterations, true, false, data)
		if err != nil {
			t.Fatal(err)
		}
		p := g.Compile([]Node{y, g.Gradient(y)}, nil)
		if p.LanesSave(Lanes) == 0 || p.LanesSave(Lanes+3) != p.LanesSave(Lanes) {
			t.Errorf("%s: %d operations saved, of %d points %d", c.name, p.LanesSave(Lanes), Lanes+3, p.LanesSave(Lanes+3))
		}
		for n := 2; n <= Lanes; n++ {
			if p.LanesSave(n) < p.LanesSave(n-1) {
				t.Errorf("%s: %d points save %d, one fewer %d", c.name, n, p.LanesSave(n), p.LanesSave(n-1))
			}
		}
		if p.LanesSave(1) != 0 {
			t.Errorf("%s: a single point saves %d", c.name, p.LanesSave(1))
		}
	}
}
