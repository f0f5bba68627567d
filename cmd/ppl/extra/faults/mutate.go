//go:build unix

// This file damages fits.

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// A reader is a command that reads a fit, and what it makes of it.
type reader struct {
	name string
	args []string
	into string // folder or file that it writes; empty for none
}

var readers = []reader{
	{"summary", []string{"summary", "fit", "--json"}, ""},
	{"loo", []string{"loo", "fit", "--json"}, ""},
	{"generate", []string{"generate", "model.ppl", "--fit", "fit", "--json"}, ""},
	{"plot", []string{"plot", "fit", "--out", "pictures"}, "pictures"},
	{"report", []string{"report", "fit", "--out", "page.html"}, "page.html"},
	{"diagnose", []string{"diagnose", "fit", "--json"}, ""},
	{"--fit", []string{"run", "model.ppl", "--fit", "fit", "--method", "prior_swap(fit, with = nuts(chains = 1, warmup = 100, draws = 50)) { mu ~ normal(0, 1); }", "--seed", "3", "--json"}, ""},
	{"--resume", []string{"run", "model.ppl", "--out", "fit", "--resume", "--json"}, "fit"},
	{"verify", []string{"verify", "fit"}, ""},
	{"sensitivity", []string{"sensitivity", "fit", "--json"}, ""},
	{"compare", []string{"compare", "fit", "second", "--json"}, ""},
	{"loo --folds", []string{"loo", "fit", "--folds", "2", "--json"}, ""},
}

// A damage changes files of a folder and reports what it did; empty if it could do nothing.
type damage struct {
	name string
	do   func(r *rand.Rand, dir, path string) string
}

var damages = []damage{
	{"a bit flipped", edit(func(r *rand.Rand, text []byte) []byte {
		if len(text) > 0 {
			text[r.IntN(len(text))] ^= 1 << r.IntN(8)
		}
		return text
	})},
	{"cut", edit(func(r *rand.Rand, text []byte) []byte { return text[:r.IntN(len(text)+1)] })},
	{"a digit changed", edit(func(r *rand.Rand, text []byte) []byte {
		for range 1000 {
			if i := r.IntN(len(text) + 1); i < len(text) && text[i] >= '0' && text[i] <= '8' {
				text[i]++
				break
			}
		}
		return text
	})},
	{"a line left out", edit(func(r *rand.Rand, text []byte) []byte {
		lines := bytes.SplitAfter(text, []byte("\n"))
		i := r.IntN(len(lines))
		return bytes.Join(append(append([][]byte{}, lines[:i]...), lines[i+1:]...), nil)
	})},
	{"a block of zeros", edit(func(r *rand.Rand, text []byte) []byte {
		if len(text) > 0 {
			at := r.IntN(len(text))
			clear(text[at:min(len(text), at+64)])
		}
		return text
	})},
	{"something added", edit(func(r *rand.Rand, text []byte) []byte { return append(text, text[r.IntN(len(text)+1):]...) })},
	{"deleted", func(_ *rand.Rand, _, path string) string {
		_ = os.Remove(path)
		return path
	}},
	{"exchanged", func(r *rand.Rand, dir, path string) string {
		all := listing(dir)
		other := all[r.IntN(len(all))]
		a, _ := os.ReadFile(path)
		b, _ := os.ReadFile(other)
		if bytes.Equal(a, b) {
			return ""
		}
		_ = os.WriteFile(path, b, 0o666)
		_ = os.WriteFile(other, a, 0o666)
		return path + " and " + other
	}},
	{"from another fit", func(_ *rand.Rand, dir, path string) string {
		rel, _ := filepath.Rel(dir, path)
		now, _ := os.ReadFile(path)
		text, err := os.ReadFile(filepath.Join(filepath.Dir(dir), "other", rel))
		if err != nil || bytes.Equal(now, text) {
			return ""
		}
		_ = os.WriteFile(path, text, 0o666)
		return path
	}},
}

