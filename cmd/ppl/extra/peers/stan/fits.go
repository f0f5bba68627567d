package main

// This file compares whole fits: the processor time to the default's target with that of Stan to the same.

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

// target is the effective sample size, of bulk and of tails, and targetRHat the R-hat, at which a fit ends, and
// fitSeeds are what ours are run with.
const (
	target     = 400
	targetRHat = 1.01
	targetStep = 10 // draws of a chain between two looks at Stan's
	fitSeeds   = 3
)

// A stanFit is what the peer measured of a fit of 1000 + 1000: seconds of processor time of all chains, without the
// compilation of the model.
type stanFit struct {
	Warmup   float64 `json:"warmup_cpu"`
	Sampling float64 `json:"sampling_cpu"`
	Compile  float64 `json:"compile_cpu_plain"`
	Draws    float64 `json:"-"` // that the target takes, over those that were made
}

// toTarget is what the fit would have taken if it had been stopped as soon as all columns of its draws are as precise
// as ours must be, or had gone on until there.
func (s *stanFit) toTarget() float64 {
	return s.Warmup + float64(s.Sampling*s.Draws)
}

// precision sets Draws from the files of the draws in a folder. Columns are taken one after the other: one that lacks
// none at the end may have lacked some when another had enough, so that Stan is not held to more than we are.
func (s *stanFit) precision(dir string) error {
	columns, n, err := stanDraws(dir)
	if err != nil {
		return err
	}
	need := 1.0
	least := 0 // first number of draws at which no column is known to lack any
	for _, x := range columns {
		k := least
		for ; k < n; k += targetStep {
			if f := lack(x, k+targetStep); f <= 1 {
				break
			}
		}
		if k >= n {
			need = max(need, lack(x, n))
		}
		least = min(k, n)
	}
	s.Draws = need * float64(min(least+targetStep, n)) / float64(n)
	return nil
}

// lack is the factor by which the first n draws of a column's chains are too few; 0 for a constant.
func lack(x [][]float64, n int) float64 {
	first := make([][]float64, len(x))
	for i := range x {
		first[i] = x[i][:min(n, len(x[i]))]
	}
	rHat, bulk, tail := draws.NewMixing(len(first), len(first[0])).Of(first)
	if math.IsNaN(rHat) {
		return 0
	}
	return max((rHat-1)/(targetRHat-1), target/bulk, target/tail)
}

// stanDraws are the columns of the peer's files, one for each chain, but for its sampler's own.
func stanDraws(dir string) (columns [][][]float64, n int, err error) {
	paths, err := filepath.Glob(filepath.Join(dir, "draws*.csv"))
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("no draws in %s", dir)
	}
	for _, path := range paths {
		if err != nil {
			return nil, 0, err
		}
		var text []byte
		var rows [][]string
		if text, err = os.ReadFile(path); err == nil {
			rows, err = csv.NewReader(bytes.NewReader(text)).ReadAll()
		}
		if err != nil {
			continue
		}
		k := 0
		for j, name := range rows[0] {
			if strings.HasSuffix(name, "__") && name != draws.LogDensityColumn {
				continue
			}
			column := make([]float64, len(rows)-1)
			for i, row := range rows[1:] {
				if column[i], err = strconv.ParseFloat(row[j], 64); err != nil {
					column[i] = math.NaN()
				}
			}
			if k == len(columns) {
				columns = append(columns, nil)
			}
			columns[k] = append(columns[k], column)
			k++
		}
		err, n = nil, len(rows)-1
	}
	return columns, n, err
}

// A fitRow is one model's row. Seconds are those of processor time.
type fitRow struct {
	name    string
	stan    stanFit
	like    float64 // ours with Stan's algorithm, whole command, scaled to the target as Stan's is
	ours    float64 // geometric mean over seeds
	reached int     // seeds with which the target was reached
}

func (r *fitRow) ratio() float64 { return r.stan.toTarget() / r.ours }

// fits prints the table of the models that the peer has measured in work.
func fits(work, bench, ppl string) error {
	results, err := filepath.Glob(filepath.Join(work, "*", "result.json"))
	if err != nil {
		return err
	}
	var rows []fitRow
	for _, path := range results {
		r := fitRow{name: filepath.Base(filepath.Dir(path))}
		text, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(text, &r.stan)
		}
		if err == nil {
			err = r.stan.precision(filepath.Dir(path))
		}
		if err == nil {
			err = r.measure(filepath.Join(bench, r.name), ppl)
		}
		if err != nil {
			log.Printf("%s: %v", r.name, err)
			continue
		}
		log.Printf("%-45s %8.3f %8.3f %6.1f", r.name, r.stan.toTarget(), r.ours, r.ratio())
		rows = append(rows, r)
	}
	fitTable(rows)
	return nil
}

// measure runs ppl with each seed, and once with Stan's algorithm.
func (r *fitRow) measure(dir, ppl string) error {
	logs := 0.0
	for seed := range fitSeeds {
		f, err := runFit(dir, ppl, "--seed", strconv.Itoa(seed+1))
		if err != nil {
			return err
		}
		logs += math.Log(f.seconds) / fitSeeds
		if f.reached {
			r.reached++
		}
	}
	r.ours = math.Exp(logs)
	f, err := runFit(dir, ppl, "--seed", "1", "--like", "stan")
	r.like = f.seconds
	return err
}

// A fit is one run of the command.
type fit struct {
	seconds float64 // of processor time
	reached bool
}

func runFit(dir, ppl string, flags ...string) (f fit, err error) {
	out, err := os.MkdirTemp("", "fit")
	if err != nil {
		return f, err
	}
	defer func() { _ = os.RemoveAll(out) }()
	folder := filepath.Join(out, "fit")
	cmd := exec.Command(ppl, append([]string{"run", filepath.Join(dir, "model.stan"), "--data", filepath.Join(dir, "data.json"), "--quiet", "--out", folder}, flags...)...)
	if message, err := cmd.CombinedOutput(); err != nil {
		return f, fmt.Errorf("%w: %s", err, message)
	}
	f.seconds = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	var run struct {
		Stopping *struct {
			Reached bool `json:"reached"`
		} `json:"stopping"`
	}
	text, err := os.ReadFile(filepath.Join(folder, "run.json"))
	if err == nil {
		err = json.Unmarshal(text, &run)
	}
	f.reached = run.Stopping != nil && run.Stopping.Reached
	return f, err
}

// fitTable has the least ratios last.
func fitTable(rows []fitRow) {
	slices.SortFunc(rows, func(a, b fitRow) int { return cmp.Compare(b.ratio(), a.ratio()) })
	fmt.Println("| model | Stan to the target, s | draws | ppl to the target, s | reached | ratio | Stan 1000 + 1000, s | ppl --like stan, s | ratio | Stan's C++, s |")
	fmt.Println("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
	var ours, like float64
	ten := 0
	for _, r := range rows {
		whole := r.stan.Warmup + r.stan.Sampling
		ours += math.Log(r.ratio()) / float64(len(rows))
		like += math.Log(whole/r.like) / float64(len(rows))
		if r.ratio() >= 10 {
			ten++
		}
		fmt.Printf("| %s | %.3g | %.3f | %.3g | %d of %d | %.1f | %.3g | %.3g | %.1f | %.0f |\n", r.name, r.stan.toTarget(), r.stan.Draws, r.ours,
			r.reached, fitSeeds, r.ratio(), whole, r.like, whole/r.like, r.stan.Compile)
	}
	fmt.Printf("| geometric mean; %d of %d at 10 or more | | | | | %.1f | | | %.1f | |\n", ten, len(rows), math.Exp(ours), math.Exp(like))
}
