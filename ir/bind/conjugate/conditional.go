// Full conditionals, found on the program's graph.
//
// The log density is recorded as a function of the constrained parameters and the
// indicators of the discrete ones, densities expanded, and multiplied out into a sum
// of products of powers (products.go). What it is as a function of some numbers, the
// rest being held fixed, is read off the products that these numbers occur in. So
// conjugacy is found wherever it is, however the model is written: a normal mean inside
// a linear predictor, a variance through its square root, a precision through an
// inverse, a rate in a loop. What data alone contribute to a product's coefficient, a
// sufficient statistic, is added up once.
//
//	products with t in them              full conditional
//	t, t^2, t_i t_j                      normal, as many numbers at once as possible
//	log t, t                             gamma
//	log t, 1/t                           inverse gamma
//	log t, log(1 - t)                    beta
//	log t_k, a simplex                   Dirichlet
//	log |T|, T_ij                        Wishart
//	log |T|, (T^-1)_ij                   inverse Wishart
//
// A group of normal numbers and the precision or variance that all their products have is normal-gamma.
// Discrete parameters are drawn jointly, by enumeration. Everything else is sliced.
//
//	conditional_find.go      which conditional a parameter has, or why none
//	conditional_limits.go    what calls require of numbers beyond their declarations
//	conditional_centre.go    what normal numbers are measured from
//	conditional_state.go     a point with what follows from it
//	conditional_draw.go      draws of numbers
//	conditional_normal.go    draws of jointly normal numbers
//	conditional_scaled.go    draws of these and their precision
//	conditional_matrix.go    draws of simplexes and matrices
//	conditional_discrete.go  draws of discrete parameters
//	conditional_single.go    the same, one at a time
//	conditional_section.go   the density along one coordinate, for slices
//	conditional_scale.go     joint moves of a scale and what it scales

package conjugate

import (
	"errors"
	"math/rand/v2"
	"sync"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/stdlib"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer"
)

// A Host is the model that is analysed.
type Host struct {
	Dim                 int // unconstrained coordinates
	Prog                *ir.Program
	Lib                 *stdlib.Library
	Params              []trace.Param
	Discrete            []trace.Discrete
	Machine             func() *eval.Machine // one that knows the data
	NewRecorder         func(dim int) *trace.Recorder
	RunModel            func(em *eval.Machine, rec *trace.Recorder) error
	WalkDensity         func(em *eval.Machine, rec *trace.Recorder, q *eval.Value) error
	TransformParameters func(em *eval.Machine, rec *trace.Recorder) error
	NewEvaluator        func() Evaluator

	lock   sync.Mutex
	blocks map[string]*blocks              // by how parameters are put into blocks; found when first needed
	last   *recording                      // the last that was made
	ready  map[string]*infer.Factorisation // likewise, from when a check has made one until a fit takes it
}

// An Evaluator evaluates the joint log density of all parameters, for one goroutine.
type Evaluator interface {
	// LogDensity evaluates it at q, discrete parameters behind the others.
	LogDensity(q []float64) (float64, error)
	// Recover draws the discrete parameters given the others.
	Recover(q []float64, rng *rand.Rand) ([]int, error)
}

// A conditional is a block of the sweep.
type conditional struct {
	infer.Block
	draw  func(s *State, c *conditional, rng *rand.Rand) error
	at    []int // positions of its numbers among the constrained ones
	p     *trace.Param
	dims  []int        // of a simplex or matrix
	table *table       // of natural parameters; nil where draw needs none
	shape *normal      // of a normal one
	scale *conditional // of one drawn with a precision or variance: the conditional of that by itself
	set   *discreteSet // of some of the discrete numbers
	group int          // that its parameters are in; -1 for none

	scaleMove *scaleMove // of a joint move; its coordinates are in other blocks, too
}

// blocks is a model's sweep. It is immutable.
type blocks struct {
	list       []*conditional
	size       int               // how many constrained numbers
	sel        *Selector         // of the factors' entries
	constrain  *trace.Traced     // unconstrained to constrained numbers, and the log Jacobian of those without links, simplexes apart
	transforms []scalarTransform // of each constrained number
	valueOf    []int             // of each coordinate: the number that has it for its own, or -1
	coordOf    []int             // the other way round
	simplexes  []simplex         // each by itself, so that one that moves costs no others
	simplexOf  []int32           // of each coordinate, or -1
	centre     []float64         // of each number: what its powers are about; zero of all but normal ones
	products   *products         // nil where the density was not multiplied out
	sections   []*section        // by coordinate; nil where there is none
	sites      *sites            // discrete numbers that are independent given the rest; nil if they are not
	singles    *singles          // the same drawn one at a time; nil where they are drawn jointly
	total      *table            // the whole log density; nil where it was not multiplied out
	checks     *autodiff.Program // of constraints on transformed parameters; nil without any
}

