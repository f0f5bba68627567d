package parser

// This file parses types: sized ones with bounds in declarations, unsized ones in the
// heads of functions.

import (
	"fmt"
	"strings"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// typeExpr parses a type. A sized one has its sizes and may have bounds.
func (p *parser) typeExpr(sized bool) *ast.TypeExpr {
	start := p.pos
	t := &ast.TypeExpr{}
	if !p.enter() {
		p.leave()
		return t
	}
	defer p.leave()
	if p.kind() == kwArray {
		p.arrayDims(t, sized)
	}
	switch k := p.kind(); {
	case k == kwTuple:
		p.tupleType(t, sized)
	case k.isBaseType():
		t.Name = spelling[k]
		p.next()
		p.baseSizes(t, k, start, sized)
	case k == kwArray:
		p.fail(codeSizes, p.tok().span(), "an array of arrays is written with one array keyword").
			Help = "write array[N, M] for two dimensions"
	default:
		p.noType()
	}
	t.Loc = p.from(start)
	return t
}

// noType reports what stands where a type should be.
func (p *parser) noType() {
	t := p.tok()
	if p.kind() != ident {
		p.unexpected("a type")
		return
	}
	q := p.fail(codeType, t.span(), "expected a type, found the name %s", quoted(t.text()))
	q.Help = "types are int, real, vector[N], matrix[M, N], array[N] real, ..."
	if near := nearest(t.text(), typeNames()); near != "" {
		q.Help = "did you mean " + quoted(near) + "?"
	}
}

func typeNames() []string {
	names := []string{spelling[kwArray], spelling[kwTuple]}
	return append(names, spelling[firstType:lastType+1]...)
}

// arrayDims parses array[m, n] or, unsized, array[,].
func (p *parser) arrayDims(t *ast.TypeExpr, sized bool) {
	p.next()
	t.IsArray = true
	if !p.expect(lbrack, `after "array"`) {
		return
	}
	open := p.last()
	if k := p.kind(); k == rbrack || k == comma {
		t.ArrayDims = 1
		for p.accept(comma) {
			t.ArrayDims++
		}
		p.closing(rbrack, open, "")
		if sized && !p.bailed {
			p.fail(codeSizes, open.span().To(p.last().span()), "the array has no sizes").
				Help = "write its sizes, as in array[N]; only the arguments of functions go without"
		}
		return
	}
	sizes := p.exprList(rbrack, open, "the size")
	t.ArrayDims = len(sizes)
	if sized {
		t.ArraySizes = sizes
		return
	}
	if !p.bailed {
		p.report(codeSizes, open.span().To(p.last().span()), "an argument's or a result's array has no sizes").
			Help = "write array[" + strings.Repeat(",", len(sizes)-1) + "]"
	}
}

// tupleType parses tuple(T, U, ...), or of one field tuple(T,).
func (p *parser) tupleType(t *ast.TypeExpr, sized bool) {
	t.Name = spelling[kwTuple]
	word := p.next()
	if !p.expect(lparen, `after "tuple"`) {
		return
	}
	open := p.last()
	commas := 0
	for {
		t.Fields = append(t.Fields, p.typeExpr(sized))
		if !p.accept(comma) {
			break
		}
		if commas++; commas == 1 && p.kind() == rparen {
			break
		}
	}
	p.closing(rparen, open, "the type of the field")
	if commas == 0 && !p.bailed {
		p.report(codeSyntax, word.span().To(p.last().span()), "a tuple of one field is written with a comma").
			Help = `write "tuple(real,)", or use the type of the field itself`
	}
}

// sizesOf returns how many sizes a base type takes, at least and at most.
func sizesOf(k kind) (least, most int) {
	switch k {
	case kwInt, kwReal, kwComplex:
		return 0, 0
	case kwMatrix, kwComplexMatrix, kwSumToZeroMatrix, kwColumnStochastic, kwRowStochastic:
		return 2, 2
	case kwCholeskyCov:
		return 1, 2
	}
	return 1, 1
}

// baseSizes parses the bounds and sizes that follow the base type k. The type began
// at token start.
func (p *parser) baseSizes(t *ast.TypeExpr, k kind, start int, sized bool) {
	if p.kind() == less {
		p.bounds(t, k, sized)
	}
	if !sized && k > kwComplexMatrix {
		p.notBare(t, k, start)
	}
	least, _ := sizesOf(k)
	if p.kind() != lbrack {
		if sized && least > 0 {
			p.unexpected(fmt.Sprintf("the size of the %s", t.Name)).Help =
				"write " + t.Name + exampleSizes(k)
		}
		return
	}
	if !sized || least == 0 {
		p.oldDims(t, k, start, sized)
		return
	}
	p.sizes(t, k)
	if p.kind() == less {
		p.fail(codeBounds, p.tok().span(), "the bounds stand behind the sizes").
			Help = "write the bounds first: " + t.Name + "<lower=0>" + exampleSizes(k)
	}
}

// notBare reports a constrained type, which began at token start, in a function's head.
func (p *parser) notBare(t *ast.TypeExpr, k kind, start int) {
	bare := "vector"
	if _, most := sizesOf(k); most == 2 || strings.Contains(t.Name, "matrix") || k == kwCholeskyCorr {
		bare = "matrix"
	}
	p.report(codeBounds, p.from(start), "the type of an argument or a result has no constraint").Help = "write " + bare
}

func exampleSizes(k kind) string {
	if _, most := sizesOf(k); most == 2 {
		return "[M, N]"
	}
	return "[N]"
}

func (p *parser) sizes(t *ast.TypeExpr, k kind) {
	open := p.next()
	if p.kind() == rbrack || p.kind() == comma {
		p.unexpected(fmt.Sprintf("the size of the %s", t.Name)).Help = "write " + t.Name + exampleSizes(k)
		return
	}
	t.Sizes = p.exprList(rbrack, open, "the size")
	least, most := sizesOf(k)
	if n := len(t.Sizes); !p.bailed && (n < least || n > most) {
		p.report(codeSizes, open.span().To(p.last().span()), "expected %s for %s, found %d",
			countOf(least, most), t.Name, n).Help = "write " + t.Name + exampleSizes(k)
	}
}

func countOf(least, most int) string {
	switch {
	case least != most:
		return fmt.Sprintf("%d or %d sizes", least, most)
	case most == 1:
		return "one size"
	}
	return fmt.Sprintf("%d sizes", most)
}

// bounds parses <lower=a, upper=b> or <offset=a, multiplier=b>.
func (p *parser) bounds(t *ast.TypeExpr, k kind, sized bool) {
	open := p.next()
	for {
		p.bound(t)
		if !p.accept(comma) {
			break
		}
	}
	p.closing(greater, open, "the bound")
	if p.bailed {
		return
	}
	place := open.span().To(p.last().span())
	switch {
	case !sized:
		p.report(codeBounds, place, "the type of an argument or a result has no bounds").
			Help = "remove the bounds; test the value in the function's body"
		t.Bounds = nil
	case k > kwComplexMatrix:
		p.report(codeBounds, place, "a %s has no bounds: it is constrained already", t.Name).
			Help = "remove the bounds"
		t.Bounds = nil
	default:
		p.boundPair(t)
	}
}

// boundPair reports bounds that do not go together.
func (p *parser) boundPair(t *ast.TypeExpr) {
	isRange := func(b ast.Bound) bool { return b.Name == "lower" || b.Name == "upper" }
	for i, b := range t.Bounds {
		for _, a := range t.Bounds[:i] {
			if a.Name == b.Name {
				p.report(codeBounds, b.Loc, "%s is given twice", b.Name).Help = "remove one of them"
				return
			}
			if isRange(a) != isRange(b) {
				p.report(codeBounds, b.Loc, "%s and %s do not go together", a.Name, b.Name).
					Help = "use either lower and upper or offset and multiplier"
				return
			}
		}
		if t.Name == "int" && !isRange(b) {
			p.report(codeBounds, b.Loc, "an int has no %s", b.Name).Help = "use lower and upper"
		}
	}
}

func (p *parser) bound(t *ast.TypeExpr) {
	word := p.tok()
	switch k := p.kind(); k {
	case kwLower, kwUpper, kwOffset, kwMultiplier:
		p.next()
		p.expect(assign, "after "+quoted(spelling[k]))
		x := p.boundExpr()
		t.Bounds = append(t.Bounds, ast.Bound{Loc: word.span().To(x.Span()), Name: spelling[k], X: x})
	default:
		q := p.unexpected(`"lower", "upper", "offset" or "multiplier"`)
		if near := nearest(word.text(), []string{"lower", "upper", "offset", "multiplier"}); near != "" && word.kind == ident {
			q.Help = "did you mean " + quoted(near) + "?"
		}
	}
}

// oldDims reports brackets behind a type that takes none there: real[] x of old, or
// sizes in a function's head. The brackets are read, and the dimensions counted.
func (p *parser) oldDims(t *ast.TypeExpr, k kind, start int, sized bool) {
	open := p.next()
	dims := 1
	var sizes []ast.Expr
	if p.kind() == rbrack || p.kind() == comma {
		for p.accept(comma) {
			dims++
		}
		p.closing(rbrack, open, "")
	} else {
		sizes = p.exprList(rbrack, open, "the size")
		dims = len(sizes)
	}
	if p.bailed {
		return
	}
	brackets := open.span().To(p.last().span())
	if least, _ := sizesOf(k); len(sizes) > 0 && least > 0 {
		p.report(codeSizes, brackets, "the type of an argument or a result has no sizes").
			Help = "write " + t.Name
		return
	}
	inner := source.Span{File: open.file, Start: p.toks[start].start, End: open.start}
	text := "[" + strings.Repeat(",", dims-1) + "]"
	if sized {
		text = brackets.Text()
		t.ArraySizes = append(t.ArraySizes, sizes...)
	}
	p.report(codeOldArray, brackets, "the brackets of an array do not stand behind its type").
		Help = "write array" + text + " " + strings.TrimSpace(inner.Text())
	t.IsArray = true
	t.ArrayDims += dims
}
