package tables

// This file reads Arrow's IPC format: files, which Feather 2 is another name of, and streams.

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/seed-12b88e03/ppl/ir/data"
)

// Files begin and end with arrowMagic, streams begin with arrowMark, the mark of a message, and end with one of no length.
const (
	arrowMagic = "ARROW1"
	arrowMark  = "\xff\xff\xff\xff"
	arrowEnd   = arrowMark + "\x00\x00\x00\x00"
)

// mostExpansion bounds what a file may hold by its size: no compression makes a byte of more. A file that is damaged may say anything.
const mostExpansion = 1 << 15

// batches are the record batches of a file or stream, up to io.EOF. A batch lasts until the next.
type batches interface {
	Schema() *arrow.Schema
	Read() (arrow.RecordBatch, error)
}

// ReadArrow is ReadParquet of Arrow's files and streams.
func ReadArrow(path string, wanted func(header []string) []bool) (*data.Table, error) {
	return opened(path, brokenArrow, func(f *os.File, size int64) (*data.Table, error) { return readArrow(path, f, size, wanted) })
}

func readArrow(path string, f *os.File, size int64, wanted func(header []string) []bool) (*data.Table, error) {
	in, err := openArrow(f, size)
	if err != nil {
		return nil, brokenArrow(path, err)
	}
	fields := in.Schema().Fields()
	var header []string
	for _, field := range fields {
		header = append(header, field.Name)
	}
	t := &data.Table{File: path, ByRow: true}
	var places []int
	for i, want := range wanted(header) {
		switch {
		case !want:
			continue
		case slices.Contains(header[:i], header[i]):
			return nil, data.CellError(path, header[i], -1, "duplicate-key", "there is another column of this name")
		case !readable(fields[i].Type):
			return nil, data.CellError(path, header[i], -1, "data-type", "the column holds values of the type %s; expected numbers, truth values or texts", fields[i].Type)
		}
		t.Columns, places = append(t.Columns, data.NewColumn(header[i], i)), append(places, i)
	}
	for {
		batch, err := in.Read()
		switch {
		case errors.Is(err, io.EOF):
			for _, c := range t.Columns {
				c.Number()
			}
			return t, nil
		case err != nil:
			return nil, brokenArrow(path, err)
		}
		t.Rows += int(batch.NumRows())
		for k, c := range t.Columns {
			a := batch.Column(places[k])
			if n := max(size, heldBy(a.Data())); int64(a.Len()) != batch.NumRows() || int64(a.Len()) > 8*n {
				return nil, brokenArrow(path, fmt.Errorf("%d of %d rows of column %s, in %d bytes", a.Len(), batch.NumRows(), c.Name, n))
			}
			if problem := appendArray(c, a); problem != "" {
				return nil, data.CellError(path, c.Name, len(c.X), "data-type", "%s", problem)
			}
		}
	}
}

func brokenArrow(path string, err error) error {
	return &data.Error{File: path, Code: "arrow-syntax", Message: fmt.Sprintf("this is no whole Arrow file or stream (%v); copy or write it again", err)}
}

// openArrow opens a file or a stream, by what it begins with. A stream must end as one, since what was cut off between two batches would
// not be missed.
func openArrow(f *os.File, size int64) (batches, error) {
	start, end := make([]byte, len(arrowMagic)), make([]byte, len(arrowEnd))
	if _, err := f.ReadAt(start, 0); err != nil {
		return nil, errors.New("it is shorter than one")
	}
	options := []ipc.Option{ipc.WithMetadataSizeLimit(size), ipc.WithBodySizeLimit(size), ipc.WithAllocator(&thrifty{memory.NewGoAllocator(), mostExpansion * size})}
	switch {
	case string(start) == arrowMagic:
		footer, err := metadata(f, size-int64(len(arrowMagic))-4, -1, size)
		if err != nil {
			return nil, err
		}
		checkSchema(footer, 6)
		return ipc.NewFileReader(f, options...)
	case !strings.HasPrefix(string(start), arrowMark):
		return nil, fmt.Errorf("it begins with %q", start)
	}
	if _, err := f.ReadAt(end, max(0, size-int64(len(end)))); err != nil || string(end) != arrowEnd {
		return nil, errors.New("the stream is cut off, or was not closed by who wrote it")
	}
	message, err := metadata(f, int64(len(arrowMark)), 1, size)
	if err != nil {
		return nil, err
	}
	checkSchema(message, 8)
	return ipc.NewReader(f, options...)
}

// metadata is the flatbuffer after (1) or before (-1) its length, which stands at a place of the file.
func metadata(f *os.File, at int64, side int, size int64) ([]byte, error) {
	length := make([]byte, 4)
	if _, err := f.ReadAt(length, at); err != nil {
		return nil, errors.New("it is shorter than one")
	}
	n := int64(binary.LittleEndian.Uint32(length))
	if n < 4 || n > size {
		return nil, fmt.Errorf("metadata of %d bytes", n)
	}
	out := make([]byte, n)
	from := at + 4
	if side < 0 {
		from = at - n
	}
	_, err := f.ReadAt(out, from)
	return out, err
}

