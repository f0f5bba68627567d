// Random programs: declarations and statements. Programs are correct by construction
// and their numbers stay of moderate size, so that evaluators can be compared.

package bind_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A form is a type with its sizes.
type form struct {
	kind kind
	a, b int
}

type kind int

const (
	kInt kind = iota
	kReal
	kComplex
	kVec    // vector[a]
	kRow    // row_vector[a]
	kMat    // matrix[a, b]
	kArr    // array[a] real
	kArrVec // array[a] vector[b]
	kInts   // array[a] int
	kGrid   // array[a, b] real
	kMats   // array[2] matrix[a, b]
	kPair   // tuple(real, vector[a])
)

// String writes the form as a declaration's type.
func (f form) String() string {
	switch f.kind {
	case kInt:
		return "int"
	case kReal:
		return "real"
	case kComplex:
		return "complex"
	case kVec:
		return fmt.Sprintf("vector[%d]", f.a)
	case kRow:
		return fmt.Sprintf("row_vector[%d]", f.a)
	case kMat:
		return fmt.Sprintf("matrix[%d, %d]", f.a, f.b)
	case kArr:
		return fmt.Sprintf("array[%d] real", f.a)
	case kArrVec:
		return fmt.Sprintf("array[%d] vector[%d]", f.a, f.b)
	case kInts:
		return fmt.Sprintf("array[%d] int", f.a)
	case kGrid:
		return fmt.Sprintf("array[%d, %d] real", f.a, f.b)
	case kMats:
		return fmt.Sprintf("array[2] matrix[%d, %d]", f.a, f.b)
	}
	return fmt.Sprintf("tuple(real, vector[%d])", f.a)
}

// unsized writes the form as a function's parameter.
func (f form) unsized() string {
	return [...]string{"int", "real", "complex", "vector", "row_vector", "matrix", "array[] real", "array[] vector",
		"array[] int", "array[,] real", "array[] matrix", "tuple(real, vector)"}[f.kind]
}

// A variable in scope.
type variable struct {
	name   string
	form   form
	fixed  bool // must not be assigned to
	within int  // of an integer: 1 <= it <= within; 0 unknown
}

// A function of the program.
type function struct {
	name   string
	params []form
	result form
}

// A generator writes one program.
type generator struct {
	r      *rand.Rand
	out    strings.Builder
	indent int
	vars   []variable
	funcs  []function
	names  int
	depth  int  // of expressions
	long   int  // the size of most containers, and of loops; 0 for short ones only
	loops  int  // how many surround the current statement
	counts bool // whether the data are in scope
	target bool // whether the density may be added to
	result *form
}

// randomProgram writes a program of short containers; the same seed gives the same text.
func randomProgram(seed uint64) string {
	return (&generator{r: rand.New(rand.NewPCG(seed, 77)), depth: 2 + int(seed%3)}).program()
}

// randomLongProgram writes a program most of whose containers and loops are of 32 to 47 elements and
// iterations: from some sizes on the compiler has other means (runs of equal constants, recorded iterations, blocks).
func randomLongProgram(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 79))
	return (&generator{r: r, depth: 2 + int(seed%2), long: 32 + r.IntN(16)}).program()
}

func (g *generator) program() string {
	g.functions()
	g.data()
	g.parameters()
	g.open("transformed parameters {")
	for range g.r.IntN(4) {
		g.declare(false)
	}
	g.line("{")
	g.block(2)
	g.close()
	for i := range g.vars {
		g.vars[i].fixed = true
	}
	g.model()
	g.open("generated quantities {")
	g.declare(true)
	g.declare(true)
	g.close()
	return g.out.String()
}

// model writes the model block; the plain parameters get proper densities.
func (g *generator) model() {
	g.open("model {")
	g.target = true
	g.scoped(func() { g.statements(7, 3) })
	for _, v := range g.vars {
		if v.form.kind == kReal && strings.HasPrefix(v.name, "p") {
			g.line("%s ~ normal(%s, 2);", v.name, g.number())
		}
	}
	g.close()
	g.target = false
}

func (g *generator) line(format string, args ...any) {
	g.out.WriteString(strings.Repeat("  ", g.indent))
	fmt.Fprintf(&g.out, format, args...)
	g.out.WriteByte('\n')
}

func (g *generator) open(format string, args ...any) {
	g.line(format, args...)
	g.indent++
}

func (g *generator) close() {
	g.indent--
	g.line("}")
}

// name makes a name that is not in use.
func (g *generator) name(prefix string) string {
	g.names++
	return fmt.Sprintf("%s%d", prefix, g.names)
}

