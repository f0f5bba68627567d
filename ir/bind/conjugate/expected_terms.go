// The terms of a factorisation: products of statistics, and functions of one number.

package conjugate

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// A termBuilder turns products of atoms into products of statistics.
type termBuilder struct {
	*expansion
	place     []map[string]int32 // of statistics, by continuous block
	seen      [][]int32          // of each value's indicator, by discrete block: its place, from 1; 0 for none
	values    []infer.Statistic  // indicators, by value
	functions []functions        // by block
	terms     []infer.FactorTerm
	parts     []*parts               // of the density's products; nil where not met yet
	room      []infer.BlockStatistic // for terms
	marks     []infer.BlockStatistic // scratch that all terms share
	root      source.Span            // of the statement that terms are of
	tied      error                  // two blocks of a group that depend on each other
}

// parts are what a product of powers is as a product of statistics.
type parts struct {
	fixed []float64 // powers of what depends on nothing
	of    []infer.BlockStatistic
}

// functions are the functions of one number that a block's statistics have: elements of
// nodes, and sums of products of these and others.
type functions struct {
	refs   []autodiff.Ref
	index  map[autodiff.Ref]int
	sums   []functionSum
	number int // of the input
}

// A functionSum is a sum of multiples of statistics.
type functionSum struct {
	coef []float64
	of   []infer.Statistic
}

// build makes the factorisation.
func (e *expansion) build() (*infer.Factorisation, error) {
	b := &termBuilder{expansion: e, place: make([]map[string]int32, len(e.blocks)), functions: make([]functions, len(e.blocks))}
	b.indicators()
	for i := range e.blocks {
		if i < e.whole && e.blocks[i].Support == infer.Whole {
			continue
		}
		b.place[i] = map[string]int32{}
		b.functions[i].index = map[autodiff.Ref]int{}
	}
	b.parts = make([]*parts, len(e.poly.Products))
	b.terms = make([]infer.FactorTerm, 0, len(e.poly.Terms)+len(e.poly.Entries))
	b.all()
	if b.tied != nil {
		return nil, b.tied
	}
	for i := e.whole; i < len(e.blocks); i++ {
		if len(b.functions[i].refs) > 0 {
			b.collect(i)
		}
	}
	b.compact()
	for i := e.whole; i < len(e.blocks); i++ {
		if len(b.functions[i].refs) > 0 {
			b.functions[i].number = e.members[i][0]
			e.blocks[i].Functions = b.compile(&b.functions[i])
		}
	}
	return &infer.Factorisation{Blocks: e.blocks, Terms: b.terms}, nil
}

// indicators allocates the statistics of discrete blocks, whose number grows with the data.
func (b *termBuilder) indicators() {
	size, most := 0, 0
	for i := range b.whole {
		if b.blocks[i].Support == infer.Whole {
			size, most = size+b.blocks[i].Size, max(most, b.blocks[i].Size)
		}
	}
	places, statistics := make([]int32, size), make([]infer.Statistic, size)
	b.seen, b.values = make([][]int32, b.whole), make([]infer.Statistic, most)
	for v := range b.values {
		b.values[v] = infer.Statistic{{Func: infer.Indicator, Index: v, Power: 1}}
	}
	for i := range b.whole {
		if b.blocks[i].Support != infer.Whole {
			continue
		}
		n := b.blocks[i].Size
		b.seen[i], places = places[:n:n], places[n:]
		b.blocks[i].Statistics, statistics = statistics[:0:n], statistics[n:]
	}
}

// indicator numbers the statistic that a discrete block has values.
func (b *termBuilder) indicator(marks []infer.BlockStatistic) int32 {
	block, value := marks[0].Block, marks[0].Statistic
	if b.blocks[block].Support == infer.Wholes {
		s := make(infer.Statistic, len(marks))
		for i, m := range marks {
			s[i] = infer.StatisticFactor{Func: infer.Indicator, Index: int(m.Statistic), Power: 1}
		}
		return b.statistic(int(block), s)
	}
	k := &b.seen[block][value]
	if *k == 0 {
		to := &b.blocks[block].Statistics
		*to = append(*to, b.values[value])
		*k = int32(len(*to))
	}
	return *k - 1
}

// all translates the terms, root by root.
func (b *termBuilder) all() {
	p, sel := b.poly, b.rec.sel
	entry, factor, term := 0, 0, 0
	for i, r := range b.rec.roots {
		b.root = b.rec.at[i]
		for ; term < len(p.Terms) && int(p.Terms[term].Root) == i; term++ {
			b.add(p.Terms[term], nil)
		}
		for range r.Many * min(len(r.Table), 1) {
			vars := sel.vars[factor]
			factor++
			marks := slices.Grow(b.marks[:0], len(vars))[:len(vars)]
			b.marks = marks
			for k := range r.Table {
				for v := len(vars) - 1; v >= 0; v-- {
					marks[v].Block = int32(b.of[vars[v]])
					marks[v].Statistic = b.offset[vars[v]] + int32(k%sel.count[vars[v]])
					k /= sel.count[vars[v]]
				}
				if len(marks) > 1 {
					slices.SortFunc(marks, func(x, y infer.BlockStatistic) int {
						return cmp.Or(int(x.Block-y.Block), int(x.Statistic-y.Statistic))
					})
				}
				for _, t := range p.Entries[p.Start[entry]:p.Start[entry+1]] {
					b.add(t, marks)
				}
				entry++
			}
		}
	}
}

