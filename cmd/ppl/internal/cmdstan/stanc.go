package cmdstan

// This file is bin/stanc: it checks programs, tells their names and types, lays them out,
// and takes the compiler's options. There is no C++ to write: what --o names is a note.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/parser"
)

// stancOptions are the compiler's options.
type stancOptions struct {
	file     string
	name     string   // of the model
	output   string   // --o
	filename string   // in messages
	include  []string // folders
	info     bool
	format   bool
	layout   lang.Layout // of a program that is formatted
	inline   bool        // put included files in
	version  bool
	help     bool
	pedantic bool
	given    []string // all options as written, for the record
}

// Options of stanc by name: what they take, and what becomes of them. Those with a nil
// function are accepted and change nothing, for they concern C++ or its optimiser.
var (
	stancValues = map[string]func(*stancOptions, string){
		"name":            func(o *stancOptions, v string) { o.name = strings.Trim(v, `'"`) },
		"o":               func(o *stancOptions, v string) { o.output = v },
		"filename-in-msg": func(o *stancOptions, v string) { o.filename = v },
		"include-paths":   func(o *stancOptions, v string) { o.include = append(o.include, paths(v)...) },
		"canonicalize":    func(o *stancOptions, v string) { o.format = true; o.canonicalize(paths(v)) },
		"max-line-length": func(o *stancOptions, v string) { o.layout.Width, _ = strconv.Atoi(v) },
	}
	stancFlags = map[string]func(*stancOptions){
		"info":            func(o *stancOptions) { o.info = true },
		"version":         func(o *stancOptions) { o.version = true },
		"help":            func(o *stancOptions) { o.help = true },
		"auto-format":     func(o *stancOptions) { o.format = true },
		"print-canonical": func(o *stancOptions) { o.format = true; o.canonicalize([]string{"braces", "parentheses"}) },
		"warn-pedantic":   func(o *stancOptions) { o.pedantic = true },
		"O":               nil, "O0": nil, "O1": nil, "Oexperimental": nil,
		"allow-undefined": nil, "use-opencl": nil, "warn-uninitialized": nil,
		"standalone-functions": nil, "print-cpp": nil,
	}
)

// paths divides a list of folders at commas; the folders may be in quotes.
func paths(list string) []string {
	var out []string
	for _, p := range strings.Split(list, ",") {
		if p = strings.Trim(p, `'"`); p != "" {
			out = append(out, p)
		}
	}
	return out
}

// canonicalize takes the names of what is to be written in one way only. Deprecated forms
// there are none of: the language has dropped them.
func (o *stancOptions) canonicalize(names []string) {
	for _, name := range names {
		switch name {
		case "braces":
			o.layout.Braces = true
		case "parentheses":
			o.layout.Parentheses = true
		case "includes":
			o.inline = true
		case "strip-comments":
			o.layout.StripComments = true
		}
	}
}

// parseStanc reads the compiler's command line.
func parseStanc(args []string) (*stancOptions, error) {
	o := &stancOptions{}
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "" { // R hands over an option without value as an empty word
			continue
		}
		if !strings.HasPrefix(arg, "-") || arg == "-" {
			if o.file != "" {
				return nil, fmt.Errorf("too many arguments, don't know what to do with '%s'", arg)
			}
			o.file = arg
			continue
		}
		name, value, valued := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		name = strings.ReplaceAll(name, "_", "-")
		if take, ok := stancValues[name]; ok {
			if !valued {
				if i++; i == len(args) {
					return nil, fmt.Errorf("option '--%s' needs an argument", name)
				}
				value = args[i]
			}
			if take != nil {
				take(o, value)
			}
			if name != "o" && name != "name" {
				o.given = append(o.given, "--"+name+"="+value)
			}
			continue
		}
		take, ok := stancFlags[name]
		if !ok || valued {
			return nil, fmt.Errorf("unknown option '%s'", arg)
		}
		if take != nil {
			take(o)
		}
		o.given = append(o.given, arg)
	}
	return o, nil
}

// stancUsage is the compiler's help.
const stancUsage = `Usage: stanc [OPTION]... FILE
Checks a Stan program for ppl.
  --info                 names, types and functions as JSON
  --auto-format          print the program in the canonical layout
  --canonicalize=LIST    with it: braces, parentheses, includes, strip-comments, deprecations
  --print-canonical      the same as --canonicalize=braces,parentheses
  --max-line-length=N    with it: width of lines
  --warn-pedantic        warn about what is allowed and likely a mistake
  --include-paths=DIRS   folders of included files, divided by commas
  --name=NAME            name of the model
  --filename-in-msg=NAME what messages call the program
  --o=FILE               where the note that stands for C++ goes
  --version              version
Also accepted, without effect: --O --O0 --O1 --Oexperimental --allow-undefined --use-opencl
--warn-uninitialized --standalone-functions --print-cpp
`

// The exit code that stanc has for a wrong command line.
const exitUsage = 124

// runStanc is bin/stanc.
func runStanc(args []string, out, errs io.Writer) int {
	o, err := parseStanc(args)
	switch {
	case err != nil:
		fmt.Fprintf(errs, "stanc: %v\nUsage: stanc [OPTION]... FILE\nTry 'stanc --help' for more information.\n", err)
		return exitUsage
	case o.version:
		fmt.Fprintln(out, stancVersion)
		return exitOK
	case o.help:
		fmt.Fprint(out, stancUsage)
		return exitOK
	case o.file == "":
		fmt.Fprintln(errs, "stanc: required argument FILE is missing\nUsage: stanc [OPTION]... FILE")
		return exitUsage
	}
	if err := o.run(out, errs); err != nil {
		reportProgram(errs, err)
		return exitNotOK
	}
	return exitOK
}

