package outputs

// This file writes draws as a Parquet file: the columns of the CSV files, with the number
// of chain and draw before them.

import (
	"errors"
	"io"
	"math"
	"slices"

	"github.com/parquet-go/parquet-go"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// parquetFile is its name in a fit's folder.
const parquetFile = "draws.parquet"

// Columns before those of the draws. No variable of a program can have such a name.
const (
	chainColumn     = "chain__"  // from 1
	iterationColumn = "iter__"   // from 1, within warm-up or after it
	warmupColumn    = "warmup__" // only where draws of warm-up are there
)

// orderedGroup is a group of columns that keeps their order.
type orderedGroup struct {
	parquet.Group
	order []string
}

// Fields implements parquet.Node.
func (g orderedGroup) Fields() []parquet.Field {
	byName := map[string]parquet.Field{}
	for _, f := range g.Group.Fields() {
		byName[f.Name()] = f
	}
	out := make([]parquet.Field, len(g.order))
	for i, name := range g.order {
		out[i] = byName[name]
	}
	return out
}

// A parquetTable writes tables of the same columns.
type parquetTable struct {
	w         *parquet.GenericWriter[any]
	integer   []bool // of lp__, the sampler's columns and the model's
	hasWarmup bool
	rows      []parquet.Row
}

// rowsAtOnce is how many rows are handed over together, and rowGroup how many stand in
// one group, which is held in memory.
const (
	rowsAtOnce = 256
	rowGroup   = 1 << 16
)

// WriteParquet writes the draws, and those of warm-up before them where there are any.
// whole says which variables hold integers.
func WriteParquet(w io.Writer, kept, warmup *draws.Draws, whole func(name string) bool, notes map[string]string) error {
	t := &parquetTable{hasWarmup: warmup != nil}
	group := orderedGroup{Group: parquet.Group{}}
	add := func(name string, n parquet.Node) {
		group.Group[name] = parquet.Required(n)
		group.order = append(group.order, name)
	}
	add(chainColumn, parquet.Int(32))
	add(iterationColumn, parquet.Int(32))
	if t.hasWarmup {
		add(warmupColumn, parquet.Leaf(parquet.BooleanType))
	}
	for i, name := range kept.Names() {
		integer := slices.Contains(countColumns, name) || i > len(kept.Stats()) && whole(draws.Base(name))
		integer = integer && allWhole(kept, i) && (warmup == nil || allWhole(warmup, i))
		t.integer = append(t.integer, integer)
		if integer {
			add(name, parquet.Int(64))
		} else {
			add(name, parquet.Leaf(parquet.DoubleType))
		}
	}
	options := []parquet.WriterOption{
		parquet.NewSchema("draws", group), parquet.Compression(&parquet.Snappy), parquet.CreatedBy("ppl", frame.Version, ""), parquet.MaxRowsPerRowGroup(rowGroup),
	}
	for _, key := range sortedKeys(notes) {
		options = append(options, parquet.KeyValueMetadata(key, notes[key]))
	}
	t.w = parquet.NewGenericWriter[any](w, options...)
	for chain := range kept.Chains() {
		if warmup != nil {
			if err := t.chain(warmup, chain, true); err != nil {
				return err
			}
		}
		if err := t.chain(kept, chain, false); err != nil {
			return err
		}
	}
	return errors.Join(t.flush(), t.w.Close())
}

// countColumns are the sampler's columns that hold whole numbers.
var countColumns = []string{"treedepth__", "n_leapfrog__", "divergent__"}

// allWhole reports whether a column can be written as integers: a quantity that could not be
// computed is no number.
func allWhole(d *draws.Draws, column int) bool {
	for c := range d.Chains() {
		for i := range d.Len(c) {
			if notWhole(d.Row(c, i)[column]) {
				return false
			}
		}
	}
	return true
}

// notWhole reports of a number that an integer does not hold it.
func notWhole(x float64) bool { return x != math.Trunc(x) || math.Abs(x) > 1<<53 }

func (t *parquetTable) chain(d *draws.Draws, chain int, warmup bool) error {
	for i := range d.Len(chain) {
		row := make(parquet.Row, 0, len(t.integer)+3)
		put := func(v parquet.Value) { row = append(row, v.Level(0, 0, len(row))) }
		put(parquet.Int32Value(int32(chain + 1)))
		put(parquet.Int32Value(int32(i + 1)))
		if t.hasWarmup {
			put(parquet.BooleanValue(warmup))
		}
		for k, x := range d.Row(chain, i) {
			if t.integer[k] {
				put(parquet.Int64Value(int64(x)))
			} else {
				put(parquet.DoubleValue(x))
			}
		}
		if t.rows = append(t.rows, row); len(t.rows) == rowsAtOnce {
			if err := t.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *parquetTable) flush() error {
	_, err := t.w.WriteRows(t.rows)
	t.rows = t.rows[:0]
	return err
}

func sortedKeys(m map[string]string) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
