// Where the time goes: the program's profile statements, measured.

package bind

import (
	"slices"
	"time"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
)

// A Profile says what the blocks of one profile name cost.
type Profile struct {
	Name    string
	Calls   int     // of all blocks of that name
	Seconds float64 // spent in them, what they call included
}

// profileEvaluations is how many evaluations a profile is measured over.
const profileEvaluations = 20

// Profiles measures the profile statements of transformed parameters, model and
// generated quantities, in order of their first run; nil where there are none. The
// compiled density keeps no such blocks, so this times the reference interpreter with its
// tape, at points drawn like initial values. The shares show where the work is; their sum is
// not the cost of a compiled gradient.
func (m *Model) Profiles(seed uint64) []Profile {
	if !m.hasProfile() {
		return nil
	}
	var out []Profile
	place := map[string]int{}
	start := func(name string) func() {
		i, ok := place[name]
		if !ok {
			i = len(out)
			place[name] = i
			out = append(out, Profile{Name: name})
		}
		began := time.Now()
		return func() {
			out[i].Calls++
			out[i].Seconds += time.Since(began).Seconds()
		}
	}
	r := rng.New(seed, rng.Quantities, 0, 0)
	q := make([]float64, m.dim)
	for range profileEvaluations {
		for i := range q {
			q[i] = float64(4*r.Float64()) - 2
		}
		em := m.machine()
		em.Print, em.Profile, em.Jacobian = nil, start, true
		em.Rec = eval.TapeRecorder{Tape: autodiff.NewTape(m.dim)}
		if m.walkDensity(em, nil, trace.Point(q, 0)) != nil || len(m.discrete) > 0 {
			continue // a rejected point costs what it costs
		}
		em = m.machine()
		em.Print, em.Rand = nil, r
		if m.setParameters(em, trace.Point(q, autodiff.None)) != nil || m.transformParameters(em, nil) != nil {
			continue
		}
		em.Profile = start
		_ = rowRecorder{m}.generate(em, nil) // a rejection here is the run's to report
	}
	return out
}

// hasProfile reports whether the program has profile statements.
func (m *Model) hasProfile() bool {
	profiled := func(n any) bool {
		b, ok := n.(*ir.Block)
		return ok && b.Profile != ""
	}
	return ir.Any(m.prog.TransformedParameters.Body, profiled) || ir.Any(m.prog.Model, profiled) || ir.Any(m.prog.GeneratedQuantities.Body, profiled) ||
		slices.ContainsFunc(m.prog.Functions, func(f *ir.Function) bool { return ir.Any(f.Body, profiled) })
}
