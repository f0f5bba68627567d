// This file defines what it takes to put a chain aside and to take it up again.

package infer

import (
	"math/rand/v2"
	"time"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

// A Checkpoint is a chain between two transitions: all that its future depends on, and
// what its report counts. Records of single divergences are not in it.
type Checkpoint struct {
	Done       int       // transitions, warm-up included
	Tuned      bool      // warm-up is over
	StageBegin int       // transition at which the stage of warm-up began that is under way or was the last
	StageEnd   int       // transition at which it ends
	Search     bool      // the chain looks for the typical set in it
	Settling   []float64 // moments over that stage, where chains are compared at its end
	Centring   []float64 // moments over that stage that lambda is learned from
	Lambda     []float64 // see CentredEvaluator; nil: the state is in the coordinates of the model
	Stretch    []float64 // ratios of variances by the last change of lambda
	ReplacedAt int       // see ChainReport
	State      State     // position
	Stream     []byte    // state of the stream of transitions
	Quantities []byte    // state of the stream of generated quantities
	Tuning     []float64 // of Resumable

	WarmupRows, Rows int // recorded so far
	Init             []float64
	Divergences      int // after warm-up
	Rejections       int // after warm-up
	QuantityErrors   int
	QuantityError    string // the first, in words
	WarmupTime       time.Duration
	SamplingTime     time.Duration
}

// Resumable is a Tuner that can be put aside together with its kernel. Chains of other
// tuners are run again from their start when they are resumed, which gives the same
// draws and takes longer.
type Resumable interface {
	Tuner
	// Snapshot returns, as a copy, what later steps and updates depend on beside the
	// state and the stream. It is called between two transitions.
	Snapshot() []float64
	// Restore puts the tuner and its kernel, both new, where Snapshot was called. It
	// stands in the place of Begin, and of End if the warm-up was over.
	Restore(x []float64) error
}

// A Journal keeps the chains of a run on lasting storage. Calls for one chain come one
// after the other; different chains call at the same time. Rows are flat: log density,
// sampler columns, values and, if the run keeps them, unconstrained coordinates.
type Journal interface {
	// Last returns the latest checkpoint of a chain, nil where there is none, and takes
	// what was added after it away. It is the first call for a chain.
	Last(chain int) (*Checkpoint, error)
	// Rows hands over the rows before that checkpoint in order, those of warm-up
	// first. The slice is only lent.
	Rows(chain int, take func(row []float64) error) error
	// Add keeps a row for the next checkpoint; it copies.
	Add(chain int, row []float64) error
	// Due reports whether it is time for a checkpoint.
	Due(chain int) bool
	// Save keeps a checkpoint: when it returns, the chain can be resumed from there
	// whatever happens to the machine, or, before the first is due, from the run's beginning.
	Save(chain int, c *Checkpoint) error
	// Close ends the use of a chain.
	Close(chain int) error
}

// WithJournal is an observer with a journal: a run that is given it is resumed from
// what the journal holds, and kept there as it goes on. The journal belongs to the run
// that the observer watches, so a method that hides the observer from a run inside it
// hides the journal, too.
func WithJournal(o Observer, j Journal) Observer { return journaled{o, j} }

type journaled struct {
	Observer
	journal Journal
}

// JournalOf takes observer and journal apart; the journal is nil where there is none.
func JournalOf(o Observer) (Observer, Journal) {
	switch o := o.(type) {
	case nil:
		return Ignore{}, nil
	case journaled:
		return o.Observer, o.journal
	}
	return o, nil
}

// A stream is a random stream whose state can be saved.
type stream struct {
	*rand.Rand
	source *rand.ChaCha8
}

func newStream(source *rand.ChaCha8) stream { return stream{rand.New(source), source} }

// A keeper writes one chain into a journal. A nil keeper keeps nothing.
type keeper struct {
	journal Journal
	tuner   Resumable
	chain   int
	row     []float64 // scratch
	frozen  []float64 // snapshot of the tuner after warm-up
	warmup  int       // rows added
	rows    int
}

func newKeeper(j Journal, t Tuner, chain int) *keeper {
	r, ok := t.(Resumable)
	if j == nil || !ok {
		return nil
	}
	return &keeper{journal: j, tuner: r, chain: chain}
}

func (k *keeper) add(r draws.Row) error {
	if k == nil {
		return nil
	}
	k.row = append(append(append(append(k.row[:0], r.LogDensity), r.Stats...), r.Values...), r.Point...)
	if r.Warmup {
		k.warmup++
	} else {
		k.rows++
	}
	return k.journal.Add(k.chain, k.row)
}

// retuned has the keeper follow the tuner of another stage of warm-up.
func (k *keeper) retuned(t Tuner) {
	if k != nil {
		k.tuner = t.(Resumable) // the method's tuners are all of one type
	}
}

func (k *keeper) snapshot(tuned bool) []float64 {
	if !tuned {
		return k.tuner.Snapshot()
	}
	if k.frozen == nil {
		k.frozen = k.tuner.Snapshot()
	}
	return k.frozen
}

func (k *keeper) close() error {
	if k == nil {
		return nil
	}
	return k.journal.Close(k.chain)
}
