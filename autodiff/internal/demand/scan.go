// Scans in evaluation on demand: functions with a derivative of their own.

package demand

import (
	"sync"

	"github.com/seed-12b88e03/ppl/autodiff/internal/codegen"
	"github.com/seed-12b88e03/ppl/autodiff/internal/grad"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/internal/loop"
	"github.com/seed-12b88e03/ppl/autodiff/internal/opt"
)

// A demandScan is a scan as a function that computes its derivatives, which in programs are nodes.
type demandScan struct {
	*loop.Scan
	making  sync.Once
	reverse *codegen.Program
}

// withVJP returns the function in a form whose instances have derivatives.
func withVJP(fn graph.Opaque) graph.Opaque {
	if s, ok := fn.(*loop.Scan); ok {
		return &demandScan{Scan: s}
	}
	return fn
}

// Instance makes the state of a machine.
func (s *demandScan) Instance() graph.Instance {
	return &demandScanInstance{Instance: s.Scan.Instance(), s: s}
}

// A demandScanInstance is the state of a demandScan in one machine.
type demandScanInstance struct {
	graph.Instance
	s   *demandScan
	vjp *codegen.Machine
	at  []float64 // input of vjp
}

// VJP adds the derivatives.
func (m *demandScanInstance) VJP(in [][]float64, _, adj []float64, din [][]float64) {
	m.s.making.Do(func() { m.s.reverse = m.s.compileReverse(in) })
	if m.vjp == nil {
		m.vjp = m.s.reverse.NewMachine()
	}
	m.at = m.at[:0]
	for _, x := range in {
		m.at = append(m.at, x...)
	}
	m.at = append(m.at, adj...)
	if m.vjp.Run(m.at) != nil {
		return // it has no checks, so this cannot fail
	}
	gradient := m.vjp.Root(0)
	off := 0
	for k, x := range in {
		for j := range din[k] {
			din[k][j] += gradient[off+j]
		}
		off += len(x)
	}
}

// compileReverse makes the program of VJP, whose input is that of the scan and adjoints.
func (s *demandScan) compileReverse(in [][]float64) *codegen.Program {
	dim := s.Size()
	for _, x := range in {
		dim += len(x)
	}
	g := graph.NewGraph(dim)
	g.Off = s.Off
	nodes := make([]graph.Node, len(in))
	off := 0
	for k, x := range in {
		nodes[k] = g.View(g.Input(), off, len(x))
		off += len(x)
	}
	y := g.Opaque(s.Scan, s.Size(), nodes...)
	return opt.Compile(g, []graph.Node{grad.Gradient(g, g.Dot(y, g.View(g.Input(), off, s.Size())))}, nil)
}
