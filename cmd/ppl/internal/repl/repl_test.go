package repl

// This file tests what recorded sessions (cmd/ppl/testdata/repl) do not reach: what an
// input is, completion, plots of known numbers, and a run that is stopped.

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/problem"
)

func TestKindsOfInput(t *testing.T) {
	for text, want := range map[string]inputKind{
		"":                           nothing,
		"  // only a comment":        nothing,
		":run":                       commandInput,
		"data { int N; }":            blockInput,
		"transformed":                blockInput,
		"generated quantities {":     blockInput,
		"simulate { }":               blockInput,
		"simulate + 1":               expressionInput, // may be a variable
		"1 + 1":                      expressionInput,
		"1 + 1;":                     expressionInput,
		"x == 3":                     expressionInput,
		"x[1] <= 3 +":                expressionInput,
		"f(x)'":                      expressionInput,
		"x = 3":                      statementInput,
		"x[1, 2] += 3;":              statementInput,
		"x .*= 3":                    statementInput,
		"real x":                     statementInput,
		"array[3] int k = {1, 2, 3}": statementInput,
		"for (i in 1:3) print(i);":   statementInput,
		"x ~ normal(0, 1)":           statementInput,
		"print(1, \"a\")":            statementInput,
	} {
		if got := kindOf(text); got != want {
			t.Errorf("%q: kind %d, want %d", text, got, want)
		}
	}
}

func TestUnfinishedInput(t *testing.T) {
	for text, want := range map[string]bool{
		"":                                  false,
		"/* a comment":                      true,
		"data {":                            true,
		"data":                              true,
		"data { int N":                      true,
		"data { int N }":                    false, // an error: the ";" is missing
		"data { int N; }":                   false,
		"model {\n  y ~ normal(0, 1) z;":    true, // an error, and more of the block to come
		"model {\n  y ~ normal(0, 1) z;\n}": false,
		"if (x > 1) {\n  y = ;\n  {":        true,
		"model { print(\"a);\n}":            false, // an error: the string has no end
		"data { int N; } // (":              false,
		"data { int N; } /* { \" */":        false,
		"1 +":                               true,
		"f(1,":                              true,
		"1 + )":                             false,
		"real x = 3":                        false, // the ";" may be left out
		"real x =":                          true,
		"real x = 3; x^2":                   false, // statement and expression
		"real x = 3; x +":                   true,
		"real x = 3; // three":              false,
		"for (i in 1:3)":                    true,
		"for (i in 1:3) {":                  true,
		"if (x > 1) {\n  y = 2;":            true,
		":data {\"N\": 3,":                  true,
		":data {\"N\": \"}\"":               true,
		":data {\"N\": [3}":                 false, // an error
		":run nuts(":                        true,
		":type 1 +":                         true,
		":type":                             false,
		":nothing":                          false,
		"simulate { x = 1;":                 true,
		"#include \"nowhere.stan\"":         false,
		"model { #include nowhere.x\n":      true,
	} {
		if got := unfinished(text); got != want {
			t.Errorf("%q: unfinished %v, want %v", text, got, want)
		}
	}
}

// A cell comes apart into inputs; each begins in the line that it has in the cell.
func TestInputs(t *testing.T) {
	for text, want := range map[string][]string{
		"":                   nil,
		"\n// a comment\n\n": nil,
		"1 + 1\n\n2":         {"1 + 1", "\n\n2"},
		"data {\n  int N;\n}\n\n// c\nmodel {\n}\n:run": {"data {\n  int N;\n}\n\n// c\nmodel {\n}", "\n\n\n\n\n\n\n:run"},
		"model { }\nx = 1\nmodel { }":                   {"model { }", "\nx = 1", "\n\nmodel { }"},
		":data {\"N\":\n3}\nN":                          {":data {\"N\":\n3}", "\n\nN"},
		"model {\n:show\n1 +":                           {"model {", "\n:show", "\n\n1 +"},
		"real x = 1;\nfor (i in 1:3)\n  x += i;\nx":     {"real x = 1;", "\nfor (i in 1:3)\n  x += i;", "\n\n\nx"},
	} {
		if diff := cmp.Diff(want, Inputs(text)); diff != "" {
			t.Errorf("%q (-want +got)\n%s", text, diff)
		}
	}
	for text, want := range map[string]bool{"1\n2 +": true, "1 +\n2": false, "model {\n": true, "": false} {
		if got := Unfinished(text); got != want {
			t.Errorf("%q: unfinished %v, want %v", text, got, want)
		}
	}
	for text, want := range map[string]string{"x + no|rmal_rng(0, 1)": "normal_rng", "|x": "x", ":pl|ot x": ":plot", "x[1|]": "1", "a:b|": "b", "": ""} {
		before, after, _ := strings.Cut(text, "|")
		if got := WordAt(before, after); got != want {
			t.Errorf("%q: found %q, want %q", text, got, want)
		}
	}
}