// Bounds of what is written out: literals of more elements have simple ones, and matrices of more are made of vectors.
const (
	mostWritten  = 8
	mostElements = 150
)

// inside is how deep the elements of a literal of n elements may be.
func inside(n, d int) int {
	if n > mostWritten {
		return 0
	}
	return d
}

// size draws a size; a few are zero.
func (g *generator) size() int {
	if g.long > 0 && g.r.IntN(3) > 0 {
		return g.long
	}
	return g.few()
}

// few draws a small size; a few are zero.
func (g *generator) few() int {
	if g.r.IntN(25) == 0 {
		return 0
	}
	return 1 + g.r.IntN(3)
}

// iterations draws how many a loop has; those in a loop have few.
func (g *generator) iterations() int {
	if g.loops > 0 {
		return g.few()
	}
	return g.size()
}

// anyForm draws a form for a variable.
func (g *generator) anyForm() form {
	k := []kind{kInt, kReal, kReal, kReal, kComplex, kVec, kVec, kVec, kRow, kMat, kMat, kArr, kArrVec, kGrid, kMats, kPair}[g.r.IntN(16)]
	f := form{kind: k}
	if k >= kVec {
		f.a = g.size()
	}
	if k == kMat || k == kArrVec || k == kGrid || k == kMats {
		f.b = g.few()
	}
	return f
}

// scoped runs body and forgets the variables declared in it.
func (g *generator) scoped(body func()) {
	n := len(g.vars)
	body()
	g.vars = g.vars[:n]
}

// functions writes a few functions of the user's.
func (g *generator) functions() {
	g.open("functions {")
	g.line("real again(real x, int n) {")
	g.line("  return n <= 0 ? x : sin(again(0.9 * x, n - 1)) + x;")
	g.line("}")
	g.line("real part(array[] real xs, int start, int end, real y) {")
	g.line("  return dot_self(to_vector(xs) - y) + sum(xs) * start / end;")
	g.line("}")
	g.line("void more_lp(real x, vector v) {")
	g.line("  target += -square(x) - dot_self(v);")
	g.line("}")
	for range g.r.IntN(3) {
		f := function{name: g.name("f"), result: g.anyForm()}
		var head []string
		g.scoped(func() {
			for range 1 + g.r.IntN(3) {
				p := g.anyForm()
				f.params = append(f.params, p)
				v := variable{name: g.name("a"), form: p, fixed: true}
				head = append(head, p.unsized()+" "+v.name)
				g.vars = append(g.vars, v)
			}
			g.open("%s %s(%s) {", f.result.unsized(), f.name, strings.Join(head, ", "))
			g.result = &f.result
			g.statements(3, 2)
			g.result = nil
			g.line("return %s;", g.expr(f.result, 2))
			g.close()
		})
		g.funcs = append(g.funcs, f)
	}
	g.close()
}

func (g *generator) data() {
	g.open("data {")
	for range 1 + g.r.IntN(4) {
		f := g.anyForm()
		v := variable{name: g.name("d"), form: f, fixed: true}
		text := f.String()
		if f.kind == kInt {
			text, v.within = "int<lower=1, upper=3>", 3
		}
		g.line("%s %s;", text, v.name)
		g.vars = append(g.vars, v)
	}
	g.counts = true
	g.line("array[4] int<lower=0, upper=3> counts;")
	g.line("array[4] int<lower=0, upper=1> flags;")
	g.close()
}

