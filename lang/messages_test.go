package lang

// This file holds every message about programs and data to a golden file that shows it.

import (
	"bytes"
	goflag "flag" // flag is a kind of option here
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/lang/problem"
)

var update = goflag.Bool("update", false, "rewrite the golden files")

// goldenFiles show messages: these here, the parser's, and those of the corpus, which
// cmd/ppl writes.
var goldenFiles = []string{"testdata/messages/*.golden", "../parser/testdata/bad/*.txt",
	"../examples/corpus/bad/*.golden", "../examples/corpus/data/*.golden"}

// dataMark begins the line of a program that holds its data.
const dataMark = "//data "

// Each file of testdata/messages holds programs with one mistake, separated by lines
// "---". The golden file beside it has what is said of each.
func TestMessagesGolden(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range programs(t, filepath.Join(here, "testdata/messages/*.txt")) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		for _, program := range strings.Split(string(text), "---\n") {
			said := messageOf(t, program)
			if said == "" {
				t.Errorf("%s: nothing is wrong with\n%s", file, program)
			}
			out.WriteString(said)
		}
		golden := strings.TrimSuffix(file, ".txt") + ".golden"
		if *update {
			if err := os.WriteFile(golden, []byte(out.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatalf("%v (go test -update writes it)", err)
		}
		if got := out.String(); withoutLastDigits(got) != withoutLastDigits(string(want)) {
			t.Errorf("%s differs; got\n%s", golden, got)
		}
	}
}

var longNumber = regexp.MustCompile(`[0-9]+\.[0-9]{8,}`)

// withoutLastDigits rounds computed numbers, whose last digits differ between processors.
func withoutLastDigits(text string) string {
	return longNumber.ReplaceAllStringFunc(text, func(number string) string {
		x, _ := strconv.ParseFloat(number, 64) // by the pattern it is one
		return strconv.FormatFloat(x, 'g', 3, 64)
	})
}

// messageOf compiles a program, binds it and evaluates its density at zero, and returns
// what is said of the first of these that fails; or else the warnings.
func messageOf(t *testing.T, text string) string {
	t.Helper()
	p, err := Compile("program.stan", text, Options{})
	if err != nil {
		return ErrorText(err)
	}
	set, err := dataOf(t, p, text)
	if err != nil {
		return ErrorText(err)
	}
	m, err := p.Bind(set, BindOptions{Seed: 1})
	if err != nil {
		return ErrorText(err)
	}
	if _, _, err := m.Gradient(make([]float64, m.Dim())); err != nil {
		return ErrorText(err)
	}
	if _, err := m.Constrain(make([]float64, m.Dim()), 1); err != nil {
		return ErrorText(err)
	}
	var warnings strings.Builder
	_ = problem.WriteText(&warnings, p.Problems(), problem.Options{}) // a Builder does not fail
	return warnings.String()
}

// dataOf reads the data that stand in a program, from a file, so that messages can show
// its lines.
func dataOf(t *testing.T, p *Program, text string) (*data.Set, error) {
	t.Helper()
	_, rest, ok := strings.Cut(text, dataMark)
	if !ok {
		return Data(map[string]any{})
	}
	in, _, _ := strings.Cut(rest, "\n")
	t.Chdir(t.TempDir())
	if err := os.WriteFile("data.json", []byte(in), 0o644); err != nil {
		t.Fatal(err)
	}
	return p.ReadDataFile("data.json")
}

// A place in Go source where the words of a message stand: an argument of a function, or
// a field of a literal or a variable.
type site struct {
	call  string // the function or method; the type of a literal
	arg   int    // which argument, or which value of a literal without names
	field string // the field of the literal
}

// messageSites reports where the messages of a package stand. A package that lists files is
// looked at in these only.
var messageSites = []struct {
	pkg   string
	files string // a regular expression; "" for all
	sites []site
	help  bool // remedies must be shown, too
}{
	{pkg: "../parser", help: true, sites: []site{{call: "fail", arg: 2}, {call: "report", arg: 2}, {call: "Errorf", arg: 2},
		{call: "unexpected"}, {call: "tooEarly"}, {call: "expect", arg: 1}, {call: "expectEnd"}, {call: "name"},
		{call: "newName"}, {call: "closing", arg: 2}, {call: "endOf"}}},
	{pkg: "check", help: true, sites: []site{{call: "message", arg: 1}, {call: "message", arg: 2}}},
	{pkg: "../ir/data", files: "number|read|scan|convert", sites: []site{{call: "fail", arg: 2}, {call: "expect", arg: 2}, {call: "mismatch", arg: 2}}},
	{pkg: "../ir/eval", files: "call|expr|higher|index|machine|stmt|discrete", sites: []site{{call: "fail", arg: 1}}},
	{pkg: "../ir/bind", files: "^(ode|dae|solve|quadrature|reducesum|maprect|laplace|usercode|params|discrete)",
		sites: []site{{call: "Error", field: "Text"}, {call: "DomainError", field: "Text"}}},
	{pkg: "../ir/bind/solver", sites: []site{{call: "Error", field: "Text"}, {call: "DomainError", field: "Text"}}},
	{pkg: "../stdlib", sites: []site{{call: "DomainErrorf", arg: 1}, {call: "DomainError", field: "Text"}}},
	{pkg: "../stdlib/internal/*", sites: []site{{call: "DomainErrorf", arg: 1}, {call: "DomainError", field: "Text"}}},
	{pkg: "../stdlib/solve", sites: []site{{call: "errorf"}}},
}

// notShown are messages without a golden, each with its reason.
var notShown = map[string]string{
	// Limits: their programs and files are too long for a golden file.
	"more than %d operators in one expression":                      huge,
	"more than %d levels of nesting":                                huge,
	"give a part a name of its own":                                 huge,
	"more than %d files include one another":                        huge,
	"include fewer files":                                           huge,
	"more than %d files are included":                               huge,
	"include fewer files; one that two others include counts twice": huge,
	"more than %d MB are included":                                  huge,
	"include less":                                                  huge,
	"a number of more than %d bytes":                                huge,
	"a string of more than %d bytes":                                huge,
	"nested deeper than %d levels":                                  huge,
	"no variate was found between %v and %v with the parameters %v": huge,

	// Texts that are no programs.
	"%s is no program text": "said of files outside of the folders, tested in the script foreign",
	"its lines are not shown, for it is not called like a program (.ppl, .stan, .stanfunctions) and lies outside of the folders where included files are looked for": "said of files outside of the folders, tested in the script foreign",
	"#include is not possible here":                        "said where there are no files, tested in parser",
	"put the text of %v in its place":                      "said where there are no files, tested in parser",
	"the expression":                                       "said of an option's value, shown in docs/wrong_uses.md",
	"remove what follows %v":                               "said of an option's value, shown in docs/wrong_uses.md",
	"expected an object, or an array of objects, found %s": "said of points, tested in ir/data",
	"the file ends inside an escape":                       "data that do not end in a line end, tested in ir/data",

	// What the checker and the catalogue make impossible.
	"the grammar is broken: %v":                                  impossible,
	"the text cannot be read: %v":                                impossible,
	"report this as a bug":                                       impossible,
	"%s ended without returning a value":                         impossible,
	"%s: the library has no %s of these arguments":               impossible,
	"%s cannot be called here":                                   impossible,
	"%s: no random numbers are to be had here":                   impossible,
	"the discrete parameter %s needs a lower and an upper bound": impossible,
	"%q needs the option %q: %s":                                 "no method has an option without a default; testdata/bad/directives.txt shows the code",
	"give it by name, as in NAME = VALUE":                        "no method has an option without a default; testdata/bad/directives.txt shows the code",

	// States inside of a simulation, a rolled loop or an iteration that no small program is
	// known to reach.
	"%s has no value yet": inside,
	"%d positions of dimension %d are paired with %d of another": inside,
	"the eigenvalues of a cannot be computed":                    inside,
	"the QR algorithm does not converge":                         inside,
	"the search for a root stopped where the norm of the residual is %g, which is more than the function tolerance %g": inside,
	"the Jacobian of the algebraic equations is singular at the solution":                                              inside,
	"the log posterior has no maximum at the mode that was found":                                                      inside,
	"the Newton step for the mode of the latent variables does not exist":                                              inside,
	"the nonlinear equations of a step could not be solved at time %g":                                                 inside,
	"the error test failed repeatedly at time %g":                                                                      inside,
}

const (
	huge       = "only huge texts and long runs show it"
	impossible = "an earlier stage makes it impossible"
	inside     = "guards an iteration; no small program is known to reach it"
)

// A message that no golden file shows fails.
func TestEveryMessageIsShown(t *testing.T) {
	var shown bytes.Buffer
	for _, file := range programs(t, goldenFiles...) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		shown.Write(text)
	}
	for _, p := range messageSites {
		found := messagesOf(t, p.pkg, p.files, p.sites, p.help)
		if len(found) == 0 {
			t.Errorf("%s: no messages found", p.pkg)
		}
		n := 0
		for _, m := range found {
			_, excused := notShown[m.text]
			switch seen := m.pattern().Match(shown.Bytes()); {
			case seen:
				n++
				if excused {
					t.Errorf("%v: shown, and excused: %q", m.at, m.text)
				}
			case !excused:
				t.Errorf("%v: no golden file shows %q", m.at, m.text)
			}
		}
		t.Logf("%s: %d of %d messages shown", p.pkg, n, len(found))
	}
}

