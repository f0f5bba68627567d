package lsp

// This file plays whole sessions, and compares what the client would see with a golden
// file.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-12b88e03/ppl/lang"
)

var update = flag.Bool("update", false, "write the golden files anew")

// A client is the other side of a server.
type client struct {
	t      *testing.T
	server *Server
	out    bytes.Buffer
	text   map[string]string
	id     int
}

func newClient(t *testing.T) *client {
	c := &client{t: t, server: New(), text: map[string]string{}}
	c.server.out = &c.out
	return c
}

// begun is a client whose server is initialized.
func begun(t *testing.T) *client {
	c := newClient(t)
	c.ask("initialize", map[string]any{})
	c.tell("initialized", map[string]any{})
	return c
}

// messages takes what the server has written.
func (c *client) messages() []json.RawMessage {
	c.t.Helper()
	var out []json.RawMessage
	for r := bufio.NewReader(&c.out); ; {
		body, err := readFrame(r)
		if err == io.EOF {
			return out
		}
		if err != nil {
			c.t.Fatal(err)
		}
		out = append(out, body)
	}
}

func (c *client) send(m map[string]any) []json.RawMessage {
	c.t.Helper()
	m["jsonrpc"] = version
	body, err := json.Marshal(m)
	if err != nil {
		c.t.Fatal(err)
	}
	c.server.receive(body)
	return c.messages()
}

// tell sends a notification and gives what the server says to it.
func (c *client) tell(method string, params any) []json.RawMessage {
	c.t.Helper()
	return c.send(map[string]any{"method": method, "params": params})
}

// ask sends a request and gives the answer: the result, or the error.
func (c *client) ask(method string, params any) json.RawMessage {
	c.t.Helper()
	c.id++
	got := c.send(map[string]any{"id": c.id, "method": method, "params": params})
	if len(got) != 1 {
		c.t.Fatalf("%s: %d messages", method, len(got))
	}
	var m struct {
		ID            int
		Result, Error json.RawMessage
	}
	if err := json.Unmarshal(got[0], &m); err != nil || m.ID != c.id {
		c.t.Fatalf("%s: %s", method, got[0])
	}
	if m.Error != nil {
		return m.Error
	}
	return m.Result
}

