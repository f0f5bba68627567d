// This file is the container of draws: chains by draws by columns.

package draws

import "slices"

// LogDensityColumn is the name of the first column of every table.
const LogDensityColumn = "lp__"

// Draws is a table of draws. Its zero value has no chains. One of more than some 4 million numbers is kept in a
// temporary file, in os.TempDir, from which rows and columns are read when they are asked for: a
// panic with a *SpillError where they cannot be. Where there is no room for the file, all stays in memory.
type Draws struct {
	names  []string
	stats  int // number of sampler columns after lp__
	chains []*rows
}

// New returns an empty table: lp__, then the sampler's columns, then the
// model's.
func New(chains int, stats, columns []string) *Draws { return newOf(chains, chains, stats, columns) }

// newOf is New of one part of a table with so many chains in all, which share the memory.
func newOf(chains, all int, stats, columns []string) *Draws {
	names := append([]string{LogDensityColumn}, stats...)
	d := &Draws{
		names:  append(names, columns...),
		stats:  len(stats),
		chains: make([]*rows, chains),
	}
	s := &spill{}
	for i := range d.chains {
		d.chains[i] = newRows(len(d.names), all, s)
	}
	return d
}

// Reserve makes room for n draws in a chain.
func (d *Draws) Reserve(chain, n int) { d.chains[chain].reserve(n) }

// Append copies a row to the end of its chain. Different chains may be
// appended to at the same time.
func (d *Draws) Append(r Row) { d.chains[r.Chain].append(r) }

// Names are all column names, lp__ first. The caller must not change them.
func (d *Draws) Names() []string { return d.names }

// Stats are the names of the sampler columns, without lp__.
func (d *Draws) Stats() []string { return d.names[1 : 1+d.stats] }

// Columns are the names of the model's columns.
func (d *Draws) Columns() []string { return d.names[1+d.stats:] }

// Chains is the number of chains.
func (d *Draws) Chains() int { return len(d.chains) }

// Len is the number of draws in a chain.
func (d *Draws) Len(chain int) int {
	return d.chains[chain].n
}

// Longest is the number of draws in the longest chain.
func (d *Draws) Longest() int {
	n := 0
	for c := range d.chains {
		n = max(n, d.Len(c))
	}
	return n
}

// Total is the number of draws in all chains.
func (d *Draws) Total() int {
	n := 0
	for c := range d.chains {
		n += d.Len(c)
	}
	return n
}

// Row is draw i of a chain, all columns, as a view into the table, to be read only.
func (d *Draws) Row(chain, i int) []float64 {
	return d.chains[chain].row(i)
}

// Index is the place of a column, or -1.
func (d *Draws) Index(name string) int { return slices.Index(d.names, name) }

// Column copies one column out, a slice for each chain. It is nil when there
// is no column of that name.
func (d *Draws) Column(name string) [][]float64 {
	col := d.Index(name)
	if col < 0 {
		return nil
	}
	return d.column(col)
}

func (d *Draws) column(col int) [][]float64 { return d.Adjacent(col, 1)[0] }

// Adjacent copies n columns out, the first at an index of Names, as Column does. Of draws that are not in memory, and of many columns, this takes much less time than one after
// the other.
func (d *Draws) Adjacent(col, n int) [][][]float64 {
	out := make([][][]float64, n)
	for c, r := range d.chains {
		of := make([][]float64, n)
		for k := range of {
			of[k] = make([]float64, d.Len(c))
			out[k] = append(out[k], of[k])
		}
		r.columns(col, 0, of)
	}
	return out
}

// Each calls f with a column, one chain after the other; x is only lent. There is no call where there is no column
// of that name.
func (d *Draws) Each(name string, f func(chain int, x []float64)) {
	col := d.Index(name)
	if col < 0 {
		return
	}
	var x []float64
	for c, r := range d.chains {
		x = slices.Grow(x[:0], r.n)[:r.n]
		r.column(col, 0, x)
		f(c, x)
	}
}

// Thinned is a table of every step-th draw of each chain.
func (d *Draws) Thinned(step int) *Draws {
	out := New(d.Chains(), d.Stats(), d.Columns())
	for c := range d.chains {
		for i := 0; i < d.Len(c); i += step {
			row := d.Row(c, i)
			out.Append(Row{Chain: c, LogDensity: row[0], Stats: row[1 : 1+d.stats], Values: row[1+d.stats:]})
		}
	}
	return out
}

// AtHand is the table itself, or of a long one some draws at equal distances, at most most: for what has no use for all.
func (d *Draws) AtHand(most int) *Draws {
	if n := d.Total(); n >= Long {
		return d.Thinned((n + most - 1) / most)
	}
	return d
}

// First is a view of the first n draws of each chain.
func (d *Draws) First(n int) *Draws {
	out := &Draws{names: d.names, stats: d.stats}
	for _, c := range d.chains {
		out.chains = append(out.chains, c.first(min(n, c.n)))
	}
	return out
}

// Balanced returns the table that statistics which compare chains are taken over.
// They need chains of one length, and an interrupted run has others: chains
// with less than half the draws of the longest are left out, and the rest is
// cut to the shortest of them.
func (d *Draws) Balanced() *Draws {
	lengths := make([]int, d.Chains())
	for c := range lengths {
		lengths[c] = d.Len(c)
	}
	kept, n := balance(lengths)
	b := &Draws{names: d.names, stats: d.stats}
	for _, c := range kept {
		b.chains = append(b.chains, d.chains[c].first(n))
	}
	return b
}

// balanced is Balanced for one column.
func balanced(x [][]float64) [][]float64 {
	lengths := make([]int, len(x))
	for i, c := range x {
		lengths[i] = len(c)
	}
	kept, n := balance(lengths)
	out := make([][]float64, len(kept))
	for i, c := range kept {
		out[i] = x[c][:n]
	}
	return out
}

// balance returns which chains of these lengths are kept, and the length that they are cut to.
func balance(lengths []int) (kept []int, n int) {
	longest := 0
	for _, l := range lengths {
		longest = max(longest, l)
	}
	n = longest // of draws; chains with less than half of that are left out
	for c, l := range lengths {
		if longest > 0 && 2*l >= longest {
			kept = append(kept, c)
			n = min(n, l)
		}
	}
	return kept, n
}
