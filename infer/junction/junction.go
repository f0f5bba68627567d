// Package junction sums over, takes marginals of and draws distributions of whole numbers that are
// exponentials of sums of parameters times indicators of events, an event being that some of the
// numbers have given values.
//
// The numbers are eliminated one by one, each by a table over it and those that it then depends on,
// cheapest first; the tables make a junction tree. A pass over the tree towards its roots gives the
// normaliser, and one back the probabilities of all events: on a chain the forward-backward recursion
// (Koller and Friedman, "Probabilistic graphical models", 2009, chapters 9 and 10). Sums are on the
// log scale. Events without a finite parameter are impossible.
//
// A Tree is immutable; a State belongs to one goroutine.
package junction

import (
	"container/heap"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer/sparse"
)

// An Event is that numbers have values.
type Event []Value

// A Value is one of a number, both counted from 0.
type Value struct{ Number, Value int }

// A Tree is the order of elimination with its tables.
type Tree struct {
	count  []int // values of each number
	clique []clique
	in     []int     // of each event: its clique
	entry  [][]int32 // of each event: the entries of the clique's table where it is
}

// A clique is a table over the number that it eliminates and those that this depends on then. The
// number's values are next to each other.
type clique struct {
	number int
	rest   []int // the others, the last one's values closest to each other
	size   int   // entries
	parent int   // the clique that its sums go to; -1 for none
	to     []int32
	// to has, of each entry of the parent's table, which of the sums belongs to it.
}

// A SizeError says that tables would be too large.
type SizeError struct{ Entries float64 }

// Error implements error.
func (e *SizeError) Error() string {
	return fmt.Sprintf("the tables over numbers that depend on each other have %.3g entries", e.Entries)
}

// New makes the tree of numbers with so many values each. The error is a *SizeError where its tables
// would have more than most entries.
func New(count []int, events []Event, most float64) (*Tree, error) {
	t := &Tree{count: count}
	if err := t.eliminate(neighbours(len(count), events), most); err != nil {
		return nil, err
	}
	place := make([]int, len(count)) // of each number: its clique
	for k := range t.clique {
		place[t.clique[k].number] = k
	}
	for k := range t.clique {
		c := &t.clique[k]
		c.parent = -1
		for _, i := range c.rest {
			if p := place[i]; c.parent < 0 || p < c.parent {
				c.parent = p
			}
		}
		if c.parent >= 0 {
			p := &t.clique[c.parent]
			c.to = make([]int32, p.size)
			t.each(p, func(e int, z []int) { c.to[e] = int32(t.sum(c, z)) }, make([]int, len(count)))
		}
	}
	z := make([]int, len(count))
	for _, event := range events {
		home := len(t.clique)
		for _, v := range event {
			home = min(home, place[v.Number])
		}
		t.in = append(t.in, home)
		t.entry = append(t.entry, t.entries(&t.clique[home], event, z))
	}
	return t, nil
}

// Check is the error of New.
func Check(count []int, events []Event, most float64) error {
	return (&Tree{count: count}).eliminate(neighbours(len(count), events), most)
}

// neighbours lists, of each number, those that it stands in events with.
func neighbours(n int, events []Event) sparse.Graph {
	with := sparse.NewGraph(n)
	for _, event := range events {
		for _, a := range event {
			for _, b := range event {
				with.Join(a.Number, b.Number)
			}
		}
	}
	return with
}