// A quiet is a View that keeps errors, and stops runs after some steps.
type quiet struct {
	infer.Ignore
	out    io.Writer
	errs   []error
	said   string
	after  int // steps; 0: never
	cancel context.CancelFunc
	saying func(text string) // nil: said keeps it
}

func (q *quiet) show(text string) error {
	_, err := io.WriteString(q.out, text+"\n")
	return err
}
func (q *quiet) Fit(f *lang.Fit, _ bool) error             { return q.show(f.Method) }
func (q *quiet) Table(d *draws.Draws) error                { return q.show(strings.Join(d.Columns(), " ")) }
func (q *quiet) Verdict(v *diagnose.Verdict, _ bool) error { return q.show(v.Summary) }
func (q *quiet) Plot(_ *draws.Draws, blocks string) error  { return q.show(blocks) }
func (q *quiet) Error(err error)                           { q.errs = append(q.errs, err) }
func (q *quiet) Say(text string) {
	if q.saying != nil {
		q.saying(text)
		return
	}
	q.said += text
}
func (q *quiet) Warnings(*problem.List)                      {}
func (q *quiet) Functions(string) string                     { return "" }
func (q *quiet) Watch(string, bool) (infer.Observer, func()) { return q, func() {} }
func (q *quiet) Interruptible() (ctx context.Context, stop func()) {
	ctx, q.cancel = context.WithCancel(context.Background())
	return ctx, q.cancel
}

// Draw implements infer.Observer.
func (q *quiet) Draw(r draws.Row) error {
	if q.after > 0 && r.Iteration >= q.after {
		q.cancel()
	}
	return nil
}

// noLines is a terminal at its end.
type noLines struct{}

func (noLines) ReadLine(string) (string, error) { return "", io.EOF }

func quietSession(t *testing.T, inputs ...string) (*Session, *quiet, *bytes.Buffer) {
	t.Helper()
	var out bytes.Buffer
	q := &quiet{out: &out}
	s := New(Options{Terminal: noLines{}, Out: &out, View: q, Seed: 1, Jobs: 1})
	for _, text := range inputs {
		s.Do(text)
	}
	if len(q.errs) > 0 {
		t.Fatal(q.errs)
	}
	return s, q, &out
}

// What follows statements is shown.
func TestStatementAndExpression(t *testing.T) {
	_, _, out := quietSession(t, "real x = 3; x^2", "x = 4; real y = x; x + y;", "for (i in 1:2) { x += i; } x", "x = 1; {x, 2}")
	if got, want := out.String(), "9\n8\n7\n[1,2]\n"; got != want {
		t.Errorf("found %q, want %q", got, want)
	}
}

// A run that is stopped keeps its draws, and the session goes on.
func TestInterruptedRun(t *testing.T) {
	s, q, out := quietSession(t, "parameters { real mu; } model { mu ~ normal(0, 1); }")
	q.after = 50
	s.Do(":run nuts(chains = 1, warmup = 100, draws = 100000)")
	if len(q.errs) > 0 || !strings.Contains(q.said, "interrupted; the draws so far are kept") {
		t.Fatalf("errors %v, said %q", q.errs, q.said)
	}
	if n := s.fits[0].Posterior.Draws.Total(); n < 50 || n > 10000 {
		t.Errorf("%d draws were kept, want at least 50 of 100000", n)
	}
	q.after = 0
	out.Reset()
	s.Do("exp(mu)")
	s.Do("1 + 1")
	if got := out.String(); got != "exp(mu)\n2\n" || len(q.errs) > 0 {
		t.Errorf("after the interrupt: found %q, errors %v", got, q.errs)
	}
}

// A loop without end is given up.
func TestInterruptedExpression(t *testing.T) {
	s, q, _ := quietSession(t, "functions { real forever() { while (1) { } return 1; } }")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.expression(ctx, "forever()"); !errors.Is(err, infer.ErrInterrupted) {
		t.Errorf("found %v, want %v", err, infer.ErrInterrupted)
	}
	s.Do("2")
	if len(q.errs) > 0 {
		t.Error(q.errs)
	}
}

// So are transformed data without end.
func TestInterruptedData(t *testing.T) {
	s, q, _ := quietSession(t, "transformed data { int i = 1; while (i > 0) i = 2; } parameters { real mu; } model { mu ~ normal(0, 1); }")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, do := range map[string]func(context.Context, string) error{"run": s.run, "density": s.density, "simulate": s.simulate} {
		if err := do(ctx, ""); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: found %v, want %v", name, err, context.Canceled)
		}
	}
	if len(q.errs) > 0 {
		t.Error(q.errs)
	}
}