// reportProgram shows what is wrong with a program, below the line that stanc begins with.
func reportProgram(errs io.Writer, err error) {
	if wrong, ok := errors.AsType[*lang.CompileError](err); ok {
		for _, p := range wrong.Problems.Sorted() {
			if p.Severity == problem.Error {
				fmt.Fprintf(errs, "%s error%s:\n", kindOf(p), strings.NewReplacer(" (in", " in", ")", "").Replace(in(p.Span)))
				break
			}
		}
	}
	fmt.Fprint(errs, lang.ErrorText(err))
}

// kindOf is what stanc calls a problem: of a file that does not parse, or of what it means.
func kindOf(p problem.Problem) string {
	if p.Span.IsZero() {
		return "Semantic"
	}
	_, problems := parser.Parse(p.Span.File, parser.Options{Includes: func(name string) (*source.File, error) { return source.NewFile(name, ""), nil }})
	if problems.HasErrors() {
		return "Syntax"
	}
	return "Semantic"
}

func (o *stancOptions) run(out, errs io.Writer) error {
	p, err := o.compile()
	if err != nil {
		return err
	}
	if o.format {
		return o.layOut(p, out)
	}
	out = problem.NewPrinter(out)
	o.warn(p, errs)
	if o.info {
		return writeStancInfo(out, p)
	}
	note := o.output
	if note == "" {
		base, _ := splitSuffix(o.file)
		note = base + ".hpp"
	}
	return os.WriteFile(note, []byte("// ppl runs "+filepath.Base(o.file)+" as it is; there is no C++ of it.\n"), 0o666)
}

// compile checks the program under the name that messages are to have.
func (o *stancOptions) compile() (*lang.Program, error) {
	if o.filename == "" {
		return lang.CompileFile(o.file, lang.Options{Include: o.include})
	}
	text, err := lang.ReadSourceFile(o.file)
	if err != nil {
		return nil, err
	}
	include := append([]string{filepath.Dir(o.file)}, o.include...)
	return lang.Compile(o.filename, text, lang.Options{Include: include})
}

// layOut prints a program, which has no errors, in the layout asked for.
func (o *stancOptions) layOut(p *lang.Program, out io.Writer) error {
	text := p.File.Text
	if o.inline {
		text = WithIncludes(p)
	}
	laid, err := lang.FormatWith(o.file, text, lang.Options{Include: o.include}, o.layout)
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, laid)
	return err
}

// warn shows warnings; the doubtful only on request.
func (o *stancOptions) warn(p *lang.Program, errs io.Writer) {
	_ = problem.WriteText(errs, p.Problems(), problem.Options{}) // nothing can be said of what cannot be written
	if !o.pedantic {
		return
	}
	for _, name := range p.WithoutPrior() {
		fmt.Fprintf(errs, "Warning: The parameter %s has no priors. This means either no prior is\n    provided, or the prior(s) depend on data variables. In the later case,\n    this may be a false positive.\n", name)
	}
	_ = problem.WriteText(errs, p.Lint(), problem.Options{})
}

// variables are those of a block as --info shows them: an object in the order of declaration.
func variables(symbols []*check.Symbol) json.RawMessage {
	members := make([]string, len(symbols))
	for i, s := range symbols {
		members[i] = fmt.Sprintf("%q: {\"type\": %q, \"dimensions\": %d}", s.Name, elementType(s), s.Type.Rank())
	}
	return json.RawMessage("{" + strings.Join(members, ", ") + "}")
}

// writeStancInfo writes what --info does.
func writeStancInfo(out io.Writer, p *lang.Program) error {
	block := func(k ast.BlockKind) json.RawMessage { return variables(p.Info.Globals[k]) }
	used := func(calls map[string]bool) []string {
		names := []string{}
		for name := range calls {
			names = append(names, name)
		}
		return sorted(names)
	}
	functions, distributions := map[string]bool{}, map[string]bool{}
	for _, c := range p.Info.Calls {
		functions[c.Name] = true
	}
	for _, c := range p.Info.Samples {
		distributions[c.Name] = true
	}
	files := []string{}
	for _, f := range p.Included {
		files = append(files, f.Name)
	}
	text, err := json.MarshalIndent(struct {
		Inputs        json.RawMessage `json:"inputs"`
		Parameters    json.RawMessage `json:"parameters"`
		Transformed   json.RawMessage `json:"transformed parameters"`
		Generated     json.RawMessage `json:"generated quantities"`
		Functions     []string        `json:"functions"`
		Distributions []string        `json:"distributions"`
		Included      []string        `json:"included_files"`
	}{
		block(ast.DataKind), block(ast.ParametersKind), block(ast.TransformedParametersKind), block(ast.GeneratedQuantitiesKind),
		used(functions), used(distributions), sorted(files),
	}, "", "  ")
	if err != nil {
		return errors.Join(errors.New("--info"), err)
	}
	_, err = fmt.Fprintf(out, "%s\n", text)
	return err
}

// elementType is the type of a variable's numbers in stanc's words.
func elementType(s *check.Symbol) string {
	switch s.Type.Base {
	case types.IntBase:
		return "int"
	case types.TupleBase:
		return "tuple"
	case types.ComplexBase, types.ComplexVectorBase, types.ComplexRowVectorBase, types.ComplexMatrixBase:
		return "complex"
	}
	return "real"
}
