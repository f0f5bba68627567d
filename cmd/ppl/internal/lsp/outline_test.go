package lsp

// This file tests the outline, signatures, highlights and remedies.

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// decoded is the answer to a request.
func decoded[T any](t *testing.T, c *client, method string, params any) T {
	t.Helper()
	var out T
	got := c.ask(method, params)
	if err := json.Unmarshal(got, &out); err != nil {
		t.Fatalf("%s: %v in %s", method, err, got)
	}
	return out
}

// textOf is what a range of the document holds.
func (c *client) textOf(uri string, s span) string {
	table := newTable(c.text[uri])
	return c.text[uri][table.offset(s.Start):table.offset(s.End)]
}

// lines writes an outline with a symbol a line, and sees to it that each selection lies in
// its range and each child in its parent.
func (c *client) lines(t *testing.T, list []symbol, indent string) string {
	t.Helper()
	table := newTable(c.text[uri])
	inside := func(a, b span) bool {
		return table.offset(b.Start) <= table.offset(a.Start) && table.offset(a.End) <= table.offset(b.End)
	}
	var b strings.Builder
	for _, s := range list {
		fmt.Fprintf(&b, "%s%s (%d) %s [%s]\n", indent, s.Name, s.Kind, s.Detail, c.textOf(uri, s.Selection))
		if !inside(s.Selection, s.Range) {
			t.Errorf("%s: the selection is not in its range", s.Name)
		}
		for _, child := range s.Children {
			if !inside(child.Range, s.Range) {
				t.Errorf("%s is not in %s", child.Name, s.Name)
			}
		}
		b.WriteString(c.lines(t, s.Children, indent+"  "))
	}
	return b.String()
}

func (c *client) outline(t *testing.T) string {
	t.Helper()
	list := decoded[[]symbol](t, c, "textDocument/documentSymbol", map[string]any{"textDocument": map[string]any{"uri": uri}})
	return c.lines(t, list, "")
}

