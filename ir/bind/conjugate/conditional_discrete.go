// Draws of discrete parameters.

package conjugate

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"

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
// of them. Their tables come from the statistics' shares, all in one pass. They are made when first
// drawn from: a density alone needs none.
type sites struct {
	once     sync.Once
	of       *products
	sel      *Selector
	products []int32 // those that a factor's entry adds to
	power    []power // of these, one after the other
	runs     []run
	others   *evaluation
	site     []site
	entry    []siteEntry
	weights  int // numbers that the weights of all shared tables take
	widest   int
}

// A site is a discrete number; entry[from:to] are the shares in its table. Numbers whose entries are the
// same, such as of the same word in a document, have one table, of which the first keeps the weights at.
type site struct {
	low, count int
	from, to   int32
	at         int32 // where its weights are kept; -1 where no other number has its table
	first      bool
}

// A siteEntry adds coef * value of a product to the log probability of a value.
type siteEntry struct {
	value, product int32
	coef           float64
}

// newSites returns nil where a factor has several discrete numbers.
func (x *products) newSites(sel *Selector) *sites {
	if sel.Size == 0 || !sel.alone() {
		return nil
	}
	return &sites{of: x, sel: sel}
}

// made makes the tables.
func (s *sites) made() *sites {
	s.once.Do(s.build)
	return s
}

func (s *sites) build() {
	x, sel := s.of, s.sel
	local := make([]int32, len(x.list))
	lists := make([][]siteEntry, len(sel.count))
	size := make([]int32, len(lists))
	for f, vars := range sel.vars {
		size[vars[0]] += x.start[sel.offset[f]+sel.count[vars[0]]] - x.start[sel.offset[f]]
	}
	memory := make([]siteEntry, len(x.share))
	for id, n := range size {
		lists[id], memory = memory[:0:n], memory[n:]
	}
	for f, vars := range sel.vars {
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
	known := map[uint64]int{} // the first site with a hash of entries
	for id, l := range lists {
		at := site{low: sel.low[id], count: sel.count[id], at: -1}
		s.widest = max(s.widest, at.count)
		h := hashEntries(l)
		if k, ok := known[h]; ok && s.site[k].count == at.count && slices.Equal(l, s.entry[s.site[k].from:s.site[k].to]) {
			to := &s.site[k]
			if to.at < 0 {
				to.at, to.first = int32(s.weights), true
				s.weights += at.count
			}
			at.from, at.to, at.at = to.from, to.to, to.at
		} else {
			at.from = int32(len(s.entry))
			s.entry = append(s.entry, l...)
			at.to = int32(len(s.entry))
			if !ok {
				known[h] = id
			}
		}
		s.site = append(s.site, at)
		lists[id] = nil
	}
	s.others = x.evaluation(s.power)
}

func hashEntries(l []siteEntry) uint64 {
	h := uint64(len(l))
	for _, e := range l {
		h = (h ^ uint64(e.value)<<32 ^ uint64(e.product)) * 0x9e3779b97f4a7c15
		h = (h ^ h>>29 ^ math.Float64bits(e.coef)) * 0xbf58476d1ce4e5b9
	}
	return h
}

// drawSites draws every discrete number from its full conditional.
func drawSites(s *State, _ *conditional, rng *rand.Rand) error {
	t := s.b.sites.made()
	if err := s.evaluate(t.others); err != nil {
		return err
	}
	memory := room(&s.scratch, len(t.runs)+t.widest+t.weights)
	value, own, shared := memory[:len(t.runs)], memory[len(t.runs):len(t.runs)+t.widest], memory[len(t.runs)+t.widest:]
	for i, r := range t.runs {
		value[i] = s.product(t.power[r.from:r.to])
	}
	dim := s.m.Dim
	for i := range t.site {
		at := &t.site[i]
		l := own[:at.count]
		if at.at >= 0 {
			l = shared[at.at:][:at.count]
		}
		if at.at < 0 || at.first {
			clear(l)
			for j := range t.entry[at.from:at.to] {
				e := &t.entry[int(at.from)+j]
				l[e.value] += float64(e.coef * value[e.product])
			}
			if !weigh(l) {
				return infer.Reject("all values of a discrete parameter have probability zero")
			}
		}
		s.move(dim+i, float64(at.low+drawWeight(rng, l)))
	}
	return nil
}

// weigh replaces logs by weights, of which the greatest is 1; what has no density has weight zero. False says that all
// would be zero.
func weigh(l []float64) bool {
	greatest := math.Inf(-1)
	for _, v := range l {
		if v > greatest {
			greatest = v
		}
	}
	if math.IsInf(greatest, -1) {
		return false
	}
	for k, v := range l {
		if l[k] = libm.Exp(v - greatest); math.IsNaN(v) {
			l[k] = 0
		}
	}
	return true
}

// drawWeight draws an index with probabilities proportional to the weights.
func drawWeight(rng *rand.Rand, l []float64) int {
	total := 0.0
	for _, v := range l {
		total += v
	}
	u := rng.Float64() * total
	for k, v := range l[:len(l)-1] {
		if u -= v; u < 0 {
			return k
		}
	}
	return len(l) - 1
}
