package journal_test

import (
	"context"
	"encoding/gob"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/disk"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/journal"
	"github.com/seed-12b88e03/ppl/infer/nuts"
)

func method(t *testing.T, draws int) infer.Method {
	t.Helper()
	o := nuts.DefaultOptions()
	o.Chains, o.Warmup, o.Draws = 2, 100, draws
	m, err := nuts.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var model = infertest.Regression().Model

// cut fails at a draw.
type cut struct {
	infer.Ignore
	chain, at int
}

var errCut = errors.New("cut off")

func (c cut) Draw(r draws.Row) error {
	if r.Chain == c.chain && r.Iteration == c.at && !r.Warmup {
		return errCut
	}
	return nil
}

func run(t *testing.T, dir string, n int, o infer.Observer) (*infer.Posterior, error) {
	t.Helper()
	return method(t, n).Run(context.Background(), model, infer.Options{
		Seed: 3, KeepUnconstrained: true, SaveWarmup: true, Observer: infer.WithJournal(o, journal.New(disk.Disk{}, dir, 0)),
	})
}

func TestRunIsResumedAndExtended(t *testing.T) {
	dir := t.TempDir()
	want := infertest.Fit(t, method(t, 70), model, infer.Options{Seed: 3})
	for _, at := range []cut{{chain: 0, at: 0}, {chain: 0, at: 17}, {chain: 0, at: 17}, {chain: 1, at: 3}} {
		if _, err := run(t, dir, 40, at); !errors.Is(err, errCut) {
			t.Fatalf("error %v", err)
		}
	}
	for _, n := range []int{40, 40, 70} {
		var adapted, warm, drawn int
		p, err := run(t, dir, n, count{adapted: &adapted, warm: &warm, drawn: &drawn})
		if err != nil {
			t.Fatal(err)
		}
		for c := range p.Draws.Chains() {
			if p.Draws.Len(c) != n || len(p.Unconstrained[c]) != n {
				t.Fatalf("chain %d has %d draws, want %d", c, p.Draws.Len(c), n)
			}
			for i := range n {
				if !slices.Equal(p.Draws.Row(c, i), want.Draws.Row(c, i)) {
					t.Fatalf("chain %d, draw %d differs from that of a run in one piece", c, i)
				}
			}
		}
		if adapted != 2 || warm != 200 || drawn != 2*n {
			t.Errorf("the observer saw %d ends of warm-up, %d and %d rows", adapted, warm, drawn)
		}
	}
	if _, err := run(t, dir, 60, infer.Ignore{}); err == nil || !strings.Contains(err.Error(), "chain 1 cannot be resumed: it has made 170 transitions, planned are 160") {
		t.Errorf("error %v", err)
	}
}

type count struct {
	infer.Ignore
	adapted, warm, drawn *int
}

func (c count) Adapted(int, draws.Adaptation) error { *c.adapted++; return nil }
func (c count) Draw(r draws.Row) error {
	if r.Warmup {
		*c.warm++
	} else {
		*c.drawn++
	}
	return nil
}

// What was written after the last checkpoint is cut off; what is missing before it is
// an error.
func TestTornFiles(t *testing.T) {
	dir := t.TempDir()
	want, err := run(t, dir, 20, infer.Ignore{})
	if err != nil {
		t.Fatal(err)
	}
	rows, state := filepath.Join(dir, "chain-1.rows"), filepath.Join(dir, "chain-1.state")
	whole, err := os.ReadFile(rows)
	if err != nil {
		t.Fatal(err)
	}
	write(t, rows, append(slices.Clone(whole), 1, 2, 3))
	write(t, state+".new", []byte("half"))
	again, err := run(t, dir, 20, infer.Ignore{})
	if err != nil || !infertest.SameDraws(want, again) {
		t.Errorf("bytes beyond the checkpoint do harm: %v", err)
	}
	write(t, rows, whole[:len(whole)-8])
	if _, err := run(t, dir, 20, infer.Ignore{}); err == nil || !strings.Contains(err.Error(), "chain-1.rows: it is shorter than its checkpoint says") {
		t.Errorf("error %v", err)
	}
	write(t, state, []byte("nonsense"))
	if _, err := run(t, dir, 20, infer.Ignore{}); err == nil || !strings.Contains(err.Error(), "chain-1.state: this is no checkpoint") {
		t.Errorf("error %v", err)
	}
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
}

// A checkpoint in the midst of warm-up carries the tuning; later ones refer to a file.
func TestTuningIsWrittenOnce(t *testing.T) {
	dir := t.TempDir()
	if _, err := run(t, dir, 20, infer.Ignore{}); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(dir, "chain-2.state"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var s struct{ Checkpoint infer.Checkpoint }
	if err := gob.NewDecoder(f).Decode(&s); err != nil {
		t.Fatal(err)
	}
	if c := s.Checkpoint; !c.Tuned || c.Tuning != nil || c.Rows != 20 || c.WarmupRows != 100 {
		t.Errorf("checkpoint %+v", c)
	}
	if _, err := os.Stat(filepath.Join(dir, "chain-2.tuned")); err != nil {
		t.Error(err)
	}
}

// TestFlippedBits: a changed bit anywhere before the checkpoint, and files of other chains in
// a chain's place, are found.
func TestFlippedBits(t *testing.T) {
	dir := t.TempDir()
	if _, err := run(t, dir, 20, infer.Ignore{}); err != nil {
		t.Fatal(err)
	}
	if found := journal.Verify(dir); len(found) > 0 {
		t.Fatal(found[0])
	}
	for _, suffix := range []string{".rows", ".state", ".tuned"} {
		path := filepath.Join(dir, "chain-2"+suffix)
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		other, err := os.ReadFile(filepath.Join(dir, "chain-1"+suffix))
		if err != nil {
			t.Fatal(err)
		}
		damage := [][]byte{other, nil, whole[:len(whole)/2]}
		for i := 0; i < 8*len(whole); i += len(whole)/10 + 1 {
			text := slices.Clone(whole)
			text[i/8] ^= 1 << (i % 8)
			damage = append(damage, text)
		}
		for i, text := range damage {
			write(t, path, text)
			if found := journal.Verify(dir); len(found) != 1 {
				t.Errorf("%s, damage %d: found %v", suffix, i, found)
			}
			var damaged *journal.DamagedError
			if _, err := run(t, dir, 20, infer.Ignore{}); !errors.As(err, &damaged) {
				t.Errorf("%s, damage %d: the run goes on: %v", suffix, i, err)
			}
		}
		write(t, path, whole)
	}
}

// TestFilesHaveChecksumsOfTheirOwn: the CRC of a whole file depends on what is in it, so that
// one of another chain is told apart by it.
func TestFilesHaveChecksumsOfTheirOwn(t *testing.T) {
	dir := t.TempDir()
	if _, err := run(t, dir, 20, infer.Ignore{}); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{".state", ".tuned"} {
		var sums []uint32
		for _, chain := range []string{"chain-1", "chain-2"} {
			text, err := os.ReadFile(filepath.Join(dir, chain+suffix))
			if err != nil {
				t.Fatal(err)
			}
			sums = append(sums, crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli)))
		}
		if sums[0] == sums[1] {
			t.Errorf("%s: both files have the checksum %08x", suffix, sums[0])
		}
	}
}
