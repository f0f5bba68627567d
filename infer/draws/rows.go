// This file holds the rows of a chain: in memory, or those of a long chain in a temporary file.

package draws

import "slices"

// Kept is how many numbers a table may have in memory; from one more on they leave it.
const Kept = 1 << 22

// mostBlock is how many numbers are written to the file at a time.
const mostBlock = 1 << 17

// rows are the draws of one chain. Those that do not fit into memory are kept in blocks of rows in a
// file, column by column within a block, so that a column is read without the others.
type rows struct {
	width  int
	n      int       // rows
	most   int       // rows that are held in the head
	block  int       // rows of a block
	head   []float64 // the first ones, one row after the other; none in a chain that has left memory
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
		if to = &r.tail; r.n == r.most && r.n > 0 {
			r.leave()
		}
	}
	c := append(*to, x.LogDensity)
	c = append(c, x.Stats...)
	*to = append(c, x.Values...)
	r.n++
	if len(r.tail) == r.block*r.width && r.block*r.width > 0 {
		r.flush()
	}
}

// leave moves the head into the file. Where it cannot be written, it stays.
func (r *rows) leave() {
	var blocks []int64
	size := r.block * r.width
	rest := r.head
	for ; size > 0 && len(rest) >= size; rest = rest[size:] {
		at, ok := r.spill.write(rest[:size], r.width)
		if !ok {
			return
		}
		blocks = append(blocks, at)
	}
	r.blocks, r.tail = blocks, append(make([]float64, 0, size), rest...)
	r.head, r.most = nil, 0
}

// flush writes the tail as a block. Where it cannot be written, the tail stays and grows.
func (r *rows) flush() {
	if at, ok := r.spill.write(r.tail, r.width); ok {
		r.blocks = append(r.blocks, at)
		r.tail = make([]float64, 0, r.block*r.width) // a new one: views of the old one may be in use
	}
}

// inHead is the number of rows before the blocks.
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
func (r *rows) column(col, i int, out []float64) { r.columns(col, i, [][]float64{out}) }

// columns writes the values of adjacent columns from row i on, col the first, to out, which are of one length.
func (r *rows) columns(col, i int, out [][]float64) {
	done, length := 0, len(out[0])
	strided := func(from []float64, i int) {
		for ; done < length && (i+1)*r.width <= len(from); done, i = done+1, i+1 {
			for c, x := range from[i*r.width+col:][:len(out)] {
				out[c][done] = x
			}
		}
	}
	h := r.inHead()
	if i < h {
		strided(r.head[:h*r.width], i)
	}
	var several []float64
	for done < length {
		b, at := (i+done-h)/r.block, (i+done-h)%r.block
		if b >= len(r.blocks) {
			strided(r.tail, i+done-h-len(r.blocks)*r.block)
			return
		}
		n, place := min(length-done, r.block-at), r.blocks[b]+8*int64(col*r.block)
		if len(out) == 1 {
			r.spill.read(place+8*int64(at), out[0][done:][:n])
		} else { // a block has its columns one after the other
			several = slices.Grow(several[:0], len(out)*r.block)[:len(out)*r.block]
			r.spill.read(place, several)
			for c := range out {
				copy(out[c][done:], several[c*r.block+at:][:n])
			}
		}
		done += n
	}
}

// first is a view of the first n rows.
func (r *rows) first(n int) *rows {
	c := *r
	c.n = n
	return &c
}
