// Decompositions of a matrix into several parts, each of which is a function of the library.

package matrixfn

import (
	"slices"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
)

// A Decomposition takes an m x n matrix apart. What uses several parts decomposes the matrix once,
// and derivatives need no further decomposition.
type Decomposition struct {
	Parts []string // the functions that give one part each, in the order of the output

	ranks []int                           // dimensions of each part, and of what derivatives need behind them
	dims  func(m, n int) [maxParts][2]int // their sizes
	check func(fn string, m, n int) error // of the matrix's size; nil: any will do
	work  func(m, n int) int              // numbers of scratch memory
	value func(fn string, a catalogue.Tensor, out, work []float64) error
	vjp   func(a catalogue.Tensor, out, adj, da, work []float64) // adds to da
}

// maxParts is the greatest number of parts.
const maxParts = 3

// Place is where part i of the decomposition of an m x n matrix is among the numbers of all.
func (d *Decomposition) Place(i, m, n int) (off, size int) {
	dims := d.dims(m, n)
	for k, rank := range d.ranks[:i+1] {
		off, size = off+size, 1
		for _, l := range dims[k][:rank] {
			size *= l
		}
	}
	return off, size
}

// Outputs counts the numbers of all.
func (d *Decomposition) Outputs(m, n int) int {
	off, size := d.Place(len(d.ranks)-1, m, n)
	return off + size
}

func squareOnly(fn string, m, n int) error {
	if m != n {
		return container.NotSquare(fn, m, n)
	}
	return nil
}

// Whole returns the function that gives all parts, one after the other. It serves matrices whose
// size has been checked.
func (d *Decomposition) Whole() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			m, n := container.MatrixSize(in[0])
			return []int{d.Outputs(m, n)}, nil
		},
		Work: func(in []catalogue.Tensor) int { return d.work(container.MatrixSize(in[0])) },
		Value: func(in []catalogue.Tensor, out, work []float64) error {
			return d.value(d.Parts[0], in[0], out, work)
		},
		VJP: func(in []catalogue.Tensor, out, adj []float64, din [][]float64, work []float64) {
			d.vjp(in[0], out, adj, din[0], work)
		},
	}
}

// Part returns the function of part i.
func (d *Decomposition) Part(i int) *catalogue.Kernel {
	fn := d.Parts[i]
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			m, n := container.MatrixSize(in[0])
			if d.check != nil {
				if err := d.check(fn, m, n); err != nil {
					return nil, err
				}
			}
			dims := d.dims(m, n)[i]
			return append([]int(nil), dims[:d.ranks[i]]...), nil
		},
		Work: func(in []catalogue.Tensor) int {
			m, n := container.MatrixSize(in[0])
			return 2*d.Outputs(m, n) + d.work(m, n)
		},
		Value: func(in []catalogue.Tensor, out, work []float64) error {
			m, n := container.MatrixSize(in[0])
			all := d.Outputs(m, n)
			if err := d.value(fn, in[0], work[:all], work[all:]); err != nil {
				return err
			}
			off, size := d.Place(i, m, n)
			copy(out, work[off:off+size])
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, work []float64) {
			m, n := container.MatrixSize(in[0])
			all := d.Outputs(m, n)
			out, slopes, rest := work[:all], work[all:2*all], work[2*all:]
			if d.value(fn, in[0], out, rest) != nil {
				return
			}
			clear(slopes)
			off, _ := d.Place(i, m, n)
			copy(slopes[off:], adj)
			d.vjp(in[0], out, slopes, din[0], rest)
		},
	}
}

func allZero(x []float64) bool {
	return !slices.ContainsFunc(x, func(v float64) bool { return v != 0 })
}
