package problem

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/lang/source"
)

func spanOf(f *source.File, part string) source.Span {
	i := strings.Index(f.Text, part)
	return source.Span{File: f, Start: i, End: i + len(part)}
}

func TestText(t *testing.T) {
	long := strings.Repeat("a + ", 40) + "BAD" + strings.Repeat(" + b", 40)
	f := source.NewFile("m.ppl", "model {\n\tx = \tfoo(y);\r\n  µ µbar = 1;\n"+long+"\nlast\x00 {\n}\n\n")
	for _, c := range []struct {
		name string
		p    Problem
		want string
	}{
		{"no place", Problem{Code: "c", Message: "m"}, "error: m [c]\n"},
		{"tabs are kept", Problem{Code: "c", Span: spanOf(f, "foo(y)"), Message: "m", Help: "h"},
			"m.ppl:2:7: error: m [c]\n    \tx = \tfoo(y);\n    \t    \t^~~~~~\n  help: h\n"},
		{"columns are runes", Problem{Code: "c", Severity: Warning, Span: spanOf(f, "µbar"), Message: "m"},
			"m.ppl:3:5: warning: m [c]\n      µ µbar = 1;\n        ^~~~\n"},
		{"an empty span has a caret", Problem{Code: "c", Span: source.Span{File: f, Start: 7, End: 7}, Message: "m"},
			"m.ppl:1:8: error: m [c]\n    model {\n           ^\n"},
		{"several lines mark the first", Problem{Code: "c", Span: source.Span{File: f, Start: 6, End: 20}, Message: "m"},
			"m.ppl:1:7: error: m [c]\n    model {\n          ^\n"},
		{"control characters", Problem{Code: "c", Span: spanOf(f, "last"), Message: "m"},
			"m.ppl:5:1: error: m [c]\n    last\ufffd {\n    ^~~~\n"},
		{"an empty last line is not shown", Problem{Code: "c", Span: source.Span{File: f, Start: len(f.Text), End: len(f.Text)}, Message: "m"},
			"m.ppl:8:1: error: m [c]\n"},
		{"notes", Problem{Code: "c", Message: "m", Notes: []Note{{Message: "plain"}, {Span: spanOf(f, "model"), Message: "there"}}},
			"error: m [c]\n  note: plain\n  note: m.ppl:1:1: there\n    model {\n    ^~~~~\n"},
	} {
		if got := c.p.Text(); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	got := strings.Split(Problem{Code: "c", Span: spanOf(f, "BAD"), Message: "m"}.Text(), "\n")
	if n := len([]rune(got[1])); n > maxLine+10 {
		t.Errorf("a long line is shown with %d runes", n)
	}
	if i := strings.Index(got[2], "^"); got[1][i:i+3] != "BAD" || got[2][i:] != "^~~" {
		t.Errorf("the caret is in the wrong place:\n%s\n%s", got[1], got[2])
	}
}

// The caret stays under its text wherever in a long line it is.
func TestLongLines(t *testing.T) {
	for at := range 300 {
		text := strings.Repeat("-", at) + "X" + strings.Repeat("=", 299-at)
		f := source.NewFile("f", text)
		lines := strings.Split(Problem{Span: spanOf(f, "X")}.Text(), "\n")
		if i := strings.Index(lines[2], "^"); i < 0 || lines[1][i] != 'X' {
			t.Fatalf("at %d:\n%s\n%s", at, lines[1], lines[2])
		}
	}
}

func TestMost(t *testing.T) {
	f := source.NewFile("f", strings.Repeat("x\n", 50))
	l := &List{}
	for i := range 50 {
		l.Errorf("c", source.Span{File: f, Start: 2 * i, End: 2*i + 1}, "m")
	}
	for _, c := range []struct {
		most, shown int
		last        string
	}{{0, DefaultMost, "and 30 more\n"}, {3, 3, "and 47 more\n"}, {-1, 50, "^\n"}, {50, 50, "^\n"}} {
		var b bytes.Buffer
		if err := WriteText(&b, l, Options{Most: c.most}); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(b.String(), "error:"); n != c.shown || !strings.HasSuffix(b.String(), c.last) {
			t.Errorf("most %d: %d shown, ends in %q", c.most, n, b.String()[b.Len()-12:])
		}
	}
}

func TestJSON(t *testing.T) {
	f := source.NewFile("m.ppl", "a\nbb <- cc;\n")
	l := &List{}
	l.Errorf("old", spanOf(f, "<-"), "no %q", "<-").Help = "write ="
	q := l.Warnf("note", source.Span{}, "nowhere")
	q.Notes = []Note{{Span: spanOf(f, "a"), Message: "here"}}
	var b bytes.Buffer
	if err := WriteJSON(&b, l, Options{}); err != nil {
		t.Fatal(err)
	}
	want := `{"problems":[` +
		`{"code":"note","severity":"warning","message":"nowhere","notes":[{"file":"m.ppl","line":1,"column":1,"end":{"line":1,"column":2},"message":"here"}]},` +
		`{"code":"old","severity":"error","file":"m.ppl","line":2,"column":4,"end":{"line":2,"column":6},"message":"no \"<-\"","help":"write ="}` +
		`],"more":0}` + "\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
	b.Reset()
	if err := WriteJSON(&b, &List{}, Options{}); err != nil || !json.Valid(b.Bytes()) || !strings.Contains(b.String(), `"problems":[]`) {
		t.Errorf("an empty list: %v %s", err, b.String())
	}
}