// parameters declares one plain number and a few others.
func (g *generator) parameters() {
	g.open("parameters {")
	g.line("real p0;")
	g.vars = append(g.vars, variable{name: "p0", form: form{kind: kReal}, fixed: true})
	for range 1 + g.r.IntN(4) {
		n := 2 + g.r.IntN(2)
		if g.long > 0 && g.r.IntN(3) == 0 {
			n = g.long
		}
		forms := []struct {
			text string
			form form
		}{
			{"real", form{kind: kReal}},
			{"real<lower=0>", form{kind: kReal}},
			{"real<upper=1.5>", form{kind: kReal}},
			{"real<lower=p0, upper=p0 + 2>", form{kind: kReal}},
			{"real<offset=p0, multiplier=2>", form{kind: kReal}},
			{fmt.Sprintf("vector[%d]", n), form{kVec, n, 0}},
			{fmt.Sprintf("vector<lower=-1, upper=2>[%d]", n), form{kVec, n, 0}},
			{fmt.Sprintf("row_vector[%d]", n), form{kRow, n, 0}},
			{fmt.Sprintf("simplex[%d]", n), form{kVec, n, 0}},
			{fmt.Sprintf("ordered[%d]", n), form{kVec, n, 0}},
			{fmt.Sprintf("positive_ordered[%d]", n), form{kVec, n, 0}},
			{fmt.Sprintf("unit_vector[%d]", n), form{kVec, n, 0}},
			{fmt.Sprintf("sum_to_zero_vector[%d]", n), form{kVec, n, 0}},
			{fmt.Sprintf("matrix[%d, 2]", n), form{kMat, n, 2}},
			{fmt.Sprintf("cholesky_factor_corr[%d]", n), form{kMat, n, n}},
			{fmt.Sprintf("corr_matrix[%d]", n), form{kMat, n, n}},
			{fmt.Sprintf("cov_matrix[%d]", n), form{kMat, n, n}},
			{fmt.Sprintf("array[%d] real<lower=p0>", n), form{kArr, n, 0}},
			{fmt.Sprintf("array[2] vector[%d]", n), form{kArrVec, 2, n}},
			{fmt.Sprintf("array[2] simplex[%d]", n), form{kArrVec, 2, n}},
			{fmt.Sprintf("tuple(real<lower=0>, vector[%d])", n), form{kPair, n, 0}},
			{"complex", form{kind: kComplex}},
		}
		p := forms[g.r.IntN(len(forms))]
		v := variable{name: g.name("p"), form: p.form, fixed: true}
		g.line("%s %s;", p.text, v.name)
		g.vars = append(g.vars, v)
	}
	g.close()
}

// declare writes a declaration with a value.
func (g *generator) declare(ints bool) {
	f := g.anyForm()
	for f.kind == kInt && !ints {
		f = g.anyForm()
	}
	x := g.expr(f, g.depth)
	v := variable{name: g.name("v"), form: f}
	g.line("%s %s = %s;", f, v.name, x)
	g.vars = append(g.vars, v)
}

func (g *generator) statements(n, depth int) {
	for range 1 + g.r.IntN(n) {
		g.statement(depth)
	}
}

func (g *generator) block(depth int) {
	g.indent++
	g.scoped(func() { g.statements(3, depth-1) })
	g.close()
}

// statement writes a statement; depth bounds nesting.
func (g *generator) statement(depth int) {
	choice := g.r.IntN(17)
	switch {
	case choice == 16 && g.r.IntN(2) == 0:
		g.groups()
	case choice == 16:
		g.recurrence()
	case choice < 3:
		g.declare(true)
	case choice < 7:
		g.assign()
	case choice < 10 && g.target:
		g.density()
	case choice == 10 && depth > 0:
		g.line("if (%s) {", g.condition(2))
		g.block(depth)
		if g.r.IntN(2) == 0 {
			g.line("else {")
			g.block(depth)
		}
	case choice == 11 && depth > 0:
		g.forLoop(depth)
	case choice == 12 && depth > 0:
		g.forEach(depth)
	case choice == 13 && depth > 0:
		g.whileLoop(depth)
	case choice == 14 && g.loops > 0:
		g.line("if (%s) %s;", g.condition(1), []string{"break", "continue"}[g.r.IntN(2)])
	case choice == 15 && g.result != nil:
		g.line("if (%s) return %s;", g.condition(1), g.expr(*g.result, 1))
	case choice == 15 && g.target:
		g.line("more_lp(%s, %s);", g.real(1), g.expr(form{kVec, g.size(), 0}, 1))
	case choice == 14:
		g.line("if (%s > 1.5) reject(\"too large\");", g.real(1))
	default:
		g.declare(true)
	}
}

func (g *generator) forLoop(depth int) {
	v := variable{name: g.name("i"), form: form{kind: kInt}, fixed: true, within: g.iterations()}
	g.line("for (%s in 1:%d) {", v.name, v.within)
	g.scoped(func() {
		g.vars = append(g.vars, v)
		g.loops++
		g.block(depth)
		g.loops--
	})
}

func (g *generator) forEach(depth int) {
	n, m := g.iterations(), g.few()
	over := []form{{kVec, n, 0}, {kRow, n, 0}, {kMat, n, m}, {kArr, n, 0}, {kArrVec, n, m}, {kGrid, n, m}, {kMats, n, m}}[g.r.IntN(7)]
	elem := form{kind: kReal}
	switch over.kind {
	case kArrVec:
		elem = form{kVec, over.b, 0}
	case kGrid:
		elem = form{kArr, over.b, 0}
	case kMats:
		elem = form{kMat, over.a, over.b}
	}
	v := variable{name: g.name("e"), form: elem, fixed: true}
	g.line("for (%s in %s) {", v.name, g.expr(over, 1))
	g.scoped(func() {
		g.vars = append(g.vars, v)
		g.loops++
		g.block(depth)
		g.loops--
	})
}

