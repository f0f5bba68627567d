package folders

// This file finds the fit that --fit names.

import (
	"errors"
	"fmt"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// An EarlierFit is a fit on disk.
type EarlierFit struct {
	Dir   string
	Draws *draws.Draws
	Run   *draws.Run // nil: the folder has no record
}

// Data are those of the fit; nil where the record names none.
func (e *EarlierFit) Data() *draws.Source {
	if e.Run == nil {
		return nil
	}
	return e.Run.Data
}

// ReadEarlier reads the one fit in a folder.
func ReadEarlier(a *frame.App, dir string, quiet bool) (*EarlierFit, error) {
	dirs, err := FitFolders(a, dir)
	if err != nil {
		return nil, frame.Wrongf("--fit: %w", frame.PlainPath(err))
	}
	if len(dirs) > 1 {
		return nil, frame.Wrongf("--fit %s: there are several fits; choose one of %s", dir, strings.Join(dirs, ", "))
	}
	s, err := OpenStored(a, dirs[0], quiet)
	if e, ok := errors.AsType[*frame.Exit](err); ok {
		e.Err = fmt.Errorf("--fit: %w", e.Err)
	}
	if err != nil {
		return nil, err
	}
	if s.Files.Draws.Total() == 0 {
		return nil, frame.Wrongf("--fit %s: the fit has no draws", dir)
	}
	return &EarlierFit{Dir: dirs[0], Draws: s.Files.Draws, Run: s.Run}, nil
}

// Seed is that of the fit, if it is known.
func (e *EarlierFit) Seed() (uint64, bool) {
	if e.Run == nil {
		return 0, false
	}
	return e.Run.Seed, true
}

// Spread is the i-th of n draws that are spread evenly over the chains; where n is larger
// than their number they come again.
func (e *EarlierFit) Spread(i, n int) (chain, draw int) {
	total := e.Draws.Total()
	at := i % total
	if n <= total {
		at = i * total / n
	}
	for ; at >= e.Draws.Len(chain); chain++ {
		at -= e.Draws.Len(chain)
	}
	return chain, at
}