// eliminate finds the cliques.
func (t *Tree) eliminate(with sparse.Graph, most float64) error {
	cost := func(i int) float64 { // exact, so that it is the same in any order, or at its bound
		size := float64(t.count[i])
		for k := range with[i] {
			size = min(size*float64(t.count[k]), 1<<52)
		}
		return size
	}
	q := &queue{}
	for i := range with {
		heap.Push(q, waiting{cost(i), i})
	}
	done, total := make([]bool, len(with)), 0.0
	for q.Len() > 0 {
		next := heap.Pop(q).(waiting)
		i := next.number
		if done[i] || next.cost != cost(i) {
			continue // it waits with another cost, too
		}
		if total += next.cost; total > most {
			return &SizeError{total}
		}
		done[i] = true
		rest := with.Eliminate(i)
		for _, a := range rest {
			heap.Push(q, waiting{cost(a), a})
		}
		t.clique = append(t.clique, clique{number: i, rest: rest, size: int(next.cost)})
	}
	return nil
}

// A waiting number is to be eliminated at a cost.
type waiting struct {
	cost   float64
	number int
}

// A queue has the cheapest first.
type queue []waiting

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return q[i].cost < q[j].cost || q[i].cost == q[j].cost && q[i].number < q[j].number
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(waiting)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// sum is the place of a clique's sum where the numbers are z.
func (t *Tree) sum(c *clique, z []int) int {
	at := 0
	for _, i := range c.rest {
		at = at*t.count[i] + z[i]
	}
	return at
}

// each goes through the entries of a clique's table, z being the numbers there.
func (t *Tree) each(c *clique, visit func(entry int, z []int), z []int) {
	for e := range c.size {
		at := e / t.count[c.number]
		z[c.number] = e % t.count[c.number]
		for k := len(c.rest) - 1; k >= 0; k-- {
			n := t.count[c.rest[k]]
			z[c.rest[k]], at = at%n, at/n
		}
		visit(e, z)
	}
}

// entries lists the entries of a clique's table where an event is.
func (t *Tree) entries(c *clique, event Event, z []int) []int32 {
	if len(event) == 1+len(c.rest) { // it names all numbers
		for _, v := range event {
			z[v.Number] = v.Value
		}
		return []int32{int32(t.sum(c, z)*t.count[c.number] + z[c.number])}
	}
	var out []int32
	t.each(c, func(e int, z []int) {
		if !slices.ContainsFunc(event, func(v Value) bool { return z[v.Number] != v.Value }) {
			out = append(out, int32(e))
		}
	}, z)
	return out
}

// A State is the distribution with given parameters.
type State struct {
	t     *Tree
	table [][]float64 // log tables with the sums of earlier cliques in them
	sums  [][]float64 // log sums of each clique
	logZ  float64
	p     [][]float64 // probabilities of the tables' entries
	known bool        // they are those of the present parameters
}

// NewState makes a state of the tree; it is to be set first.
func (t *Tree) NewState() *State {
	s := &State{t: t, table: make([][]float64, len(t.clique)), sums: make([][]float64, len(t.clique))}
	for k, c := range t.clique {
		s.table[k] = make([]float64, c.size)
		s.sums[k] = make([]float64, c.size/t.count[c.number])
	}
	return s
}

// Set returns the events parameters, -Inf to impossible ones. False says that nothing is possible or a
// sum is no number.
func (s *State) Set(parameters []float64) bool {
	for _, t := range s.table {
		clear(t)
	}
	for k, x := range parameters {
		table := s.table[s.t.in[k]]
		for _, e := range s.t.entry[k] {
			table[e] += x
		}
	}
	s.logZ, s.known = 0, false
	for k := range s.t.clique {
		c := &s.t.clique[k]
		n := s.t.count[c.number]
		for j := range s.sums[k] {
			s.sums[k][j] = logSum(s.table[k][j*n : (j+1)*n])
		}
		if c.parent < 0 {
			s.logZ += s.sums[k][0]
			continue
		}
		up := s.table[c.parent]
		for e, j := range c.to {
			up[e] += s.sums[k][j]
		}
	}
	return !math.IsNaN(s.logZ) && !math.IsInf(s.logZ, 0)
}

// logSum is the log of the sum of exponentials.
func logSum(x []float64) float64 {
	greatest := slices.Max(x)
	if math.IsInf(greatest, -1) {
		return greatest
	}
	total := 0.0
	for _, v := range x {
		total += libm.Exp(v - greatest)
	}
	return greatest + libm.Log(total)
}

