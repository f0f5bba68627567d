// Package tools is the commands that fit nothing: layout of models, densities, functions, tables, editors, and what other programs load.
package tools

// This file is ppl fmt: the canonical layout of models.

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/console"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/input"
	"github.com/seed-12b88e03/ppl/lang"
)

// FmtCmd lays models out.
type FmtCmd struct {
	Models []string `arg:"" name:"model" help:"Files of models; - is standard input."`
	Write  bool     `short:"w" help:"Write the result to the file instead of standard output."`
	List   bool     `short:"l" help:"Name the files whose layout is another, and exit with 1 if there are any. With -w they are written, too."`
	input.IncludeFlags
}

// Help ends the command's help.
func (c *FmtCmd) Help() string {
	return `Examples:
  ppl fmt model.ppl            print the model in the one canonical layout
  ppl fmt -w *.ppl             lay the files out in place
  ppl fmt -l *.ppl             name those that are laid out otherwise; exit 1 if there are any

Comments, #include lines and single empty lines stay. Only models without syntax errors are
laid out.`
}

// Run lays out each model.
func (c *FmtCmd) Run(a *frame.App) error {
	failed, others := false, false
	for _, path := range c.Models {
		changed, err := c.model(a, path)
		others = others || changed
		var e *frame.Exit
		if err != nil && !errors.As(err, &e) {
			return err
		}
		if err != nil {
			failed = true
			a.ShowError(err)
		}
	}
	switch {
	case failed:
		return &frame.Exit{Code: frame.ExitWrongInput}
	case others && c.List && !c.Write:
		return &frame.Exit{Code: frame.ExitFailed}
	}
	return nil
}

// model lays out one model and reports whether that changed it.
func (c *FmtCmd) model(a *frame.App, path string) (changed bool, err error) {
	o, err := c.Options()
	if err != nil {
		return false, err
	}
	before, err := c.read(a, path)
	if err != nil {
		return false, err
	}
	name := path
	if path == "-" {
		name = input.StdinName
	}
	after, err := lang.Format(name, before, o)
	if err != nil {
		return false, frame.Wrong(err)
	}
	changed = after != before
	if c.List && changed {
		if _, err := fmt.Fprintln(a.Stdout, path); err != nil {
			return changed, err
		}
	}
	switch {
	case c.Write && path != "-":
		if !changed {
			return false, nil
		}
		return true, c.replace(path, after)
	case c.List:
		return changed, nil
	}
	out := a.Raw // programs and files have the text itself
	if console.IsTerminal(out) {
		out = a.Stdout
	}
	_, err = io.WriteString(out, after)
	return changed, err
}

func (c *FmtCmd) read(a *frame.App, path string) (text string, err error) {
	if path == "-" {
		text, err = lang.ReadSource(a.Stdin)
	} else {
		text, err = lang.ReadSourceFile(path)
	}
	if err != nil {
		return "", frame.Wrong(frame.PlainPath(err))
	}
	return strings.TrimPrefix(text, "\ufeff"), nil
}

// replace writes a file anew in one step, so that it is whole at all times.
func (c *FmtCmd) replace(path, text string) error {
	info, err := os.Stat(path)
	if err != nil {
		return frame.Wrong(frame.PlainPath(err))
	}
	whole := path + ".tmp"
	if err := os.WriteFile(whole, []byte(text), info.Mode().Perm()); err != nil {
		return frame.Wrong(frame.PlainPath(err))
	}
	if err := os.Rename(whole, path); err != nil {
		_ = os.Remove(whole) // the error is about the renaming
		return frame.Wrong(frame.PlainPath(err))
	}
	return nil
}
