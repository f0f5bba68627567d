// Reading signatures from text, and writing them.

package types

import (
	"fmt"
	"strings"
)

// ParseSignature reads one line in the form described at the top of signature.go.
func ParseSignature(line string) (*Signature, error) {
	p := &sigParser{tokens: sigTokens(line)}
	sig := p.signature()
	if p.err == nil && p.peek() != "" {
		p.fail("the end")
	}
	if p.err != nil {
		return nil, fmt.Errorf("signature %q: %w", line, p.err)
	}
	return sig, nil
}

// sigTokens splits a line into words and single marks; "..." is one token.
func sigTokens(line string) []string {
	var out []string
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == ' ' || c == '\t':
			i++
		case strings.HasPrefix(line[i:], "..."):
			out = append(out, "...")
			i += 3
		case isWordByte(c):
			j := i
			for j < len(line) && isWordByte(line[j]) {
				j++
			}
			out = append(out, line[i:j])
			i = j
		default:
			out = append(out, line[i:i+1])
			i++
		}
	}
	return out
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// sigParser is a recursive-descent parser; after the first error it only moves on.
type sigParser struct {
	tokens []string
	pos    int
	err    error

	dataFields uint64 // of the tuple read last
}

func (p *sigParser) peek() string {
	if p.pos < len(p.tokens) {
		return p.tokens[p.pos]
	}
	return ""
}

func (p *sigParser) next() string {
	t := p.peek()
	p.pos++
	return t
}

func (p *sigParser) accept(t string) bool {
	if p.peek() != t {
		return false
	}
	p.pos++
	return true
}

func (p *sigParser) expect(t string) {
	if !p.accept(t) {
		p.fail("\"" + t + "\"")
	}
}

func (p *sigParser) fail(want string) {
	if p.err == nil {
		p.err = fmt.Errorf("expected %s, found %q", want, p.peek())
	}
}

func (p *sigParser) signature() *Signature {
	sig := &Signature{Result: p.param()}
	if sig.Name = p.next(); sig.Name == "" || !isWordByte(sig.Name[0]) {
		p.pos--
		p.fail("a function name")
	}
	p.expect("(")
	for p.err == nil && !p.accept(")") {
		par := p.param()
		if par.Pattern != Rest && p.peek() != "" && isWordByte(p.peek()[0]) {
			par.Name = p.next()
		}
		sig.Params = append(sig.Params, par)
		switch {
		case len(sig.Params) == 1 && p.accept("|"):
			sig.Bar = true
		case p.peek() != ")":
			p.expect(",")
		}
	}
	for i, par := range sig.Params {
		if par.Pattern == Rest && i != len(sig.Params)-1 {
			p.fail("\"...\" as the last parameter only")
		}
	}
	return sig
}

var patternNames = map[string]Pattern{"ints": Ints, "reals": Reals, "vectors": Vectors, "T": AnyT, "I": AnyI,
	"C": AnyC, "R": ResultR, "CR": ResultCR, "...": Rest, "any": Any}

var patternText = [...]string{"", "ints", "reals", "vectors", "T", "I", "C", "R", "CR", "...", "any", "tuple(...)"}

// param reads [data] [array dimensions] (pattern or type), without a name.
func (p *sigParser) param() Param {
	var par Param
	par.Data = p.accept("data")
	dims := p.arrayDims()
	if pat, ok := patternNames[p.peek()]; ok {
		p.next()
		par.Pattern = pat
		par.Type.Dims = dims
		if dims > 0 && pat != Any {
			p.fail("a type after \"array\"")
		}
		return par
	}
	if p.peek() == "tuple" && p.pos+2 < len(p.tokens) && p.tokens[p.pos+2] == "..." {
		p.pos += 3
		p.expect(")")
		par.Pattern = Tuple
		return par
	}
	par.Type = ArrayOf(p.baseType(), dims)
	if par.Type.Base == TupleBase {
		par.DataFields = p.dataFields
	}
	return par
}

func (p *sigParser) arrayDims() int {
	if !p.accept("array") {
		return 0
	}
	n := 1
	p.expect("[")
	for p.accept(",") {
		n++
	}
	p.expect("]")
	return n
}

// typ reads a type without patterns.
func (p *sigParser) typ() Type {
	dims := p.arrayDims()
	return ArrayOf(p.baseType(), dims)
}

func (p *sigParser) baseType() Type {
	switch word := p.next(); word {
	case "tuple":
		var fields []Type
		p.dataFields = 0
		p.expect("(")
		for p.err == nil && !p.accept(")") {
			if p.accept("data") {
				p.dataFields |= 1 << len(fields)
			}
			if fields = append(fields, p.typ()); p.peek() != ")" {
				p.expect(",")
			}
		}
		return TupleOf(fields...)
	case "function":
		fn := &Signature{}
		p.expect("(")
		for p.err == nil && !p.accept(")") {
			if fn.Params = append(fn.Params, p.param()); p.peek() != ")" {
				p.expect(",")
			}
		}
		fn.Result = p.param()
		return FuncOf(fn)
	default:
		if t, ok := FromName(word); ok {
			return t
		}
		p.pos--
		p.fail("a type")
		return Bad
	}
}

// FromName returns the type for a plain type word such as "int" or "row_vector", or
// "void"; false where there is none.
func FromName(word string) (Type, bool) {
	for b := VoidBase; b <= ComplexMatrixBase; b++ {
		if baseNames[b] == word {
			return Type{Base: b}, true
		}
	}
	return Bad, false
}

// String returns the signature as ParseSignature reads it.
func (s *Signature) String() string {
	var b strings.Builder
	b.WriteString(s.Result.typeString())
	b.WriteByte(' ')
	b.WriteString(s.Name)
	b.WriteByte('(')
	for i, p := range s.Params {
		switch {
		case i == 0:
		case i == 1 && s.Bar:
			b.WriteString(" | ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(p.String())
	}
	if s.Bar && len(s.Params) == 1 {
		b.WriteString(" |")
	}
	b.WriteByte(')')
	return b.String()
}

// String returns a parameter with its qualifier, type and name.
func (p Param) String() string {
	s := p.typeString()
	if p.Data {
		s = "data " + s
	}
	if p.Name != "" {
		s += " " + p.Name
	}
	return s
}

func (p Param) typeString() string {
	switch {
	case p.DataFields != 0:
		fields := make([]string, len(p.Type.Fields))
		for k, f := range p.Type.Fields {
			fields[k] = Param{Type: f, Data: p.DataFields>>k&1 != 0}.String()
		}
		return "tuple(" + strings.Join(fields, ", ") + ")"
	case p.Pattern == Exact:
		return p.Type.String()
	case p.Type.Dims > 0:
		return "array[" + strings.Repeat(",", p.Type.Dims-1) + "] " + patternText[p.Pattern]
	}
	return patternText[p.Pattern]
}

// funcString returns the signature as the type of a function argument.
func (s *Signature) funcString() string {
	parts := make([]string, len(s.Params))
	for i, p := range s.Params {
		p.Name = ""
		parts[i] = p.String()
	}
	return "function(" + strings.Join(parts, ", ") + ") " + s.Result.typeString()
}

// SameQualifiers reports whether two signatures with the same parameter types agree on
// which of them are data-only.
func (s *Signature) SameQualifiers(t *Signature) bool {
	for i := range s.Params {
		if s.Params[i].Data != t.Params[i].Data {
			return false
		}
	}
	return true
}
