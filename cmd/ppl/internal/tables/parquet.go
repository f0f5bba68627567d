// Package tables reads the tables that need large packages, Parquet and Arrow, and files of columns that are mapped into memory. Package
// data reads the others.
package tables

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"github.com/seed-12b88e03/ppl/ir/data"
)

// Formats are those that --data takes beside JSON and CSV.
func Formats() []data.Format {
	return []data.Format{
		{Extensions: []string{".parquet", ".pq"}, Magic: "PAR1", Read: ReadParquet},
		{Extensions: []string{".arrow", ".feather", ".ipc"}, Magic: arrowMagic, Read: ReadArrow},
		{Extensions: []string{".arrows"}, Magic: arrowMark, Read: ReadArrow},
		{Extensions: []string{".columns"}, Magic: columnsMagic, Read: ReadColumns},
	}
}

// ReadParquet reads the columns that wanted picks by the names of the file's columns: numbers, truth values, which are 1
// and 0, and texts. The error is that of opening the file, or a *data.Error: of a column of another type,
// of a file that is damaged.
func ReadParquet(path string, wanted func(header []string) []bool) (*data.Table, error) {
	return opened(path, damaged, func(f *os.File, size int64) (*data.Table, error) { return readParquet(path, f, size, wanted) })
}

// opened reads an open file. broken makes the error of one that makes the reader's package panic, which trusts what it
// reads.
func opened(path string, broken func(path string, err error) error, read func(f *os.File, size int64) (*data.Table, error)) (t *data.Table, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	defer func() {
		if fault := recover(); fault != nil {
			t, err = nil, broken(path, fmt.Errorf("%v", fault))
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return read(f, info.Size())
}

func readParquet(path string, f *os.File, size int64, wanted func(header []string) []bool) (*data.Table, error) {
	file, err := parquet.OpenFile(f, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, damaged(path, err)
	}
	columns := file.Root().Columns()
	var header []string
	for _, c := range columns {
		header = append(header, c.Name())
	}
	t := &data.Table{File: path, Rows: int(file.NumRows()), ByRow: true}
	for i, want := range wanted(header) {
		if !want {
			continue
		}
		if slices.Contains(header[:i], header[i]) {
			return nil, data.CellError(path, header[i], -1, "duplicate-key", "there is another column of this name")
		}
		c, err := readColumn(path, file, columns[i], i)
		switch {
		case err != nil:
			return nil, err
		case len(c.X) != t.Rows:
			return nil, damaged(path, fmt.Errorf("column %s has %d of %d rows", c.Name, len(c.X), t.Rows))
		}
		t.Columns = append(t.Columns, c)
	}
	return t, nil
}

func damaged(path string, err error) error {
	return &data.Error{File: path, Code: "parquet-syntax", Message: fmt.Sprintf("this is no whole Parquet file (%v); copy or write it again", err)}
}

// readColumn reads a column with its pages in order.
func readColumn(path string, file *parquet.File, from *parquet.Column, place int) (*data.Column, error) {
	add, other := adder(from)
	if add == nil {
		return nil, data.CellError(path, from.Name(), -1, "data-type", "the column holds %s; expected numbers, truth values or texts", other)
	}
	c := data.NewColumn(from.Name(), place)
	buffer := make([]parquet.Value, 1024)
	for _, group := range file.RowGroups() {
		if err := readPages(path, group.ColumnChunks()[from.Index()], c, buffer, add); err != nil {
			return nil, err
		}
	}
	c.Number()
	return c, nil
}

func readPages(path string, chunk parquet.ColumnChunk, c *data.Column, buffer []parquet.Value, add func(*data.Column, parquet.Value) string) error {
	pages := chunk.Pages()
	defer pages.Close()
	for {
		page, err := pages.ReadPage()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return damaged(path, err)
		}
		values := page.Values()
		for err == nil {
			var n int
			n, err = values.ReadValues(buffer)
			for _, v := range buffer[:n] {
				if v.IsNull() {
					c.AppendMissing()
				} else if problem := add(c, v); problem != "" {
					return data.CellError(path, c.Name, len(c.X), "data-type", "%s", problem)
				}
			}
		}
		parquet.Release(page)
		if !errors.Is(err, io.EOF) {
			return damaged(path, err)
		}
	}
}

// adder is what adds a value of the column's type to a column, and says what is wrong with it; nil for other types, which are
// named.
func adder(c *parquet.Column) (add func(*data.Column, parquet.Value) string, other string) {
	if !c.Leaf() || c.Repeated() {
		return nil, "lists or groups"
	}
	number := func(x func(parquet.Value) float64) func(*data.Column, parquet.Value) string {
		return func(c *data.Column, v parquet.Value) string { c.AppendNumber(x(v)); return "" }
	}
	unsigned, other := annotated(c.Type())
	switch kind := c.Type().Kind(); {
	case other != "":
		return nil, other
	case kind == parquet.Boolean:
		return number(func(v parquet.Value) float64 {
			if v.Boolean() {
				return 1
			}
			return 0
		}), ""
	case kind == parquet.Int32 && unsigned:
		return number(func(v parquet.Value) float64 { return float64(v.Uint32()) }), ""
	case kind == parquet.Int32:
		return number(func(v parquet.Value) float64 { return float64(v.Int32()) }), ""
	case kind == parquet.Int64 && unsigned:
		return number(func(v parquet.Value) float64 { return float64(v.Uint64()) }), ""
	case kind == parquet.Int64:
		return number(func(v parquet.Value) float64 { return float64(v.Int64()) }), ""
	case kind == parquet.Float:
		return number(func(v parquet.Value) float64 { return float64(v.Float()) }), ""
	case kind == parquet.Double:
		return number(parquet.Value.Double), ""
	case kind == parquet.ByteArray:
		return text, ""
	}
	return nil, "values of the type " + c.Type().String()
}

func text(c *data.Column, v parquet.Value) string { return addText(c, string(v.ByteArray())) }

func addText(c *data.Column, text string) string {
	if !utf8.ValidString(text) {
		return fmt.Sprintf("this is no UTF-8 (%q)", text)
	}
	c.AppendText(text)
	return ""
}

// annotated is what a type means beyond its kind: whole numbers without a sign, or what is neither number nor text.
func annotated(t parquet.Type) (unsigned bool, other string) {
	if l := t.LogicalType(); l != nil {
		switch l := l.Value.(type) {
		case nil, *format.StringType, *format.EnumType, *format.NullType:
			return false, ""
		case *format.IntType:
			return !l.IsSigned, ""
		}
		return false, "values of the type " + l.String()
	}
	switch old := t.ConvertedType(); {
	case old == nil:
		return false, ""
	case *old >= deprecated.Uint8 && *old <= deprecated.Uint64:
		return true, ""
	case *old == deprecated.UTF8, *old == deprecated.Enum, *old >= deprecated.Int8 && *old <= deprecated.Int64:
		return false, ""
	default:
		return false, "dates, times, decimals or lists"
	}
}
