// Rows that draw random numbers.

package bind

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/ir/bind/trace"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer"
)

// drawTries is at how many points a recording is tried: it may fail there, or by the numbers
// that it draws.
const drawTries = 16

// recordDraws records a row that draws. Whether it has a program must depend neither on where
// chains are nor on which of them asks first: the points are its own.
func (m rowRecorder) recordDraws(record func(q []float64, try byte) (*autodiff.Program, error)) (*autodiff.Program, error) {
	for try := range byte(drawTries) {
		p, err := record(m.somewhere(try), try)
		if err == nil || errors.Is(err, infer.ErrInterrupted) {
			return p, err
		}
		if err == trace.ErrPlainRows {
			break
		}
	}
	m.plainRows.Store(true)
	return nil, trace.ErrPlainRows
}

// somewhere is a point: the origin, and then others around it.
func (m rowRecorder) somewhere(try byte) []float64 {
	q, r := make([]float64, m.dim), trace.SomeNumbers(try)
	for i := range q {
		if try > 0 {
			q[i] = float64(4*r.Float64()) - 2
		}
	}
	return q
}

// drawnRow is a row of a model that draws random numbers for it. They are of a stream of the row's
// own, which begins anew for the reference interpreter: so the row does not depend on whether
// there is a program, and rows after it do not depend on what it took.
func (e *evaluator) drawnRow(q []float64, r *rand.Rand, out []float64) error {
	s := &e.row
	s.begin(r)
	if !e.model.interpreted() {
		if m, err := e.write.Run(q); err == nil && trace.Sound(m.Root(0), m.Root(1)) {
			copy(out, m.Root(0))
			return nil
		}
		s.again()
	}
	return rowRecorder{e.model}.writePlain(q, nil, s.random, out)
}

// A rowStream is the random numbers of one row after the other.
type rowStream struct {
	key    [32]byte
	source *rand.ChaCha8
	random *rand.Rand
}

func newRowStream() rowStream {
	source := rand.NewChaCha8([32]byte{})
	return rowStream{source: source, random: rand.New(source)}
}

// begin is the next row: its numbers depend on the next ones of r.
func (s *rowStream) begin(r *rand.Rand) {
	for i := 0; i < len(s.key); i += 8 {
		binary.LittleEndian.PutUint64(s.key[i:], r.Uint64())
	}
	s.again()
}

// again goes back to the row's beginning.
func (s *rowStream) again() { s.source.Seed(s.key) }
