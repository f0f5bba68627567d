// Draws of discrete parameters.

package conjugate

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/ir/bind/trace"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
)

// discreteBlock draws all discrete parameters jointly from the elimination's tables.
func (m *Host) discreteBlock() *conditional {
	name := ""
	for i, d := range m.Discrete {
		if i > 0 {
			name += ", "
		}
		name += d.Var.Name
	}
	c := &conditional{draw: drawDiscrete}
	c.Block = infer.Block{Name: name, Form: "enumerated", Exact: true, Coords: trace.Span(m.Dim, trace.Numbers(m.Discrete))}
	return c
}

// Why discrete numbers are drawn one at a time.
const (
	tooLarge = "one at a time, as tables over all that depend on each other are too large"
	asTold   = "one at a time, as blocks says"
)

// singly enumerates the discrete numbers one at a time, given all others.
func (m *Host) singly(why string) *conditional {
	c := m.discreteBlock()
	c.Exact, c.draw, c.group = false, nil, -1
	c.Reason = why
	return c
}

// jointly reports whether the discrete parameters can be drawn from elimination's tables.
func (m *Host) jointly(q []float64) (bool, error) {
	em := m.Machine()
	if err := m.WalkDensity(em, nil, trace.Point(q, autodiff.None)); err != nil {
		return false, err
	}
	return em.Summable(em.Factors()) == nil, nil
}

func drawDiscrete(s *State, _ *conditional, rng *rand.Rand) error {
	dim := s.m.Dim
	z, err := s.e.Recover(s.q[:dim], rng)
	if err != nil {
		return err
	}
	for i, v := range z {
		s.move(dim+i, float64(v))
	}
	return nil
}

// sites are discrete numbers that are independent given the rest: every factor has one
// of them. Their tables come from the statistics' shares, all in one pass.
type sites struct {
	products []int32 // those that a factor's entry adds to
	power    []power // of these, one after the other
	runs     []run
	others   *evaluation
	site     []site
	entry    []siteEntry
	widest   int
}

// A site is a discrete number; entry[from:to] are the shares in its table.
type site struct {
	low, count int
	from, to   int32
}

// A siteEntry adds coef * value of a product to the log probability of a value.
type siteEntry struct {
	value, product int32
	coef           float64
}

// newSites returns nil where a factor has several discrete numbers.
func (x *products) newSites(sel *Selector) *sites {
	if sel.Size == 0 {
		return nil
	}
	s := &sites{}
	local := make([]int32, len(x.list))
	lists := make([][]siteEntry, len(sel.count))
	for f, vars := range sel.vars {
		if len(vars) != 1 {
			return nil
		}
		id := vars[0]
		for v := range sel.count[id] {
			k := sel.offset[f] + v
			for _, c := range x.share[x.start[k]:x.start[k+1]] {
				if local[c.Product] == 0 {
					s.products = append(s.products, c.Product)
					local[c.Product] = int32(len(s.products))
					from := int32(len(s.power))
					s.power = x.appendPowers(s.power, x.list[c.Product].powers)
					s.runs = append(s.runs, run{from, int32(len(s.power))})
				}
				lists[id] = append(lists[id], siteEntry{int32(v), local[c.Product] - 1, c.Coef})
			}
		}
	}
	for id, l := range lists {
		from := int32(len(s.entry))
		s.entry = append(s.entry, l...)
		s.site = append(s.site, site{sel.low[id], sel.count[id], from, int32(len(s.entry))})
		s.widest = max(s.widest, sel.count[id])
	}
	s.others = x.evaluation(s.power)
	return s
}

// drawSites draws every discrete number from its full conditional.
func drawSites(s *State, _ *conditional, rng *rand.Rand) error {
	t := s.b.sites
	if err := s.evaluate(t.others); err != nil {
		return err
	}
	memory := room(&s.scratch, len(t.runs)+t.widest)
	value, logs := memory[:len(t.runs)], memory[len(t.runs):]
	for i, r := range t.runs {
		value[i] = s.product(t.power[r.from:r.to])
	}
	dim := s.m.Dim
	for i := range t.site {
		at := &t.site[i]
		l := logs[:at.count]
		clear(l)
		for j := range t.entry[at.from:at.to] {
			e := &t.entry[int(at.from)+j]
			l[e.value] += float64(e.coef * value[e.product])
		}
		k, ok := drawExp(rng, l)
		if !ok {
			return infer.Reject("all values of a discrete parameter have probability zero")
		}
		s.move(dim+i, float64(at.low+k))
	}
	return nil
}

// drawExp draws an index with probabilities proportional to the exponentials of l, which
// it overwrites. False says that all are zero.
func drawExp(rng *rand.Rand, l []float64) (int, bool) {
	greatest := math.Inf(-1)
	for _, v := range l {
		greatest = max(greatest, v)
	}
	if math.IsInf(greatest, -1) || math.IsNaN(greatest) {
		return 0, false
	}
	total := 0.0
	for k, v := range l {
		l[k] = libm.Exp(v - greatest)
		total += l[k]
	}
	u := rng.Float64() * total
	for k, v := range l[:len(l)-1] {
		if u -= v; u < 0 {
			return k, true
		}
	}
	return len(l) - 1, true
}
