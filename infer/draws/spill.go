// This file is the temporary file of the draws of a table that do not fit into memory.

package draws

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
)

// A spill is a temporary file that is made when it is needed and is gone with its table. It may be written
// and read from several goroutines.
type spill struct {
	once sync.Once
	file *os.File // nil: it could not be made
	end  atomic.Int64

	mu     sync.Mutex
	recent [recentBlocks]recentBlock
	next   int
}

// recentBlocks is how many blocks that were read by rows are kept: one for each goroutine that walks a chain.
const recentBlocks = 4

type recentBlock struct {
	at   int64
	rows []float64 // nil for none
}

// A SpillError is the panic of a temporary file that could be written and cannot be read.
type SpillError struct {
	Path string
	Err  error
}

func (e *SpillError) Error() string {
	return fmt.Sprintf("%s: draws that were put here for want of memory cannot be read back: %v", e.Path, e.Err)
}

// Unwrap is the error of the file.
func (e *SpillError) Unwrap() error { return e.Err }

// open makes the file, in the folder for temporary ones.
func (s *spill) open() {
	f, err := temporary()
	if err != nil {
		return
	}
	s.file = f
	runtime.AddCleanup(s, func(f *os.File) {
		_ = f.Close() // nothing that is needed any more
		_ = os.Remove(f.Name())
	}, f)
}

// write keeps rows column by column, and reports where.
func (s *spill) write(rows []float64, width int) (at int64, ok bool) {
	s.once.Do(s.open)
	if s.file == nil {
		return 0, false
	}
	raw := make([]byte, 8*len(rows))
	n := len(rows) / width
	for col := range width {
		for i := range n {
			binary.LittleEndian.PutUint64(raw[8*(col*n+i):], math.Float64bits(rows[i*width+col]))
		}
	}
	at = s.end.Add(int64(len(raw))) - int64(len(raw))
	_, err := s.file.WriteAt(raw, at)
	return at, err == nil
}

// scratch are the buffers of reads.
var scratch = sync.Pool{New: func() any { return new([1 << 15]byte) }}

// read reads numbers from a place of the file on.
func (s *spill) read(at int64, out []float64) {
	raw := scratch.Get().(*[1 << 15]byte)
	defer scratch.Put(raw)
	for len(out) > 0 {
		n := min(len(out), len(raw)/8)
		if _, err := s.file.ReadAt(raw[:8*n], at); err != nil {
			panic(&SpillError{s.file.Name(), err})
		}
		for i := range out[:n] {
			out[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:]))
		}
		out, at = out[n:], at+int64(8*n)
	}
}

// rows are those of the block of n rows that begins at a place, one after the other.
func (s *spill) rows(at int64, width, n int) []float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.recent {
		if b.rows != nil && b.at == at {
			return b.rows
		}
	}
	columns, rows := make([]float64, width*n), make([]float64, width*n)
	s.read(at, columns)
	for col := range width {
		for i, v := range columns[col*n:][:n] {
			rows[i*width+col] = v
		}
	}
	s.recent[s.next] = recentBlock{at, rows}
	s.next = (s.next + 1) % recentBlocks
	return rows
}
