package data

// This file reads tables: text with a column a variable and a row an observation.

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Table is what was read of a table: the columns that were asked for.
type Table struct {
	File    string
	Rows    int
	Columns []*Column // in the order of the file
	ByRow   bool      // the file is no text: places in it are rows and columns
}

// A Column is a column of numbers or of levels.
type Column struct {
	Name string // as in the header
	X    []float64
	// Ints reports that every number is written as an integer; FirstReal is the row of the first that is
	// not, or -1. True and false are 1 and 0.
	Ints      bool
	FirstReal int
	Missing   int // the count of rows up to the first of which the cell is empty or NA, that one included; 0 where none is
	// Levels are the different texts of a column of text in the order of their bytes: X are their
	// numbers, from 1. It is nil for numbers.
	Levels []string
	Place  int // in the file, from 0
	// Rest is X with the numbers that lie behind it in the same memory, such as those of the next column; nil where that is not known.
	// Nobody writes to it.
	Rest []float64

	codes map[string]int // of texts, in the order in which they came, from 0; nil where there are none
}

// NewColumn is a column without cells.
func NewColumn(name string, place int) *Column {
	return &Column{Name: name, Place: place, Ints: true, FirstReal: -1}
}

// AppendNumber adds a number, which counts as an integer where it is whole.
func (c *Column) AppendNumber(x float64) {
	if c.Ints && !math.IsNaN(x) && (x != math.Trunc(x) || math.IsInf(x, 0)) {
		c.Ints, c.FirstReal = false, len(c.X)
	}
	c.X = append(c.X, x)
}

// AppendText adds a text. When all are there Number gives them their numbers.
func (c *Column) AppendText(text string) {
	code, known := c.codes[text]
	if !known {
		if c.codes == nil {
			c.codes = map[string]int{}
		}
		code = len(c.codes)
		c.codes[text] = code
	}
	c.X = append(c.X, float64(code))
}

// AppendMissing adds a missing value.
func (c *Column) AppendMissing() {
	c.X = append(c.X, math.NaN())
	if c.Missing == 0 {
		c.Missing = len(c.X)
	}
}

// A Cells gives the cells of a table row by row.
type Cells interface {
	// Header returns the names of the columns.
	Header() []string
	// Next returns the cells of the next row, as many as the header has; io.EOF after the last. The
	// slice may be used again by the next call.
	Next() ([]string, error)
	// Fault makes an error about a cell of the row that Next gave last.
	Fault(column int, code, format string, args ...any) error
}

// ReadCSVFile reads a file of comma-separated values (RFC 4180) with a header; see ReadTable. Semicolons or tabs
// separate where the header has them and no comma.
func ReadCSVFile(path string, wanted func(header []string) []bool) (*Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	cells, err := newCSV(f, path)
	if err != nil {
		return nil, err
	}
	t, err := ReadTable(cells, path, wanted)
	if bad, ok := errors.AsType[*Error](err); ok {
		bad.showLine(path)
	}
	return t, err
}

// ReadTable reads the columns that wanted picks by the header. A cell is a number, true or false, or text; a
// column is of one kind. Empty cells and NA are missing values, NaN
// in X. Columns of the same name are an error.
func ReadTable(cells Cells, file string, wanted func(header []string) []bool) (*Table, error) {
	header := cells.Header()
	want := wanted(header)
	t := &Table{File: file}
	var kinds []string // of the cells so far; empty before the first
	for i, name := range header {
		if !want[i] {
			continue
		}
		if slices.ContainsFunc(t.Columns, func(c *Column) bool { return c.Name == name }) {
			return nil, cells.Fault(i, "duplicate-key", "the name %q stands in the header for the second time", name)
		}
		t.Columns, kinds = append(t.Columns, NewColumn(name, i)), append(kinds, "")
	}
	for {
		row, err := cells.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		for i, c := range t.Columns {
			if problem := c.add(&kinds[i], row[c.Place], t.Rows); problem != "" {
				return nil, cells.Fault(c.Place, "data-type", "%s: %s", c.Name, problem)
			}
		}
		t.Rows++
	}
	for _, c := range t.Columns {
		c.Number()
	}
	return t, nil
}

