package repl

// This file is the model of a session: blocks that are added, replaced and taken away,
// and files that it is loaded from and saved to.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/parser"
)

// setModel makes text the model, if it compiles. file is what messages call it; included
// files are looked for in its folder.
func (s *Session) setModel(file, text string) error {
	p, err := lang.Compile(file, text, s.Source)
	if err != nil {
		return err
	}
	s.file, s.text, s.program = file, text, p
	s.forget()
	s.keepScratch()
	return nil
}

// forget drops what was made from model and data.
func (s *Session) forget() {
	s.dropped = s.dropped || len(s.fits) > 0
	s.model, s.fits = nil, nil
}

// blocks puts blocks of a text into the model, in the place of those of the same kind.
func (s *Session) blocks(text string) error {
	file := source.NewFile(inputName, text)
	tree, problems := parser.Parse(file, parser.Options{Includes: noInclude})
	if problems.HasErrors() {
		return &lang.CompileError{Problems: problems}
	}
	parts := splitBlocks(s.text)
	found := false
	for kind, at := range blocksOf(tree) {
		if at != nil {
			parts[kind].text, found = at.Text(), true
		}
	}
	if !found {
		return errors.New("in a session #include stands inside a block; :load FILE reads a whole model")
	}
	if _, err := lang.Compile(inputName, strings.TrimRight(text, "\n"), s.Source); err != nil && s.aloneWrong(text, parts) {
		return err
	}
	return s.replace(parts)
}

// aloneWrong reports whether blocks that were typed are wrong, by themselves and in the
// model, in the same way: then the message is about what was typed.
func (s *Session) aloneWrong(text string, parts []part) bool {
	codes := func(err error) (out []string) {
		if wrong, ok := errors.AsType[*lang.CompileError](err); ok {
			for _, p := range wrong.Problems.Sorted() {
				if p.Severity == problem.Error {
					out = append(out, p.Code+p.Message)
				}
			}
		}
		return out
	}
	_, alone := lang.Compile(inputName, text, s.Source)
	_, whole := lang.Compile(inputName, joinBlocks(parts), s.Source)
	a, w := codes(alone), codes(whole)
	return len(w) > 0 && slices.Equal(a, w)
}

// replace makes the model of blocks, laid out, and shows its warnings.
func (s *Session) replace(parts []part) error {
	text := joinBlocks(parts)
	file := filepath.Join(filepath.Dir(s.file), unnamed) // it is not what the file holds any more
	out, err := lang.Format(file, text, s.Source)
	if err == nil {
		text = out
	}
	if err := s.setModel(file, text); err != nil {
		return err
	}
	s.View.Warnings(s.program.Problems())
	return nil
}

// blockKinds is the number of kinds of blocks.
const blockKinds = int(ast.InferenceKind) + 1

// blocksOf returns the places of a program's blocks, by kind; nil where there is none.
func blocksOf(p *ast.Program) []*source.Span {
	out := make([]*source.Span, blockKinds)
	if p.Functions != nil {
		out[ast.FunctionsKind] = &p.Functions.Loc
	}
	for _, b := range []*ast.Block{p.Data, p.TransformedData, p.Parameters, p.TransformedParameters, p.Model, p.GeneratedQuantities, p.Simulate} {
		if b != nil {
			out[b.Kind] = &b.Loc
		}
	}
	if p.Inference != nil {
		out[ast.InferenceKind] = &p.Inference.Loc
	}
	return out
}

// A part is a block of a model as text, with what stands before it: comments.
type part struct{ before, text string }

// splitBlocks takes a model apart into its blocks, by kind. What stands behind the last
// one goes with it.
func splitBlocks(text string) []part {
	tree, _ := parser.Parse(source.NewFile(unnamed, text), parser.Options{Includes: noInclude})
	out := make([]part, blockKinds)
	end, last := 0, -1
	for kind, at := range blocksOf(tree) {
		if at != nil {
			out[kind] = part{strings.TrimSpace(text[end:at.Start]), at.Text()}
			end, last = at.End, kind
		}
	}
	if rest := strings.TrimSpace(text[end:]); rest != "" && last >= 0 {
		out[last].text += "\n" + rest
	}
	return out
}