// What cannot be left half-way, here a print that does not return, is left to itself.
func TestInterruptedWithoutEnd(t *testing.T) {
	for _, text := range []string{":run", ":density", ":simulate", ":prior"} {
		s, q, _ := quietSession(t, "transformed data { print(1); } parameters { real mu; } model { mu ~ normal(0, 1); }")
		ctx, cancel := context.WithCancel(context.Background())
		stuck, waited := make(chan struct{}), make(chan struct{})
		freed := time.AfterFunc(10*time.Second, func() { close(waited) }) // where the fault is there, the test ends all the same
		q.saying = func(string) {
			cancel()
			select {
			case <-stuck:
			case <-waited:
			}
		}
		err := s.input(ctx, text)
		if !freed.Stop() {
			t.Errorf("%s: the session waited", text)
		}
		if err == nil {
			t.Errorf("%s: no error", text)
		}
		q.saying = nil
		close(stuck)
		s.Do("1 + 1")
		cancel()
	}
}

func TestCompletion(t *testing.T) {
	s, _, _ := quietSession(t,
		"functions { real triple(real x) { return 3 * x; } }",
		"data { int N_schools; } parameters { vector[2] theta; } model { theta ~ std_normal(); } inference { quick = advi(draws = 100); }",
		":data {\"N_schools\": 3}", "real tripod = 3", ":run quick")
	for before, want := range map[string][]string{
		":su":                         {"summary "},
		":s":                          {"save ", "seed ", "show ", "simulate ", "slide ", "summary "},
		"tri":                         {"trigamma", "triple", "tripod"},
		"1 + N_":                      {"N_schools"},
		"std_normal_r":                {"std_normal_rng"},
		"gener":                       {"generated quantities {", "generalized_inverse", "generate_laplace_options"},
		":run qu":                     {"quick"},
		":run path":                   {"pathfinder("},
		":run nuts(de":                {"delta = "},
		":run nuts(delta = 0.9, metr": {"metric = "},
		":run nuts(metric = \"d":      {"dense", "diagonal"},
		":run bridge(nu":              {"nuts("},
		":run bridge(nuts(), tol":     {"tolerance = "},
		":diagnose sb":                {"sbc("},
		":diagnose sbc(nuts(), repl":  {"replications = "},
		":method advi(family = \"fu":  {"fullrank"},
		":plot th":                    {"theta"},
		":summary theta th":           {"theta"},
		":reset gen":                  {"generated quantities"},
		":help plo":                   {"plot"},
		":type 1 + tripo":             {"tripod"},
		":load testdata/compl":        {"testdata/complete.ppl"},
		":simulate ":                  {"keep"},
		":nothing x":                  nil,
	} {
		words, replace := s.Complete(before)
		slices.Sort(want)
		if diff := cmp.Diff(want, words); diff != "" {
			t.Errorf("%q (-want +got)\n%s", before, diff)
		}
		for _, w := range words {
			if !strings.HasPrefix(w, before[len(before)-replace:]) {
				t.Errorf("%q: %q does not begin with the last %d bytes", before, w, replace)
			}
		}
	}
}

func tableOf(columns map[string][]float64, names ...string) *draws.Draws {
	d := draws.New(1, nil, names)
	for i := range columns[names[0]] {
		row := draws.Row{Iteration: i}
		for _, n := range names {
			row.Values = append(row.Values, columns[n][i])
		}
		d.Append(row)
	}
	return d
}

// The heights of a histogram are the counts; a whole number has its own bar.
func TestHistogram(t *testing.T) {
	x := []float64{1, 1, 1, 1, 2, 2, 4}
	a, err := axisOf(x)
	if err != nil {
		t.Fatal(err)
	}
	got := a.tall(a.count(x, nil), 2)
	block := func(r string) string { return strings.Repeat(r, 15) }
	want := "  " + block("█") + "\n  " + block("█") + block("█") + block(" ") + block("▄") + "\n  " +
		strings.Repeat("─", 60) + "\n  1" + strings.Repeat(" ", 58) + "4\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	// Weights count in the place of numbers: 4 x 1, 2 x 2 and 1 x 4 all weigh 4.
	counts := a.count(x, []float64{1, 1, 1, 1, 2, 2, 4})
	if counts[0] != 4 || counts[15] != 4 || counts[30] != 0 || counts[59] != 4 {
		t.Errorf("found weights %v", counts)
	}
}