// whileLoop writes a loop that ends after a few iterations, or sooner by its condition.
func (g *generator) whileLoop(depth int) {
	turns := g.name("t")
	g.line("int %s = 0;", turns)
	g.line("while (%s < %d && (%s)) {", turns, g.few(), g.condition(1))
	g.indent++
	g.line("%s += 1;", turns)
	g.indent--
	g.scoped(func() {
		g.loops++
		g.block(depth)
		g.loops--
	})
}

// assign writes an assignment to a variable or a part of it.
func (g *generator) assign() {
	var own []variable
	for _, v := range g.vars {
		if !v.fixed {
			own = append(own, v)
		}
	}
	if len(own) == 0 {
		g.declare(true)
		return
	}
	v := own[g.r.IntN(len(own))]
	place, f := g.place(v)
	if g.r.IntN(4) == 0 {
		if op, x := g.compound(f); op != "" {
			g.line("%s %s %s;", place, op, x)
			return
		}
	}
	g.line("%s = %s;", place, g.expr(f, g.depth))
}

// place draws a part of a variable to assign to.
func (g *generator) place(v variable) (string, form) {
	if g.r.IntN(3) == 0 {
		return v.name, v.form
	}
	f := v.form
	switch f.kind {
	case kVec, kRow, kArr:
		if g.r.IntN(3) == 0 {
			lo, hi := g.span(f.a)
			return fmt.Sprintf("%s[%d:%d]", v.name, lo, hi), form{f.kind, hi - lo + 1, 0}
		}
		return fmt.Sprintf("%s[%s]", v.name, g.index(f.a)), form{kind: kReal}
	case kMat:
		switch g.r.IntN(4) {
		case 0:
			return fmt.Sprintf("%s[%s]", v.name, g.index(f.a)), form{kRow, f.b, 0}
		case 1:
			return fmt.Sprintf("%s[, %s]", v.name, g.index(f.b)), form{kVec, f.a, 0}
		case 2:
			lo, hi := g.span(f.a)
			return fmt.Sprintf("%s[%d:%d, %s]", v.name, lo, hi, g.index(f.b)), form{kVec, hi - lo + 1, 0}
		}
		return fmt.Sprintf("%s[%s, %s]", v.name, g.index(f.a), g.index(f.b)), form{kind: kReal}
	case kArrVec:
		switch g.r.IntN(3) {
		case 0:
			return fmt.Sprintf("%s[%s]", v.name, g.index(f.a)), form{kVec, f.b, 0}
		case 1:
			return fmt.Sprintf("%s[%s][%s]", v.name, g.index(f.a), g.index(f.b)), form{kind: kReal}
		}
		return fmt.Sprintf("%s[, %s]", v.name, g.index(f.b)), form{kArr, f.a, 0}
	case kGrid:
		if g.r.IntN(2) == 0 {
			return fmt.Sprintf("%s[%s]", v.name, g.index(f.a)), form{kArr, f.b, 0}
		}
		return fmt.Sprintf("%s[%s, %s]", v.name, g.index(f.a), g.index(f.b)), form{kind: kReal}
	case kMats:
		switch g.r.IntN(4) {
		case 0:
			return fmt.Sprintf("%s[%s]", v.name, g.index(2)), form{kMat, f.a, f.b}
		case 1:
			return fmt.Sprintf("%s[%s, , %s]", v.name, g.index(2), g.index(f.b)), form{kVec, f.a, 0}
		case 2:
			return fmt.Sprintf("%s[, %s, %s]", v.name, g.index(f.a), g.index(f.b)), form{kArr, 2, 0}
		}
		return fmt.Sprintf("%s[%s, %s][%s]", v.name, g.index(2), g.index(f.a), g.index(f.b)), form{kind: kReal}
	case kPair:
		switch g.r.IntN(3) {
		case 0:
			return v.name + ".1", form{kind: kReal}
		case 1:
			return v.name + ".2", form{kVec, f.a, 0}
		}
		return fmt.Sprintf("%s.2[%s]", v.name, g.index(f.a)), form{kind: kReal}
	}
	return v.name, f
}

// compound draws an operator of a compound assignment and its right side.
func (g *generator) compound(f form) (op, x string) {
	switch f.kind {
	case kReal:
		return []string{"+=", "-=", "*="}[g.r.IntN(3)], g.real(1)
	case kVec, kRow:
		switch g.r.IntN(3) {
		case 0:
			return "+=", g.expr(f, 1)
		case 1:
			return ".*=", g.expr(f, 1)
		}
		return "*=", g.real(1)
	case kMat:
		return "-=", g.expr(f, 1)
	case kComplex:
		return "+=", g.expr(f, 1)
	}
	return "", ""
}
