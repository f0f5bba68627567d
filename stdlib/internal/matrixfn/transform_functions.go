// Rows of the constraint functions, made from the table of transforms: X_constrain,
// X_jacobian (which adds the log Jacobian to the target as well) and X_unconstrain.

package matrixfn

import (
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
)

const transformSection = "Variable Transformation Functions"

// transformFunctions returns the rows.
func transformFunctions() []*catalogue.Function {
	var all []*catalogue.Function
	for _, e := range []struct {
		prefix string
		m      transform.ScalarMap
		params string
	}{
		{"lower_bound", transform.LowerMap(), "T lb"},
		{"upper_bound", transform.UpperMap(), "T ub"},
		{"lower_upper_bound", transform.LowerUpperMap(), "T lb, T ub"},
		{"offset_multiplier", transform.OffsetMultiplierMap(), "T offset, T multiplier"},
	} {
		all = append(all, functions(e.m, e.prefix, e.params)...)
	}
	grow := func(rows, cols int) func(free, sizes []int) []int {
		return func(free, _ []int) []int {
			if len(free) == 1 {
				return []int{free[0] + rows}
			}
			return []int{free[0] + rows, free[1] + cols}
		}
	}
	square := func(_, sizes []int) []int { return []int{sizes[0], sizes[0]} }
	for _, c := range []constraint{
		{"ordered", transform.OrderedTransform(), "vector", "", grow(0, 0)},
		{"positive_ordered", transform.PositiveOrderedTransform(), "vector", "", grow(0, 0)},
		{"simplex", transform.SimplexTransform(), "vector", "", grow(1, 0)},
		{"sum_to_zero", transform.SumToZeroVectorTransform(), "vector", "", grow(1, 0)},
		{"sum_to_zero", transform.SumToZeroMatrixTransform(), "matrix", "", grow(1, 1)},
		{"unit_vector", transform.UnitVectorTransform(), "vector", "", grow(0, 0)},
		{"unit_vectors", transform.UnitVectorTransform(), "vector", "", grow(0, 0)}, // the Functions Reference's spelling
		{"stochastic_column", transform.ColumnStochasticTransform(), "matrix", "", grow(1, 0)},
		{"stochastic_row", transform.RowStochasticTransform(), "matrix", "", grow(0, 1)},
		{"corr_matrix", transform.CorrMatrixTransform(), "vector", ", int K", square},
		{"cov_matrix", transform.CovMatrixTransform(), "vector", ", int K", square},
		{"cholesky_factor_corr", transform.CholeskyCorrTransform(), "vector", ", int K", square},
		{"cholesky_factor_cov", transform.CholeskyCovTransform(), "vector", ", int M, int N", func(_, sizes []int) []int { return sizes }},
	} {
		all = append(all, c.functions()...)
	}
	return all
}

// rowsOf makes the three rows of a transform from their kernels.
func rowsOf(prefix string, constrain, unconstrain []string, value, jacobian, inverse *catalogue.Kernel) []*catalogue.Function {
	log := &catalogue.Function{
		Name: prefix + "_log_jacobian", Section: transformSection, Kernel: jacobian,
		Doc: "the log Jacobian of the transform",
	}
	return []*catalogue.Function{
		{
			Name: prefix + "_constrain", Signatures: named(prefix+"_constrain", constrain), Kernel: value,
			Doc: "the constrained value of unconstrained numbers", Section: transformSection,
		},
		{
			Name: prefix + "_jacobian", Signatures: named(prefix+"_jacobian", constrain), Kernel: value, Jacobian: log,
			Doc: "the constrained value of unconstrained numbers; the log Jacobian is added to the target", Section: transformSection,
		},
		{
			Name: prefix + "_unconstrain", Signatures: named(prefix+"_unconstrain", unconstrain), Kernel: inverse,
			Doc: "the unconstrained numbers of a constrained value", Section: transformSection,
		},
	}
}

// named puts a function's name into signatures in which it is "%s".
func named(name string, signatures []string) []string {
	all := make([]string, len(signatures))
	for i, s := range signatures {
		all[i] = fmt.Sprintf(s, name)
	}
	return all
}