func TestRidgesAndTraces(t *testing.T) {
	d := tableOf(map[string][]float64{"k.1": {0, 0, 0, 0}, "k.2": {0, 1, 1, 2}}, "k.1", "k.2")
	got, err := ridges(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	third := func(r string) string { return strings.Repeat(r, 20) }
	want := "k.1  " + third("█") + "\nk.2  " + third("▄") + third("█") + third("▄") + "\n     0" + strings.Repeat(" ", 58) + "2\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	want = "means of successive draws, between 0 and 7\nchain 1   ▁▂▃▄▅▆▇█\nchain 2   ████    \n"
	want = strings.Replace(want, "████    \n", "████\n", 1)
	if diff := cmp.Diff(want, trace([][]float64{{0, 1, 2, 3, 4, 5, 6, 7}, {7, 7, 7, 7}})); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if _, err := ridges(tableOf(map[string][]float64{"x.1": {0}}, "x.1"), nil); err != nil {
		t.Error(err)
	}
}

func TestPlainTerminal(t *testing.T) {
	in := NewPlain(strings.NewReader("one\r\ntwo"))
	for _, want := range []string{"one", "two"} {
		if got, err := in.ReadLine(prompt); got != want || err != nil {
			t.Errorf("found %q, %v, want %q", got, err, want)
		}
	}
	if _, err := in.ReadLine(prompt); !errors.Is(err, io.EOF) {
		t.Errorf("found %v at the end", err)
	}
}

// Whatever is typed, the session can tell what it is and what may follow it.
func FuzzInput(f *testing.F) {
	for _, text := range []string{":run nuts(delta = ", "data { int N", "x[1, 2] .*= 3", "\"", "/*", ":", ": load x", "simulate {", "f(1 |", ":diagnose sbc(nuts(metric = \"", "#include"} {
		f.Add(text)
	}
	s := New(Options{Terminal: noLines{}, Out: io.Discard, View: &quiet{out: io.Discard}})
	f.Fuzz(func(t *testing.T, text string) {
		unfinished(text)
		words, replace := s.Complete(text)
		for _, w := range words {
			if replace > len(text) || !strings.HasPrefix(w, text[len(text)-replace:]) {
				t.Errorf("%q: %q does not begin with the last %d bytes", text, w, replace)
			}
		}
	})
}

// typist is a terminal at which keys were pressed.
type typist struct {
	noLines
	keys       []Key
	err        error
	remembered string
}

func (p *typist) Remember(text string) error {
	p.remembered = text
	return nil
}

func (p *typist) Keys(press func(Key)) error {
	for _, k := range append([]Key{KeyNone}, p.keys...) {
		press(k)
	}
	return p.err
}

// Keys move the numbers of the priors and the quantiles follow: mu's standard deviation is doubled, so that its quantiles are, by the same random numbers. What
// was set is kept as the line that sets it; what is given up is not.
func TestSlide(t *testing.T) {
	s, q, out := quietSession(t, "parameters { real mu; } model { mu ~ normal(0, 1); }")
	s.Do(":slide mu")
	if len(q.errs) != 1 || !strings.Contains(q.errs[0].Error(), "needs a terminal") {
		t.Fatal(q.errs)
	}
	q.errs = nil
	p := &typist{keys: []Key{KeyDown, KeyRight, KeyRight, KeyRight, KeyRight}}
	s.Terminal = p
	s.Do(":slide mu")
	if len(q.errs) > 0 {
		t.Fatal(q.errs)
	}
	frames := strings.Split(out.String(), "\x1b[J")
	if len(frames) != 6 || !strings.Contains(frames[0], ">  1  mu ~ normal(0, 1);") || !strings.Contains(frames[5], ">  2  mu ~ normal(0, 2);  2  ──────────┼───●──────  from 1") {
		t.Fatalf("found %d frames: %s", len(frames), out)
	}
	quantile := func(frame string) float64 {
		_, row, _ := strings.Cut(frame, "\nmu ")
		x, err := strconv.ParseFloat(strings.Fields(row)[5], 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	if a, b := quantile(frames[0]), quantile(frames[5]); !(a > 1.3 && a < 2) || math.Abs(b-2*a) > 0.02 {
		t.Errorf("95 %% is %v and then %v, want twice as much", a, b)
	}
	if p.remembered != ":prior 2=2 mu" || !strings.Contains(out.String(), "\n:prior 2=2 mu\n") {
		t.Errorf("%q was kept", p.remembered)
	}
	p.err, p.remembered = ErrInterrupt, ""
	if s.Do(":slide mu"); len(q.errs) > 0 || p.remembered != "" {
		t.Errorf("%q was kept of what was given up, %v", p.remembered, q.errs)
	}
	p.err, p.keys = nil, []Key{KeyUp, KeyLeft, KeyRight}
	if s.Do(":slide mu"); len(q.errs) > 0 || p.remembered != "" {
		t.Errorf("%q was kept, where nothing had moved, %v", p.remembered, q.errs)
	}
	for _, bad := range []string{":slide nu", ":slide 7=1 mu", ":slide 2=-1 mu"} {
		q.errs = nil
		if s.Do(bad); len(q.errs) != 1 {
			t.Errorf("%s: %v", bad, q.errs)
		}
	}
}