// add translates one term; marks are the discrete numbers with the values, from 0, for which it
// counts.
func (b *termBuilder) add(t autodiff.Term, marks []infer.BlockStatistic) {
	p := b.parts[t.Product]
	if p == nil {
		p = b.product(b.poly.Products[t.Product])
		b.parts[t.Product] = p
	}
	if n := len(marks) + len(p.of); n > 1 && b.named != nil {
		b.apart(marks, p.of)
	}
	if n := len(marks) + len(p.of); cap(b.room)-len(b.room) < n {
		b.room = make([]infer.BlockStatistic, 0, max(n, min(1<<16, 2*cap(b.room)+16)))
	}
	from := len(b.room)
	for i := 0; i < len(marks); {
		n := 1
		for i+n < len(marks) && marks[i+n].Block == marks[i].Block {
			n++
		}
		b.room = append(b.room, infer.BlockStatistic{Block: marks[i].Block, Statistic: b.indicator(marks[i : i+n])})
		i += n
	}
	b.room = append(b.room, p.of...)
	out := infer.FactorTerm{Coef: t.Coef, Of: b.room[from:len(b.room):len(b.room)]}
	for _, v := range p.fixed {
		out.Coef *= v
	}
	b.terms = append(b.terms, out)
}

// apart makes sure that a term does not have two blocks of one group.
func (b *termBuilder) apart(marks, of []infer.BlockStatistic) {
	all := slices.Concat(marks, of)
	for i, x := range all {
		for _, y := range all[:i] {
			if group := b.named[x.Block]; group >= 0 && group == b.named[y.Block] && x.Block != y.Block && b.tied == nil {
				b.tied = &infer.GroupError{Group: group, Reason: fmt.Sprintf("%s and %s depend on each other, %s, and are neither jointly normal, alone or with their precision, nor all discrete",
					b.blocks[y.Block].Name, b.blocks[x.Block].Name, place(b.root))}
			}
		}
	}
}

// product translates powers of the continuous numbers, whose blocks come after the discrete ones.
func (b *termBuilder) product(powers []autodiff.Power) *parts {
	out := &parts{}
	own := map[int]infer.Statistic{}
	for _, p := range powers {
		k := b.elem[p.Atom]
		if k < 0 {
			out.fixed = append(out.fixed, libm.Pow(b.value[p.Atom], p.Exp))
			continue
		}
		block := b.numbers[k].block
		own[block] = append(own[block], b.factor(block, k, p))
	}
	for block, s := range own {
		out.of = append(out.of, infer.BlockStatistic{Block: int32(block), Statistic: b.statistic(block, s)})
	}
	slices.SortFunc(out.of, func(x, y infer.BlockStatistic) int { return int(x.Block - y.Block) })
	return out
}

// factor is a power of an atom of number k as part of a statistic.
func (b *termBuilder) factor(block, k int, p autodiff.Power) infer.StatisticFactor {
	a := b.poly.Atoms[p.Atom]
	f := infer.StatisticFactor{Index: slices.Index(b.members[block], k), Power: p.Exp}
	switch a.Kind {
	case autodiff.Complement:
		f.Func = infer.OneMinus
	case autodiff.LogElement:
		f.Func = infer.LogNumber
	case autodiff.LogComplement:
		f.Func = infer.LogOneMinus
	case autodiff.Other:
		switch b.role[p.Atom] {
		case logDeterminant:
			return infer.StatisticFactor{Func: infer.LogDeterminant, Power: p.Exp}
		case inverseOf:
			return infer.StatisticFactor{Func: infer.Inverse, Index: a.Elem, Power: p.Exp}
		}
		f.Func = infer.Function
		f.Index = b.functions[block].ref(autodiff.Ref{Node: a.Node, Elem: int32(a.Elem)})
	}
	return f
}

func (f *functions) ref(r autodiff.Ref) int {
	k, ok := f.index[r]
	if !ok {
		k = len(f.refs)
		f.index[r] = k
		f.refs = append(f.refs, r)
	}
	return k
}

// statistic numbers a continuous block's statistic.
func (b *termBuilder) statistic(block int, s infer.Statistic) int32 {
	var key []byte
	for _, f := range s {
		key = append(key, byte(f.Func))
		key = binary.LittleEndian.AppendUint32(key, uint32(f.Index))
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(f.Power))
	}
	k, ok := b.place[block][string(key)]
	if !ok {
		k = int32(len(b.blocks[block].Statistics))
		b.place[block][string(key)] = k
		b.blocks[block].Statistics = append(b.blocks[block].Statistics, s)
	}
	return k
}

