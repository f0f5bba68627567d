// The contracts of package infer for simulating, of the model and of its joint form.

package bind

import (
	"errors"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/ir/graph"
)

// Numbers returns the simulated observations as one vector, implementing
// infer.Dataset.
func (s *Simulated) Numbers() []float64 {
	var out []float64
	for _, o := range s.Observations {
		out = append(out, o.Value.X...)
	}
	return out
}

// Layout is how the numbers are shown in columns: their names, and the place in Numbers of each.
func (s *Simulated) Layout() (names []string, at []int) {
	from := 0
	for _, o := range s.Observations {
		appendVarNames(&names, o.Var, &eval.Shape{Type: o.Value.T, Dims: o.Value.Dims})
		for _, k := range order(o.Value.T, o.Value.Dims) {
			at = append(at, from+k)
		}
		from += len(o.Value.X)
	}
	return names, at
}

// DrawJoint implements infer.Simulator.
func (m *Model) DrawJoint(r *rand.Rand, q []float64) (infer.Dataset, error) {
	s, err := simulation{m}.drawJoint(r)
	if err != nil {
		return nil, err
	}
	copy(q, s.Point)
	return s, nil
}

func (m simulation) drawJoint(r *rand.Rand) (*Simulated, error) {
	s, err := m.Simulate(r)
	if not, ok := errors.AsType[*graph.NotGenerative](err); ok {
		err = &infer.MissingError{Method: "a simulated data set", Needs: "a model to simulate from", Reason: not}
	}
	return s, err
}

// Rebound implements infer.Simulator.
func (m *Model) Rebound(y infer.Dataset) (infer.Model, error) {
	s, ok := y.(*Simulated)
	if !ok {
		return nil, errors.New("the observations are not those of a simulation of this model")
	}
	return m.Rebind(s.Observations)
}

// DrawJoint implements infer.Simulator.
func (j *joint) DrawJoint(r *rand.Rand, q []float64) (infer.Dataset, error) {
	s, err := simulation{j.Model}.drawJoint(r)
	if err != nil {
		return nil, err
	}
	copy(q, s.Point)
	simulation{j.Model}.copyDiscrete(q[j.dim:], s)
	return s, nil
}

// Rebound implements infer.Simulator.
func (j *joint) Rebound(y infer.Dataset) (infer.Model, error) {
	m, err := j.Model.Rebound(y)
	if err != nil {
		return nil, err
	}
	return m.(*Model).Joint(), nil
}

// copyDiscrete writes the discrete parameters to z.
func (m simulation) copyDiscrete(z []float64, s *Simulated) {
	for _, d := range m.discrete {
		for _, p := range s.Parameters {
			if p.Var == d.Var {
				copy(z, p.Value.X)
				z = z[len(p.Value.X):]
			}
		}
	}
}

// DrawPrior implements infer.PriorSampler over both kinds of coordinates.
func (e *jointEvaluator) DrawPrior(r *rand.Rand, q []float64) error {
	s, err := e.drawPrior(r)
	if err != nil {
		return err
	}
	copy(q, s.Point)
	simulation{e.model}.copyDiscrete(q[e.model.dim:], s)
	return nil
}

var (
	_ infer.Simulator    = (*Model)(nil)
	_ infer.Simulator    = (*joint)(nil)
	_ infer.PriorSampler = (*jointEvaluator)(nil)
)
