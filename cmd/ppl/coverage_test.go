package main

// This file sees to it that the script tests use every command, every flag and every exit
// code, as meant and wrongly.

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
)

// codesOf are the exit codes that scripts must show of a command, beside 0 and 2.
var codesOf = map[string][]int{
	"run":      {frame.ExitFailed, frame.ExitStrict, frame.ExitInterrupted},
	"diagnose": {frame.ExitFailed, frame.ExitStrict, frame.ExitInterrupted},
	"generate": {frame.ExitFailed, frame.ExitInterrupted},
	"simulate": {frame.ExitFailed},
	"density":  {frame.ExitFailed},
	"loo":      {frame.ExitStrict},
	"summary":  {frame.ExitStrict},
	"fmt":      {frame.ExitFailed},
	"lsp":      {frame.ExitFailed},
	"repl":     {frame.ExitFailed},
}

// A use is a line of a script that runs ppl.
type use struct {
	at      string // script and line
	args    []string
	code    int    // the exit code that is wanted; -1: any but 0
	checked bool   // a line that looks at an effect follows, in the same paragraph
	stderr  string // what is looked for on standard error before the next use
}

// TestScriptsCoverCommands: each command has a use as meant and a wrong one, and so has
// each of its flags. A flag's use as meant is followed by a line that looks at an effect. A
// use is wrong for the flag's sake if the message that is looked for names the flag or its
// value.
func TestScriptsCoverCommands(t *testing.T) {
	var all []use
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, usesOf(filepath.Base(script), string(text))...)
	}
	parser, err := newParser(frame.NewApp(strings.NewReader(""), io.Discard, io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range visible(parser.Model.Children) {
		var uses []use
		for _, u := range all {
			if len(u.args) > 0 && u.args[0] == command.Name {
				uses = append(uses, u)
			}
		}
		if !slices.ContainsFunc(uses, func(u use) bool { return slices.Contains(u.args, "--help") && u.code == 0 && u.checked }) {
			t.Errorf("ppl %s --help: no script looks at it", command.Name)
		}
		for _, code := range append([]int{0, frame.ExitWrongInput}, codesOf[command.Name]...) {
			if !slices.ContainsFunc(uses, func(u use) bool { return u.code == code }) {
				t.Errorf("ppl %s: no script wants exit code %d", command.Name, code)
			}
		}
		for _, group := range command.AllFlags(false) {
			for _, f := range group {
				if f.Name != "help" {
					flagIsCovered(t, command.Name, f, uses)
				}
			}
		}
	}
}

func flagIsCovered(t *testing.T, command string, f *kong.Flag, uses []use) {
	t.Helper()
	long, short, wrong := false, f.Short == 0, false
	for _, u := range uses {
		value, ok := u.value(f)
		ran := u.code == 0 || u.code == frame.ExitStrict || u.code == frame.ExitInterrupted
		long = long || ok && ran && u.checked
		short = short || ran && u.checked && slices.Contains(u.args, "-"+string(f.Short))
		wrong = wrong || ok && !ran && (strings.Contains(u.stderr, "--"+f.Name) || len(value) > 2 && strings.Contains(u.stderr, value))
	}
	if !long {
		t.Errorf("ppl %s --%s: no script looks at an effect of it", command, f.Name)
	}
	if !short {
		t.Errorf("ppl %s -%c: no script looks at an effect of it", command, f.Short)
	}
	if !wrong {
		t.Errorf("ppl %s --%s: no script uses it wrongly and looks at the message", command, f.Name)
	}
}

// value is the flag's value in a use, and whether the flag is there in its long form.
func (u use) value(f *kong.Flag) (string, bool) {
	for i, arg := range u.args {
		name, value, given := strings.Cut(arg, "=")
		if name != "--"+f.Name {
			continue
		}
		if !given && !f.IsBool() && i+1 < len(u.args) {
			value = u.args[i+1]
		}
		return value, true
	}
	return "", false
}

// usesOf reads a script line by line, up to its files.
func usesOf(name, text string) []use {
	var out []use
	paragraph := 0 // where it begins in out
	for n, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "-- ") {
			break
		}
		w := words(line)
		for len(w) > 0 && strings.HasPrefix(w[0], "[") {
			w = w[1:] // a condition
		}
		if len(w) == 0 {
			paragraph = len(out)
			continue
		}
		if code, args, ok := runs(w); ok {
			out = append(out, use{at: name + ":" + strconv.Itoa(n+1), args: args, code: code})
			continue
		}
		if !looks(w) {
			continue
		}
		for i := paragraph; i < len(out); i++ {
			out[i].checked = true
		}
		if w[0] == "stderr" && paragraph < len(out) {
			out[len(out)-1].stderr += strings.ReplaceAll(w[len(w)-1], `\`, "") + "\n"
		}
	}
	return out
}

// runs reports of a line's words with which arguments it runs ppl, and what is to come out.
func runs(w []string) (code int, args []string, ok bool) {
	switch {
	case w[0] == "exec":
		w = w[1:]
	case w[0] == "!" && len(w) > 1 && w[1] == "exec":
		code, w = -1, w[2:]
	case w[0] == "exits" && len(w) > 2:
		code, _ = strconv.Atoi(w[1])
		w = w[2:]
	case w[0] == "interrupted" && len(w) > 3:
		code, w = frame.ExitInterrupted, w[3:]
	case w[0] == "background" && len(w) > 3:
		w = w[3:]
	case w[0] == "limited":
		w = append(slices.Clone(w[1:]), "--time-limit", "500ms")
	default:
		return 0, nil, false
	}
	if len(w) == 0 || w[0] != "ppl" && w[0] != "ppl-hasty" {
		return 0, nil, false
	}
	return code, w[1:], true
}

// looks reports whether a line looks at what a command did.
func looks(w []string) bool {
	if w[0] == "!" && len(w) > 1 {
		w = w[1:]
	}
	return slices.Contains([]string{"stdout", "stderr", "cmp", "same", "grep", "exists", "numbers", "figure"}, w[0])
}

// words splits a line as scripts do: at spaces, but not inside of single quotes, in
// which two stand for one.
func words(line string) []string {
	var out []string
	var word strings.Builder
	quoted, begun := false, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'' && quoted && strings.HasPrefix(line[i:], "''"):
			word.WriteByte(c)
			i++
		case c == '\'':
			quoted, begun = !quoted, true
		case quoted || c != ' ' && c != '\t' && c != '#':
			word.WriteByte(c)
			begun = true
		default:
			if begun {
				out = append(out, word.String())
				word.Reset()
				begun = false
			}
			if c == '#' {
				return out
			}
		}
	}
	if begun {
		out = append(out, word.String())
	}
	return out
}

// What scripts say is understood.
func TestUses(t *testing.T) {
	const script = `# A comment is no empty line.
exec ppl run 'a model' --draws=3 -q  # here
cp stdout x
stdout 'it''s'

[!windows] exits 3 ppl run m --strict
! exec ppl-hasty run m --draws two
stderr '\-\-draws: .*two'
exec sh -c 'ppl run'
interrupted fit/chain-1.csv ^1 ppl run m
limited ppl run m
-- m --
exec ppl run m
`
	got := usesOf("s", script)
	want := []use{
		{at: "s:2", args: []string{"run", "a model", "--draws=3", "-q"}, checked: true},
		{at: "s:6", args: []string{"run", "m", "--strict"}, code: 3, checked: true},
		{at: "s:7", args: []string{"run", "m", "--draws", "two"}, code: -1, checked: true, stderr: "--draws: .*two\n"},
		{at: "s:10", args: []string{"run", "m"}, code: frame.ExitInterrupted},
		{at: "s:11", args: []string{"run", "m", "--time-limit", "500ms"}},
	}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range got {
		if got[i].at != want[i].at || !slices.Equal(got[i].args, want[i].args) || got[i].code != want[i].code || got[i].checked != want[i].checked || got[i].stderr != want[i].stderr {
			t.Errorf("found %+v, want %+v", got[i], want[i])
		}
	}
}