func edit(f func(r *rand.Rand, text []byte) []byte) func(*rand.Rand, string, string) string {
	return func(r *rand.Rand, _, path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			return ""
		}
		changed := f(r, bytes.Clone(text))
		if bytes.Equal(changed, text) {
			return ""
		}
		_ = os.WriteFile(path, changed, 0o666)
		return path
	}
}

func listing(dir string) (out []string) {
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			out = append(out, path)
		}
		return err
	})
	return out
}

// An outcome is what readers made of damaged fits.
type outcome struct {
	Cases, Refused, Said, Unchanged, Silent int
}

// answer is what a reader gives: what it prints, and the files that it writes.
func (b *bench) answer(r reader) (result, string) {
	if r.into != "" && r.into != "fit" {
		_ = os.RemoveAll(filepath.Join(b.dir, r.into))
	}
	res := b.run(r.args...)
	text := times.ReplaceAllString(res.stdout, "")
	if r.into == "" {
		return res, text
	}
	at := filepath.Join(b.dir, r.into)
	for _, path := range listing(at) {
		name := filepath.Base(path)
		if strings.Contains(path, "checkpoint") || strings.HasPrefix(name, "ppl-manifest") || strings.Contains(name, "~") {
			continue
		}
		content, _ := os.ReadFile(path)
		text += name + "\n" + times.ReplaceAllString(string(content), "")
	}
	return res, text
}

// fits makes intact fits where there are none yet, each with a seed of its own.
func (b *bench) fits(names ...string) error {
	const method = "nuts(chains = 2, warmup = 200, draws = 150)"
	for _, name := range names {
		if _, err := os.Stat(filepath.Join(b.dir, name)); err == nil {
			continue
		}
		seed := map[string]string{"whole": "4", "other": "5", "second": "6"}[name]
		if r := b.run(b.args(method, seed, name, "--format", "parquet")...); r.code != 0 {
			return fmt.Errorf("%s", r.stderr)
		}
	}
	return nil
}

func (b *bench) mutate(n int) (map[string]*outcome, error) {
	out := map[string]*outcome{}
	if n == 0 {
		return out, nil
	}
	if err := b.fits("whole", "other", "second"); err != nil {
		return nil, err
	}
	whole, fit := filepath.Join(b.dir, "whole"), filepath.Join(b.dir, "fit")
	want := map[string]string{}
	for _, r := range readers {
		if err := copyTree(whole, fit); err != nil {
			return nil, err
		}
		res, text := b.answer(r)
		if res.code != 0 {
			return nil, fmt.Errorf("%s: %s", r.name, res.stderr)
		}
		want[r.name] = text
	}
	quiet := func(text string) string { // without remarks that an intact fit gets, too
		var kept []string
		for _, line := range strings.Split(text, "\n") {
			if strings.Contains(line, "warning: ") {
				kept = append(kept, line)
			}
		}
		return strings.Join(kept, "\n")
	}
	for i := 0; i < n && b.ctx.Err() == nil; i++ {
		if err := copyTree(whole, fit); err != nil {
			return nil, err
		}
		all := listing(fit)
		d, r := damages[b.rand.IntN(len(damages))], readers[i%len(readers)]
		what := d.do(b.rand, fit, all[b.rand.IntN(len(all))])
		if what == "" {
			i--
			continue
		}
		what = strings.ReplaceAll(what, b.dir+"/", "")
		key := r.name
		if out[key] == nil {
			out[key] = &outcome{}
		}
		o := out[key]
		o.Cases++
		res, text := b.answer(r)
		switch {
		case res.internal() || res.hung || res.code < 0:
			b.fail("%s of a fit with %s, %s: %s", r.name, what, d.name, res.stderr)
		case res.code != 0:
			o.Refused++
		case quiet(res.stderr) != "":
			o.Said++
		case text == want[r.name]:
			o.Unchanged++
		default:
			o.Silent++
			b.fail("%s of a fit with %s, %s: other output without a word", r.name, what, d.name)
		}
		if r.name == "verify" && res.code == 0 {
			b.fail("verify does not see %s, %s", what, d.name)
		}
	}
	return out, nil
}
