package main

// This file reads Parquet files back with the library's own reader: no other reader of the
// format is among the tests' dependencies (extra/formats has a script with one).

import (
	"bytes"
	"errors"
	"io"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/outputs"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// sampleTable has chains of unequal length with integers, counts and numbers that are none.
func sampleTable(offset float64) *draws.Draws {
	d := draws.New(2, []string{"accept_stat__", "treedepth__"}, []string{"z", "a.1", "a.2", "k"})
	for c, n := range []int{3, 2} {
		for i := range n {
			x := offset + float64(10*c+i)
			d.Append(draws.Row{Chain: c, LogDensity: -x, Stats: []float64{0.5, 3}, Values: []float64{x / 3, math.Inf(1), math.NaN(), x}})
		}
	}
	return d
}

func TestParquet(t *testing.T) {
	for name, warmup := range map[string]*draws.Draws{"draws": nil, "with warm-up": sampleTable(100)} {
		t.Run(name, func(t *testing.T) {
			kept := sampleTable(0)
			var b bytes.Buffer
			err := outputs.WriteParquet(&b, kept, warmup, func(name string) bool { return name == "k" }, map[string]string{"method": "nuts()"})
			if err != nil {
				t.Fatal(err)
			}
			f, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, c := range f.Schema().Columns() {
				names = append(names, c[0])
			}
			want := []string{"chain__", "iter__", "lp__", "accept_stat__", "treedepth__", "z", "a.1", "a.2", "k"}
			before, extra := 2, 0
			if warmup != nil {
				want = append([]string{"chain__", "iter__", "warmup__"}, want[2:]...)
				before, extra = 3, 3 // three rows of warm-up come first in chain 1
			}
			if diff := cmp.Diff(want, names); diff != "" {
				t.Error(diff)
			}
			if v, ok := f.Lookup("method"); !ok || v != "nuts()" {
				t.Errorf("metadata %q, %v", v, ok)
			}
			rows := readParquet(t, f)
			if want := kept.Total() * (1 + before - 2); len(rows) != want {
				t.Fatalf("%d rows, want %d", len(rows), want)
			}
			row, drawn := rows[extra+2], kept.Row(0, 2)
			if row[0].Int32() != 1 || row[1].Int32() != 3 || warmup != nil && row[2].Boolean() {
				t.Errorf("row %v is not draw 3 of chain 1", row)
			}
			for i, x := range drawn {
				v := row[before+i]
				got := v.Double()
				if v.Kind() == parquet.Int64 {
					got = float64(v.Int64())
				}
				if (names[before+i] == "k" || names[before+i] == "treedepth__") != (v.Kind() == parquet.Int64) {
					t.Errorf("%s is of kind %v", names[before+i], v.Kind())
				}
				if got != x && !(math.IsNaN(got) && math.IsNaN(x)) {
					t.Errorf("%s: %v, want %v", names[before+i], got, x)
				}
			}
		})
	}
}

func readParquet(t *testing.T, f *parquet.File) []parquet.Row {
	t.Helper()
	var out []parquet.Row
	for _, g := range f.RowGroups() {
		rows := g.Rows()
		for buf := make([]parquet.Row, 4); ; {
			n, err := rows.ReadRows(buf)
			for _, r := range buf[:n] {
				out = append(out, r.Clone())
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return out
}