// functions returns the rows of an elementwise transform.
func functions(m transform.ScalarMap, prefix, params string) []*catalogue.Function {
	signature := []string{"R %s(T y, " + params + ")"}
	return rowsOf(prefix, signature, signature, constrainKernel(m, prefix), jacobianKernel(m), unconstrainKernel(m, prefix))
}

// element returns element i of the variable and of the parameters.
func element(m transform.ScalarMap, in []catalogue.Tensor, i int) (y, a, b float64) {
	y, a = elementOf(in[0], i), elementOf(in[1], i)
	if m.NArg > 1 {
		b = elementOf(in[2], i)
	}
	return y, a, b
}

// elementOf is element i of a container, or the number itself.
func elementOf(t catalogue.Tensor, i int) float64 {
	if len(t.Dims) == 0 {
		return t.X[0]
	}
	return t.X[i]
}

// addElements adds g times the partial derivatives of element i.
func addElements(m transform.ScalarMap, in []catalogue.Tensor, i int, g float64, partials [3]float64, din [][]float64) {
	for k := 0; k <= m.NArg; k++ {
		if din[k] == nil {
			continue
		}
		if len(in[k].Dims) == 0 {
			din[k][0] += float64(g * partials[k])
		} else {
			din[k][i] += float64(g * partials[k])
		}
	}
}

// broadcastDims are the sizes of the container among the arguments.
func broadcastDims(fn string, in []catalogue.Tensor) ([]int, error) {
	var dims []int
	for _, t := range in {
		if len(t.Dims) == 0 {
			continue
		}
		if dims != nil && transform.SizeOf(dims) != transform.SizeOf(t.Dims) {
			return nil, container.SizeError(fn, "the size of one argument", transform.SizeOf(dims), "that of another", transform.SizeOf(t.Dims))
		}
		dims = t.Dims
	}
	return dims, nil
}

func constrainKernel(m transform.ScalarMap, prefix string) *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) { return broadcastDims(prefix+"_constrain", in) },
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			for i := range out {
				y, a, b := element(m, in, i)
				if text := m.Valid(a, b); text != "" {
					return catalogue.DomainErrorf(prefix+"_constrain", "%s", text)
				}
				out[i], _ = m.Forward(y, a, b)
			}
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
			for i, g := range adj {
				dx, _ := m.Partials(element(m, in, i))
				addElements(m, in, i, g, dx, din)
			}
		},
	}
}

func jacobianKernel(m transform.ScalarMap) *catalogue.Kernel {
	count := func(in []catalogue.Tensor) int {
		dims, _ := broadcastDims("", in)
		return transform.SizeOf(dims)
	}
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			_, err := broadcastDims(m.Name+"_jacobian", in)
			return nil, err
		},
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			sum := 0.0
			for i := range count(in) {
				_, lj := m.Forward(element(m, in, i))
				sum += lj
			}
			out[0] = sum
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
			for i := range count(in) {
				_, dlog := m.Partials(element(m, in, i))
				addElements(m, in, i, adj[0], dlog, din)
			}
		},
	}
}

func unconstrainKernel(m transform.ScalarMap, prefix string) *catalogue.Kernel {
	fn := prefix + "_unconstrain"
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) { return broadcastDims(fn, in) },
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			for i := range out {
				x, a, b := element(m, in, i)
				if text := m.Valid(a, b); text != "" {
					return catalogue.DomainErrorf(fn, "%s", text)
				}
				if text := m.Check(x, a, b); text != "" {
					return catalogue.DomainErrorf(fn, "x%s is %s, but must be %s", catalogue.ElementIndex(in[0], i), catalogue.NumberText(x), text)
				}
				out[i] = m.Inverse(x, a, b)
			}
			return nil
		},
		// dy = (dx - x_a da - x_b db) / x_y
		VJP: func(in []catalogue.Tensor, out, adj []float64, din [][]float64, _ []float64) {
			for i, g := range adj {
				_, a, b := element(m, in, i)
				dx, _ := m.Partials(out[i], a, b)
				addElements(m, in, i, g/dx[0], [3]float64{1, -dx[1], -dx[2]}, din)
			}
		},
	}
}

