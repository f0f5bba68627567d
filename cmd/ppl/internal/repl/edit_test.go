package repl

import (
	"strings"
	"testing"
)

// :edit takes up the last input, or the model, and what the editor leaves is taken as typed.
func TestEdit(t *testing.T) {
	s, q, out := quietSession(t, "parameters { real mu; } model { mu ~ normal(0, 1); }", "1 + 1")
	var seen []string
	s.Editor = func(text string) (string, error) {
		seen = append(seen, text)
		return strings.NewReplacer("1 + 1", "1 + 2", "normal(0, 1)", "normal(0, 2)").Replace(text) + "\n", nil
	}
	for _, text := range []string{":edit", ":edit model", ":show"} {
		s.Do(text)
	}
	if len(q.errs) > 0 || len(seen) != 2 || seen[0] != "1 + 1" || !strings.Contains(seen[1], "mu ~ normal(0, 1);") {
		t.Errorf("%v; the editor saw %q", q.errs, seen)
	}
	if got := out.String(); !strings.Contains(got, "3\n") || !strings.Contains(got, "mu ~ normal(0, 2);") {
		t.Error(got)
	}
	s.Do(":edit nothing")
	if len(q.errs) != 1 {
		t.Error("a wrong argument is taken")
	}
}

// A history has one line for an input of several, with the same meaning.
func TestOneLine(t *testing.T) {
	for _, c := range [][2]string{
		{"1 + 1", "1 + 1"},
		{"model {\n  x ~ normal(0, 1); // a */ b\n  y = \"//\";\n}", `model { x ~ normal(0, 1); /* a * / b */ y = "//"; }`},
		{"real x = 3; // last", "real x = 3; // last"},
	} {
		if got := oneLine(c[0]); got != c[1] {
			t.Errorf("%q: found %q, want %q", c[0], got, c[1])
		}
	}
}

// The names of commands without a colon are told from expressions; draws that a change of the
// model has dropped are told from draws that never were; errors cite what was typed.
func TestSessionWords(t *testing.T) {
	s, q, _ := quietSession(t, "parameters { real mu; } model { mu ~ normal(0, 1); }")
	for _, c := range [][2]string{
		{"help", "help is a command: :help"},
		{"quit", "quit is a command: :quit"},
		{":summary", "there are no draws yet"},
	} {
		q.errs = nil
		s.Do(c[0])
		if len(q.errs) != 1 || !strings.Contains(q.errs[0].Error(), c[1]) {
			t.Errorf("%s: %v", c[0], q.errs)
		}
	}
	q.errs = nil
	s.Do(":run nuts(draws = 10, warmup = 10)")
	s.Do("model { mu ~ normal(0, 2); }")
	s.Do(":summary")
	if len(q.errs) != 1 || !strings.Contains(q.errs[0].Error(), "of the model before it was changed") {
		t.Error(q.errs)
	}
	q.errs = nil
	s.Do("transformed data {\n\n      real x   =   nothing;\n}")
	if len(q.errs) != 1 || !strings.Contains(q.errs[0].Error(), inputName+":3:") {
		t.Error(q.errs)
	}
}