// checkSchema panics where the schema, in a slot of the root of a flatbuffer, says that it has more of something than there is: the package
// would make room for it. Slots are those of Arrow's Schema.fbs.
func checkSchema(buffer []byte, slot flatbuffers.VOffsetT) {
	const schemaFields, schemaNotes, fieldKind, fieldType, fieldChildren, fieldNotes, unionKind, unionIDs = 6, 8, 8, 10, 14, 16, 14, 6
	table := func(t flatbuffers.Table, slot flatbuffers.VOffsetT) flatbuffers.Table {
		return flatbuffers.Table{Bytes: buffer, Pos: t.Indirect(t.Pos + flatbuffers.UOffsetT(t.Offset(slot)))}
	}
	left := len(buffer) / 4 // what all vectors may have together
	vector := func(t flatbuffers.Table, slot flatbuffers.VOffsetT) (tables []flatbuffers.Table) {
		o := flatbuffers.UOffsetT(t.Offset(slot))
		if o == 0 {
			return nil
		}
		n := t.VectorLen(o)
		if left -= n; n < 0 || left < 0 {
			panic("a schema of more fields than it has room for")
		}
		for i := range n {
			tables = append(tables, flatbuffers.Table{Bytes: buffer, Pos: t.Indirect(t.Vector(o) + flatbuffers.UOffsetT(4*i))})
		}
		return tables
	}
	var check func(field flatbuffers.Table)
	check = func(field flatbuffers.Table) {
		vector(field, fieldNotes)
		if field.GetByteSlot(fieldKind, 0) == unionKind {
			vector(table(field, fieldType), unionIDs)
		}
		for _, child := range vector(field, fieldChildren) {
			check(child)
		}
	}
	schema := table(flatbuffers.Table{Bytes: buffer, Pos: flatbuffers.GetUOffsetT(buffer)}, slot)
	vector(schema, schemaNotes)
	for _, field := range vector(schema, schemaFields) {
		check(field)
	}
}

// heldBy is how many bytes an array has for its elements.
func heldBy(a arrow.ArrayData) (bytes int64) {
	for _, b := range a.Buffers() {
		if b != nil {
			bytes += int64(b.Len())
		}
	}
	return bytes
}

// thrifty refuses memory that no whole file asks for.
type thrifty struct {
	memory.Allocator
	most int64
}

// Allocate implements memory.Allocator.
func (a *thrifty) Allocate(size int) []byte {
	a.check(size)
	return a.Allocator.Allocate(size)
}

// Reallocate implements memory.Allocator.
func (a *thrifty) Reallocate(size int, b []byte) []byte {
	a.check(size)
	return a.Allocator.Reallocate(size, b)
}

func (a *thrifty) check(size int) {
	if size < 0 || int64(size) > a.most {
		panic(fmt.Sprintf("a part of %d bytes", size))
	}
}

// readable reports whether columns of a type are read.
func readable(t arrow.DataType) bool {
	switch t.ID() {
	case arrow.DICTIONARY:
		return readable(t.(*arrow.DictionaryType).ValueType)
	case arrow.NULL, arrow.BOOL, arrow.INT8, arrow.INT16, arrow.INT32, arrow.INT64, arrow.UINT8, arrow.UINT16, arrow.UINT32, arrow.UINT64,
		arrow.FLOAT16, arrow.FLOAT32, arrow.FLOAT64, arrow.STRING, arrow.LARGE_STRING, arrow.STRING_VIEW:
		return true
	}
	return false
}

// appendArray adds an array to a column, and says what is wrong with its first value that cannot be.
func appendArray(c *data.Column, a arrow.Array) string {
	add := elements(c, a)
	for i := range a.Len() {
		if a.IsNull(i) {
			c.AppendMissing()
		} else if problem := add(i); problem != "" {
			return problem
		}
	}
	return ""
}

// elements is what adds element i of an array of a readable type, which is not null, to a column.
func elements(c *data.Column, a arrow.Array) func(i int) string {
	switch a := a.(type) {
	case *array.Dictionary:
		add := elements(c, a.Dictionary())
		return func(i int) string {
			k := a.GetValueIndex(i)
			if a.Dictionary().IsNull(k) {
				c.AppendMissing()
				return ""
			}
			return add(k)
		}
	case *array.Null: // whose IsNull is false
		return func(int) string { c.AppendMissing(); return "" }
	case *array.Boolean:
		return func(i int) string {
			x := 0.0
			if a.Value(i) {
				x = 1
			}
			c.AppendNumber(x)
			return ""
		}
	case *array.Float16:
		return func(i int) string { c.AppendNumber(float64(a.Value(i).Float32())); return "" }
	case *array.Int8:
		return number(c, a.Value)
	case *array.Int16:
		return number(c, a.Value)
	case *array.Int32:
		return number(c, a.Value)
	case *array.Int64:
		return number(c, a.Value)
	case *array.Uint8:
		return number(c, a.Value)
	case *array.Uint16:
		return number(c, a.Value)
	case *array.Uint32:
		return number(c, a.Value)
	case *array.Uint64:
		return number(c, a.Value)
	case *array.Float32:
		return number(c, a.Value)
	case *array.Float64:
		return number(c, a.Value)
	case interface{ Value(int) string }:
		return func(i int) string { return addText(c, a.Value(i)) }
	}
	panic("a column of the type " + a.DataType().String())
}

func number[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64](c *data.Column, value func(int) T) func(int) string {
	return func(i int) string { c.AppendNumber(float64(value(i))); return "" }
}