// add appends a cell to a column; known is the kind of the cells before it. It returns the problem of the
// cell, or nothing.
func (c *Column) add(known *string, cell string, row int) (problem string) {
	text := strings.TrimSpace(cell)
	x, kind := 0.0, "a number"
	switch text {
	case "", "NA":
		c.AppendMissing()
		return ""
	case "TRUE", "True", "true":
		x, kind = 1, "true or false"
	case "FALSE", "False", "false":
		kind = "true or false"
	default:
		v, err := strconv.ParseFloat(text, 64)
		switch {
		case !utf8.ValidString(text):
			return fmt.Sprintf("row %d is not UTF-8 (%q); save the file as UTF-8", row+1, text)
		case err == nil && !strings.ContainsAny(text, "_xX"): // numbers as Go writes them are text here
			x = v
			if c.Ints && !math.IsNaN(v) && strings.ContainsAny(text, ".eExXnNiIpP") {
				c.Ints, c.FirstReal = false, row
			}
		case errors.Is(err, strconv.ErrRange) && !strings.ContainsAny(text, "_xX"):
			return fmt.Sprintf("row %d: %s is too large for a number", row+1, text)
		default:
			kind = "text"
		}
	}
	if *known == "" {
		*known = kind
	}
	switch {
	case *known != kind:
		return fmt.Sprintf("row %d is %s (%q), and the rows before it are %s; a column holds values of one kind", row+1, kind, text, *known)
	case kind == "text":
		c.AppendText(text)
	default:
		c.X = append(c.X, x)
	}
	return ""
}

// Number numbers the texts of a column by their order.
func (c *Column) Number() {
	if c.codes == nil {
		return
	}
	c.Levels = make([]string, 0, len(c.codes))
	for text := range c.codes {
		c.Levels = append(c.Levels, text)
	}
	slices.Sort(c.Levels)
	rank := make([]float64, len(c.Levels))
	for i, text := range c.Levels {
		rank[c.codes[text]] = float64(i + 1)
	}
	for i, x := range c.X {
		if !math.IsNaN(x) {
			c.X[i] = rank[int(x)]
		}
	}
}