// A constraint is a transform of whole vectors or matrices, as functions.
type constraint struct {
	prefix string
	t      *transform.Transform
	free   string // type of the free numbers
	sizes  string // further parameters: sizes of the result
	dims   func(free, sizes []int) []int
}

// maxTransformDims is how deep arrays of constrained variables may be, as in Stan.
const maxTransformDims = 7

func (c constraint) functions() []*catalogue.Function {
	result := c.free
	if c.sizes != "" {
		result = "matrix"
	}
	var forward, backward []string
	for n := range maxTransformDims + 1 {
		array := container.ArrayPrefix(n)
		forward = append(forward, array+result+" %s("+array+c.free+" y"+c.sizes+")")
		backward = append(backward, array+c.free+" %s("+array+result+" x)")
	}
	return rowsOf(c.prefix, forward, backward, c.constrainKernel(), c.jacobianKernel(), c.unconstrainKernel())
}

// shape returns the number of variables, the sizes of one and how many free numbers it has.
func (c constraint) shape(in []catalogue.Tensor) (count int, dims []int, free int, err error) {
	y := in[0]
	count = transform.SizeOf(y.Dims[:y.Rank.Array])
	var sizes [2]int
	for i, t := range in[1:] {
		sizes[i] = container.IntArg(t)
		if err := container.CheckCount(c.prefix+"_constrain", "size", sizes[i]); err != nil {
			return 0, nil, 0, err
		}
	}
	freeDims := y.Dims[y.Rank.Array:]
	dims = c.dims(freeDims, sizes[:])
	free, err = c.t.Free(dims)
	if err != nil {
		return 0, nil, 0, fmt.Errorf("%s_constrain: y%w", c.prefix, err)
	}
	if n := transform.SizeOf(freeDims); n != free {
		err = container.SizeError(c.prefix+"_constrain", "the size of y", n, "the number of free numbers of the result", free)
	}
	return count, dims, free, err
}

func (c constraint) work(dims []int) int {
	if c.t.Work == nil {
		return 0
	}
	return c.t.Work(dims)
}

func (c constraint) constrainKernel() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			_, dims, _, err := c.shape(in)
			if err != nil {
				return nil, err
			}
			return append(append([]int(nil), in[0].Dims[:in[0].Rank.Array]...), dims...), nil
		},
		Work: func(in []catalogue.Tensor) int {
			_, dims, _, _ := c.shape(in)
			return c.work(dims)
		},
		Value: func(in []catalogue.Tensor, out, work []float64) error {
			count, dims, free, _ := c.shape(in)
			size := transform.SizeOf(dims)
			for i := 0; i < count; i++ {
				if _, err := c.t.Constrain(dims, in[0].X[i*free:(i+1)*free], nil, out[i*size:(i+1)*size], work); err != nil {
					return err
				}
			}
			return nil
		},
		VJP: func(in []catalogue.Tensor, out, adj []float64, din [][]float64, work []float64) {
			count, dims, free, _ := c.shape(in)
			size := transform.SizeOf(dims)
			for i := 0; i < count; i++ {
				f, x := in[0].X[i*free:(i+1)*free], out[i*size:(i+1)*size]
				c.t.VJP(dims, f, nil, x, adj[i*size:(i+1)*size], 0, din[0][i*free:(i+1)*free], nil, work)
			}
		},
	}
}

