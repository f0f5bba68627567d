// Draws of single numbers: truncation, and what declared bounds cut off.

package eval

import (
	"math"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// univariate draws one number, within the truncation and a parameter's declared bounds.
func (g *drawing) univariate(p place, e int) {
	lo, hi := math.Inf(-1), math.Inf(1)
	for _, b := range []struct {
		v   *Value
		end *float64
	}{{g.lo, &lo}, {g.hi, &hi}} {
		if b.v == nil {
			continue
		}
		i := 0
		if len(b.v.Dims) > 0 {
			i = e
		}
		if unknown(b.v, i) {
			g.wait()
			return
		}
		*b.end = b.v.X[i]
	}
	g.point = g.point[:0]
	for i := range g.in {
		g.point = append(g.point, g.in[i].X[0])
	}
	if con := p.constraint(); grouped[con] {
		g.join(p, con)
		return
	}
	from, to := lo, hi
	if !p.l.data {
		a, b, known := g.s.bounds(p)
		if !known {
			g.wait()
			return
		}
		lo, hi = math.Max(lo, a), math.Min(hi, b)
		g.cut(p, from, to, lo, hi)
	}
	g.number(p, lo, hi)
	p.set(g.out[0])
	g.s.drawn++
}

// number draws from the part of the distribution between lo and hi. An untruncated
// draw comes first in any case: it checks the parameters.
func (g *drawing) number(p place, lo, hi float64) {
	g.draw()
	d := g.sampler.Dist
	if d.Name == "von_mises" {
		g.out[0] = onCircle(p, g.out[0], lo, hi)
	}
	if g.out[0] >= lo && g.out[0] <= hi {
		return
	}
	x, err := stdlib.DrawWithin(d, g.s.m.Rand, g.point, lo, hi)
	if err != nil {
		failWith(g.at, err)
	}
	g.out[0] = x
}

// onCircle moves an angle by whole turns into bounds that span one.
func onCircle(p place, x, lo, hi float64) float64 {
	if p.l.data {
		if b, ok := declaredNumbers(p.l.shape.Decl); ok {
			lo, hi = b[0], b[1]
		}
	}
	if !(math.Abs(hi-lo-2*math.Pi) < 1e-6) {
		return x
	}
	return x - float64(2*math.Pi*math.Floor((x-lo)/(2*math.Pi)))
}

// declaredNumbers returns a declaration's two bounds where they are plain numbers.
func declaredNumbers(d *ir.Shape) (b [2]float64, ok bool) {
	if d.Constraint == nil || d.Constraint.Name != "lower_upper" {
		return b, false
	}
	for i, x := range d.Constraint.Args {
		c, isConst := x.(*ir.Const)
		if !isConst {
			return b, false
		}
		b[i] = c.X
	}
	return b, true
}

// cut counts what the declared bounds [lo, hi] take away from the distribution on
// [from, to].
func (g *drawing) cut(p place, from, to, lo, hi float64) {
	d := g.sampler.Dist
	least, most := stdlib.RangeOf(d, g.point)
	if d.Name == "von_mises" && math.Abs(hi-lo-2*math.Pi) < 1e-6 {
		return
	}
	if lo <= math.Max(from, least) && hi >= math.Min(to, most) {
		return
	}
	if g.active() || p.l.active() || g.lo != nil && g.lo.Active() || g.hi != nil && g.hi.Active() {
		g.s.depend(g.at, "the bounds of %s cut %s off by an amount that depends on parameters, and the density does not count it", p.l.v.Name, d.Name)
		return
	}
	inside, all := stdlib.LogMass(d, g.point, lo, hi), stdlib.LogMass(d, g.point, from, to)
	if math.IsNaN(inside) || math.IsInf(inside, -1) {
		g.problem(graph.HintBlock, "the bounds of %s leave nothing of %s, or an amount that is not known", p.l.v.Name, d.Name)
	}
	g.s.logConstant += all - inside
}

// depend notes that a prior's normaliser depends on parameters.
func (s *Simulation) depend(at source.Span, format string, args ...any) {
	for _, p := range s.depends {
		if p.At == at {
			return
		}
	}
	p := problemf(at, graph.HintBounds, format, args...)
	p.Prior = true
	s.depends = append(s.depends, p)
}
