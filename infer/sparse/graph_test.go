package sparse_test

import (
	"slices"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/sparse"
)

// Elimination joins neighbours: a star becomes complete, a path stays a path, a cycle a shorter cycle.
func TestEliminate(t *testing.T) {
	for _, test := range []struct {
		name  string
		pairs [][2]int
		out   int
		near  []int
		left  [][]int // neighbours of all afterwards
	}{
		{"the middle of a star", [][2]int{{3, 0}, {3, 1}, {3, 2}}, 3, []int{0, 1, 2}, [][]int{{1, 2}, {0, 2}, {0, 1}, {0, 1, 2}}},
		{"a leaf of a star", [][2]int{{3, 0}, {3, 1}, {3, 2}}, 0, []int{3}, [][]int{{3}, {3}, {3}, {1, 2}}},
		{"within a path", [][2]int{{0, 1}, {1, 2}, {2, 3}}, 1, []int{0, 2}, [][]int{{2}, {0, 2}, {0, 3}, {2}}},
		{"of a cycle", [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 0}}, 2, []int{1, 3}, [][]int{{1, 3}, {0, 3}, {1, 3}, {0, 1}}},
		{"without neighbours, itself left out", [][2]int{{2, 2}, {0, 1}}, 2, nil, [][]int{{1}, {0}, nil, nil}},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := sparse.NewGraph(4)
			for _, p := range test.pairs {
				g.Join(p[0], p[1])
			}
			if near := g.Eliminate(test.out); !slices.Equal(near, test.near) {
				t.Errorf("neighbours %v, want %v", near, test.near)
			}
			for v, want := range test.left {
				var got []int
				for w := range g {
					if g[v][w] {
						got = append(got, w)
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("afterwards %d has %v, want %v", v, got, want)
				}
			}
		})
	}
}
