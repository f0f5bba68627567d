// Functions with hand-written derivatives, as nodes of a graph.

package graph

// An Opaque is a function of whole vectors with its own reverse rule: a matrix
// factorisation, a differential equation, a density evaluated with its gradient in
// one pass. It is shared by all machines and immutable.
type Opaque interface {
	// Instance makes the state that one machine needs.
	Instance() Instance
	// Fused returns, for a function that computes its Jacobian along with its value,
	// the function that returns both: the n values, then one column of n partial
	// derivatives for each number of each active input, in order. False where there
	// is none; then VJP is used.
	Fused(active []bool) (Opaque, bool)
}

// An Instance is the state of an Opaque in one machine. Slices are only valid during the
// call.
type Instance interface {
	// Value fills out; an error stops the program with it.
	Value(in [][]float64, out []float64) error
	// VJP adds sum_k adj[k]*d out[k]/d in[i] to din[i] for each non-nil din[i].
	VJP(in [][]float64, out, adj []float64, din [][]float64)
}

// Outer is the outer product of two vectors as a column-major matrix: the adjoint of
// the matrix in a matrix-vector product.
type Outer struct{}

// String names the function in dumps.
func (Outer) String() string { return "outer product" }

// Instance returns the (stateless) function itself.
func (o Outer) Instance() Instance { return o }

// Fused reports that there is no fused form.
func (Outer) Fused([]bool) (Opaque, bool) { return nil, false }

// Value fills out with in[0] * transpose(in[1]).
func (Outer) Value(in [][]float64, out []float64) error {
	rows := len(in[0])
	for j, y := range in[1] {
		col := out[j*rows : (j+1)*rows]
		for i, x := range in[0] {
			col[i] = x * y
		}
	}
	return nil
}

// VJP adds the derivatives with respect to both vectors.
func (Outer) VJP(in [][]float64, _, adj []float64, din [][]float64) {
	rows := len(in[0])
	for j, y := range in[1] {
		for i, x := range in[0] {
			a := adj[j*rows+i]
			if din[0] != nil {
				din[0][i] += float64(a * y)
			}
			if din[1] != nil {
				din[1][j] += float64(a * x)
			}
		}
	}
}
