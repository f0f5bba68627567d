package tables

// This file has tables as files of columns, which are mapped into memory: numbers are read from the disk when they are
// needed, so that data may be larger than memory.

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/infer/disk"
	"github.com/seed-12b88e03/ppl/ir/data"
)

// A file of columns is columnsMagic, zeros up to columnsStart, the columns one after the other as little-endian float64, a footer as
// JSON, its length in 8 bytes, and columnsMagic again.
const (
	columnsMagic = "PPLCOLUMNS 1\n\x00\x00\x00"
	columnsStart = 4096
	columnsTail  = 8 + len(columnsMagic)
	mostFooter   = 1 << 28
)

type columnsFooter struct {
	Rows    int          `json:"rows"`
	Columns []columnInfo `json:"columns"`
}

// A columnInfo is a data.Column without its numbers.
type columnInfo struct {
	Name      string   `json:"name"`
	Ints      bool     `json:"ints"`
	FirstReal int      `json:"first_real"`
	Missing   int      `json:"missing,omitempty"`
	Levels    []string `json:"levels,omitempty"`
}

// WriteColumns writes columns of a table as a file of columns. It reads the table several times, so many columns at a time as fit
// into about so many bytes, and one at least. Names are those of columns to be kept; none: all.
func WriteColumns(w io.Writer, path string, names []string, memory int64, f data.Format) error {
	var header []string
	t, err := f.Read(path, func(all []string) []bool {
		header = slices.Clone(all)
		return make([]bool, len(all))
	})
	if err != nil {
		return err
	}
	var places []int
	for i, name := range header {
		if len(names) > 0 && !slices.Contains(names, name) {
			continue
		}
		if slices.Contains(header[:i], name) {
			return data.CellError(path, name, -1, "duplicate-key", "there is another column of this name")
		}
		places = append(places, i)
	}
	for _, name := range names {
		if !slices.Contains(header, name) {
			return data.CellError(path, name, -1, "data-missing", "there is no such column")
		}
	}
	if _, err := w.Write(append([]byte(columnsMagic), make([]byte, columnsStart-len(columnsMagic))...)); err != nil {
		return err
	}
	const inMemory = 24 // bytes of a number, with what growing leaves behind
	footer := columnsFooter{Rows: t.Rows, Columns: []columnInfo{}}
	for some := range slices.Chunk(places, int(max(1, memory/inMemory/int64(max(1, t.Rows))))) {
		part, err := f.Read(path, func(all []string) []bool {
			wanted := make([]bool, len(all))
			for _, place := range some {
				wanted[place] = true
			}
			return wanted
		})
		if err != nil {
			return err
		}
		for _, c := range part.Columns {
			if len(c.X) != t.Rows {
				return fmt.Errorf("%s has changed while it was read", path)
			}
			footer.Columns = append(footer.Columns, columnInfo{c.Name, c.Ints, c.FirstReal, c.Missing, c.Levels})
			var text []byte
			for x := range slices.Chunk(c.X, 1<<16) {
				text, _ = binary.Append(text[:0], binary.LittleEndian, x) // of fixed size
				if _, err := w.Write(text); err != nil {
					return err
				}
			}
		}
	}
	text, err := json.Marshal(footer)
	if err != nil {
		return err
	}
	text = binary.LittleEndian.AppendUint64(text, uint64(len(text)))
	_, err = w.Write(append(text, columnsMagic...))
	return err
}

// ReadColumns is ReadParquet of a file of columns. The file must not change for as long as the table is used.
func ReadColumns(path string, wanted func(header []string) []bool) (*data.Table, error) {
	f, err := disk.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	footer, err := readFooter(f, info.Size())
	if err != nil {
		return nil, &data.Error{File: path, Code: "columns-syntax", Message: fmt.Sprintf("this is no whole file of columns (%v); write it again with ppl columns", err)}
	}
	var header []string
	for _, c := range footer.Columns {
		header = append(header, c.Name)
	}
	t := &data.Table{File: path, Rows: footer.Rows, ByRow: true}
	var all []float64
	for i, want := range wanted(header) {
		if !want {
			continue
		}
		if all == nil {
			if all, err = numbers(f, columnsStart, footer.Rows*len(footer.Columns)); err != nil {
				return nil, err
			}
		}
		about := footer.Columns[i]
		c := data.NewColumn(about.Name, i)
		c.Ints, c.FirstReal, c.Missing, c.Levels = about.Ints, about.FirstReal, about.Missing, about.Levels
		c.Rest = all[i*t.Rows:]
		c.X = c.Rest[:t.Rows:t.Rows]
		for row, x := range c.X {
			if c.Levels == nil {
				break
			}
			if !(x >= 1 && x <= float64(len(c.Levels)) && x == math.Trunc(x)) && !math.IsNaN(x) {
				return nil, data.CellError(path, c.Name, row, "columns-syntax", "this is the number of no text; write the file again with ppl columns")
			}
		}
		t.Columns = append(t.Columns, c)
	}
	return t, nil
}

// readFooter reads what a file holds, and makes sure that it has the numbers.
func readFooter(f io.ReaderAt, size int64) (*columnsFooter, error) {
	tail := make([]byte, columnsTail)
	if size < columnsStart+int64(columnsTail) {
		return nil, errors.New("it is shorter than one")
	}
	if _, err := f.ReadAt(tail, size-int64(columnsTail)); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint64(tail)
	if !bytes.Equal(tail[8:], []byte(columnsMagic)) || n > uint64(min(mostFooter, size-columnsStart-int64(columnsTail))) {
		return nil, errors.New("it does not end as one")
	}
	text := make([]byte, n)
	end := size - int64(columnsTail) - int64(n) // of the numbers
	if _, err := f.ReadAt(text, end); err != nil {
		return nil, err
	}
	var out columnsFooter
	if err := json.Unmarshal(text, &out); err != nil {
		return nil, err
	}
	if most := (end - columnsStart) / 8; out.Rows < 0 || len(out.Columns) > 0 && int64(out.Rows) > most/int64(len(out.Columns)) ||
		columnsStart+8*int64(out.Rows)*int64(len(out.Columns)) != end {
		return nil, errors.New("it has other numbers than its end says")
	} else if most > math.MaxInt/8 {
		return nil, errors.New("it is larger than what this system can address")
	}
	for i, c := range out.Columns {
		if c.FirstReal < -1 || c.FirstReal >= out.Rows || c.Missing < 0 || c.Missing > out.Rows || !c.Ints && c.FirstReal < 0 ||
			slices.ContainsFunc(out.Columns[:i], func(o columnInfo) bool { return o.Name == c.Name }) {
			return nil, fmt.Errorf("what it says of the column %q cannot be", c.Name)
		}
	}
	return &out, nil
}
