package autodiff

import (
	"math"
	"testing"
)

// TestLimitsOfSimplifications: a simplified expression has the value of the operations
// themselves wherever a program has a value, but for the digits that log(exp(x)) loses near 0,
// and beyond its limits the program fails.
func TestLimitsOfSimplifications(t *testing.T) {
	ops := []*Op{Neg, Exp, Log, Inv, Sqrt, Square}
	at := []float64{-1e300, -800, -720, -700, -1, -1e-310, 0, 1e-320, 1e-310, 1e-300, 0.3, 1, 2, 700, 720, 800, 1e300, 1.7e308, math.Inf(1), math.Inf(-1)}
	refused := 0
	for _, outer := range ops {
		for _, middle := range ops {
			for _, inner := range ops {
				g := NewGraph(1)
				y := g.Map(outer, 1, g.Map(middle, 1, g.Map(inner, 1, g.Input())))
				p := Compile(g, []Node{y}, nil)
				m := p.NewMachine()
				for _, x := range at {
					between := middle.F1(inner.F1(x))
					want := outer.F1(between)
					if m.Run([]float64{x}) != nil {
						refused++
						continue
					}
					got := m.Root(0)[0]
					if got != want && !(math.IsNaN(got) && math.IsNaN(want)) && !(math.Abs(got-want) <= 1e-13*math.Abs(want)+1e-15) && math.Abs(between) > 1e-15 {
						t.Errorf("%s(%s(%s(%g))) is %v, want %v", outer.Name, middle.Name, inner.Name, x, got, want)
					}
				}
			}
		}
	}
	if refused == 0 || refused > 1200 {
		t.Errorf("%d points of %d are beyond limits", refused, len(ops)*len(ops)*len(ops)*len(at))
	}
}