// ShareLevels numbers the texts of several variables together, so that one text has one number in all.
func ShareLevels(columns []*Value) {
	var all []string
	for _, v := range columns {
		all = append(all, v.Levels...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	for _, v := range columns {
		own := slices.Clone(v.X)
		for i, x := range own {
			if math.IsNaN(x) {
				continue
			}
			at, _ := slices.BinarySearch(all, v.Levels[int(x)-1])
			own[i] = float64(at + 1)
		}
		v.X, v.Levels = own, all
	}
}

// value makes a variable of columns: of one, an array with a number a row; of those of a matrix, an array with an
// array a row.
func (t *Table) value(name string, columns []*Column, matrix bool) *Value {
	v := &Value{Name: name, Dims: []int{t.Rows}, Ints: true, FirstReal: -1, from: &tablePlace{t, columns}}
	if !matrix {
		c := columns[0]
		v.X, v.Ints, v.FirstReal, v.Missing, v.Levels = c.X, c.Ints, c.FirstReal, c.Missing, c.Levels
		return v
	}
	v.Dims = append(v.Dims, len(columns))
	if v.X = adjacent(columns); v.X != nil {
		v.byColumn = true
		for j, c := range columns {
			if at := c.FirstReal*len(columns) + j; !c.Ints && (v.Ints || at < v.FirstReal) {
				v.Ints, v.FirstReal = false, at
			}
			if at := (c.Missing-1)*len(columns) + j + 1; c.Missing > 0 && (v.Missing == 0 || at < v.Missing) {
				v.Missing = at
			}
		}
		return v
	}
	v.X = make([]float64, 0, t.Rows*len(columns))
	for row := range t.Rows {
		for _, c := range columns {
			if v.Ints && !c.Ints && c.FirstReal == row {
				v.Ints, v.FirstReal = false, len(v.X)
			}
			v.X = append(v.X, c.X[row])
			if c.Missing == row+1 {
				v.missing()
			}
		}
	}
	return v
}

// adjacent are the numbers of columns that lie one behind the other; nil where they do not.
func adjacent(columns []*Column) []float64 {
	all, n := columns[0].Rest, len(columns[0].X)
	if n == 0 || len(all) < n*len(columns) {
		return nil
	}
	for j, c := range columns {
		if len(c.X) != n || &c.X[0] != &all[j*n] {
			return nil
		}
	}
	return all[: n*len(columns) : n*len(columns)]
}

// fault makes an error about a column as a whole.
func (t *Table) fault(c *Column, format string, args ...any) error {
	e, _ := (&tablePlace{t, []*Column{c}}).locate(-1)
	e.Code, e.Variable, e.Message = "data-size", c.Name, fmt.Sprintf(format, args...)
	return e
}

// A tablePlace is where in a table the numbers of a variable stand.
type tablePlace struct {
	table   *Table
	columns []*Column
}

// locate makes an error that stands at the k-th number, or at the header where k is negative.
func (p *tablePlace) locate(k int) (e *Error, written string) {
	file, row, column := p.table.File, -1, p.columns[0]
	if k >= 0 {
		row, column = k/len(p.columns), p.columns[k%len(p.columns)]
	}
	if p.table.ByRow {
		return CellError(file, column.Name, row, "", ""), column.written(row)
	}
	e = &Error{File: file}
	f, err := os.Open(file)
	if err != nil {
		return e, ""
	}
	defer f.Close()
	cells, err := newCSV(f, file)
	if err != nil {
		return e, ""
	}
	text := cells.header[column.Place]
	for range row + 1 {
		next, err := cells.Next()
		if err != nil {
			return e, "" // the file has changed
		}
		text = next[column.Place]
	}
	e.Pos = cells.position(column.Place)
	e.showLine(file)
	return e, strings.TrimSpace(text)
}

// written is what a row of a table without lines holds.
func (c *Column) written(row int) string {
	switch {
	case row < 0:
		return c.Name
	case math.IsNaN(c.X[row]) && c.Missing > 0:
		return "null or NaN"
	case c.Levels != nil:
		return c.Levels[int(c.X[row])-1]
	}
	return number(c.X[row])
}

// showLine puts the line of the error's place beside it.
func (e *Error) showLine(path string) {
	f, err := os.Open(path)
	if err != nil || e.Pos.Line == 0 {
		return
	}
	defer f.Close()
	in := bufio.NewReader(f)
	var line []byte
	for range e.Pos.Line {
		if line, err = in.ReadBytes('\n'); err != nil && len(line) == 0 {
			return
		}
	}
	line = bytes.TrimRight(line, "\r\n")
	at := min(e.Pos.Column-1, len(line)) // in bytes, as encoding/csv counts
	e.Pos.Column = utf8.RuneCount(line[:at]) + 1
	before, after := line[:at], line[at:]
	first, last := max(0, len(before)-keptBefore), min(len(after), shownAfter)
	e.excerpt(before[first:], after[:last], first > 0, last < len(after))
}

// A csvCells reads comma-separated values.
type csvCells struct {
	file   string
	in     *csv.Reader
	header []string
}

func newCSV(r io.Reader, file string) (*csvCells, error) {
	in := bufio.NewReaderSize(r, bufferSize)
	switch mark, _ := in.Peek(3); {
	case string(mark) == "\xEF\xBB\xBF":
		_, _ = in.Discard(3)
	case bytes.HasPrefix(mark, []byte("\xFF\xFE")), bytes.HasPrefix(mark, []byte("\xFE\xFF")):
		return nil, &Error{File: file, Code: "csv-syntax", Message: "the text is UTF-16; save it as UTF-8"}
	}
	c := &csvCells{file: file, in: csv.NewReader(in)}
	c.in.ReuseRecord = true
	c.in.Comma = separatorOf(in)
	header, err := c.in.Read()
	if errors.Is(err, io.EOF) {
		return nil, &Error{File: file, Code: "csv-syntax", Message: "the file is empty; expected a line with the names of the columns"}
	}
	if err != nil {
		return nil, c.syntax(err)
	}
	for _, name := range header {
		c.header = append(c.header, strings.TrimSpace(name))
	}
	return c, nil
}

// separatorOf is what stands between the names of the header.
func separatorOf(in *bufio.Reader) rune {
	start, _ := in.Peek(bufferSize)
	line, _, _ := bytes.Cut(start, []byte("\n"))
	for _, sep := range []byte(",\t;") {
		if bytes.IndexByte(line, sep) >= 0 {
			return rune(sep)
		}
	}
	return ','
}

// Header implements Cells.
func (c *csvCells) Header() []string { return c.header }

// Next implements Cells.
func (c *csvCells) Next() ([]string, error) {
	row, err := c.in.Read()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, c.syntax(err)
	}
	return row, err
}

// Fault implements Cells.
func (c *csvCells) Fault(column int, code, format string, args ...any) error {
	return &Error{File: c.file, Pos: c.position(column), Code: code, Message: fmt.Sprintf(format, args...)}
}

func (c *csvCells) position(column int) Position {
	line, at := c.in.FieldPos(column)
	return Position{Line: line, Column: at}
}

// syntax puts the reader's error in place.
func (c *csvCells) syntax(err error) error {
	var bad *csv.ParseError
	if !errors.As(err, &bad) {
		return fmt.Errorf("%s: %w", c.file, err)
	}
	text := bad.Err.Error()
	if errors.Is(bad.Err, csv.ErrFieldCount) {
		text = fmt.Sprintf("the row has another number of cells than the header's %d", len(c.header))
	}
	return &Error{File: c.file, Pos: Position{Line: bad.Line, Column: max(bad.Column, 1)}, Code: "csv-syntax", Message: text}
}
