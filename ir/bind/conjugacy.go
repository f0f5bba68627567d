// Full conditionals and factorisations of a model.

package bind

import (
	"math"
	"math/rand/v2"
	"sync"

	"github.com/seed-12b88e03/ppl/ir/bind/conjugate"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"

	"github.com/seed-12b88e03/ppl/infer"
)

// A lazyHost is made when it is first wanted. A copy of a model starts without one.
type lazyHost struct {
	once sync.Once
	host *conjugate.Host
}

// conjugacy returns what finds full conditionals.
func (m *Model) conjugacy() *conjugate.Host {
	c := &m.conjugate
	c.once.Do(func() {
		c.host = &conjugate.Host{Dim: m.dim, Prog: m.marked, Lib: m.lib, Params: m.params, Discrete: m.discrete, Machine: func() *eval.Machine { return m.machineOf(m.marked) }, NewRecorder: m.newRecorder,
			WalkDensity: m.walkDensity, RunModel: func(em *eval.Machine, rec *trace.Recorder) error { return runModel(m, em, rec) }, TransformParameters: m.transformParameters, NewEvaluator: func() conjugate.Evaluator { return m.newJointEvaluator() }}
	})
	return c.host
}

// Conditionals describes the blocks of a Gibbs sweep over all parameters: which full
// conditional each was found to have, or why none. It looks less far than a run does and says so
// where that matters.
func (m *Model) Conditionals() ([]infer.Block, error) { return m.conjugacy().Conditionals() }

// Factorise implements infer.Factorisable for a model without discrete parameters.
func (m *Model) Factorise(b infer.Blocking) (*infer.Factorisation, error) {
	return m.conjugacy().Factorise(b)
}

// Factorise implements infer.Factorisable.
func (j *joint) Factorise(b infer.Blocking) (*infer.Factorisation, error) {
	return j.conjugacy().FactoriseJoint(b)
}

// Blocks implements infer.Conditionals.
func (e *jointEvaluator) Blocks() []infer.Block { return e.model.conjugacy().Blocks(e.blocks) }

// Arrange implements infer.Conditionals.
func (e *jointEvaluator) Arrange(b infer.Blocking) error {
	e.cond, e.blocks = nil, b
	return e.model.conjugacy().Arrange(b)
}

// state is the evaluator's state of block updates.
func (e *jointEvaluator) state() (*conjugate.State, error) {
	if e.cond == nil {
		s, err := e.model.conjugacy().NewState(e, e.blocks)
		if err != nil {
			return nil, err
		}
		e.cond = s
	}
	return e.cond, nil
}

// DrawBlocks implements infer.Conditionals.
func (e *jointEvaluator) DrawBlocks(places []int, q []float64, rng *rand.Rand) error {
	s, err := e.state()
	if err != nil {
		return err
	}
	return s.DrawBlocks(places, q, rng)
}

// Section implements infer.Sections.
func (e *jointEvaluator) Section(c int, q []float64) (bool, error) {
	s, err := e.state()
	if err != nil {
		return false, err
	}
	return s.Section(c, q)
}

// LogSection implements infer.Sections.
func (e *jointEvaluator) LogSection(v float64) (float64, error) { return e.cond.LogSection(v) }

// OpenSites implements infer.Sites.
func (e *jointEvaluator) OpenSites(q []float64) (bool, error) {
	s, err := e.state()
	if err != nil {
		return false, err
	}
	return s.OpenSites(q)
}

// LogSite implements infer.Sites.
func (e *jointEvaluator) LogSite(c int, v float64) float64 { return e.cond.LogSite(c, v) }

// MoveSite implements infer.Sites.
func (e *jointEvaluator) MoveSite(c int, v float64) { e.cond.MoveSite(c, v) }

// LogJoint implements infer.Sections.
func (e *jointEvaluator) LogJoint(q []float64) (float64, error) {
	s, err := e.state()
	if err != nil {
		return math.NaN(), err
	}
	return s.LogJoint(q)
}

// Recover draws the discrete parameters given the others.
func (e *jointEvaluator) Recover(q []float64, rng *rand.Rand) ([]int, error) {
	return e.recover(q, rng)
}

var (
	_ infer.Conditionals = (*jointEvaluator)(nil)
	_ infer.Sections     = (*jointEvaluator)(nil)
	_ infer.Sites        = (*jointEvaluator)(nil)
	_ infer.Factorisable = (*joint)(nil)
)
