package parser

import (
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// Precedence and associativity follow the table of operators in the Stan reference
// manual, chapter "Expressions"; forms of indices the chapter's section "Indexing".
func TestExpressions(t *testing.T) {
	for _, c := range [][2]string{
		{"a + b * c", "(+ a (* b c))"},
		{"a * b + c", "(+ (* a b) c)"},
		{"a - b - c", "(- (- a b) c)"},
		{"a / b / c", "(/ (/ a b) c)"},
		{"a / b * c", "(* (/ a b) c)"},
		{"a .* b / c", "(/ (.* a b) c)"},
		{"a ./ b .* c", "(.* (./ a b) c)"},
		{"a % b * c", "(* (% a b) c)"},
		{"a * b %/% c", "(* a (%/% b c))"},
		{"a %/% b %/% c", "(%/% (%/% a b) c)"},
		{`a * b \ c`, `(* a (\ b c))`},
		{`a \ b \ c`, `(\ (\ a b) c)`},
		{"a ^ b ^ c", "(^ a (^ b c))"},
		{"a .^ b .^ c", "(.^ a (.^ b c))"},
		{"a ^ b .^ c", "(^ a (.^ b c))"},
		{"a * b ^ c", "(* a (^ b c))"},
		{"-a ^ b", "(- (^ a b))"},
		{"-a * b", "(* (- a) b)"},
		{"-a %/% b", "(%/% (- a) b)"},
		{"a ^ -b", "(^ a (- b))"},
		{"a ^ -b * c", "(* (^ a (- b)) c)"},
		{"a ^ -b ^ c", "(^ a (- (^ b c)))"},
		{"a - -b", "(- a (- b))"},
		{"--a", "(- (- a))"},
		{"+a - +b", "(- (+ a) (+ b))"},
		{"!a == b", "(== (! a) b)"},
		{"!a && b", "(&& (! a) b)"},
		{"-a'", "(- (' a))"},
		{"a' * b'", "(* (' a) (' b))"},
		{"a ^ b'", "(^ a (' b))"},
		{"a'[1]", "(index (' a) 1)"},
		{"a[1]'", "(' (index a 1))"},
		{"a''", "(' (' a))"},
		{"-a[1] ^ 2", "(- (^ (index a 1) 2))"},
		{"a < b == c < d", "(== (< a b) (< c d))"},
		{"a < b <= c", "(<= (< a b) c)"},
		{"a >= b > c", "(> (>= a b) c)"},
		{"a != b == c", "(== (!= a b) c)"},
		{"a + b < c", "(< (+ a b) c)"},
		{"a == b && c != d", "(&& (== a b) (!= c d))"},
		{"a || b && c", "(|| a (&& b c))"},
		{"a && b || c && d", "(|| (&& a b) (&& c d))"},
		{"a || b || c", "(|| (|| a b) c)"},
		{"a ? b : c", "(? a b c)"},
		{"a ? b : c ? d : e", "(? a b (? c d e))"},
		{"a ? b ? c : d : e", "(? a (? b c d) e)"},
		{"a || b ? c + 1 : d", "(? (|| a b) (+ c 1) d)"},
		{"(a + b) * c", "(* (+ a b) c)"},
		{"x < -1", "(< x (- 1))"},
		{"x<-1", "(< x (- 1))"},

		{"[]", "(row)"},
		{"[[], []]'", "(' (row (row) (row)))"},
		{"(x,)", "(tuple x)"},
		{"x[]", "(index x)"},
		{"x[:]", "(index x :)"},
		{"x[1]", "(index x 1)"},
		{"x[1, 2]", "(index x 1 2)"},
		{"x[1][2]", "(index (index x 1) 2)"},
		{"x[1:2]", "(index x (: 1 2))"},
		{"x[1:]", "(index x (from 1))"},
		{"x[:2]", "(index x (upto 2))"},
		{"x[, 2, ]", "(index x : 2 :)"},
		{"x[,]", "(index x : :)"},
		{"x[a ? 1 : 2 : 3]", "(index x (: (? a 1 2) 3))"},
		{"x[y[1]:n - 1, :]", "(index x (: (index y 1) (- n 1)) :)"},

		{"t.1", "(.1 t)"},
		{"t.1.2", "(.2 (.1 t))"},
		{"t.1[2].3", "(.3 (index (.1 t) 2))"},
		{"f(x).2", "(.2 (call f x))"},
		{"(a, b).1", "(.1 (tuple a b))"},
		{"(a, (b, c))", "(tuple a (tuple b c))"},
		{"((a))", "a"},
		{"{1, {2}}", "(array 1 (array 2))"},
		{"[1, 2]'", "(' (row 1 2))"},
		{"[[1, 2], [3, 4]]", "(row (row 1 2) (row 3 4))"},

		{"f()", "(call f)"},
		{"f(a, b + 1)", "(call f a (+ b 1))"},
		{"f(a | b, c)", "(call f a | b c)"},
		{"f(a | )", "(call f a)"},
		{"target()", "(call target)"},
		{"T + T[1]", "(+ T (index T 1))"},
		{"map_rect(g, a, b, c_r, c_i)", "(call map_rect g a b c_r c_i)"},

		{"1_000", "1_000"},
		{"1.", "1."},
		{".5", ".5"},
		{"1.5e-3", "1.5e-3"},
		{"1e3", "1e3"},
		{"2i", "2i"},
		{"2.5e1i", "2.5e1i"},
		{"1 + 2i", "(+ 1 2i)"},
		{"2.*x", "(* 2. x)"},
		{"x.*y", "(.* x y)"},
		{"a//comment\n+/* another */b", "(+ a b)"},
	} {
		x, problems := ParseExpr(source.NewFile("expr", c[0]))
		if problems.Len() > 0 {
			t.Errorf("%s: %v", c[0], problems.Sorted()[0].Message)
			continue
		}
		if got := ast.DumpExpr(x); got != c[1] {
			t.Errorf("%s: got %s, want %s", c[0], got, c[1])
		}
	}
}

// An expression's span covers its text from the first character to the last.
func TestExpressionSpans(t *testing.T) {
	for _, text := range []string{"a + b", "-a", "a'", "f(a, b)", "x[1, 2]", "t.1", "(a)", "(a, b)", "{1, 2}", "[1]",
		"a ? b : c", "f(a | b)", "-(a)'", "1.5i", "a + b * c ^ d"} {
		x, _ := ParseExpr(source.NewFile("expr", "  "+text+" // end"))
		if got := x.Span().Text(); got != text {
			t.Errorf("the span of %q is %q", text, got)
		}
	}
}

func TestMethods(t *testing.T) {
	for _, c := range [][2]string{
		{"nuts", "nuts"},
		{"nuts()", "(nuts)"},
		{`advi(family="fullrank")`, `(advi family="fullrank")`},
		{"bread(nuts(), steps=[10,100])", "(bread (nuts) steps=[10 100])"},
		{"gvi(divergence = [a: kl(1), b: renyi(alpha=.5)]);", "(gvi divergence=[a:(kl 1) b:(renyi alpha=.5)])"},
		{"f(a, true, data = \"x\")", `(f a true data="x")`},
		{"f(loss = g(x) * 2 + h(y)')", "(f loss=(+ (* (call g x) 2) (' (call h y))))"},
		{"f(loss = normal_lpdf(y | 0, 1) / 2)", "(f loss=(/ (call normal_lpdf y | 0 1) 2))"},
		{"f(x = [1, 2][1], y = [])", "(f x=(index (row 1 2) 1) y=[])"},
		{"f(x = y ? 1 : 2)", "(f x=(? y 1 2))"},
		{"prior_swap(nuts()) { a[1, 2] ~ normal(0, 1); }",
			"(prior_swap (nuts)\n  (~ (index a 1 2) (call normal 0 1)))"},
	} {
		m, problems := ParseMethod(source.NewFile("method", c[0]))
		if problems.Len() > 0 {
			t.Errorf("%s: %v", c[0], problems.Sorted()[0].Message)
			continue
		}
		if got := ast.DumpMethod(m); got != c[1] {
			t.Errorf("%s: got %s, want %s", c[0], got, c[1])
		}
	}
}

// What reads as a method and as an expression carries both.
func TestMethodValueIsExpression(t *testing.T) {
	m, _ := ParseMethod(source.NewFile("method", "f(g(x, [1, 2]), h(a = 1), y)"))
	want := []string{"(call g x (row 1 2))", "nil", "y"}
	for i, a := range m.Args {
		v, ok := a.Value.(*ast.MethodValue)
		if !ok {
			t.Fatalf("argument %d is a %T", i, a.Value)
		}
		got := "nil"
		if v.Expr != nil {
			got = ast.DumpExpr(v.Expr)
		}
		if got != want[i] {
			t.Errorf("argument %d: got %s, want %s", i, got, want[i])
		}
	}
}

func TestIsIncomplete(t *testing.T) {
	for text, want := range map[string]bool{
		"":                     false,
		"real x = 3;":          false,
		"real x = 3":           true,
		"real x =":             true,
		"for (i in 1:3) {":     true,
		"for (i in 1:3) { x =": true,
		"x = f(1,":             true,
		"/* open":              true,
		"x = ;":                false,
		"x = ; y = (":          false,
		"x = 3; }":             false,
		"print(\"a":            false,
	} {
		_, problems := ParseStatements(source.NewFile("line", text))
		if got := IsIncomplete(problems); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

// Nesting is an error long before it is a stack overflow, and long chains are fine.
func TestDepth(t *testing.T) {
	const n = 50_000
	for _, text := range []string{
		strings.Repeat("(", n), strings.Repeat("-", n), strings.Repeat("[", n), strings.Repeat("{", n),
		strings.Repeat("f(", n), strings.Repeat("a ? ", n), strings.Repeat("a ^ ", n), strings.Repeat("a[", n),
		strings.Repeat("a ? b : ", n),
	} {
		_, problems := ParseExpr(source.NewFile("deep", text))
		if list := problems.Sorted(); len(list) != 1 || list[0].Code != codeDepth {
			t.Errorf("%s...: got %v", text[:4], list)
		}
	}
	for _, text := range []string{strings.Repeat("{", n), strings.Repeat("if (a) ", n), strings.Repeat("for (i in a) {", n),
		strings.Repeat("tuple(", n)} {
		_, problems := ParseStatements(source.NewFile("deep", text))
		if list := problems.Sorted(); len(list) == 0 || list[0].Code != codeDepth {
			t.Errorf("%s...: got %v", text[:4], list)
		}
	}
	if _, problems := ParseMethod(source.NewFile("deep", strings.Repeat("f(", n))); problems.Sorted()[0].Code != codeDepth {
		t.Errorf("methods: got %v", problems.Sorted())
	}
	if _, problems := ParseExpr(source.NewFile("long", "a"+strings.Repeat(" + a", 50_000))); problems.Len() > 0 {
		t.Errorf("a long sum: %v", problems.Sorted())
	}
}
