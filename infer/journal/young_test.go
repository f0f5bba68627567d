package journal

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/disk"
)

// Before a checkpoint is due none is written; the first that is due comes after those of all other chains, and so does
// the end of a chain.
func TestCheckpointsOfAYoungRun(t *testing.T) {
	for _, end := range []string{"due", "close"} {
		dir := t.TempDir()
		d := New(disk.Disk{}, dir, time.Hour)
		save := func(chain, done int) {
			t.Helper()
			if err := d.Add(chain, []float64{float64(done)}); err != nil {
				t.Fatal(err)
			}
			if err := d.Save(chain, &infer.Checkpoint{Done: done, Rows: done, Tuned: true, Tuning: []float64{7}}); err != nil {
				t.Fatal(err)
			}
		}
		for chain := range 2 {
			if _, err := d.Last(chain); err != nil {
				t.Fatal(err)
			}
			save(chain, 1)
			if d.Due(chain) {
				t.Error("a checkpoint is due that was just made")
			}
		}
		if found, _ := filepath.Glob(filepath.Join(dir, "*.state")); len(found) > 0 {
			t.Errorf("a young run has written %v", found)
		}
		if end == "due" {
			d.begun = d.begun.Add(-2 * time.Hour)
			if !d.Due(0) {
				t.Error("what was held is not due")
			}
			save(0, 2)
		} else {
			save(0, 2)
			if err := d.Close(0); err != nil {
				t.Fatal(err)
			}
		}
		again := New(disk.Disk{}, dir, 0)
		for chain, done := range []int{2, 1} {
			at, err := again.Last(chain)
			if err != nil || at == nil || at.Done != done || len(at.Tuning) != 1 || at.Tuning[0] != 7 {
				t.Errorf("%s: chain %d has the checkpoint %+v (%v), want %d draws", end, chain+1, at, err, done)
			}
		}
		if s, err := os.Stat(filepath.Join(dir, "chain-1.rows")); err != nil || s.Size() != 16 {
			t.Errorf("%s: rows %v, %v", end, s, err)
		}
	}
}
