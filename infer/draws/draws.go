// This file is the container of draws: chains by draws by columns.

package draws

import "slices"

// LogDensityColumn is the name of the first column of every table.
const LogDensityColumn = "lp__"

// Draws is a table of draws. Its zero value has no chains.
type Draws struct {
	names  []string
	stats  int         // number of sampler columns after lp__
	chains [][]float64 // one row after the other, each len(names) long
}

// New returns an empty table: lp__, then the sampler's columns, then the
// model's.
func New(chains int, stats, columns []string) *Draws {
	names := append([]string{LogDensityColumn}, stats...)
	return &Draws{
		names:  append(names, columns...),
		stats:  len(stats),
		chains: make([][]float64, chains),
	}
}

// Reserve makes room for n draws in a chain.
func (d *Draws) Reserve(chain, n int) {
	d.chains[chain] = slices.Grow(d.chains[chain], n*len(d.names))
}

// Append copies a row to the end of its chain. Different chains may be
// appended to at the same time.
func (d *Draws) Append(r Row) {
	c := append(d.chains[r.Chain], r.LogDensity)
	c = append(c, r.Stats...)
	d.chains[r.Chain] = append(c, r.Values...)
}

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
	if len(d.names) == 0 {
		return 0
	}
	return len(d.chains[chain]) / len(d.names)
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

// Row is draw i of a chain, all columns, as a view into the table.
func (d *Draws) Row(chain, i int) []float64 {
	w := len(d.names)
	return d.chains[chain][i*w : (i+1)*w : (i+1)*w]
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

func (d *Draws) column(col int) [][]float64 {
	out := make([][]float64, len(d.chains))
	for c := range out {
		out[c] = make([]float64, d.Len(c))
		for i := range out[c] {
			out[c][i] = d.chains[c][i*len(d.names)+col]
		}
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
		b.chains = append(b.chains, d.chains[c][:n*len(d.names)])
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
