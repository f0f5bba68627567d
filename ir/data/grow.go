package data

// This file keeps the memory of long arrays near that of their numbers.

import (
	"io"
	"os"
)

const (
	// sampled is how many numbers are read before their density in the text is taken for
	// that of the rest.
	sampled = 1 << 13
	// spare is the share by which such an estimate is raised, wasted the share of its
	// memory that a finished array may leave unused.
	spare, wasted = 1.0 / 64, 1.0 / 8
)

// sizeOf is the number of bytes that are to be read from r, 0 where it does not say.
func sizeOf(r io.Reader) int64 {
	switch r := r.(type) {
	case interface{ Len() int }:
		return int64(r.Len())
	case *os.File:
		if info, err := r.Stat(); err == nil && info.Mode().IsRegular() {
			return info.Size()
		}
	}
	return 0
}

// grow makes room for further numbers. Growing by a factor as append does would leave
// several times the memory of a long array behind as garbage. So its length is estimated
// once, as if all the rest of the text belonged to it; what is not written to takes no
// memory, since make, unlike slices.Grow, does not touch what is zero already, and clip gives
// it back.
func (b *builder) grow() {
	n := len(b.v.X)
	more := max(n, 4)
	if at := b.base + int64(b.pos); n >= sampled && b.size > at {
		more = max(more, int((1+spare)*float64(n)*float64(b.size-at)/float64(at-b.v.Pos.Offset)))
	}
	longer := make([]float64, n, n+more)
	copy(longer, b.v.X)
	b.v.X = longer
}

// clip frees the memory of a finished array that was grown for more.
func (b *builder) clip() {
	if n := len(b.v.X); n > sampled && float64(cap(b.v.X)-n) > wasted*float64(n) {
		b.v.X = append(make([]float64, 0, n), b.v.X...)
	}
}
