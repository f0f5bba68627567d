package cmdstan

// This file is the executable of a model: a shell script that starts ppl with itself as
// the first argument, and carries the program behind its last command. It can be copied
// and moved like CmdStan's.

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-12b88e03/ppl/infer/disk"
	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// marker starts the line of settings; the program follows it.
const marker = "# ppl-model: "

// An executable is what a script carries.
type executable struct {
	Name       string `json:"name"` // of the model, as in "bernoulli_model"
	File       string `json:"file"` // as messages call the program
	StancFlags string `json:"stancflags"`
	Threads    bool   `json:"threads"` // built with STAN_THREADS

	Echo map[string]bool `json:"echo,omitempty"` // settings of the C++ compiler that were given, and mean nothing here

	program string
}

// script is the text of the file; ppl is the program that it starts.
func (e *executable) script(ppl string) (string, error) {
	settings, err := json.Marshal(e)
	if err != nil {
		return "", err
	}
	return "#!/bin/sh\n# A model that ppl runs; made by ppl cmdstan. The program follows below.\n" +
		"exec " + quoted(ppl) + " cmdstan-tool model \"$0\" \"$@\"\n" + marker + string(settings) + "\n" + e.program, nil
}

// quoted is a word for the shell.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// readExecutable reads a script.
func readExecutable(path string) (*executable, error) {
	b, err := disk.ReadFile(path)
	if err != nil {
		return nil, err
	}
	_, behind, found := strings.Cut(string(b), "\n"+marker)
	settings, program, ok := strings.Cut(behind, "\n")
	if !found || !ok {
		return nil, fmt.Errorf("%s is no executable of a model made by ppl cmdstan", path)
	}
	e := &executable{program: program}
	if err := json.Unmarshal([]byte(settings), e); err != nil {
		return nil, fmt.Errorf("%s: its settings cannot be read: %w", path, err)
	}
	return e, nil
}

// compile is the program that the script carries.
func (e *executable) compile() (*lang.Program, error) {
	return lang.Compile(e.File, e.program, lang.Options{})
}

// build makes the executable of a model file, with its includes put in, at target.
func build(ppl, model, target string, o *stancOptions, settings map[string]bool) (*lang.Program, error) {
	p, err := lang.CompileFile(model, lang.Options{Include: o.include})
	if err != nil {
		return nil, err
	}
	e := &executable{Name: o.name, File: filepath.Base(model), StancFlags: strings.Join(o.given, " "), Threads: settings["STAN_THREADS"], Echo: settings}
	if o.filename != "" {
		e.File = o.filename
	}
	if e.Name == "" {
		e.Name = ModelName(model)
	}
	e.program = WithIncludes(p)
	text, err := e.script(ppl)
	if err != nil {
		return nil, err
	}
	// A running executable must not be written to: the new one takes its name.
	next := target + ".new"
	if err := os.WriteFile(next, []byte(text), 0o777); err != nil {
		return nil, err
	}
	return p, os.Rename(next, target)
}

// ModelName is stanc's name for the model of a file.
func ModelName(path string) string {
	base := filepath.Base(path)
	base = strings.TrimSuffix(base, filepath.Ext(base))
	return strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, base) + "_model"
}

// WithIncludes is the program's text with the text of each file in the place of the
// #include that the parser read it for.
func WithIncludes(p *lang.Program) string {
	directives := []ast.Comment{}
	for _, c := range p.AST.Comments {
		if strings.HasPrefix(c.Text, "#include") {
			directives = append(directives, c)
		}
	}
	return expand(p.File, &directives)
}

// expand is the text of f, whose directives are the next ones: each is followed by those of the
// file that it includes.
func expand(f *source.File, directives *[]ast.Comment) string {
	var b strings.Builder
	at := 0
	for len(*directives) > 0 && (*directives)[0].Loc.File == f {
		c := (*directives)[0]
		*directives = (*directives)[1:]
		b.WriteString(f.Text[at:c.Loc.Start])
		at = c.Loc.End
		if c.Included != nil {
			// What follows on the line must not go on in a last comment of the file.
			b.WriteString(strings.TrimSuffix(expand(c.Included, directives), "\n") + "\n")
			if rest := strings.TrimLeft(f.Text[at:], " \t\f\r"); strings.HasPrefix(rest, "\n") {
				at = len(f.Text) - len(rest) + 1
			}
		}
	}
	b.WriteString(f.Text[at:])
	return b.String()
}