func (c *client) opened(uri, text string) []json.RawMessage {
	c.t.Helper()
	c.text[uri] = text
	return c.tell("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "ppl", "version": 1, "text": text}})
}

// at is a place: that of the mark ^ in a part of the text, which the mark is left out of.
func (c *client) at(uri, marked string) map[string]any {
	c.t.Helper()
	mark := strings.Index(marked, "^")
	i := strings.Index(c.text[uri], marked[:mark]+marked[mark+1:])
	if mark < 0 || i < 0 {
		c.t.Fatalf("no %q in the text", marked)
	}
	return map[string]any{"textDocument": map[string]any{"uri": uri}, "position": newTable(c.text[uri]).position(i + mark)}
}

func (c *client) renamed(uri, marked, to string) json.RawMessage {
	c.t.Helper()
	p := c.at(uri, marked)
	p["newName"] = to
	return c.ask("textDocument/rename", p)
}

const model = `functions {
  real half(real x) { return x / 2; }
  real wide_lpdf(real y, real s) { return normal_lpdf(y | 0, 10 * s); }
}
data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> sigma; // µ and 𝜎
}
model {
  mu ~ wide(half(sigma));
  for (i in 1:N) {
    y[i] ~ normal(mu, sigma);
  }
}
inference {
  fit = nuts(draws = 500);
  diagnose bread(fit, steps = [100]);
}
`

// The address of the tests' document; its folder holds no files.
const uri = "file:///models/model.ppl"

// One session with each thing that an editor asks.
func TestSession(t *testing.T) {
	c := newClient(t)
	var log strings.Builder
	note := func(what string, messages ...json.RawMessage) {
		fmt.Fprintf(&log, "# %s\n", what)
		for _, m := range messages {
			log.WriteString(string(m) + "\n")
		}
	}
	ask := func(what, marked string) {
		note(what+" "+marked, c.ask("textDocument/"+what, c.at(uri, marked)))
	}
	note("initialize", c.ask("initialize", map[string]any{"processId": nil, "capabilities": map[string]any{}}))
	note("initialized", c.tell("initialized", map[string]any{})...)
	note("open", c.opened(uri, model)...)
	for _, marked := range []string{"~ nor^mal(", "~ wi^de", "^sigma;", "y[^i]", "dra^ws =", "half(si^gma", "^fit,", "normal_l^pdf", "rea^l mu"} {
		ask("hover", marked)
	}
	for _, marked := range []string{"hal^f(s", "normal(m^u", "y[^i]", "bread(fi^t", "~ wi^de", "nor^mal(m"} {
		ask("definition", marked)
	}
	ask("references", "~ wi^de")
	ask("prepareRename", "hal^f(s")
	ask("prepareRename", "nor^mal(m")
	note("rename mu to centre", c.renamed(uri, "real m^u", "centre"))
	note("rename wide_lpdf to broad_lpdf", c.renamed(uri, "wi^de_lpdf", "broad_lpdf"))
	note("rename the binding", c.renamed(uri, "^fit =", "sampled"))
	for _, to := range []string{"sigma", "for", "2x", "a__", "half_rng"} {
		note("rename half to "+to, c.renamed(uri, "hal^f(s", to))
	}
	note("rename mu to sigma", c.renamed(uri, "real m^u", "sigma"))
	broken := "parameters { real µ; real 𝜎; real mu; }\nmodel { /* 𝜎 */ m ~ normal(0, 1); }\n"
	c.text[uri] = broken
	note("change", c.tell("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": uri, "version": 2}, "contentChanges": []any{map[string]any{"text": broken}}})...)
	untidy := "parameters { real mu;real mu; }\nmodel { /* 𝜎 */ m ~ normal(0, 1); }\n"
	c.text[uri] = untidy
	note("change again", c.tell("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": uri, "version": 3}, "contentChanges": []any{map[string]any{"text": untidy}}})...)
	note("format", c.ask("textDocument/formatting", map[string]any{"textDocument": map[string]any{"uri": uri}}))
	note("rename in a program with errors", c.renamed(uri, "^m ~", "b"))
	note("close", c.tell("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": uri}})...)
	note("hover in a closed document", c.ask("textDocument/hover", c.at(uri, "nor^mal")))
	note("shutdown", c.ask("shutdown", nil))
	note("exit", c.tell("exit", nil)...)
	golden(t, "session.golden", log.String())
}

// A method is explained with its options.
func TestHoverOfMethod(t *testing.T) {
	c := begun(t)
	c.opened(uri, model)
	got := string(c.ask("textDocument/hover", c.at(uri, "fit = n^uts")))
	row := lang.Methods().Row("nuts")
	for _, o := range row.Options {
		if !strings.Contains(got, `\n  `+o.Name+": ") {
			t.Errorf("the option %s is not in %s", o.Name, got)
		}
	}
	if !strings.Contains(got, row.Doc) {
		t.Error(got)
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Error(diff)
	}
}

// labels are those of the completions at a mark.
func (c *client) labels(uri, marked string) map[string]bool {
	c.t.Helper()
	var list completionList
	if err := json.Unmarshal(c.ask("textDocument/completion", c.at(uri, marked)), &list); err != nil {
		c.t.Fatal(err)
	}
	out := map[string]bool{}
	for _, item := range list.Items {
		out[item.Label] = true
	}
	return out
}