// LogNormalizer is the log of the sum over all values.
func (s *State) LogNormalizer() float64 { return s.logZ }

// logConditional is the log probability of an entry of clique k's table given the numbers that come
// after.
func (s *State) logConditional(k, entry int) float64 {
	n := s.t.count[s.t.clique[k].number]
	if lp := s.table[k][entry]; !math.IsInf(lp, -1) {
		return lp - s.sums[k][entry/n]
	}
	return math.Inf(-1)
}

// back brings the probabilities of the tables' entries up to date.
func (s *State) back() {
	if s.p == nil {
		for _, t := range s.table {
			s.p = append(s.p, make([]float64, len(t)))
		}
	}
	if s.known {
		return
	}
	s.known = true
	for k := len(s.t.clique) - 1; k >= 0; k-- {
		c := &s.t.clique[k]
		n := s.t.count[c.number]
		share := make([]float64, len(s.sums[k]))
		if c.parent < 0 {
			share[0] = 1
		} else {
			for e, j := range c.to {
				share[j] += s.p[c.parent][e]
			}
		}
		for e := range s.p[k] {
			s.p[k][e] = 0
			if w := share[e/n]; w > 0 {
				s.p[k][e] = w * libm.Exp(s.logConditional(k, e))
			}
		}
	}
}

// Expect fills out with the probabilities of the events.
func (s *State) Expect(out []float64) {
	s.back()
	for k := range out {
		out[k] = 0
		for _, e := range s.t.entry[k] {
			out[k] += s.p[s.t.in[k]][e]
		}
	}
}

// Values fills out with the probabilities of the values of each number, one number after the other.
func (s *State) Values(out []float64) {
	s.back()
	clear(out)
	from := make([]int, len(s.t.count))
	for i := 1; i < len(from); i++ {
		from[i] = from[i-1] + s.t.count[i-1]
	}
	for k := range s.t.clique {
		i := s.t.clique[k].number
		for e, p := range s.p[k] {
			out[from[i]+e%s.t.count[i]] += p
		}
	}
}

// Entropy is that of the distribution, in nats.
func (s *State) Entropy() float64 {
	s.back()
	total := 0.0
	for k, t := range s.p {
		for e, p := range t {
			if p > 0 {
				total -= float64(p * s.logConditional(k, e))
			}
		}
	}
	return total
}

// Excludes reports whether some values are impossible.
func (s *State) Excludes() bool {
	for _, t := range s.table {
		if slices.Contains(t, math.Inf(-1)) {
			return true
		}
	}
	return false
}

// LogDensity is the log probability of values, counted from 0.
func (s *State) LogDensity(z []int) float64 {
	total := 0.0
	for k := range s.t.clique {
		c := &s.t.clique[k]
		total += s.logConditional(k, s.t.sum(c, z)*s.t.count[c.number]+z[c.number])
	}
	return total
}

// Draw fills z with a draw.
func (s *State) Draw(r *rand.Rand, z []int) {
	for k := len(s.t.clique) - 1; k >= 0; k-- {
		c := &s.t.clique[k]
		n := s.t.count[c.number]
		from := s.t.sum(c, z) * n
		u := r.Float64()
		last := 0
		for v := range n {
			p := libm.Exp(s.logConditional(k, from+v))
			if p == 0 {
				continue
			}
			if last = v; u < p {
				break
			}
			u -= p
		}
		z[c.number] = last
	}
}

// Copy is a state that later changes of s leave as it is.
func (s *State) Copy() *State {
	out := &State{t: s.t, logZ: s.logZ}
	for k := range s.table {
		out.table = append(out.table, slices.Clone(s.table[k]))
		out.sums = append(out.sums, slices.Clone(s.sums[k]))
	}
	return out
}
