//go:build unix

// This file stops commands that ask a fit something and leave it as it is.

package main

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// questions are commands that take their time over a fit.
var questions = []reader{
	{"sensitivity", []string{"sensitivity", "fit"}, ""},
	{"compare", []string{"compare", "fit", "second"}, ""},
	{"loo", []string{"loo", "fit"}, ""},
	{"loo --folds", []string{"loo", "fit", "--folds", "5"}, ""},
}

// A stopped is what became of questions that were stopped.
type stopped struct {
	Cases     int
	Ended     int // before the signal came
	Slowest   time.Duration
	Untouched int // the fit is as it was
}

// asked is one row of the table.
type asked struct{ Command, Signal string }

// ask stops questions at random moments.
func (b *bench) ask(n int) (map[asked]*stopped, error) {
	out := map[asked]*stopped{}
	if n == 0 {
		return out, nil
	}
	if err := b.fits("whole", "second"); err != nil {
		return nil, err
	}
	fit := filepath.Join(b.dir, "fit")
	if err := copyTree(filepath.Join(b.dir, "whole"), fit); err != nil {
		return nil, err
	}
	whole := everything(fit)
	length := map[string]time.Duration{}
	for _, q := range questions {
		length[q.name] = b.run(q.args...).took
	}
	for i := 0; i < n && b.ctx.Err() == nil; i++ {
		q, s := questions[i%len(questions)], signals[b.rand.IntN(len(signals))]
		at := asked{q.name, s.name}
		if out[at] == nil {
			out[at] = &stopped{}
		}
		o := out[at]
		o.Cases++
		after := time.Duration(b.rand.Float64() * float64(length[q.name]))
		r := b.signalled(s.s, after, q.args...)
		const interrupted = 130 // whichever signal it was
		switch {
		case r.internal() || r.hung:
			b.fail("%v after %s: %s", at, after, r.stderr)
		case r.code == 0:
			o.Ended++
		case r.code != interrupted && r.code != -1:
			b.fail("%v after %s: exit code %d: %s", at, after, r.code, r.stderr)
		default:
			o.Slowest = max(o.Slowest, r.took-after)
		}
		if everything(fit) == whole {
			o.Untouched++
		} else {
			b.fail("%v after %s: the fit is not as it was", at, after)
		}
	}
	return out, nil
}

// everything is all that a folder holds.
func everything(dir string) string {
	var all strings.Builder
	for _, path := range listing(dir) {
		text, err := os.ReadFile(path)
		if err != nil {
			text = []byte(err.Error())
		}
		all.WriteString(path + "\n" + string(text))
	}
	return all.String()
}