// The functions of a distribution are renamed together, and each use keeps its form.
func TestRenameDistribution(t *testing.T) {
	before := `functions {
  real bump_lpdf(real y, real s) { return -abs(y) / s; }
  real bump_lcdf(real y, real s) { return -s; }
  real bump_lccdf(real y, real s) { return -s; }
  real bump_rng(real s) { return s; }
  real bump(real s) { return s; }
}
parameters { real<lower=0> y; real bump_p; }
model {
  y ~ bump(bump(2)) T[0, ];
  target += bump_lupdf(bump_p | 1) + bump_lpdf(bump_p | 1);
}
`
	after := strings.NewReplacer("bump_l", "hill_l", "bump_rng", "hill_rng", "~ bump", "~ hill").Replace(before)
	c := begun(t)
	c.opened(uri, before)
	for marked, to := range map[string]string{"~ bu^mp": "hill", "bump_lu^pdf": "hill_lupdf", "bump_l^pdf(bump_p": "hill_lpdf", "bump_r^ng": "hill_rng"} {
		var edit workspaceEdit
		got := c.renamed(uri, marked, to)
		if err := json.Unmarshal(got, &edit); err != nil || len(edit.Changes[uri]) != 7 {
			t.Errorf("%s: %s", marked, got)
			continue
		}
		tab := newTable(before)
		text := before
		for _, e := range slices.Backward(edit.Changes[uri]) {
			text = text[:tab.offset(e.Range.Start)] + e.NewText + text[tab.offset(e.Range.End):]
		}
		if diff := cmp.Diff(after, text); diff != "" {
			t.Errorf("%s: %s", marked, diff)
		}
	}
	if got := string(c.renamed(uri, "bump_r^ng", "hill")); !strings.Contains(got, "must end in _rng") {
		t.Error(got)
	}
}

// What is offered is what may stand there, in programs that are being typed, too.
func TestCompletion(t *testing.T) {
	for _, test := range []struct {
		text, marked string
		with         string
		without      string
	}{
		{model, "y[i^]", "i if int int_step", "mu"},
		{model, "mu ~ w^ide", "wide wiener wishart", "wide_lpdf while"},
		{model, "half(s^igma)", "sigma sqrt simplex", "mu"},
		{model, "return ^x", "x half normal_rng", "mu y N i s"},
		{model, "return n^ormal_lpdf", "normal_lpdf normal_rng", "N x"},
		{model, "normal(^mu, s", "mu sigma N y i half normal_lpdf while", "x fit normal_rng nuts"},
		{model, "[^N] y", "N", "mu y"},
		{model, "// µ a^nd", "", "abs sigma"},
		{model, "fit = ^nuts", "nuts advi prior_swap", "delta mu"},
		{model, "nuts(d^raws", "draws delta", "diagnose warmup steps"},
		{model, "bread(^fit", "fit nuts steps sigma", "diagnose"},
		{model, "\n^inference", "model transformed data inference generated quantities", "mu"},
		{"parameters { real mu; }\nmodel { mu ~ ", "mu ~^ ", "normal", ""},
		{"parameters { real mu; real beta1; }\nmodel { for (i in 1:3) { target += be\n } }", "+= be^", "beta1 bernoulli_lpmf", "mu"},
		{"parameters { real mu; real beta1; }\nmodel { for (i in 1:3) { target += be", "+= be^", "bernoulli_lpmf", "mu"},
		{"model { }\ninference { a = nuts(metric = \"", "metric = \"^", "diagonal dense", "nuts mu"},
		{"model { real x; { real z; } x = ; }", "x = ^;", "x", "z"},
		{"model { print(\"mu ", "\"mu^ ", "", "mu_ abs"},
		{"generated quantities { real z = nor", "nor^", "normal_rng", "mu"},
		{"", "^", "data transformed parameters", "real"},
	} {
		c := begun(t)
		c.opened(uri, test.text)
		got := c.labels(uri, test.marked)
		for _, w := range wordsOf(test.with) {
			if !got[w] {
				t.Errorf("at %s of %q: %s is not offered", test.marked, test.text, w)
			}
		}
		for _, w := range wordsOf(test.without) {
			if got[w] {
				t.Errorf("at %s of %q: %s is offered", test.marked, test.text, w)
			}
		}
	}
}

