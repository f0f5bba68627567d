// Whether the discrete parameters can be summed out, known before anything is run.

package bind

import (
	"errors"
	"math/rand/v2"
	"sync"

	"github.com/seed-12b88e03/ppl/ir/bind/conjugate"

	"github.com/seed-12b88e03/ppl/ir/bind/trace"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// summable remembers the answer of Summable.
type summable struct {
	once sync.Once
	err  error
}

// Summable reports whether the discrete parameters can be summed out: nil, or an
// *eval.Error with the statement whose table over them would be too large. It walks the
// model once, at a point where it has a density; where none is found the answer is nil,
// and a run says what is wrong.
func (m *Model) Summable() error {
	if len(m.discrete) == 0 {
		return nil
	}
	m.summed.once.Do(func() { m.summed.err = m.findSummable() })
	return m.summed.err
}

// summableTries is how many points are tried.
const summableTries = 20

func (m *Model) findSummable() error {
	rng := rand.New(rand.NewPCG(1, 1))
	q := make([]float64, m.dim)
	for range summableTries {
		em := m.machine()
		em.Print = nil
		err := m.walkDensity(em, nil, trace.Point(q, autodiff.None))
		switch {
		case conjugate.TooLarge(err):
			return err
		case err == nil:
			return em.Summable(em.Factors())
		}
		for i := range q {
			q[i] = 2*rng.Float64() - 1
		}
	}
	return nil
}

var errNoSpecimen = errors.New("the data lack a variable for which no specimen can stand")

// specimen is a value for a variable that the data lack, nil where there is none to make.
// Integers that are not observed are sizes and indices, which cannot be guessed.
func (m binder) specimen(em *eval.Machine, in *data.Set, v *ir.Var, s *eval.Shape) (*eval.Value, error) {
	if !m.opts.Specimens || in != nil && in.Vars[v.Name] != nil {
		return nil, nil
	}
	x := eval.Undefined(s)
	whole := v.Type.HasInts()
	if v.Type.Base == types.TupleBase || v.Type.Base.IsComplex() || whole && !m.observed[v] {
		return nil, errNoSpecimen
	}
	value := 1.0
	if !whole {
		value = 0.5
	}
	if c := v.Decl.Constraint; c != nil {
		var bounds []float64
		for _, arg := range c.Args {
			b, err := em.Eval(arg)
			if err != nil || len(b.X) != 1 {
				return nil, errNoSpecimen
			}
			bounds = append(bounds, b.X[0])
		}
		switch c.Name {
		case "lower":
			value += bounds[0]
		case "upper":
			value = bounds[0] - value
		case "lower_upper":
			value = (bounds[0] + bounds[1]) / 2
			if whole {
				value = bounds[0]
			}
		case "offset_multiplier":
		default:
			return nil, errNoSpecimen
		}
	}
	for i := range x.X {
		x.X[i] = value
	}
	return x, nil
}
