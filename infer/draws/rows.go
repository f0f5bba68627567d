// This file holds the rows of a chain: the first ones in memory, those of a long chain in a temporary file.

package draws

import "slices"

// Kept is how many numbers of a table stay in memory.
const Kept = 1 << 22

// mostBlock is how many numbers are written to the file at a time.
const mostBlock = 1 << 17

// rows are the draws of one chain. Those that do not fit into memory are kept in blocks of rows in a
// file, column by column within a block, so that a column is read without the others.
type rows struct {
	width  int
	n      int       // rows
	most   int       // rows that stay in memory
	block  int       // rows of a block
	head   []float64 // the first ones, one row after the other
	spill  *spill    // of the table
	blocks []int64   // where in the file the blocks begin
	tail   []float64 // rows after the last block
}

func newRows(width, chains int, s *spill) *rows {
	most := max(1, Kept/max(1, chains)/max(1, width))
	return &rows{width: width, most: most, block: max(1, min(most, mostBlock/max(1, width))), spill: s}
}

// reserve makes room for n rows.
func (r *rows) reserve(n int) { r.head = slices.Grow(r.head, min(n, r.most)*r.width) }

// append adds a row.
func (r *rows) append(x Row) {
	to := &r.head
	if r.n >= r.most {
		to = &r.tail
	}
	c := append(*to, x.LogDensity)
	c = append(c, x.Stats...)
	*to = append(c, x.Values...)
	r.n++
	if len(r.tail) == r.block*r.width && r.block*r.width > 0 {
		r.flush()
	}
}

// flush writes the tail as a block. Where it cannot be written, the tail stays and grows.
func (r *rows) flush() {
	if at, ok := r.spill.write(r.tail, r.width); ok {
		r.blocks = append(r.blocks, at)
		r.tail = make([]float64, 0, r.block*r.width) // a new one: views of the old one may be in use
	}
}

// inHead is the number of rows in memory before the blocks.
func (r *rows) inHead() int { return min(r.n, r.most) }

// row is a view of a row.
func (r *rows) row(i int) []float64 {
	from := r.head
	if h := r.inHead(); i >= h {
		i -= h
		if b := i / r.block; b < len(r.blocks) {
			from, i = r.spill.rows(r.blocks[b], r.width, r.block), i%r.block
		} else {
			from, i = r.tail, i-len(r.blocks)*r.block
		}
	}
	return from[i*r.width : (i+1)*r.width : (i+1)*r.width]
}

// column writes the values of a column from row i on to out.
func (r *rows) column(col, i int, out []float64) {
	strided := func(from []float64, i int) (done int) {
		for k := i*r.width + col; k < len(from) && done < len(out); k += r.width {
			out[done] = from[k]
			done++
		}
		return done
	}
	h := r.inHead()
	if i < h {
		done := strided(r.head[:h*r.width], i)
		out, i = out[done:], i+done
	}
	for len(out) > 0 {
		b, at := (i-h)/r.block, (i-h)%r.block
		if b >= len(r.blocks) {
			strided(r.tail, i-h-len(r.blocks)*r.block)
			return
		}
		n := min(len(out), r.block-at)
		r.spill.read(r.blocks[b]+8*int64(col*r.block+at), out[:n])
		out, i = out[n:], i+n
	}
}

// first is a view of the first n rows.
func (r *rows) first(n int) *rows {
	c := *r
	c.n = n
	return &c
}
