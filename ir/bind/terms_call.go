// Densities of many observations in one call, taken apart into one term for each; batches of terms as programs.

package bind

import (
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/ir/bind/trace"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// The shares say what one observation of a call takes of an argument.
const (
	shareAll     = '-' // all of it
	shareElement = 'e' // one number of a container
	shareRow     = 'r' // one row of a matrix
	shareMember  = 'a' // one member of an array
)

// sharesOf holds the densities whose arguments are shared out in a way of their own,
// with one letter for each argument. Of the others, univariate ones give each
// observation one number of each container, and the rest one member of each array.
var sharesOf = map[string]string{
	"normal_id_glm_lpdf":          "ere-e",
	"bernoulli_logit_glm_lpmf":    "ere-",
	"binomial_logit_glm_lpmf":     "eere-",
	"poisson_log_glm_lpmf":        "ere-",
	"neg_binomial_2_log_glm_lpmf": "ere-e",
	"ordered_logistic_glm_lpmf":   "er--",
	"categorical_logit_glm_lpmf":  "er--",
	"ordered_logistic_lpmf":       "eea",
	"ordered_probit_lpmf":         "eea",
	"multinomial_lpmf":            "--", // all counts make one observation
	"multinomial_logit_lpmf":      "--",
	"dirichlet_multinomial_lpmf":  "--",
}

// shares is the letter of each argument of a call.
func shares(fn *stdlib.Function, n int) string {
	if s, ok := sharesOf[fn.Name]; ok {
		return s
	}
	letter := string(shareMember)
	if fn.Density != nil && fn.Density.Log != nil {
		letter = string(shareElement)
	}
	return strings.Repeat(letter, n)
}

func isDensity(fn *stdlib.Function) bool {
	return strings.HasSuffix(fn.Name, "_lpdf") || strings.HasSuffix(fn.Name, "_lpmf")
}

// A splitCall is a density of n observations as a function with n outputs, each of
// which depends on its own observation's arguments.
type splitCall struct {
	*trace.KernelCall
	n      int
	shares []portion // of all arguments
	types  []types.Type
	only   []int // the observations that are wanted, one an output; nil for all
}

// A portion says where observation i finds its numbers of an argument: n of them from
// i*stride on, step apart.
type portion struct {
	stride, n, step int
	dims            []int
	rank            stdlib.Rank
}

// newSplitCall takes a call apart; false where it is about one observation only.
func newSplitCall(at source.Span, fn *stdlib.Function, args []*eval.Value) (*splitCall, bool) {
	s := &splitCall{KernelCall: trace.NewKernelCall(at, fn, args), n: 1}
	for k, letter := range shares(fn, len(args)) {
		t := s.Args[k]
		p, n := portionOf(t, letter)
		if n >= 0 {
			s.n = n
		}
		s.shares, s.types = append(s.shares, p), append(s.types, args[k].T)
	}
	return s, s.n > 1
}

// portionOf is what an observation takes of an argument, and of how many observations
// it holds the numbers; -1 where all use the same.
func portionOf(t stdlib.Tensor, letter rune) (portion, int) {
	all := portion{n: len(t.X), step: 1, dims: t.Dims, rank: t.Rank}
	switch {
	case letter == shareElement && len(t.Dims) > 0:
		return portion{stride: 1, n: 1, step: 1}, len(t.X)
	case letter == shareRow && len(t.Dims) == 2:
		rows, cols := t.Dims[0], t.Dims[1]
		return portion{stride: 1, n: cols, step: rows, dims: []int{1, cols}}, rows
	case letter == shareMember && t.Rank.Array > 0 && t.Dims[0] > 0:
		n := t.Dims[0]
		size := len(t.X) / n
		return portion{stride: size, n: size, step: 1, dims: t.Dims[1:], rank: stdlib.Rank{Array: t.Rank.Array - 1, Row: t.Rank.Row}}, n
	}
	return all, -1
}

// Part implements autodiff.Separable.
func (s *splitCall) Part(i, k int) (off, n, step int) {
	p := &s.shares[s.Active[k]]
	return i * p.stride, p.n, p.step
}

// observation is that of an output.
func (s *splitCall) observation(output int) int {
	if s.only != nil {
		return s.only[output]
	}
	return output
}

// Fused reports that there is no fused form.
func (s *splitCall) Fused([]bool) (autodiff.Opaque, bool) { return nil, false }

// Instance implements autodiff.Opaque.
func (s *splitCall) Instance() autodiff.Instance { return s.pieces() }

// State implements autodiff.Separable.
func (s *splitCall) State() autodiff.PerOutputState { return s.pieces() }

func (s *splitCall) pieces() *splitInstance {
	p := &splitInstance{splitCall: s, args: make([]stdlib.Tensor, len(s.Args)), din: make([][]float64, len(s.Args))}
	for k := range s.Args {
		share := &s.shares[k]
		p.args[k] = stdlib.Tensor{Rank: share.rank, Dims: share.dims}
		if share.step != 1 {
			p.args[k].X = make([]float64, share.n)
		}
	}
	for i := range s.Args { // sizes are looked at by Work
		p.load(0, i)
	}
	for range s.Active {
		p.own = append(p.own, nil)
		p.down = append(p.down, nil)
	}
	if w := s.Fn.Kernel.Work; w != nil {
		p.work = make([]float64, w(p.args))
	}
	return p
}

// splitInstance is the state of a splitCall in one machine.
type splitInstance struct {
	*splitCall
	args []stdlib.Tensor // of one observation
	din  [][]float64
	work []float64

	own, down [][]float64 // scratch of the whole function
}

// load fills argument k with what observation i takes of the constant there.
func (p *splitInstance) load(i, k int) {
	share, x := &p.shares[k], p.splitCall.Args[k].X
	if share.step == 1 {
		p.args[k].X = x[i*share.stride : i*share.stride+share.n]
		return
	}
	for j := range share.n {
		p.args[k].X[j] = x[i*share.stride+j*share.step]
	}
}

// Piece implements autodiff.Pieces.
func (p *splitInstance) Piece(i int, in, din [][]float64) (float64, error) {
	next := 0
	for k := range p.args {
		if next < len(p.Active) && p.Active[next] == k {
			p.args[k].X, p.din[k] = in[next], din[next]
			next++
		} else {
			p.load(i, k)
		}
	}
	v, err := p.Fn.Kernel.ValueGrad(p.args, p.din, p.work)
	if err != nil {
		return v, p.Located(err)
	}
	return v, nil
}

// Value implements autodiff.Instance.
func (p *splitInstance) Value(in [][]float64, out []float64) error {
	for o := range out {
		i := p.observation(o)
		v, err := p.Piece(i, p.gather(i, in), p.clean())
		if err != nil {
			return err
		}
		out[o] = v
	}
	return nil
}

// VJP implements autodiff.Instance.
func (p *splitInstance) VJP(in [][]float64, _, adj []float64, din [][]float64) {
	for o, a := range adj {
		if a == 0 {
			continue
		}
		i, own := p.observation(o), p.clean()
		if _, err := p.Piece(i, p.gather(i, in), own); err != nil {
			continue // errors show in Value
		}
		for k, d := range own {
			off, _, step := p.Part(i, k)
			for j := range d {
				if din[k] != nil {
					din[k][off+j*step] += float64(a * d[j])
				}
			}
		}
	}
}

// gather is what observation i takes of the active arguments.
func (p *splitInstance) gather(i int, in [][]float64) [][]float64 {
	for k, x := range in {
		off, n, step := p.Part(i, k)
		if len(p.own[k]) != n {
			p.own[k] = make([]float64, n)
		}
		for j := range n {
			p.own[k][j] = x[off+j*step]
		}
	}
	return p.own
}

// clean is room for the derivatives of one observation.
func (p *splitInstance) clean() [][]float64 {
	for k := range p.down {
		_, n, _ := p.Part(0, k)
		if len(p.down[k]) != n {
			p.down[k] = make([]float64, n)
		}
		clear(p.down[k])
	}
	return p.down
}

var _ autodiff.PerOutput = (*splitCall)(nil)

// The likelihood's terms as a program for batches of one size: where all terms are the elements of one
// vector, the model is recorded again with some rows of the data, which are runtime constants. The program is
// as quick as that of a model with so few observations, and runs for any batch.

// A rowsProgram computes, as its roots, the log density by a batch and its gradient.
type rowsProgram struct {
	*autodiff.Program
	slicer *autodiff.Slicer
}

// A rowsRecorder makes rows of recorded calls.
type rowsRecorder struct {
	*trace.Recorder
	*autodiff.Slicer
	n, size int
}

// rows makes the program for batches of a size; nil where terms are not rows, as far as is known.
func (t *termsRecording) rows(m *Model, size int) *rowsProgram {
	n := t.selection.Len()
	r := &rowsRecorder{Recorder: m.newRecorder(m.dim), n: n, size: size}
	r.Slicer = autodiff.NewSlicer(t.rec.Graph, r.Graph, n, size)
	r.Call = r.call
	sum, ok := r.sum(t)
	if !ok {
		return nil
	}
	g := r.Graph
	lp := g.Map(autodiff.Add, 1, r.Slicer.Node(t.lp), g.Map(autodiff.Mul, 1, g.Scalar(float64(n)/float64(size)), sum))
	if !r.DischargeObligations(autodiff.RootsTestedForNonFinite, lp) {
		return nil
	}
	r.Effects = append(r.Effects, r.Slicer.Nodes(t.rec.Effects)...)
	return &rowsProgram{autodiff.Compile(g, []autodiff.Node{lp, autodiff.Gradient(g, lp)}, r.Effects), r.Slicer}
}

// sum adds up the terms of a batch.
func (r *rowsRecorder) sum(t *termsRecording) (autodiff.Node, bool) {
	if fn, in := t.rec.Graph.Function(t.whole); fn != nil {
		if s, ok := fn.(*splitCall); ok {
			return r.density(s, in)
		}
	}
	terms, ok := r.Slicer.Rows(t.whole, autodiff.Rows{Step: 1, Cols: 1})
	if !ok || r.Graph.Len(terms) != r.size {
		return autodiff.None, false
	}
	return r.Graph.Sum(terms), true
}

// density is a density of the observations of a batch.
func (r *rowsRecorder) density(s *splitCall, in []autodiff.Node) (autodiff.Node, bool) {
	args := make([]*eval.Value, len(s.Args))
	for k, t := range s.Args {
		share := s.shares[k]
		a := argument{t, s.types[k], t.Dims, autodiff.Rows{Step: share.stride, Cols: share.n, Stride: share.step}}
		if share.stride == 0 {
			a.rows = autodiff.Rows{}
		} else if len(share.dims) == 0 || len(t.Dims) > 0 && share.step == 1 && t.Rank.Array == 0 {
			a.dims = []int{r.size}
		} else {
			a.dims = append([]int{r.size}, t.Dims[1:]...)
		}
		if t.Rank.Array > 0 && share.n > 1 {
			return autodiff.None, false // members of arrays lie one after the other
		}
		var ok bool
		if args[k], ok = r.value(a, slices.Index(s.Active, k), in); !ok {
			return autodiff.None, false
		}
	}
	out := eval.NewValue(types.Real, nil, []float64{0})
	return r.Kernel(s.At(), s.Fn, args, out), true
}

// An argument of a call, and the part of it that a row reads; the part is empty where all rows read the
// same.
type argument struct {
	stdlib.Tensor
	t    types.Type
	dims []int // of a batch
	rows autodiff.Rows
}

// value makes an argument again; it is number active of the nodes, or constant where that is negative.
func (r *rowsRecorder) value(a argument, active int, in []autodiff.Node) (*eval.Value, bool) {
	if a.rows.Cols == 0 {
		v := eval.NewValue(a.t, a.Dims, a.X)
		if active >= 0 {
			v.Node = r.Slicer.Node(in[active])
		}
		return v, true
	}
	x := make([]float64, 0, r.size*a.rows.Cols)
	for c := range a.rows.Cols {
		for b := range r.size {
			x = append(x, a.X[a.rows.Off+b%r.n*a.rows.Step+c*a.rows.Stride])
		}
	}
	v := eval.NewValue(a.t, a.dims, x)
	if active < 0 {
		v.Node = r.Constant(a.X, a.rows)
		return v, true
	}
	ok := false
	v.Node, ok = r.Slicer.Rows(in[active], a.rows)
	return v, ok && r.Graph.Len(v.Node) == len(x)
}

// call makes rows of a product of matrices; other functions are computed as a whole, unless they are
// piece by piece.
func (r *rowsRecorder) call(fn autodiff.Opaque, in []autodiff.Node, at autodiff.Rows) (autodiff.Node, bool) {
	if _, ok := fn.(autodiff.PerOutput); ok {
		return autodiff.None, false
	}
	k, ok := fn.(*trace.KernelCall)
	if !ok || k.Fn.Name != "multiply" || len(k.Args[0].Dims) != 2 || len(k.Args[1].Dims) != 2 {
		return autodiff.None, true
	}
	a, b := k.Args[0], k.Args[1]
	rows, inner, cols := a.Dims[0], a.Dims[1], b.Dims[1]
	if at.Stride != rows || at.Cols != cols || at.Off+(r.n-1)*at.Step >= rows {
		return autodiff.None, true
	}
	x, ok := r.value(argument{a, types.Matrix, []int{r.size, inner}, autodiff.Rows{Off: at.Off, Step: at.Step, Cols: inner, Stride: rows}}, slices.Index(k.Active, 0), in)
	if !ok {
		return autodiff.None, false
	}
	y, _ := r.value(argument{Tensor: b, t: types.Matrix}, slices.Index(k.Active, 1), in)
	out := eval.NewValue(types.Matrix, []int{r.size, cols}, make([]float64, r.size*cols))
	return r.Kernel(k.At(), k.Fn, []*eval.Value{x, y}, out), true
}

// A rowsMachine runs a rowsProgram in one goroutine.
type rowsMachine struct {
	*autodiff.Machine
	of    *rowsProgram
	terms []int // whose numbers it has
	given []float64
}

func (p *rowsProgram) machine() *rowsMachine {
	return &rowsMachine{Machine: p.NewMachine(), of: p, given: make([]float64, p.slicer.Constants())}
}

// run evaluates a batch at q.
func (r *rowsMachine) run(q []float64, terms []int) error {
	if !slices.Equal(r.terms, terms) {
		r.terms = append(r.terms[:0], terms...)
		r.of.slicer.Fill(terms, r.given)
		r.BindConstants(r.given)
	}
	return r.Run(q)
}
