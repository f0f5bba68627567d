// Rows from parameter values as draws report them, by a program.

package bind

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/ir/bind/trace"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/eval"
)

// A Generator fills in rows of Columns from values of ParameterColumns, several in one pass
// where that pays. It belongs to one goroutine.
type Generator struct {
	model  *Model
	em     *eval.Machine // for declarations
	rows   *trace.Runner
	stream rowStream

	columns []float64 // room for which are exact
}

// NewGenerator makes a generator.
func (m *Model) NewGenerator() *Generator {
	g := &Generator{model: m, em: m.machine(), rows: m.given.Runner(), stream: newRowStream()}
	g.rows.Random = g.stream.random
	return g
}

// Rows fills in rows from values, which may be rounded, as in files; err gets the errors. A
// value that violates the parameter's declaration is a *GivenError. After a rejection in
// generated quantities a row holds what comes before, and NaN. All slices have the same
// length.
func (g *Generator) Rows(values [][]float64, r *rand.Rand, out [][]float64, err []error) {
	m := g.model
	points, one := make([][]float64, len(values)), m.draws || m.interpreted()
	for i := range values {
		points[i], err[i] = g.restored(values[i])
		one = one || err[i] != nil
	}
	if one {
		for i := range values {
			if err[i] == nil {
				err[i] = g.alone(points[i], r, out[i])
			}
		}
		return
	}
	g.rows.Batches(points, func(lm *autodiff.LaneMachine, from, to int) {
		lm.Root(0, out[from:to])
		for i := from; i < to; i++ {
			if e := lm.Err(i - from); e != autodiff.ErrGuard && (e != nil || !trace.Finite(out[i]) && !trace.Sound(out[i], g.exact(lm, len(out[i])))) {
				err[i] = rowRecorder{m}.plainGiven(points[i], r, out[i])
			}
		}
	}, func(i int) { err[i] = g.alone(points[i], r, out[i]) })
}

// Row is Rows for one.
func (g *Generator) Row(values []float64, r *rand.Rand, out []float64) error {
	var err [1]error
	g.Rows([][]float64{values}, r, [][]float64{out}, err[:])
	return err[0]
}

// exact returns which columns are, of a program for several points.
func (g *Generator) exact(lm *autodiff.LaneMachine, columns int) []float64 {
	if len(g.columns) != columns {
		g.columns = make([]float64, columns)
	}
	lm.Root(1, [][]float64{g.columns})
	return g.columns
}

// alone fills in one row from values that suit the declarations.
func (g *Generator) alone(point []float64, r *rand.Rand, out []float64) error {
	m := g.model
	if m.draws {
		g.stream.begin(r)
		r = g.stream.random
	}
	if !m.interpreted() {
		if machine, err := g.rows.Run(point); err == nil && trace.Sound(machine.Root(0), machine.Root(1)) {
			copy(out, machine.Root(0))
			return nil
		}
		if m.draws {
			g.stream.again()
		}
	}
	return rowRecorder{m}.plainGiven(point, r, out)
}

// restored puts values back on the constraints of their declarations.
func (g *Generator) restored(values []float64) ([]float64, error) {
	given, err := rowRecorder{g.model}.setGiven(g.em, values)
	if err != nil {
		return nil, err
	}
	point := make([]float64, 0, len(values))
	for _, c := range g.model.columns {
		if c.v.Kind == ir.Parameter {
			eachNumber(given[c.v], func(v *eval.Value, i int) { point = append(point, v.X[i]) })
		}
	}
	return point, nil
}

// plainGiven fills in a row with the reference interpreter.
func (m rowRecorder) plainGiven(point []float64, r *rand.Rand, out []float64) error {
	for i := range out {
		out[i] = math.NaN()
	}
	em := m.codedMachine()
	em.Rand = r
	m.assign(em, point, autodiff.None)
	return m.rowOf(em, out)
}

// assign sets an evaluator's parameters to values that suit their declarations. input is where
// they come from.
func (m *Model) assign(em *eval.Machine, point []float64, input autodiff.Node) {
	next := 0
	for _, c := range m.columns {
		if c.v.Kind != ir.Parameter {
			continue
		}
		x := eval.Undefined(c.shape)
		eachNumber(x, func(v *eval.Value, i int) {
			v.X[i] = point[next]
			if input != autodiff.None {
				if v.Refs == nil {
					v.Refs = make([]autodiff.Ref, len(v.X))
				}
				v.Refs[i] = autodiff.Ref{Node: input, Elem: int32(next)}
			}
			next++
		})
		em.Set(c.v, x)
	}
}

// recordGiven compiles a whole row as it is computed from parameter values.
func (m rowRecorder) recordGiven(at []float64) (*autodiff.Program, error) {
	if !m.draws {
		return m.recordGivenAt(at, 0)
	}
	return m.recordDraws(func(q []float64, try byte) (*autodiff.Program, error) {
		if len(m.discrete) > 0 {
			return nil, trace.ErrPlainRows
		}
		values := make([]float64, 0, len(at))
		em := m.machine()
		if err := m.setParameters(em, trace.Point(q, autodiff.None)); err != nil {
			return nil, err
		}
		for _, c := range m.columns {
			if c.v.Kind == ir.Parameter {
				eachNumber(em.Get(c.v), func(v *eval.Value, i int) { values = append(values, v.X[i]) })
			}
		}
		return m.recordGivenAt(values, try)
	})
}

func (m rowRecorder) recordGivenAt(point []float64, try byte) (*autodiff.Program, error) {
	return m.recordRow(point, try, func(em *eval.Machine, input autodiff.Node) error {
		m.assign(em, point, input)
		return nil
	})
}