// A template is the words of a message, with verbs where something is put in.
type template struct {
	at   token.Position
	text string
}

var verb = regexp.MustCompile(`%[-+#0-9.]*[a-zA-Z]`)

// pattern matches the messages made from a template.
func (m template) pattern() *regexp.Regexp {
	const gap = "\x00"
	q := regexp.QuoteMeta(verb.ReplaceAllString(m.text, gap))
	return regexp.MustCompile(strings.ReplaceAll(q, gap, `[^\n]*?`))
}

func messagesOf(t *testing.T, dir, files string, sites []site, help bool) []template {
	t.Helper()
	set := token.NewFileSet()
	only := regexp.MustCompile(files)
	var out []template
	for _, name := range programs(t, filepath.Join(dir, "*.go")) {
		if strings.HasSuffix(name, "_test.go") || !only.MatchString(filepath.Base(name)) {
			continue
		}
		f, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		add := func(x ast.Expr) {
			if text := words(x); strings.Contains(text, " ") {
				out = append(out, template{set.Position(x.Pos()), text})
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				for _, s := range sites {
					if s.field == "" && lastName(n.Fun) == s.call && s.arg < len(n.Args) {
						add(n.Args[s.arg])
					}
				}
			case *ast.CompositeLit:
				addLiteral(n, sites, add)
			case *ast.AssignStmt:
				for i, lhs := range n.Lhs {
					if sel, ok := lhs.(*ast.SelectorExpr); help && ok && sel.Sel.Name == "Help" && i < len(n.Rhs) {
						add(n.Rhs[i])
					}
				}
			}
			return true
		})
	}
	slices.SortFunc(out, func(a, b template) int { return strings.Compare(a.at.String(), b.at.String()) })
	return out
}

