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
// #include that names it.
func WithIncludes(p *lang.Program) string {
	if len(p.Included) == 0 {
		return p.File.Text
	}
	return expand(p.File, p.Included)
}

// expand puts files in the place of lines that include them. A line that names none of
// them stands in a comment. That files do not include each other in a circle is known
// from parsing them.
func expand(f *source.File, included []*source.File) string {
	var b strings.Builder
	for line := range strings.Lines(f.Text) {
		name, found := strings.CutPrefix(strings.TrimSpace(line), "#include")
		name, _, _ = strings.Cut(strings.TrimSpace(name), "//")
		file := namedFile(included, strings.Trim(strings.TrimSpace(name), `"<>`))
		if !found || file == nil {
			b.WriteString(line)
			continue
		}
		text := expand(file, included)
		b.WriteString(text)
		if !strings.HasSuffix(text, "\n") {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// namedFile is the included file of that name.
func namedFile(files []*source.File, name string) *source.File {
	for _, f := range files {
		if path := filepath.ToSlash(f.Name); path == name || strings.HasSuffix(path, "/"+name) {
			return f
		}
	}
	return nil
}
