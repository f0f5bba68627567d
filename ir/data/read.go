package data

// This file reads the grammar of a data file: objects, arrays, and what is passed over.

import (
	"io"
	"math"
	"strconv"
	"strings"
)

// maxDepth bounds how deep arrays and objects may be nested.
const maxDepth = 100

// Read reads one object. Variables that want does not ask for are passed over
// without being stored; a nil want asks for all. Any error is an *Error, or what r
// itself failed with.
func Read(r io.Reader, file string, want func(name string) bool) (*Set, error) {
	var set *Set
	err := guarded(func() {
		p := &reader{scanner: newScanner(r, file), want: want}
		p.blank()
		if p.peek() != '{' || p.atEnd() {
			p.fail("json-syntax", "", "expected an object { ... } with the variables by name, found %s", p.found())
		}
		set = p.set()
		p.finish()
	})
	if err != nil {
		return nil, err
	}
	return set, nil
}

// ReadAll reads one object, or an array of objects.
func ReadAll(r io.Reader, file string, want func(name string) bool) ([]*Set, error) {
	var sets []*Set
	err := guarded(func() {
		p := &reader{scanner: newScanner(r, file), want: want}
		p.blank()
		switch {
		case p.peek() == '{':
			sets = append(sets, p.set())
		case p.peek() == '[':
			p.list("", 0, func(int) {
				if p.peek() != '{' {
					p.fail("json-syntax", "", "expected an object { ... } with the variables by name, found %s", p.found())
				}
				sets = append(sets, p.set())
			})
		default:
			p.fail("json-syntax", "", "expected an object, or an array of objects, found %s", p.found())
		}
		p.finish()
	})
	if err != nil {
		return nil, err
	}
	return sets, nil
}

// A reader lives for one call of Read.
type reader struct {
	*scanner
	want func(string) bool
}

// finish makes sure that nothing follows.
func (p *reader) finish() {
	p.blank()
	if !p.atEnd() {
		p.fail("json-syntax", "", "expected the end of the file, found %s", p.found())
	}
}

// set reads the object of variables.
func (p *reader) set() *Set {
	s := &Set{File: p.file, Vars: map[string]*Value{}}
	p.object("", 0, func(name string) {
		s.names = append(s.names, name)
		if p.want != nil && !p.want(name) {
			p.skip(name, 1)
			return
		}
		s.Vars[name] = p.value(name, 1)
	})
	s.Vanished, s.First = p.vanished, p.first
	p.vanished = 0
	return s
}

// object reads { "key": value, ... } and calls value at the start of each value.
func (p *reader) object(variable string, depth int, value func(key string)) {
	p.deeper(variable, depth)
	p.expect('{', variable, "{")
	seen := map[string]Position{}
	p.blank()
	if p.peek() == '}' {
		p.pos++
		return
	}
	for {
		p.blank()
		if p.peek() != '"' {
			p.fail("json-syntax", variable, "expected a name in quotes, found %s", p.found())
		}
		at, start := p.here(), p.mark()
		key := p.text(variable)
		if before, ok := seen[key]; ok {
			p.rewind(start)
			p.fail("duplicate-key", variable, "the name %q stands here for the second time; the first is at line %d, column %d", key, before.Line, before.Column)
		}
		seen[key] = at
		p.expect(':', key, "':' after the name")
		p.blank()
		value(key)
		if p.separator('}', variable, "',' or '}'") {
			return
		}
	}
}

// list reads [ value, ... ], calls value at the start of each, and counts them.
func (p *reader) list(variable string, depth int, value func(i int)) int {
	p.deeper(variable, depth)
	p.pos++ // [
	p.blank()
	if p.peek() == ']' {
		p.pos++
		return 0
	}
	for n := 0; ; n++ {
		p.blank()
		value(n)
		if p.separator(']', variable, "',' or ']'") {
			return n + 1
		}
	}
}

// separator takes a comma, or what closes; it says which.
func (p *reader) separator(closing byte, variable, what string) bool {
	p.blank()
	switch c := p.peek(); {
	case c == ',':
		p.pos++
		return false
	case c == closing:
		p.pos++
		return true
	}
	p.fail("json-syntax", variable, "expected %s, found %s", what, p.found())
	return false
}

func (p *reader) deeper(variable string, depth int) {
	if depth > maxDepth {
		p.fail("json-syntax", variable, "nested deeper than %d levels", maxDepth)
	}
}

// skip passes over a value of any kind.
func (p *reader) skip(variable string, depth int) {
	switch p.peek() {
	case '[':
		p.list(variable, depth, func(int) { p.skip(variable, depth+1) })
	case '{':
		p.object(variable, depth, func(string) { p.skip(variable, depth+1) })
	case '"':
		p.text(variable)
	case 't', 'f', 'n':
		p.literal(variable)
	default:
		p.number(variable)
	}
}

