// Scans in evaluation on demand: functions with a derivative of their own.

package autodiff

import "sync"

// A demandScan is a scan as a function that computes its derivatives, which in programs are nodes.
type demandScan struct {
	*scan
	making  sync.Once
	reverse *Program
}

// withVJP returns the function in a form whose instances have derivatives.
func withVJP(fn Opaque) Opaque {
	if s, ok := fn.(*scan); ok {
		return &demandScan{scan: s}
	}
	return fn
}

// Instance makes the state of a machine.
func (s *demandScan) Instance() Instance {
	return &demandScanInstance{Instance: s.scan.Instance(), s: s}
}

// A demandScanInstance is a demandScan at work in one machine.
type demandScanInstance struct {
	Instance
	s   *demandScan
	vjp *Machine
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
	grad := m.vjp.Root(0)
	off := 0
	for k, x := range in {
		for j := range din[k] {
			din[k][j] += grad[off+j]
		}
		off += len(x)
	}
}

// compileReverse makes the program of VJP, whose input is that of the scan and adjoints.
func (s *demandScan) compileReverse(in [][]float64) *Program {
	dim := s.size()
	for _, x := range in {
		dim += len(x)
	}
	g := NewGraph(dim)
	g.off = s.off
	nodes := make([]Node, len(in))
	off := 0
	for k, x := range in {
		nodes[k] = g.View(g.Input(), off, len(x))
		off += len(x)
	}
	y := g.Opaque(s.scan, s.size(), nodes...)
	return g.Compile([]Node{g.Gradient(g.Dot(y, g.View(g.Input(), off, s.size())))}, nil)
}
