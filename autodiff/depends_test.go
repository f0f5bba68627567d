package autodiff

import (
	"slices"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
)

// What elements depend on, through each kind of node that keeps elements apart.
func TestDependence(t *testing.T) {
	g := graph.NewGraph(4)
	x := g.Input()
	ab := g.View(x, 0, 2)
	cd := g.Gather([]graph.Ref{{Node: x, Elem: 3}, {Node: x, Elem: 1}})
	sum := g.Map(graph.Add, 2, ab, cd)                      // {0,3}, {1}
	scaled := g.Map(graph.Mul, 2, g.Elem(x, 2), sum)        // {0,2,3}, {1,2}
	band := g.MatVec(g.Const([]float64{1, 0, 1, 1}), ab, 2) // columns (1,0), (1,1): {0,1}, {1}
	total := g.Sum(sum)
	d := g.Dependence()
	for _, c := range []struct {
		name string
		x    graph.Node
		elem int
		want []int32
	}{
		{"input", x, 2, []int32{2}}, {"sum", sum, 0, []int32{0, 3}}, {"sum", sum, 1, []int32{1}},
		{"scaled", scaled, 0, []int32{0, 2, 3}}, {"scaled", scaled, 1, []int32{1, 2}},
		{"band", band, 0, []int32{0, 1}}, {"band", band, 1, []int32{1}},
		{"total", total, 0, []int32{0, 1, 3}}, {"constant", g.Scalar(3), 0, nil},
	} {
		if c.name == "constant" {
			d = g.Dependence()
		}
		if got := d.Of(c.x, c.elem); !slices.Equal(got, c.want) {
			t.Errorf("%s, element %d: %v, expected %v", c.name, c.elem, got, c.want)
		}
	}
}
