//go:build unix

// This file feeds hostile files.

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// A mouth is a command that reads a file.
type mouth struct {
	file string
	args []string
	like string // what a proper file looks like; empty for that of a fit that the file is put into
}

// name is what tables call the mouth.
func (m mouth) name() string {
	if m.like == "" {
		return strings.TrimPrefix(m.file, "h/") + ", ppl " + m.args[0]
	}
	return strings.TrimPrefix(m.file, "h/")
}

var mouths = []mouth{
	{"hostile.json", []string{"check", "model.ppl", "--data", "hostile.json"}, inputs["model.json"]},
	{"hostile.ppl", []string{"check", "hostile.ppl"}, inputs["model.ppl"]},
	{"hostile.csv", []string{"summary", "hostile.csv"}, "# num_samples = 2\nlp__,mu\n-1,0.1\n-2,0.2\n"},
	{"h/ppl-manifest.json", []string{"summary", "h"}, `{"format": "ppl manifest 1", "fit": "complete", "files": [{"path": "chain-1.csv", "bytes": 3, "crc32c": "00000000"}], "crc32c": "00000000"}`},
	{"h/run.json", []string{"report", "h", "--out", "/dev/null"}, `{"model": {"file": "model.ppl"}, "chains": 1, "draws": 2, "adaptation": [{"chain": 1, "draws": 2, "inv_metric": [1]}]}`},
	{"h/diagnosis.json", []string{"plot", "h", "--out", "hostile-plots"}, `{"verdicts": [{"directive": "sbc(nuts())", "kind": "sbc", "severity": "good", "parameters": [{"name": "mu", "p": 0.5, "ranks": [1, 2]}]}]}`},
	{"h/checkpoint/recipe.json", []string{"run", "model.ppl", "--out", "h", "--resume", "--quiet"}, `{"version": "0.1.0", "seed": 1, "methods": [{"name": "nuts", "draws": 10}]}`},
	{"hostile-init.json", []string{"run", "model.ppl", "--init", "hostile-init.json", "--chains", "1", "--warmup", "10", "--draws", "5", "--quiet"}, `{"mu": 0, "tau": 1, "z": [0, 0, 0, 0, 0]}`},
	{"h/run.json", []string{"sensitivity", "h"}, ""},
	{"h/run.json", []string{"compare", "h", "second"}, ""},
	{"h/run.json", []string{"loo", "h"}, ""},
	{"h/chain-1.csv", []string{"sensitivity", "h"}, ""},
	{"h/chain-1.csv", []string{"compare", "h", "second"}, ""},
	{"h/chain-1.csv", []string{"loo", "h", "--folds", "2"}, ""},
}

// poisons change a proper text to one that nobody would write.
var poisons = []struct {
	name string
	of   func(r *rand.Rand, like string) string
}{
	{"noise", func(r *rand.Rand, _ string) string {
		b := make([]byte, r.IntN(4000))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return string(b)
	}},
	{"empty", func(*rand.Rand, string) string { return "" }},
	{"deeply nested", func(r *rand.Rand, _ string) string {
		return strings.Repeat([]string{"[", "{\"a\":", "(", "{"}[r.IntN(4)], 100000)
	}},
	{"cut", func(r *rand.Rand, like string) string { return like[:r.IntN(len(like))] }},
	{"bits flipped", func(r *rand.Rand, like string) string {
		b := []byte(like)
		for range 1 + r.IntN(8) {
			b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		}
		return string(b)
	}},
	{"numbers out of range", func(r *rand.Rand, like string) string {
		n := []string{"1e999", "-1", "99999999999999999999", "NaN", "-0", "1e-999", "0x1p5"}[r.IntN(7)]
		for _, d := range []string{"5", "2", "1", "0"} {
			like = strings.Replace(like, d, n, 1)
		}
		return like
	}},
	{"one endless line", func(*rand.Rand, string) string { return strings.Repeat("a,", 1<<20) }},
	{"zeros", func(*rand.Rand, string) string { return strings.Repeat("\x00", 1<<16) }},
	{"terminal escapes", func(_ *rand.Rand, like string) string {
		return strings.ReplaceAll(like, "mu", "m\x1b]0;title\x07\u202eu")
	}},
}

// serve puts a changed file where a command reads it.
func (b *bench) serve(m mouth, change func(r *rand.Rand, like string) string) error {
	h := filepath.Join(b.dir, "h")
	_ = os.RemoveAll(h)
	_ = os.RemoveAll(filepath.Join(b.dir, "hostile-plots"))
	like := m.like
	if like == "" { // a fit without its list, so that nothing but what is in the file tells that it was changed
		if err := copyTree(filepath.Join(b.dir, "second"), h); err != nil {
			return err
		}
		text, err := os.ReadFile(filepath.Join(b.dir, m.file))
		if err != nil {
			return err
		}
		like = string(text)
		if err := os.Remove(filepath.Join(h, "ppl-manifest.json")); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Join(h, "checkpoint"), 0o755); err != nil {
		return err
	}
	if m.like != "" && m.file != "h/checkpoint/recipe.json" {
		if err := os.WriteFile(filepath.Join(h, "chain-1.csv"), []byte(mouths[2].like), 0o666); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(b.dir, m.file), []byte(change(b.rand, like)), 0o666)
}

// feed counts by kind of file how many were read or refused.
func (b *bench) feed(n int) (map[string]*outcome, error) {
	out := map[string]*outcome{}
	if err := b.fits("second"); n > 0 && err != nil {
		return nil, err
	}
	for i := range n {
		if b.ctx.Err() != nil {
			break
		}
		m, p := mouths[i%len(mouths)], poisons[b.rand.IntN(len(poisons))]
		if err := b.serve(m, p.of); err != nil {
			return nil, err
		}
		if out[m.name()] == nil {
			out[m.name()] = &outcome{}
		}
		o := out[m.name()]
		o.Cases++
		r := b.run(m.args...)
		switch {
		case r.internal() || r.hung || r.code < 0:
			keep := fmt.Sprintf("hostile-%d", i)
			text, _ := os.ReadFile(filepath.Join(b.dir, m.file))
			_ = os.WriteFile(filepath.Join(os.TempDir(), keep), text, 0o666)
			b.fail("%s, %s (kept as %s): exit code %d, hung %v: %.500s", m.file, p.name, keep, r.code, r.hung, r.stderr)
		case r.code == 0:
			o.Unchanged++
		default:
			o.Refused++
		}
	}
	return out, nil
}
