package repl

// This file is the data of a session, and the model joined with them.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/tables"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/lang"
)

// LoadData reads the data from a file, or from several; see data.ReadFiles.
func (s *Session) LoadData(ctx context.Context, path string) error {
	set, err := s.readFiles(path)
	if err != nil {
		return err
	}
	return s.setData(ctx, set, path)
}

// readFiles reads all variables of JSON, and of tables what the model declares, with the sizes that they imply.
func (s *Session) readFiles(path string) (*data.Set, error) {
	read, formats := s.program.ReadDataFile, tables.Formats()
	if !data.HoldTable(path, formats...) {
		read = func(path string, _ ...data.Format) (*data.Set, error) { return data.ReadFiles(path, nil) }
	}
	set, err := read(path, formats...)
	if err != nil {
		return nil, fileError(path, err)
	}
	for _, r := range set.Remarks {
		s.View.Say("data: " + r + "\n")
	}
	return set, nil
}

// setData takes data. An error says that the model does not fit them; they are taken
// all the same, for the model may be what is to be changed.
func (s *Session) setData(ctx context.Context, set *data.Set, name string) error {
	s.data, s.dataName = set, name
	s.forget()
	s.keepScratch()
	if !s.program.NeedsData() {
		return nil
	}
	_, err := s.bound(ctx)
	return err
}

// readData is :data.
func (s *Session) readData(ctx context.Context, arg string) error {
	switch {
	case arg == "":
		return s.showData()
	case strings.HasPrefix(arg, "{"):
		set, err := data.ReadBytes([]byte(arg), "data", nil)
		if err != nil {
			return err
		}
		return s.setData(ctx, set, "typed in")
	}
	return s.LoadData(ctx, arg)
}

// showData lists the variables with their sizes.
func (s *Session) showData() error {
	if s.data == nil {
		return s.write("no data; :data FILE reads them, :data {\"N\": 3} takes them as they are\n")
	}
	var names []string
	for name := range s.data.Vars {
		names = append(names, name)
	}
	slices.Sort(names)
	text := fmt.Sprintf("data: %s\n", s.dataName)
	for _, name := range names {
		v := s.data.Vars[name]
		what := "a number"
		switch {
		case v.IsTuple():
			what = "a tuple"
		case len(v.Dims) > 0:
			what = strings.ReplaceAll(strings.Trim(fmt.Sprint(v.Dims), "[]"), " ", " x ") + " numbers"
		case len(v.X) == 1:
			what = fmt.Sprint(v.X[0])
		}
		text += fmt.Sprintf("  %s: %s\n", name, what)
	}
	return s.write(text)
}

// bound is the model with its data.
func (s *Session) bound(ctx context.Context) (*lang.Model, error) {
	if s.model != nil {
		return s.model, nil
	}
	if s.data.HasTable() { // another model may declare other columns
		set, err := s.program.ReadDataFile(s.dataName, tables.Formats()...)
		if err != nil {
			return nil, fileError(s.dataName, err)
		}
		s.data = set
	}
	m, err := s.bind(ctx, s.program, lang.BindOptions{Seed: s.Seed, WithoutNative: s.NoJIT, Print: s.print})
	if err != nil {
		return nil, s.withoutData(err)
	}
	s.model = m
	return m, nil
}

// print shows what print statements of the model say.
func (s *Session) print(text string) { s.View.Say(text + "\n") }

// withoutData adds to an error of binding that there are no data.
func (s *Session) withoutData(err error) error {
	var misfit *lang.DataError
	if s.data == nil && errors.As(err, &misfit) {
		s.View.Say("no data were given: use :data FILE, or :data {\"N\": 3, ...}\n")
	}
	return err
}

// needsModel reports that there is nothing to run.
func (s *Session) needsModel() error {
	if s.text == "" {
		return errors.New("the model is empty; type its blocks, or :load a file")
	}
	return nil
}
