// This file checks that a method's chains can be put aside and taken up again.

package infertest

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
)

// CutAt is an observer that stops a run where a chain has made so many transitions.
type CutAt struct {
	infer.Ignore
	Chain, At int
	Stop      context.CancelFunc
}

// Step implements infer.Observer.
func (c CutAt) Step(s infer.Step) {
	if s.Chain == c.Chain && s.Done == c.At {
		c.Stop()
	}
}

// memory is a journal that makes a checkpoint at every transition and fails after some.
type memory struct {
	mu     sync.Mutex // chains run on several goroutines
	left   int        // checkpoints until it fails
	chains map[int]*memoryChain
}

type memoryChain struct {
	last  *infer.Checkpoint
	rows  [][]float64 // those of the checkpoint
	added [][]float64 // those since
}

var errCut = errors.New("cut off")

func (m *memory) chain(i int) *memoryChain {
	if m.chains[i] == nil {
		m.chains[i] = &memoryChain{}
	}
	return m.chains[i]
}

func (m *memory) Last(i int) (*infer.Checkpoint, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.chain(i)
	c.added = nil
	return c.last, nil
}

func (m *memory) Rows(i int, take func([]float64) error) error {
	m.mu.Lock()
	rows := m.chain(i).rows
	m.mu.Unlock()
	for _, r := range rows {
		if err := take(r); err != nil {
			return err
		}
	}
	return nil
}

func (m *memory) Add(i int, row []float64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.chain(i)
	c.added = append(c.added, slices.Clone(row))
	return nil
}

func (m *memory) Due(int) bool { return true }

func (m *memory) Save(i int, at *infer.Checkpoint) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.left == 0 {
		return errCut
	}
	m.left--
	c, kept := m.chain(i), *at
	kept.State = infer.State{Q: slices.Clone(at.State.Q), LogDensity: at.State.LogDensity, Grad: slices.Clone(at.State.Grad)}
	kept.Tuning = slices.Clone(at.Tuning)
	c.last, c.rows, c.added = &kept, append(c.rows, c.added...), nil
	return nil
}

func (m *memory) Close(int) error { return nil }

// short is a Markov method of so many transitions that all windows of a warm-up occur.
type short struct{ infer.Markov }

func (s short) Chains() infer.MarkovOptions {
	o := s.Markov.Chains()
	o.Chains, o.Warmup, o.Draws, o.Thin = 2, 160, 40, 2
	return o
}

func (s short) Run(ctx context.Context, m infer.Model, o infer.Options) (*infer.Posterior, error) {
	return infer.RunMarkov(ctx, m, s, o)
}

// InPieces runs a method in pieces of a few checkpoints, each resumed from the last, and returns how
// many there were.
func InPieces(t testing.TB, m infer.Method, model infer.Model, o infer.Options) (p *infer.Posterior, pieces int) {
	t.Helper()
	j := &memory{chains: map[int]*memoryChain{}}
	o.Observer = infer.WithJournal(infer.Ignore{}, j)
	for piece := range 100000 {
		j.left = 3 + piece%7
		p, err := m.Run(t.Context(), model, o)
		if err == nil {
			return p, piece + 1
		}
		if !errors.Is(err, errCut) {
			t.Fatalf("%s, piece %d: %v", m.Name(), piece, err)
		}
	}
	t.Fatalf("%s does not come to an end", m.Name())
	return nil, 0
}

// Elsewhere is a relay that moves chains in runs of their own, the last first.
type Elsewhere struct {
	Method  infer.Method
	Model   infer.Model
	Options infer.Options // of the run
	Passes  int           // stops so far
}

// Advance implements infer.Relay.
func (e *Elsewhere) Advance(ctx context.Context, legs []infer.Leg, arrived func(int, *infer.Passage) error) error {
	e.Passes++
	for i, leg := range slices.Backward(legs) {
		o := e.Options
		o.Observer, o.Relay, o.Leg = nil, nil, &leg
		p, err := e.Method.Run(ctx, e.Model, o)
		if err != nil {
			return err
		}
		if err := arrived(i, p.Passage); err != nil {
			return err
		}
	}
	return nil
}

// CheckResume runs a Markov method in pieces, and with its chains elsewhere, and wants the draws of a run in one piece, bit by bit.
func CheckResume(t testing.TB, markov infer.Markov, model infer.Model) {
	t.Helper()
	m := short{markov}
	o := infer.Options{Seed: 11, Jobs: 2, SaveWarmup: true, KeepUnconstrained: true}
	whole := Fit(t, m, model, o)
	p, pieces := InPieces(t, m, model, o)
	if pieces == 1 {
		t.Errorf("%s cannot be resumed: its tuner is no infer.Resumable", m.Name())
	}
	SameRun(t, m.Name()+" in pieces", p, whole)
	o.Relay = &Elsewhere{Method: m, Model: model, Options: o}
	SameRun(t, m.Name()+" elsewhere", Fit(t, m, model, o), whole)
}

// SameRun wants draws and reports of a run to be those of another, bit by bit.
func SameRun(t testing.TB, name string, p, whole *infer.Posterior) {
	t.Helper()
	if !SameDraws(whole, p) {
		t.Errorf("%s: other draws than in a whole", name)
	}
	for c, report := range p.Chains {
		if want := whole.Chains[c]; !slices.Equal(report.Init, want.Init) || report.DivergenceCount != want.DivergenceCount ||
			report.Adaptation.StepSize != want.Adaptation.StepSize || !slices.Equal(report.Adaptation.InvMetric, want.Adaptation.InvMetric) ||
			whole.Unconstrained != nil && !slices.EqualFunc(p.Unconstrained[c], whole.Unconstrained[c], slices.Equal) {
			t.Errorf("%s, chain %d: the run reports something else than one in a whole", name, c+1)
		}
	}
}
