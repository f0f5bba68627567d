// The dynamic tape: reverse mode on concrete numbers, the oracle of the graph.

package autodiff

import "github.com/seed-12b88e03/ppl/autodiff/internal/graph"

// A Tape records operations as they are carried out on numbers, and sweeps back
// over them. Values live outside; the tape knows them by Refs (record, element).
// Record 0 is the input.
type Tape struct {
	records []record
}

// A record is one operation: n results; back adds to the adjoints of what it used.
type record struct {
	n    int
	back func(adj []float64, add func(r graph.Ref, a float64))
}

// NewTape makes a tape whose input has dim numbers.
func NewTape(dim int) *Tape {
	return &Tape{records: []record{{n: dim}}}
}

// Record notes an operation with n results. back is called in the sweep with the
// adjoints of the results, and adds to its arguments' with add (which ignores Refs
// with Node None).
func (t *Tape) Record(n int, back func(adj []float64, add func(r graph.Ref, a float64))) graph.Node {
	t.records = append(t.records, record{n: n, back: back})
	return graph.Node(len(t.records) - 1)
}

// Gradient sweeps back from the sum of the outputs and returns the derivative with
// respect to the input.
func (t *Tape) Gradient(outputs ...graph.Ref) []float64 {
	adj := make([][]float64, len(t.records))
	add := func(r graph.Ref, a float64) {
		if r.Node == graph.None {
			return
		}
		if adj[r.Node] == nil {
			adj[r.Node] = make([]float64, t.records[r.Node].n)
		}
		adj[r.Node][r.Elem] += a
	}
	for _, r := range outputs {
		add(r, 1)
	}
	for i := len(t.records) - 1; i > 0; i-- {
		if adj[i] != nil {
			t.records[i].back(adj[i], add)
		}
	}
	if adj[0] == nil {
		return make([]float64, t.records[0].n)
	}
	return adj[0]
}