func joinBlocks(parts []part) string {
	var b strings.Builder
	for _, p := range parts {
		if p.text == "" {
			continue
		}
		if p.before != "" {
			b.WriteString(p.before + "\n")
		}
		b.WriteString(p.text + "\n")
	}
	return b.String()
}

// Load makes a file the model. data is the file of its data; where it is empty they are
// in NAME.json beside NAME.ppl, if that is there.
func (s *Session) Load(ctx context.Context, path, data string) error {
	text, err := lang.ReadSourceFile(path)
	if err != nil {
		return fileError(path, err)
	}
	kept := s.scratch
	s.scratch = nil
	if err := s.setModel(path, text); err != nil {
		s.scratch = kept
		return err
	}
	s.methods = nil
	s.View.Warnings(s.program.Problems())
	if data == "" {
		data = strings.TrimSuffix(path, filepath.Ext(path)) + ".json"
		if _, err := os.Stat(data); err != nil || !s.program.NeedsData() {
			return nil
		}
		s.View.Say("data: " + data + "\n")
	}
	return s.LoadData(ctx, data)
}

// fileError words the operating system's trouble with a file.
func fileError(path string, err error) error {
	var p *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: there is no such file", path)
	case errors.As(err, &p):
		return fmt.Errorf("%s: %w", path, p.Err)
	}
	return err
}

func (s *Session) load(ctx context.Context, path string) error {
	if path == "" {
		return errors.New(":load needs the file of a model")
	}
	return s.Load(ctx, path, "")
}

// show prints the model and the session's statements.
func (s *Session) show(context.Context, string) error {
	text := s.text
	if out, err := lang.Format(s.file, s.text, s.Source); err == nil {
		text = out
	}
	if text == "" {
		s.View.Say("the model is empty; type a block, such as parameters { real mu; }, or :load a file\n")
	}
	for _, line := range s.scratch {
		text += "// session: " + strings.ReplaceAll(line, "\n", "\n// ") + "\n"
	}
	return s.write(text)
}

// save writes the model to a file, whole or not at all.
func (s *Session) save(_ context.Context, path string) error {
	if path == "" {
		return errors.New(":save needs the file to write the model to")
	}
	if s.text == "" {
		return errors.New("the model is empty; there is nothing to save")
	}
	text, err := lang.Format(s.file, s.text, s.Source)
	if err != nil {
		return err
	}
	whole := path + ".tmp"
	err = os.WriteFile(whole, []byte(text), 0o644)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: there is no folder %s", path, filepath.Dir(path))
	case err != nil:
		return fileError(path, err)
	}
	if err := os.Rename(whole, path); err != nil {
		_ = os.Remove(whole) // the error is about the renaming
		return fileError(path, err)
	}
	s.View.Say("written: " + path + "\n")
	return nil
}

// reset takes one block away, or everything.
func (s *Session) reset(_ context.Context, name string) error {
	if name == "" {
		s.data, s.dataName = nil, ""
		s.clear()
		return nil
	}
	names := blockNames()
	kind := slices.Index(names, strings.Join(strings.Fields(name), " "))
	if kind < 0 {
		return fmt.Errorf("there is no block %q; blocks are %s", name, strings.Join(names, ", "))
	}
	parts := splitBlocks(s.text)
	if parts[kind].text == "" {
		return fmt.Errorf("the model has no block %s", names[kind])
	}
	parts[kind] = part{}
	return s.replace(parts)
}

func blockNames() []string {
	var out []string
	for k := range blockKinds {
		out = append(out, ast.BlockKind(k).String())
	}
	return out
}
