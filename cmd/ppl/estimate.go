package main

// This file estimates what a run needs before it begins.

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/system"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A need is what draws take, in bytes.
type need struct {
	draws, columns float64
	memory, disk   float64
	temporary      float64
}

// What a draw takes in bytes beside its columns, and for each column: the draws themselves, their
// orders and ranks while they are diagnosed, and slices that grow; in files a number has about 11
// characters, and 8 bytes in the checkpoint. Of chains, what exceeds draws.Kept numbers goes to a temporary file, and
// what exceeds draws.Long draws is diagnosed half a chain at a time.
const (
	drawMemory, columnMemory = 320, 40
	chainDrawMemory          = 48 // for each draw of one chain, where chains are long
	drawDisk, columnDisk     = 90, 20
	told                     = 1e9 // bytes from which on an estimate is told
	sure                     = 1e8 // bytes of disk from which on it is good enough to refuse a run by
)

// fewest is how many draws a chain makes at least that ends when it is precise enough.
const fewest = 100

// needOf estimates for one method. Of one that ends by itself it is the least that is needed: the estimate refuses runs.
func needOf(m *lang.Method, columns int) need {
	count := func(option string, otherwise float64) float64 {
		if !m.Has(option) {
			return 1
		}
		text, ok := m.Value(option)
		if n, err := strconv.ParseFloat(text, 64); ok && err == nil {
			return n
		}
		return otherwise
	}
	open := 1.0
	if m.Has("max_draws") {
		open = math.Min(fewest, count("max_draws", fewest))
	}
	chains := count("chains", 1)
	n := need{draws: count("draws", open) * chains * count("particles", 1), columns: float64(columns)}
	n.memory = float64(n.draws * (drawMemory + float64(columnMemory*n.columns)))
	if size := float64(8 * n.draws * (n.columns + samplerColumns)); m.Has("chains") && n.draws >= draws.Long && hasTemporary(size) {
		n.temporary = size
		n.memory = float64(drawMemory*draws.Long) + float64(columnMemory*min(float64(n.draws*n.columns), draws.Kept)) + float64(chainDrawMemory*n.draws/max(1, chains))
	}
	n.disk = float64(n.draws * (drawDisk + float64(columnDisk*n.columns)))
	return n
}

// samplerColumns is about how many columns a sampler adds to those of the model.
const samplerColumns = 7

// hasTemporary reports whether temporary files have room for so many bytes, as far as is known.
func hasTemporary(bytes float64) bool {
	free, ok := system.FreeDisk(os.TempDir())
	return !ok || bytes <= free
}

// afford refuses a run that needs more memory or disk than there is, and tells what a large one needs. With
// a time limit it may be far from having made all draws then, and is not refused.
func (s *session) afford() error {
	var most need
	var disk float64
	for _, m := range s.methods {
		n := needOf(m, len(s.model.Columns()))
		disk += n.disk
		if n.memory >= most.memory {
			most = n
		}
	}
	what := fmt.Sprintf("%s draws of %s numbers need about %s of memory", thousands(most.draws), thousands(most.columns), gigabytes(most.memory))
	if has, ok := stdlib.HeapMemory(); ok && most.memory > has && s.TimeLimit == nil {
		return &frame.Exit{Code: frame.ExitFailed, Err: fmt.Errorf("%s, and this machine gives a program no more than %s", what, gigabytes(has)),
			Help: "ask for fewer draws, with --draws or the options draws and thin of the method, or for those of a time, with --time-limit"}
	}
	if s.Out == "" {
		disk = 0
	} else if free, ok := system.FreeDisk(filepath.Dir(filepath.Clean(s.Out))); ok && disk > max(free, sure) && s.TimeLimit == nil {
		return &frame.Exit{Code: frame.ExitFailed, Err: fmt.Errorf("the files of %s draws need about %s of disk, and %s are free at --out %s", thousands(most.draws), gigabytes(disk), gigabytes(free), s.Out),
			Help: "ask for fewer draws, for those of a time with --time-limit, or for another folder"}
	}
	if most.memory < told && disk < told && most.temporary < told {
		return nil
	}
	if disk > 0 {
		what += " and " + gigabytes(disk) + " of disk"
	}
	if most.temporary > 0 {
		what += ", and while it runs " + gigabytes(most.temporary) + " for temporary files in " + os.TempDir()
	}
	s.app.Remarks(s.Quiet)(what)
	return nil
}

// gigabytes is a size in words.
func gigabytes(bytes float64) string {
	if bytes < 1e9 {
		return fmt.Sprintf("%.0f MB", math.Ceil(bytes/1e6))
	}
	return fmt.Sprintf("%s GB", thousands(math.Round(bytes/1e8)/10))
}

// thousands is a number with commas between groups of digits.
func thousands(n float64) string {
	text := strconv.FormatFloat(n, 'f', -1, 64)
	whole, rest, decimal := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if decimal {
		whole += "." + rest
	}
	return whole
}