// wordsOf splits a list; block names of two words are one.
func wordsOf(list string) []string {
	list = strings.NewReplacer("transformed ", "transformed_", "generated ", "generated_").Replace(list)
	out := strings.Fields(list)
	for i, w := range out {
		if strings.HasPrefix(w, "transformed_") || strings.HasPrefix(w, "generated_") {
			out[i] = strings.Replace(w, "_", " ", 1)
		}
	}
	return out
}

// Included files are found beside the document, and their problems shown where they are
// included.
func TestIncludes(t *testing.T) {
	dir := t.TempDir()
	part := filepath.Join(dir, "part.stanfunctions")
	save := func(text string) {
		if err := os.WriteFile(part, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	save("real twice(real x) {\n  return 2 * x;\n}\n")
	c := begun(t)
	main := fileURI(filepath.Join(dir, "main model.ppl"))
	got := c.opened(main, "functions {\n  #include \"part.stanfunctions\"\n}\nparameters { real mu; }\nmodel { mu ~ normal(0, twice(1)); }\n")
	if n := problems(t, got); len(n) != 0 {
		t.Fatalf("found %v", n)
	}
	var where location
	for marked, want := range map[string]span{
		"twi^ce(1)":      {position{0, 5}, position{0, 10}},
		"part.st^anfunc": {},
	} {
		if err := json.Unmarshal(c.ask("textDocument/definition", c.at(main, marked)), &where); err != nil || where.URI != fileURI(part) || where.Range != want {
			t.Errorf("%s is defined at %v, %v", marked, where, err)
		}
	}
	if got := string(c.renamed(main, "twi^ce(1)", "double")); !strings.Contains(got, "included file") {
		t.Errorf("renaming: %s", got)
	}
	if !c.labels(main, "tw^ice(1)")["twice"] {
		t.Error("a function of an included file is not offered")
	}
	save("real twice(real x) {\n  return 2 * z;\n}\n")
	found := problems(t, c.tell("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": fileURI(part)}}))
	if len(found) != 1 || found[0].Range != (span{position{1, 2}, position{1, 31}}) || len(found[0].Related) != 1 ||
		found[0].Related[0].Location != (location{fileURI(part), span{position{1, 13}, position{1, 14}}}) {
		t.Errorf("found %+v", found)
	}
	if got := c.opened(fileURI(part), "real twice(real x) {"); len(problems(t, got)) != 0 {
		t.Errorf("a part of programs was checked as a program: %s", got)
	}
}

// problems are those of the one notification.
func problems(t *testing.T, messages []json.RawMessage) []diagnostic {
	t.Helper()
	if len(messages) != 1 {
		t.Fatalf("%d messages", len(messages))
	}
	var m struct{ Params diagnostics }
	if err := json.Unmarshal(messages[0], &m); err != nil {
		t.Fatal(err)
	}
	return m.Params.List
}

// Lint warnings come with the others, and can be turned off.
func TestLint(t *testing.T) {
	text := "parameters { real mu; }\nmodel { }\n"
	c := begun(t)
	found := problems(t, c.opened(uri, text))
	if len(found) == 0 || found[0].Severity != 2 || found[0].Source != "ppl lint" {
		t.Errorf("found %+v", found)
	}
	c = newClient(t)
	c.ask("initialize", map[string]any{"initializationOptions": map[string]any{"lint": false}})
	if found := problems(t, c.opened(uri, text)); len(found) != 0 {
		t.Errorf("found %+v", found)
	}
}

// A changed part, which clients may send although they are asked for whole texts.
func TestChangedPart(t *testing.T) {
	c := begun(t)
	c.opened(uri, "parameters { real µu; }\n")
	c.tell("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": 2}, "contentChanges": []any{
		map[string]any{"range": span{position{0, 18}, position{0, 20}}, "text": "mu"},
		map[string]any{"range": span{position{1, 0}, position{0, 0}}, "text": "// end\n"},
	}})
	if got := c.server.open[uri].text(); got != "parameters { real mu; }\n// end\n" {
		t.Errorf("the text became %q", got)
	}
}
