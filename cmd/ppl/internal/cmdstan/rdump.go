package cmdstan

// This file reads the format of R's dump, in which older programs write data: NAME <- VALUE
// with numbers, c(...), ranges A:B and structure(c(...), .Dim = c(...)).

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A dump is a text with the place up to which it has been read.
type dump struct {
	text string
	at   int
}

// dumpToJSON returns the variables of a dump in the form of JSON data.
func dumpToJSON(text string) ([]byte, error) {
	d := &dump{text: dumpComment.ReplaceAllString(text, "")}
	out := []byte{'{'}
	for d.space(); d.at < len(d.text); d.space() {
		name := strings.Trim(d.match(dumpName), "\"'`")
		if name == "" || d.match(dumpArrow) == "" {
			return nil, d.failure("NAME <- VALUE")
		}
		v, err := d.value()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(strconv.AppendQuote(out, name), ':')
		out = v.appendJSON(out)
		d.match(dumpSemicolon)
	}
	return append(out, '}', '\n'), nil
}

var (
	dumpComment   = regexp.MustCompile(`(?m)#.*$`)
	dumpName      = regexp.MustCompile("^(?:[A-Za-z.][A-Za-z0-9_.]*|\"[^\"]*\"|'[^']*'|`[^`]*`)")
	dumpArrow     = regexp.MustCompile(`^(?:<-|=)`)
	dumpSemicolon = regexp.MustCompile(`^;`)
	dumpNumber    = regexp.MustCompile(`^[-+]?(?:[0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?L?|\.[0-9]+(?:[eE][-+]?[0-9]+)?|Inf|NaN|NA)`)
	dumpEmpty     = regexp.MustCompile(`^(?:integer|double|numeric)\s*\(\s*0?\s*\)`)
	dumpList      = regexp.MustCompile(`^c\s*\(`)
	dumpStructure = regexp.MustCompile(`^structure\s*\(`)
	dumpComma     = regexp.MustCompile(`^,`)
	dumpColon     = regexp.MustCompile(`^:`)
	dumpClose     = regexp.MustCompile(`^\)`)
	dumpDim       = regexp.MustCompile(`^"?\.Dim"?\s*=`)
)

// A dumped value holds numbers in R's order: the first index fastest.
type dumped struct {
	numbers []string
	dims    []int // nil for a single number
}

func (d *dump) space() {
	d.at = len(d.text) - len(strings.TrimLeft(d.text[d.at:], " \t\r\n"))
}

// match reads what fits the pattern next, and the space behind it; empty if nothing does.
func (d *dump) match(pattern *regexp.Regexp) string {
	d.space()
	found := pattern.FindString(d.text[d.at:])
	d.at += len(found)
	return found
}

func (d *dump) failure(expected string) error {
	line := 1 + strings.Count(d.text[:d.at], "\n")
	rest, _, _ := strings.Cut(d.text[d.at:], "\n")
	return fmt.Errorf("line %d: expected %s, found %.40q", line, expected, rest)
}

func (d *dump) value() (*dumped, error) {
	if d.match(dumpStructure) == "" {
		return d.list()
	}
	v, err := d.list()
	if err != nil {
		return nil, err
	}
	if d.match(dumpComma) == "" || d.match(dumpDim) == "" {
		return nil, d.failure(", .Dim = c(...)")
	}
	dims, err := d.list()
	if err != nil {
		return nil, err
	}
	if d.match(dumpClose) == "" {
		return nil, d.failure(")")
	}
	v.dims = nil
	size := 1
	for _, text := range dims.numbers {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return nil, d.failure("sizes in .Dim")
		}
		v.dims = append(v.dims, n)
		size *= n
	}
	if size != len(v.numbers) {
		return nil, fmt.Errorf("%d numbers for sizes %v", len(v.numbers), v.dims)
	}
	return v, nil
}

// list reads a number, a range or c(...).
func (d *dump) list() (*dumped, error) {
	if d.match(dumpEmpty) != "" {
		return &dumped{dims: []int{0}}, nil
	}
	if d.match(dumpList) == "" {
		numbers, isRange, err := d.number()
		v := &dumped{numbers: numbers}
		if isRange {
			v.dims = []int{len(numbers)}
		}
		return v, err
	}
	v := &dumped{}
	for d.match(dumpClose) == "" {
		if len(v.numbers) > 0 && d.match(dumpComma) == "" {
			return nil, d.failure("a comma or )")
		}
		numbers, _, err := d.number()
		if err != nil {
			return nil, err
		}
		v.numbers = append(v.numbers, numbers...)
	}
	v.dims = []int{len(v.numbers)}
	return v, nil
}

// mostInRange bounds the numbers that a range may stand for.
const mostInRange = 1 << 24

// number reads a number, or the range A:B.
func (d *dump) number() (numbers []string, isRange bool, err error) {
	first := strings.TrimSuffix(d.match(dumpNumber), "L")
	if first == "" {
		return nil, false, d.failure("a number, c(...) or structure(...)")
	}
	if d.match(dumpColon) == "" {
		return []string{jsonNumber(first)}, false, nil
	}
	last := strings.TrimSuffix(d.match(dumpNumber), "L")
	a, errA := strconv.Atoi(first)
	b, errB := strconv.Atoi(last)
	if errA != nil || errB != nil || max(a-b, b-a) > mostInRange {
		return nil, false, d.failure("whole numbers around the colon")
	}
	step := 1
	if b < a {
		step = -1
	}
	for i := a; i != b+step; i += step {
		numbers = append(numbers, strconv.Itoa(i))
	}
	return numbers, true, nil
}

// jsonNumber writes R's number as JSON data have it: with digits on both sides of a point,
// and no zeros in front.
func jsonNumber(text string) string {
	text = strings.TrimPrefix(text, "+")
	switch text {
	case "Inf":
		return "Infinity"
	case "-Inf":
		return "-Infinity"
	case "NA", "-NA", "NaN", "-NaN":
		return "NaN"
	}
	sign, digits := "", text
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		sign, digits = "-", rest
	}
	mantissa, exponent := digits, ""
	if e := strings.IndexAny(digits, "eE"); e >= 0 {
		mantissa, exponent = digits[:e], digits[e:]
	}
	whole, fraction, point := strings.Cut(mantissa, ".")
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	switch {
	case point && fraction == "":
		whole += ".0"
	case point:
		whole += "." + fraction
	}
	return sign + whole + exponent
}

// appendJSON writes the value row by row, with R's first index outermost.
func (v *dumped) appendJSON(out []byte) []byte {
	if v.dims == nil {
		return append(out, v.numbers[0]...)
	}
	return v.appendArray(out, 0, 0, 1)
}

func (v *dumped) appendArray(out []byte, depth, at, stride int) []byte {
	if depth == len(v.dims) {
		return append(out, v.numbers[at]...)
	}
	out = append(out, '[')
	for i := range v.dims[depth] {
		if i > 0 {
			out = append(out, ',')
		}
		out = v.appendArray(out, depth+1, at+i*stride, stride*v.dims[depth])
	}
	return append(out, ']')
}
