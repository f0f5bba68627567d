// What calls require of numbers beyond their declarations: multiplied out, a density need not show that it is
// zero there.

package conjugate

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// limitScales are how far from 0 coordinates of numbers without bounds are tried, limitTries how often each. Other
// coordinates are tried up to nearby, and so are all where calls are made, which may take long far out.
var limitScales = []float64{0.5, nearby, 10, 100, 5000}

const limitTries, nearby = 5, 2.0

// findLimits keeps those limits that values which the declarations allow break, and makes them checks. Such values are
// looked for by trying: a limit that is kept is broken for certain.
func (m *Host) findLimits(rec *recording, run *trace.Runner, list []trace.Limit) error {
	if len(list) == 0 {
		return nil
	}
	broken, nodes := make([][]bool, len(list)), make([]autodiff.Node, len(list))
	for i, l := range list {
		broken[i], nodes[i] = make([]bool, rec.Graph.Len(l.X)), l.X
	}
	machine := autodiff.Compile(rec.Graph, nodes, nil).NewMachine()
	err := m.tried(run, m.farCoordinates(rec.Graph, nodes), func(x []float64) error {
		if err := machine.Run(x); err != nil {
			return err
		}
		rounding := roundingAt(x)
		for i := range list {
			for e, v := range machine.Root(i) {
				broken[i][e] = broken[i][e] || v < list[i].Low-rounding || v > list[i].High+rounding
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	rec.keepLimits(list, broken)
	return nil
}

// tried calls at for numbers that the declarations allow; points that it rejects are passed over.
func (m *Host) tried(run *trace.Runner, far []bool, at func(x []float64) error) error {
	rng, q := rand.New(rand.NewPCG(1, 3)), make([]float64, m.Dim)
	for try := range limitTries * len(limitScales) {
		scale := limitScales[try/limitTries]
		for i := range q {
			q[i] = 2*rng.Float64() - 1
			if far[i] {
				q[i] *= scale
			} else {
				q[i] *= min(scale, nearby)
			}
		}
		x, err := run.Run(q)
		if err == nil {
			err = at(x.Root(0))
		}
		if err != nil && !infer.IsReject(err) {
			return err
		}
	}
	return nil
}

// cutOff reports whether a check of the model, such as the constraint of a transformed parameter, rejects numbers
// near 0 that the declarations allow.
func (m *Host) cutOff(rec *recording, run *trace.Runner) (rejects bool, err error) {
	if len(rec.Effects) == 0 {
		return false, nil
	}
	machine := autodiff.Compile(rec.Graph, nil, rec.Effects).NewMachine()
	err = m.tried(run, make([]bool, m.Dim), func(x []float64) error {
		err := machine.Run(x)
		rejects = rejects || infer.IsReject(err)
		return err
	})
	return rejects, err
}

// roundingAt is more than what rounding adds to quadratic functions of numbers.
func roundingAt(x []float64) float64 {
	most := 1.0
	for _, v := range x {
		most = max(most, math.Abs(v))
	}
	return float64(1e-9 * float64(most*most))
}

// farCoordinates are those of numbers without bounds; none where nodes are values of calls.
func (m *Host) farCoordinates(g *autodiff.Graph, nodes []autodiff.Node) []bool {
	far := make([]bool, 0, m.Dim)
	for x, needed := range g.Ancestors(nodes...) {
		if fn, _ := g.Function(autodiff.Node(x)); needed && fn != nil {
			return far[:m.Dim]
		}
	}
	for i := range m.Params {
		p := &m.Params[i]
		far = append(far, slices.Repeat([]bool{m.scalarTransformOf(p).linear()}, p.Free)...)
	}
	return far
}

// keepLimits notes, of the numbers that broken limits depend on, what limits them.
func (r *recording) keepLimits(list []trace.Limit, broken [][]bool) {
	var depends *autodiff.Dependence // most often there is nothing to ask it
	for i := range list {
		l := &list[i]
		if !slices.Contains(broken[i], true) {
			continue
		}
		if depends == nil {
			depends, r.limits = r.Graph.Dependence(), map[int]*trace.Limit{}
		}
		for e, is := range broken[i] {
			if !is {
				continue
			}
			for _, k := range depends.Of(l.X, e) {
				if r.limits[int(k)] == nil {
					r.limits[int(k)] = l
				}
			}
		}
	}
	for i := range list {
		if l := &list[i]; slices.Contains(broken[i], true) {
			r.Effects = append(r.Effects, r.Graph.Check(l.X, l.Low, l.High))
		}
	}
}

// limited reports whether some of the numbers [at, at+n) have limits that they are not declared with.
func (a *analysis) limited(at, n int) bool {
	for i := range n {
		if a.limits[at+i] != nil {
			return true
		}
	}
	return false
}

// withLimits makes slices of the limited numbers of a parameter, and looks at the others one by one.
func (a *analysis) withLimits(p *trace.Param, at, n, free int, l scalarTransform) {
	first := len(a.b.list)
	for i := range n {
		name, limit := trace.NumberName(p.Var, p.Shape.Dims, i), a.limits[at+i]
		switch {
		case limit != nil && l.kind != notScalar:
			a.addSlice(p, name, []int{free + i}, a.m.limitText(a.x.g, limit, at+i))
		case limit != nil: // its numbers have no coordinates of their own
			a.addSlice(p, p.Var.Name, trace.Span(free, p.Free), a.m.limitText(a.x.g, limit, at+i))
			return
		case l.linear():
			a.oneNormal(p, at+i, i, free+i)
		case l.positive(), l.unit():
			a.onePositive(p, name, at+i, free+i, l)
		case l.kind != notScalar:
			a.addSlice(p, name, []int{free + i}, "its bounds cut off part of what a known conditional reaches")
		}
	}
	a.together(p, first, free, n)
}

// limitText says which density limits number k, and how to declare it.
func (m *Host) limitText(g *autodiff.Graph, l *trace.Limit, k int) string {
	p, i := m.numberAt(k)
	name, bounds := trace.NumberName(p.Var, p.Shape.Dims, i), boundsText(l)
	whole, by := p.Var.Name, fmt.Sprintf("%s, %s,", l.By, place(l.At))
	for e := range g.Len(l.X) {
		at := g.Source(l.X, e)
		if at.Node != g.Input() || int(at.Elem) != k {
			continue
		}
		declare := whole + " with " + bounds
		if p.Var.Type.Equal(types.Real) {
			declare = "real" + bounds + " " + whole
		}
		return fmt.Sprintf("%s takes %s within %s only, which its declaration does not say: declare %s", by, name, bounds, declare)
	}
	return fmt.Sprintf("%s takes a function of %s within %s only, which declarations do not ensure: declare %s with bounds that do", by, name, bounds, whole)
}

// numberAt is the parameter that has constrained number k, and its place there.
func (m *Host) numberAt(k int) (*trace.Param, int) {
	for i := range m.Params {
		p := &m.Params[i]
		n := len(eval.Undefined(p.Shape).X)
		if k < n {
			return p, k
		}
		k -= n
	}
	panic("conjugate: no such number")
}

// boundsText writes a limit as the bounds of a declaration.
func boundsText(l *trace.Limit) string {
	var parts []string
	if l.Low > -trace.Endless {
		low := l.Low
		if low < 1/trace.Endless && low > 0 { // the least number above 0
			low = 0
		}
		parts = append(parts, fmt.Sprintf("lower=%g", low))
	}
	if l.High < trace.Endless {
		parts = append(parts, fmt.Sprintf("upper=%g", l.High))
	}
	return "<" + strings.Join(parts, ", ") + ">"
}

// limitsText says which density limits the first number that is limited; empty where none is.
func (m *Host) limitsText(r *recording) string {
	if len(r.limits) == 0 {
		return ""
	}
	k := slices.Min(slices.Collect(maps.Keys(r.limits)))
	return m.limitText(r.Graph, r.limits[k], k)
}
