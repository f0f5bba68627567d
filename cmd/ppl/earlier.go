package main

// This file finds the fit that --fit names.

import (
	"errors"
	"fmt"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// An earlierFit is a fit on disk.
type earlierFit struct {
	dir   string
	draws *draws.Draws
	run   *draws.Run // nil: the folder has no record
}

// data are those of the fit; nil where the record names none.
func (e *earlierFit) data() *draws.Source {
	if e.run == nil {
		return nil
	}
	return e.run.Data
}

// readEarlier reads the one fit in a folder.
func readEarlier(a *frame.App, dir string, quiet bool) (*earlierFit, error) {
	dirs, err := fitFolders(a, dir)
	if err != nil {
		return nil, frame.Wrongf("--fit: %w", frame.PlainPath(err))
	}
	if len(dirs) > 1 {
		return nil, frame.Wrongf("--fit %s: there are several fits; choose one of %s", dir, strings.Join(dirs, ", "))
	}
	s, err := openStored(a, dirs[0], quiet)
	if e, ok := errors.AsType[*frame.Exit](err); ok {
		e.Err = fmt.Errorf("--fit: %w", e.Err)
	}
	if err != nil {
		return nil, err
	}
	if s.Files.Draws.Total() == 0 {
		return nil, frame.Wrongf("--fit %s: the fit has no draws", dir)
	}
	return &earlierFit{dir: dirs[0], draws: s.Files.Draws, run: s.Run}, nil
}

// seed is that of the fit, if it is known.
func (e *earlierFit) seed() (uint64, bool) {
	if e.run == nil {
		return 0, false
	}
	return e.run.Seed, true
}

// spread is the i-th of n draws that are spread evenly over the chains; where n is larger
// than their number they come again.
func (e *earlierFit) spread(i, n int) (chain, draw int) {
	total := e.draws.Total()
	at := i % total
	if n <= total {
		at = i * total / n
	}
	for ; at >= e.draws.Len(chain); chain++ {
		at -= e.draws.Len(chain)
	}
	return chain, at
}