// hasFunction reports whether a statistic has a function that is a node.
func hasFunction(s infer.Statistic) bool {
	return slices.ContainsFunc(s, func(f infer.StatisticFactor) bool { return f.Func == infer.Function })
}

// collect sums the terms that differ in their functions of a block only, so that the
// block has few statistics however many observations there are.
func (b *termBuilder) collect(block int) {
	groups := map[string][]int{}
	var order []string
	for i, t := range b.terms {
		var key []byte
		own := false
		for _, s := range t.Of {
			if int(s.Block) == block {
				own = hasFunction(b.blocks[block].Statistics[s.Statistic])
				continue
			}
			key = binary.LittleEndian.AppendUint32(key, uint32(s.Block))
			key = binary.LittleEndian.AppendUint32(key, uint32(s.Statistic))
		}
		if !own {
			continue
		}
		if _, ok := groups[string(key)]; !ok {
			order = append(order, string(key))
		}
		groups[string(key)] = append(groups[string(key)], i)
	}
	f := &b.functions[block]
	drop := make([]bool, len(b.terms))
	for _, key := range order {
		list := groups[key]
		if len(list) < 2 {
			continue
		}
		var s functionSum
		for _, i := range list {
			at := slices.IndexFunc(b.terms[i].Of, func(s infer.BlockStatistic) bool { return int(s.Block) == block })
			s.coef = append(s.coef, b.terms[i].Coef)
			s.of = append(s.of, b.blocks[block].Statistics[b.terms[i].Of[at].Statistic])
			drop[i] = true
		}
		sum := infer.Statistic{{Func: infer.Function, Index: len(f.refs) + len(f.sums), Power: 1}}
		f.sums = append(f.sums, s)
		t := infer.FactorTerm{Coef: 1, Of: slices.Clone(b.terms[list[0]].Of)}
		for k := range t.Of {
			if int(t.Of[k].Block) == block {
				t.Of[k].Statistic = b.statistic(block, sum)
			}
		}
		b.terms = append(b.terms, t)
		drop = append(drop, false)
	}
	kept := b.terms[:0]
	for i, t := range b.terms {
		if !drop[i] {
			kept = append(kept, t)
		}
	}
	b.terms = kept
}

// compact drops statistics that no term has any more.
func (b *termBuilder) compact() {
	to, size := make([][]int32, len(b.blocks)), 0
	for i := range b.blocks {
		size += len(b.blocks[i].Statistics)
	}
	all := make([]int32, size)
	for i := range b.blocks {
		n := len(b.blocks[i].Statistics)
		to[i], all = all[:n:n], all[n:]
	}
	for _, t := range b.terms {
		for _, s := range t.Of {
			to[s.Block][s.Statistic] = 1
		}
	}
	for i := range b.blocks {
		kept := b.blocks[i].Statistics[:0]
		for k, s := range b.blocks[i].Statistics {
			if to[i][k] == 1 {
				to[i][k] = int32(len(kept))
				kept = append(kept, s)
			}
		}
		b.blocks[i].Statistics = kept
	}
	for _, t := range b.terms {
		for k := range t.Of {
			t.Of[k].Statistic = to[t.Of[k].Block][t.Of[k].Statistic]
		}
	}
}

// compile makes what evaluates a block's functions.
func (b *termBuilder) compile(f *functions) func() infer.BlockFunctions {
	program := autodiff.Compile(b.g, []autodiff.Node{b.g.Gather(f.refs)}, nil)
	return func() infer.BlockFunctions {
		machine := program.NewMachine()
		in := slices.Clone(b.at)
		values := make([]float64, len(f.refs)+len(f.sums))
		return func(t float64, out []float64) error {
			in[f.number] = t
			if err := machine.Run(in); err != nil {
				return err
			}
			copy(values, machine.Root(0))
			for i := range f.sums {
				values[len(f.refs)+i] = f.sums[i].at(t, values)
			}
			copy(out, values)
			return nil
		}
	}
}

// at evaluates the sum at t, where the functions have these values.
func (s *functionSum) at(t float64, values []float64) float64 {
	total := 0.0
	for i, c := range s.coef {
		for _, f := range s.of[i] {
			switch f.Func {
			case infer.Number:
				c *= raised(t, f.Power)
			case infer.OneMinus:
				c *= raised(1-t, f.Power)
			case infer.LogNumber:
				c *= raised(libm.Log(t), f.Power)
			case infer.LogOneMinus:
				c *= raised(libm.Log1p(-t), f.Power)
			case infer.Function:
				c *= raised(values[f.Index], f.Power)
			}
		}
		total += c
	}
	return total
}

// raised is x to the k; most sums are of first and second powers, which need no logarithm.
func raised(x, k float64) float64 {
	switch k {
	case 1:
		return x
	case 2:
		return x * x
	}
	return libm.Pow(x, k)
}