// Conditionals describes the blocks of a Gibbs sweep over all parameters: which full
// conditional each was found to have, or why none. It looks less far than a run does and says so
// where that matters.
func (m *Host) Conditionals() ([]infer.Block, error) {
	m.lock.Lock()
	defer m.lock.Unlock()
	b := m.blocks[""]
	var err error
	if b == nil {
		b, err = m.analysed(infer.Blocking{}, budget{checkWork, "the log density has more terms than a check multiplies out; gibbs looks further", true})
	}
	if err != nil {
		return nil, err
	}
	var out []infer.Block
	for _, c := range b.list {
		if c.scaleMove == nil {
			out = append(out, c.Block)
		}
	}
	return out, nil
}

// Arrange analyses the model with its parameters put into blocks thus. The error is a
// *infer.GroupError where a group cannot be drawn jointly.
func (m *Host) Arrange(by infer.Blocking) error {
	_, err := m.sharedBlocks(by)
	if errors.As(err, new(*infer.GroupError)) {
		return err
	}
	return nil
}

// Blocks describes the sweep, joint moves included; before the first draw it analyses
// the model at 0.
func (m *Host) Blocks(by infer.Blocking) []infer.Block {
	b, err := m.sharedBlocks(by)
	if err != nil {
		return nil
	}
	out := make([]infer.Block, len(b.list))
	for i, c := range b.list {
		out[i] = c.Block
	}
	return out
}

// sharedBlocks analyses the model once for each way of putting parameters into blocks.
func (m *Host) sharedBlocks(by infer.Blocking) (*blocks, error) {
	m.lock.Lock()
	defer m.lock.Unlock()
	return m.analysedOnce(by)
}

// analysedOnce is sharedBlocks for one who has the lock.
func (m *Host) analysedOnce(by infer.Blocking) (*blocks, error) {
	if b := m.blocks[by.String()]; b != nil {
		return b, nil
	}
	b, err := m.analysed(by, budget{maxWork, "the log density has too many terms to be multiplied out", false})
	if err == nil {
		if m.blocks == nil {
			m.blocks = map[string]*blocks{}
		}
		m.blocks[by.String()] = b
	}
	return b, err
}

// A budget bounds the work of multiplying a log density out; exceeded is the reason that blocks
// have then.
type budget struct {
	work     int
	exceeded string
	forms    bool // only the forms are wanted: nothing is made that draws need
}

// analysed analyses the model. Where it has no density at 0 a few other points are tried.
func (m *Host) analysed(by infer.Blocking, limit budget) (*blocks, error) {
	rng := rand.New(rand.NewPCG(1, 1))
	q := make([]float64, m.Dim)
	var err error
	for range 20 {
		b, e := m.findBlocks(q, by, limit)
		switch {
		case TooLarge(e):
			return m.unfactored(), nil
		case e == nil || errors.As(e, new(*infer.GroupError)):
			return b, e
		}
		err = e
		for i := range q {
			q[i] = 2*rng.Float64() - 1
		}
	}
	return nil, err
}

// unfactored is the sweep of a model with factors too large for tables: discrete numbers
// one at a time, everything else by slices.
func (m *Host) unfactored() *blocks {
	b := &blocks{constrain: &trace.Traced{Record: m.recordParameters}, sel: &Selector{}}
	b.list = append(b.list, m.singly(tooLarge))
	return m.sliced(b, "a term of the log density depends on too many discrete parameters at once")
}

// DrawBlocks draws the blocks at the places, in their order, from their full conditionals at q, of
// which it sets the blocks' coordinates.
func (s *State) DrawBlocks(places []int, q []float64, rng *rand.Rand) error {
	if err := s.load(q); err != nil {
		return err
	}
	for _, at := range places {
		if err := s.drawBlock(s.b.list[at], q, rng); err != nil {
			return err
		}
	}
	return nil
}

// drawBlock draws one of them at the present point, which is that of q.
func (s *State) drawBlock(c *conditional, q []float64, rng *rand.Rand) error {
	err := s.refresh()
	if err != nil {
		return err
	}
	if s.b.checks == nil || c.p == nil { // discrete numbers are in no check
		err = c.draw(s, c, rng)
	} else {
		err = s.drawChecked(c, rng)
	}
	for _, k := range c.Coords {
		q[k] = s.q[k]
	}
	return err
}
