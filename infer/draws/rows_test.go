package draws

// These tests compare tables in a temporary file with what was put into them.

import (
	"slices"
	"sync"
	"testing"
)

// cellOf is the number that a test puts into a place of a table.
func cellOf(chain, i, col int) float64 { return float64(i)*0.5 - float64(col)*1e7 + float64(chain)*1e9 }

// filled is a table of chains of these lengths.
func filled(columns int, lengths ...int) *Draws {
	names := make([]string, columns)
	for i := range names {
		names[i] = string(rune('a' + i))
	}
	d := New(len(lengths), []string{"stat__"}, names)
	for _, r := range d.chains {
		r.most, r.block = 1000, 300
	}
	var wg sync.WaitGroup
	for c, n := range lengths {
		wg.Go(func() {
			row := Row{Chain: c, Stats: make([]float64, 1), Values: make([]float64, columns)}
			for i := range n {
				row.LogDensity, row.Stats[0] = cellOf(c, i, 0), cellOf(c, i, 1)
				for k := range row.Values {
					row.Values[k] = cellOf(c, i, 2+k)
				}
				d.Append(row)
			}
		})
	}
	wg.Wait()
	return d
}

// checkCells compares a table of which every step-th draw is at hand.
func checkCells(t *testing.T, d *Draws, step int) {
	t.Helper()
	var wg sync.WaitGroup
	for c := range d.Chains() {
		wg.Go(func() {
			for i := 0; i < d.Len(c); i += 1 + i%7 {
				for col, v := range d.Row(c, i) {
					if v != cellOf(c, i*step, col) {
						t.Errorf("chain %d draw %d column %d: %v", c, i, col, v)
						return
					}
				}
			}
		})
	}
	for col, name := range d.Names() {
		each := 0
		d.Each(name, func(c int, x []float64) {
			each++
			if !slices.Equal(x, d.Column(name)[c]) {
				t.Errorf("column %s of chain %d: Each and Column differ", name, c)
			}
		})
		if each != d.Chains() {
			t.Errorf("column %s: %d calls", name, each)
		}
		for c, x := range d.Column(name) {
			for i, v := range x {
				if v != cellOf(c, i*step, col) {
					t.Fatalf("chain %d draw %d column %d: %v", c, i, col, v)
				}
			}
		}
	}
	wg.Wait()
}

// TestSpilledTable: what exceeds the memory of a table is the same in rows, columns and parts of it.
func TestSpilledTable(t *testing.T) {
	for name, d := range map[string]*Draws{
		"three chains": filled(1, 9000, 6001, 1000),
		"wide":         filled(20, 3000, 3300),
		"one block":    filled(1, 1300),
		"no block":     filled(2, 1299),
	} {
		t.Run(name, func(t *testing.T) {
			if d.chains[0].spill.file == nil && name != "no block" {
				t.Fatal("nothing is in the file")
			}
			for c, r := range d.chains {
				if d.Len(c) > 1000 && (len(r.head) > 0 || len(r.tail) > r.block*r.width) {
					t.Errorf("chain %d: %d numbers in memory", c, len(r.head)+len(r.tail))
				}
			}
			checkCells(t, d, 1)
			checkCells(t, d.Thinned(3), 3)
			checkCells(t, d.First(d.Len(0)-5), 1)
			if d.Chains() == 1 || name == "wide" {
				checkCells(t, d.Balanced(), 1)
			}
		})
	}
}

// TestNoRoomForATemporaryFile: draws stay in memory where no file can be made, and where it cannot be written.
func TestNoRoomForATemporaryFile(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()+"/missing")
	t.Setenv("TMP", t.TempDir()+"/missing")
	checkCells(t, filled(2, 5000), 1)
}

// TestFullDisk: draws stay in memory from where on the file cannot be written.
func TestFullDisk(t *testing.T) {
	d := filled(2, 5000)
	blocks := len(d.chains[0].blocks)
	if blocks == 0 {
		t.Fatal("nothing is in the file")
	}
	if err := d.chains[0].spill.file.Close(); err != nil { // as good as a full disk: it cannot be written
		t.Fatal(err)
	}
	n := d.Len(0)
	for i := range 2000 {
		d.Append(Row{LogDensity: cellOf(0, n+i, 0), Stats: []float64{cellOf(0, n+i, 1)}, Values: []float64{cellOf(0, n+i, 2), cellOf(0, n+i, 3)}})
	}
	if len(d.chains[0].blocks) != blocks {
		t.Fatal("a block was written to a closed file")
	}
	for i := n; i < d.Len(0); i++ {
		if row := d.Row(0, i); row[3] != cellOf(0, i, 3) {
			t.Fatalf("draw %d: %v", i, row)
		}
	}
}

// Adjacent columns are those one by one, of tables that are in memory, that are not, and that end within a block.
func TestAdjacent(t *testing.T) {
	for _, n := range []int{5, 900, 2700} {
		d := filled(3, n, n+1)
		for from := range 5 {
			for k, column := range d.Adjacent(from, 5-from) {
				for c, x := range column {
					if len(x) != n+c {
						t.Fatalf("%d of %d draws", len(x), n+c)
					}
					for i, v := range x {
						if want := cellOf(c, i, from+k); v != want {
							t.Fatalf("draw %d of column %d from %d on: %g, not %g", i, k, from, v, want)
						}
					}
				}
			}
		}
	}
}
