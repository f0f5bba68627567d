//go:build unix

// This file kills runs.

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// methods are those whose runs are killed.
var methods = []string{
	"nuts(chains = 2, warmup = 300, draws = 600)",
	"hmc(chains = 2, warmup = 300, draws = 400)",
	"mh(chains = 2, warmup = 2000, draws = 3000)",
	"smc(particles = 500)",
	"advi(draws = 500)",
	"laplace(draws = 4000)",
	"prior_swap(nuts(chains = 2, warmup = 200, draws = 300)) { mu ~ normal(0, 1); }",
}

var signals = []struct {
	name string
	s    syscall.Signal
}{{"KILL", syscall.SIGKILL}, {"INT", syscall.SIGINT}, {"TERM", syscall.SIGTERM}, {"HUP", syscall.SIGHUP}}

// moments are parts of a run's length.
var moments = []string{"first third", "second third", "last third"}

// A cell of the matrix: one method, moment, signal and situation.
type cell struct{ Method, Moment, Signal, Place string }

// A count is what became of the runs of a cell.
type count struct {
	Kills    int
	Ended    int // before the signal came
	OldStays int // the earlier fit is there as it was
	Readable int // the folder has a fit that can be read, or there is none yet
	Resumed  int // resumed, the run has the files of one left alone
}

// A standard is what a method's run is when it is left alone.
type standard struct {
	length time.Duration
	files  map[string]string
}

func (b *bench) args(method, seed, out string, more ...string) []string {
	return append([]string{"run", "model.ppl", "--seed", seed, "--quiet", "--method", method, "--out", out}, more...)
}

func (b *bench) kill(n int) (map[cell]*count, error) {
	out := map[cell]*count{}
	if n == 0 {
		return out, nil
	}
	standards := map[string]standard{}
	for _, m := range methods {
		r := b.run(b.args(m, "2", "alone")...)
		if r.code != 0 {
			return nil, fmt.Errorf("%s: %s", m, r.stderr)
		}
		standards[m] = standard{r.took, files(filepath.Join(b.dir, "alone"))}
		_ = os.RemoveAll(filepath.Join(b.dir, "alone"))
	}
	if r := b.run(b.args(methods[0], "1", "earlier")...); r.code != 0 {
		return nil, fmt.Errorf("%s", r.stderr)
	}
	earlier := files(filepath.Join(b.dir, "earlier"))
	for i := range n {
		if b.ctx.Err() != nil {
			break
		}
		m := methods[i%len(methods)]
		s := signals[b.rand.IntN(len(signals))]
		share := b.rand.Float64()
		c := cell{strings.SplitN(m, "(", 2)[0], moments[int(3*share)], s.name, []string{"empty", "a complete fit"}[b.rand.IntN(2)]}
		if out[c] == nil {
			out[c] = &count{}
		}
		if err := b.killOne(m, s.s, time.Duration(share*float64(standards[m].length)), c, out[c], standards[m].files, earlier); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (b *bench) killOne(method string, s syscall.Signal, after time.Duration, c cell, n *count, want, earlier map[string]string) error {
	fit := filepath.Join(b.dir, "fit")
	if err := os.RemoveAll(fit); err != nil {
		return err
	}
	replaces := c.Place != "empty"
	if replaces {
		if err := copyTree(filepath.Join(b.dir, "earlier"), fit); err != nil {
			return err
		}
	}
	n.Kills++
	r := b.signalled(s, after, b.args(method, "2", "fit")...)
	if r.internal() || r.hung {
		b.fail("%v after %s: %s", c, after, r.stderr)
	}
	ended := r.code == 0
	if ended {
		n.Ended++
	}
	if replaces && !ended {
		if r := b.run("summary", "fit"); r.code != 0 || r.internal() { // it also completes a replacement
			b.fail("%v after %s: the folder cannot be read: %s", c, after, r.stderr)
		}
		switch now := files(fit); {
		case same(now, earlier):
			n.OldStays++
		case !same(now, want):
			b.fail("%v after %s: neither the old fit nor the new one", c, after)
		}
	}
	if r := b.run("verify", "fit"); r.code == 1 || r.internal() {
		b.fail("%v after %s: verify: %s%s", c, after, r.stdout, r.stderr)
	} else {
		n.Readable++
	}
	if _, err := os.Stat(filepath.Join(fit, ".unfinished", "checkpoint", "recipe.json")); replaces && err != nil { // killed before there was anything to resume
		r = b.run(b.args(method, "2", "fit")...)
	} else {
		r = b.run(b.args(method, "2", "fit", "--resume")...)
	}
	if now := files(fit); r.code != 0 || !same(now, want) {
		b.fail("%v after %s: resumed, it is not what it would have been: exit code %d, %s; %s", c, after, r.code, r.stderr, differing(now, want))
	} else {
		n.Resumed++
	}
	return nil
}

// differing are the names of files that differ.
func differing(a, b map[string]string) string {
	var out []string
	for name := range a {
		if a[name] != b[name] {
			out = append(out, name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			out = append(out, name+" (missing)")
		}
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}