func TestOutline(t *testing.T) {
	c := begun(t)
	c.opened(uri, model)
	const want = `functions (2)  [functions]
  half (12) real (real x) [half]
  wide_lpdf (12) real (real y, real s) [wide_lpdf]
data (2)  [data]
  N (14) int<lower=0> [N]
  y (14) vector[N] [y]
parameters (2)  [parameters]
  mu (8) real [mu]
  sigma (8) real<lower=0> [sigma]
model (2)  [model]
inference (2)  [inference]
  fit (6) nuts [fit]
  diagnose bread (24)  [bread]
`
	if diff := cmp.Diff(want, c.outline(t)); diff != "" {
		t.Error(diff)
	}

	// What can be read of a program with errors is there, too.
	c.opened(uri, "data { int N; }\ntransformed data { int K = N; real a, b; }\nparameters { real mu \nmodel { mu ~ normal(0, 1); }\n")
	for _, want := range []string{"  N (14) int [N]\n", "transformed data (2)  [transformed data]\n", "  K (14) int [K]\n", "  b (14) real [b]\n"} {
		if got := c.outline(t); !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	c.opened(uri, "")
	if got := c.outline(t); got != "" {
		t.Errorf("an empty document has %s", got)
	}
}

// The outline of each program of the examples has its blocks, and what they declare.
func TestEveryOutline(t *testing.T) {
	for _, path := range programs(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c := begun(t)
		c.opened(uri, string(text))
		got := c.outline(t)
		p := c.server.open[uri].program
		if p.Problems().HasErrors() {
			continue
		}
		for _, symbols := range p.Info.Globals {
			for _, v := range symbols {
				if v.Def.Loc.File == p.File && !strings.Contains(got, "  "+v.Name+" (") {
					t.Errorf("%s: %s is not in the outline", path, v.Name)
				}
			}
		}
	}
}

// Each place is in a call: the signatures and the argument that is being typed.
func TestSignatureHelp(t *testing.T) {
	for _, test := range []struct {
		text, marked string
		active       string // the active parameter of the active signature; empty for no help
		label        string // a part of the signature
	}{
		{model, "half(^sigma)", "real x", "real half(real x)"},
		{model, "wide(^half", "real s", "real wide_lpdf(real y | real s)"},
		{model, "normal_lpdf(^y", "reals y", "normal_lpdf("},
		{model, "normal_lpdf(y | ^0", "reals mu", "normal_lpdf("},
		{model, "10 * ^s", "reals sigma", "normal_lpdf("},
		{model, "normal(^mu, s", "reals mu", "normal_lpdf("},
		{model, "normal(mu, ^s", "reals sigma", "normal_lpdf("},
		{model, "nuts(^draws", "", "nuts("},
		{model, "draws = ^500", "draws", "nuts("},
		{model, "bread(^fit", "method", "bread("},
		{model, "steps = [^100", "steps", "bread("},
		{model, "for (i in ^1", "", ""},
		{model, "y[^i]", "", ""},
		{model, "// ^µ", "", ""},
		{"model { real x = fma(1, (2 + ", "(2 + ^", "real y", "fma("},
		{"model { real x = fma(a || b, {1, 2}[1], ", "[1], ^", "real z", "fma("},
		{"model { real x = nothing(1, ", "(1, ^", "", ""},
		{"model { target += normal_lupdf(1 | ", "| ^", "reals mu", "normal_lpdf("},
		{"", "^", "", ""},
	} {
		c := begun(t)
		c.opened(uri, test.text)
		help := decoded[*signatureHelp](t, c, "textDocument/signatureHelp", c.at(uri, test.marked))
		if help == nil || test.label == "" {
			if help != nil || test.label != "" {
				t.Errorf("at %s of %q: %+v", test.marked, test.text, help)
			}
			continue
		}
		form := help.Signatures[help.ActiveSignature]
		active := ""
		if help.ActiveParameter < len(form.Parameters) {
			active = form.Parameters[help.ActiveParameter].Label
		}
		if !strings.Contains(form.Label, test.label) || !strings.HasPrefix(active, test.active) || test.active == "" && active != "" {
			t.Errorf("at %s of %q: %q of %q, want %q of %q", test.marked, test.text, active, form.Label, test.active, test.label)
		}
		for _, p := range form.Parameters {
			if !strings.Contains(form.Label, p.Label) {
				t.Errorf("%q is no part of %q", p.Label, form.Label)
			}
		}
	}
}

// Signatures are taken apart, whatever brackets are in them.
func TestForms(t *testing.T) {
	for text, want := range map[string][]parameter{
		"real f()":                                 nil,
		"real f(real x)":                           {{Label: "real x"}},
		"real f(real x | )":                        {{Label: "real x"}},
		"tuple(int, real) f(real x | vector y)":    {{Label: "real x"}, {Label: "vector y"}},
		"array[,] real f(array[,] int a, int b)":   {{Label: "array[,] int a"}, {Label: "int b"}},
		"real f(tuple(int, real) t, row_vector v)": {{Label: "tuple(int, real) t"}, {Label: "row_vector v"}},
	} {
		if got := formOf(text, "").Parameters; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

func TestHighlights(t *testing.T) {
	c := begun(t)
	c.opened(uri, model)
	list := decoded[[]highlight](t, c, "textDocument/documentHighlight", c.at(uri, "normal(m^u"))
	var got []string
	for _, h := range list {
		got = append(got, fmt.Sprintf("%d:%s", h.Kind, c.textOf(uri, h.Range)))
	}
	if want := []string{"3:mu", "2:mu", "2:mu"}; !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
	if got := string(c.ask("textDocument/documentHighlight", c.at(uri, "nor^mal(m"))); got != "null" {
		t.Errorf("a name of the library: %s", got)
	}
	place := c.at(uri, "normal(m^u")
	place["context"] = map[string]any{"includeDeclaration": false}
	if got := decoded[[]location](t, c, "textDocument/references", place); len(got) != 2 {
		t.Errorf("without the declaration: %v", got)
	}
}

// The name that was meant is offered, and putting it in leaves no problem.
func TestRemedies(t *testing.T) {
	for _, text := range []string{
		"parameters { real<lower=0> sigma; }\nmodel { sigm ~ exponential(1); }\n",
		"parameters { real mu; }\nmodel { mu ~ nromal(0, 1); }\n",
		"parameters { real mu; }\nmodel { mu ~ normal(0, abss(1)); }\n",
		"parameters { real mu; }\nmodel { mu ~ normal(0, 1); }\ninference { a = nuts(drws = 5); }\n",
		"paramters { real mu; }\nmodel { mu ~ normal(0, 1); }\n",
	} {
		c := begun(t)
		found := problems(t, c.opened(uri, text))
		whole := newTable(text).span(0, len(text))
		actions := decoded[[]codeAction](t, c, "textDocument/codeAction", map[string]any{
			"textDocument": map[string]any{"uri": uri}, "range": whole, "context": map[string]any{"diagnostics": found}})
		if len(actions) != 1 || actions[0].Kind != quickFix || len(actions[0].Diagnostics) != 1 {
			t.Errorf("%q: %+v", text, actions)
			continue
		}
		for _, e := range actions[0].Edit.Changes[uri] {
			table := newTable(text)
			text = text[:table.offset(e.Range.Start)] + e.NewText + text[table.offset(e.Range.End):]
		}
		for _, p := range problems(t, c.opened(uri, text)) {
			if p.Severity == 1 {
				t.Errorf("%q: %s", text, p.Message)
			}
		}
	}
	c := begun(t)
	c.opened(uri, model)
	if got := string(c.ask("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": uri}, "range": span{}})); got != "[]" {
		t.Errorf("a program without errors: %s", got)
	}
}
