// Rows of models whose control flow is another one at almost every draw.

package bind

import (
	"sync"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
)

// A rowPaths knows whether rows take too many paths for programs: a program that is recorded
// for one draw does then not apply at the next, and a recording takes several times as long as the reference
// interpreter, which writes such rows. A rebound model asks for the model that it was made of, so that the answer does
// not depend on its observations, nor on where chains are.
type rowPaths struct {
	model rowRecorder
	once  sync.Once
	many  bool
}

// interpreted reports whether rows are for the reference interpreter.
func (m *Model) interpreted() bool {
	if m.plain || m.plainRows.Load() {
		return true
	}
	p := m.rowPaths
	p.once.Do(func() { p.many = !m.draws && branches(m.prog) && p.model.pathChanges() >= mostPathChanges })
	return p.many
}

// branches reports whether control flow of what rows consist of may depend on parameters.
func branches(prog *ir.Program) (found bool) {
	inspectAll(func(n any) {
		switch n.(type) {
		case *ir.If, *ir.While, *ir.Cond, *ir.Logic:
			found = true
		}
	}, prog.TransformedParameters.Body, prog.GeneratedQuantities.Body)
	return found
}

// Paths are tried at points near pathCentres points, pathTries each, which differ in each
// coordinate by up to pathStep. They change if mostPathChanges of the tries take another path than their
// centre, of more than can be kept. A recording takes some 30 times as long as the closures that stand for it, so
// that one draw in 30 with another path makes programs the slower way; and where draws are, paths that compare
// probabilities change more often than at these points.
const (
	pathCentres, pathTries, mostPathChanges = 3, 5, 2
	pathStep                                = 0.1
)

// pathChanges returns how many small changes of the parameters lead to another path; 0 where all
// paths can be kept.
func (m rowRecorder) pathChanges() int {
	changes, centres := 0, 0
	for try := byte(0); try < drawTries && centres < pathCentres; try++ {
		centre := m.somewhere(try)
		p, err := m.recordWriteAt(centre, try)
		if err != nil {
			continue
		}
		if p.Guarded() < 63 && 1<<p.Guarded() <= trace.MaxTraces {
			return 0
		}
		centres++
		machine, r, near := p.NewMachine(), trace.SomeNumbers(try), make([]float64, m.dim)
		for range pathTries {
			for i, x := range centre {
				near[i] = x + float64(pathStep*(2*r.Float64()-1))
			}
			if machine.Run(near) == autodiff.ErrGuard {
				changes++
			}
		}
	}
	return changes
}