// literal passes over true, false and null.
func (p *reader) literal(variable string) {
	n := p.length(variable)
	switch string(p.buf[p.pos : p.pos+n]) {
	case "true", "false", "null":
		p.pos += n
	default:
		p.fail("json-syntax", variable, "expected a value, found %s", p.found())
	}
}

// value reads a number, nested arrays, or a tuple.
func (p *reader) value(name string, depth int) *Value {
	b := &builder{reader: p, v: &Value{Name: name, Ints: true, FirstReal: -1, Pos: p.here()}, leaves: -1}
	b.read(0, depth)
	b.clip()
	return b.v
}

// A builder puts together one value and sees to it that its arrays are rectangular.
type builder struct {
	*reader
	v      *Value
	index  []int // of the element being read, from 0
	leaves int   // how many arrays surround a number or tuple; -1 before the first
}

// read reads an element that level arrays surround.
func (b *builder) read(level, depth int) {
	switch b.peek() {
	case '[':
		b.array(level, depth)
	case '{':
		b.leaf(level, true)
		b.tuple(level, depth)
	default:
		if b.leaves != level || b.v.IsTuple() {
			b.leaf(level, false)
		}
		b.number(level)
	}
}

func (b *builder) number(level int) {
	var x float64
	var whole bool
	switch c := b.peek(); {
	case c == '-' || isDigit(c):
		x, whole = b.digits(b.v.Name) // no place is put together for each number
	case c == 'n' && b.found() == "null":
		b.pos += len("null")
		x, whole = math.NaN(), true
		defer b.v.missing()
	default:
		x, whole = b.scanner.number(b.place(level))
		whole = whole || math.IsNaN(x) // which may stand for an integer that is missing
	}
	if !whole && b.v.Ints {
		b.v.Ints, b.v.FirstReal = false, len(b.v.X)
	}
	if len(b.v.X) == cap(b.v.X) {
		b.grow()
	}
	b.v.X = append(b.v.X, x)
}

// array reads [ ... ] and compares its length with that of its fellows.
func (b *builder) array(level, depth int) {
	if b.leaves >= 0 && level >= b.leaves {
		b.fail("ragged-array", b.place(level), "found an array where the elements before it are single values")
	}
	known := level < len(b.v.Dims)
	if !known {
		b.v.Dims = append(b.v.Dims, -1)
	}
	b.index = append(b.index, 0)
	n := b.list(b.v.Name, depth, func(i int) {
		b.index[level] = i
		b.read(level+1, depth+1)
	})
	b.index = b.index[:level]
	switch before := b.v.Dims[level]; {
	case before < 0:
		b.v.Dims[level] = n
	case before != n:
		b.pos-- // back on the closing bracket
		b.fail("ragged-array", b.place(level), "has %s where the array before it has %d; arrays inside an array must have equal length", elements(n), before)
	}
}

// leaf notes where a number or tuple stands and refuses mixtures.
func (b *builder) leaf(level int, tuple bool) {
	switch {
	case b.leaves < 0 && level < len(b.v.Dims), b.leaves >= 0 && level < b.leaves:
		b.fail("ragged-array", b.place(level), "found %s where the elements before it are arrays", b.found())
	case b.leaves >= 0 && tuple != b.v.IsTuple():
		b.fail("ragged-array", b.place(level), "found %s; an array holds numbers or tuples, not both", b.found())
	}
	b.leaves = level
}

// tuple reads { "1": ..., "2": ... }.
func (b *builder) tuple(level, depth int) {
	place := b.place(level)
	v := b.v
	if level > 0 {
		v = &Value{Name: place, Ints: true, FirstReal: -1, Pos: b.here()}
		b.v.Elems = append(b.v.Elems, v)
	}
	v.Fields = map[string]*Value{}
	b.object(place, depth, func(key string) {
		if n, err := strconv.Atoi(key); err != nil || n < 1 || strconv.Itoa(n) != key {
			b.fail("data-type", place, `the fields of a tuple are named "1", "2", ..., found %q`, key)
		}
		v.Fields[key] = b.value(place+"."+key, depth+1)
	})
}

// place names the element being read, such as y[2,3].
func (b *builder) place(level int) string { return indexed(b.v.Name, b.index[:level]) }

// indexed writes a name with indices, given from 0 and shown from 1.
func indexed(name string, index []int) string {
	if len(index) == 0 {
		return name
	}
	parts := make([]string, len(index))
	for i, k := range index {
		parts[i] = strconv.Itoa(k + 1)
	}
	return name + "[" + strings.Join(parts, ",") + "]"
}

func elements(n int) string {
	if n == 1 {
		return "1 element"
	}
	return strconv.Itoa(n) + " elements"
}