func (c constraint) jacobianKernel() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			_, _, _, err := c.shape(in)
			return nil, err
		},
		Work: func(in []catalogue.Tensor) int {
			_, dims, _, _ := c.shape(in)
			return 2*transform.SizeOf(dims) + c.work(dims)
		},
		Value: func(in []catalogue.Tensor, out, work []float64) error {
			count, dims, free, _ := c.shape(in)
			size := transform.SizeOf(dims)
			out[0] = 0
			for i := 0; i < count; i++ {
				lj, err := c.t.Constrain(dims, in[0].X[i*free:(i+1)*free], nil, work[:size], work[size:])
				if err != nil {
					return err
				}
				out[0] += lj
			}
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, work []float64) {
			count, dims, free, _ := c.shape(in)
			size := transform.SizeOf(dims)
			x, zero, rest := work[:size], work[size:2*size], work[2*size:]
			clear(zero)
			for i := 0; i < count; i++ {
				f := in[0].X[i*free : (i+1)*free]
				if _, err := c.t.Constrain(dims, f, nil, x, rest); err == nil {
					c.t.VJP(dims, f, nil, x, zero, adj[0], din[0][i*free:(i+1)*free], nil, rest)
				}
			}
		},
	}
}

// freeDims returns the sizes of the free numbers of a variable.
func (c constraint) freeDims(dims []int) ([]int, error) {
	free, err := c.t.Free(dims)
	if err != nil {
		return nil, fmt.Errorf("%s_unconstrain: x%w", c.prefix, err)
	}
	if c.free == "vector" {
		return []int{free}, nil
	}
	zero := c.dims([]int{0, 0}, nil) // how much larger than the free matrix it is
	return []int{dims[0] - zero[0], dims[1] - zero[1]}, nil
}

func (c constraint) unconstrainKernel() *catalogue.Kernel {
	split := func(in []catalogue.Tensor) (count int, dims []int, free int) {
		x := in[0]
		dims = x.Dims[x.Rank.Array:]
		free, _ = c.t.Free(dims)
		return transform.SizeOf(x.Dims[:x.Rank.Array]), dims, free
	}
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			x := in[0]
			free, err := c.freeDims(x.Dims[x.Rank.Array:])
			return append(append([]int(nil), x.Dims[:x.Rank.Array]...), free...), err
		},
		Work: func(in []catalogue.Tensor) int {
			_, dims, free := split(in)
			size := transform.SizeOf(dims)
			return c.work(dims) + size*free + size + free*free + free
		},
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			count, dims, free := split(in)
			size := transform.SizeOf(dims)
			for i := 0; i < count; i++ {
				if err := c.t.Unconstrain(dims, in[0].X[i*size:(i+1)*size], nil, out[i*free:(i+1)*free]); err != nil {
					return err
				}
			}
			return nil
		},
		VJP: func(in []catalogue.Tensor, out, adj []float64, din [][]float64, work []float64) {
			count, dims, free := split(in)
			size := transform.SizeOf(dims)
			for i := 0; i < count; i++ {
				c.addInverse(dims, out[i*free:(i+1)*free], in[0].X[i*size:(i+1)*size], adj[i*free:(i+1)*free], din[0][i*size:(i+1)*size], work)
			}
		},
	}
}

// addInverse adds the derivative of the free numbers, J (J'J)^-1 adj with J that of the
// variable in them: exact for all movements that keep the constraint.
func (c constraint) addInverse(dims []int, free, x, adj, dx, work []float64) {
	if c.t.Name == "unit_vector" { // the inverse is the vector itself
		catalogue.Axpy(1, adj, dx)
		return
	}
	n, size := len(free), len(x)
	jt, unit := work[:n*size], work[n*size:n*size+size] // column k of jt: derivative of x[k]
	gram, s := work[n*size+size:n*size+size+n*n], work[n*size+size+n*n:n*size+size+n*n+n]
	rest := work[n*size+size+n*n+n:]
	clear(jt)
	clear(unit)
	for k := range x {
		unit[k] = 1
		c.t.VJP(dims, free, nil, x, unit, 0, jt[k*n:(k+1)*n], nil, rest)
		unit[k] = 0
	}
	clear(gram)
	catalogue.MulTransposeBAdd(n, size, n, jt, jt, gram)
	if n == 0 {
		return
	}
	if !catalogue.Cholesky(n, gram, gram) {
		Fill(dx, math.NaN())
		return
	}
	copy(s, adj)
	SolveCholesky(n, 1, gram, s)
	catalogue.AddTransposeTimes(jt, n, s, dx)
}