// addLiteral adds the words in a composite literal.
func addLiteral(n *ast.CompositeLit, sites []site, add func(ast.Expr)) {
	for _, s := range sites {
		if lastName(n.Type) != s.call {
			continue
		}
		for i, e := range n.Elts {
			kv, named := e.(*ast.KeyValueExpr)
			switch {
			case named && lastName(kv.Key) == s.field:
				add(kv.Value)
			case !named && s.field == "" && i == s.arg:
				add(e)
			}
		}
	}
}

// lastName is the last part of a possibly qualified name.
func lastName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	}
	return ""
}

// words returns the constant words of an expression, with verbs for what is not constant:
// of a concatenation, of a format's first argument. It gives "" where there are none.
func words(x ast.Expr) string {
	text, some := constant(x)
	if !some {
		return ""
	}
	return text
}

func constant(x ast.Expr) (text string, some bool) {
	switch x := x.(type) {
	case *ast.BasicLit:
		if s, err := strconv.Unquote(x.Value); err == nil && x.Kind == token.STRING {
			return s, true
		}
	case *ast.ParenExpr:
		return constant(x.X)
	case *ast.BinaryExpr:
		l, a := constant(x.X)
		r, b := constant(x.Y)
		return l + r, a || b
	case *ast.CallExpr:
		if n := lastName(x.Fun); (n == "Sprintf" || n == "Or") && len(x.Args) > 0 {
			return constant(x.Args[0])
		}
	}
	return "%v", false
}

// What a golden file shows of a program is complete: place, line and caret of the
// mistake; of calls that no form takes at most five forms.
func TestMessagesAreComplete(t *testing.T) {
	head := regexp.MustCompile(`^\S+:\d+:\d+: (error|warning|info): .* \[[a-z-]+\]$`)
	for _, file := range programs(t, goldenFiles...) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		forms := 0
		for i, line := range lines {
			switch {
			case head.MatchString(line):
				forms = 0
				atEnd := strings.Contains(line, "found the end of the file") // where there may be no line
				if !atEnd && !caretFollows(lines[i+1:]) {
					t.Errorf("%s:%d: no line with a caret under it: %s", filepath.Base(file), i+1, line)
				}
			case strings.HasPrefix(line, "  note: ") && strings.Contains(line, "("):
				if forms++; forms > 5 {
					t.Errorf("%s:%d: more than five candidates", file, i+1)
				}
			}
		}
	}
}

// caretFollows reports whether a source line and a caret under it begin the lines.
func caretFollows(lines []string) bool {
	if len(lines) < 2 || !strings.HasPrefix(lines[0], "    ") {
		return false
	}
	return strings.HasPrefix(strings.TrimLeft(lines[1], " \t"), "^")
}
