package main

// This file compares whole fits: the processor time to the default's target with that of Stan to the same.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
)

// target is the effective sample size, of bulk and of tails, at which a fit ends, and fitSeeds are what ours are
// run with.
const (
	target   = 400
	fitSeeds = 3
)

// A stanFit is what the peer measured of a fit of 1000 + 1000: seconds of processor time of all chains, without the
// compilation of the model.
type stanFit struct {
	Warmup   float64 `json:"warmup_cpu"`
	Sampling float64 `json:"sampling_cpu"`
	Bulk     float64 `json:"min_ess_bulk"`
	Tail     float64 `json:"min_ess_tail"`
	RHat     float64 `json:"max_rhat"`
	Compile  float64 `json:"compile_cpu_plain"`
}

// toTarget is what the fit would have taken if it had been stopped at the target, or gone on until there.
func (s *stanFit) toTarget() float64 {
	return s.Warmup + float64(s.Sampling*target/min(s.Bulk, s.Tail))
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
	fmt.Println("| model | Stan to 400, s | its R-hat | ppl to 400, s | reached | ratio | Stan 1000 + 1000, s | ppl --like stan, s | ratio | Stan's C++, s |")
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
		fmt.Printf("| %s | %.3g | %.3f | %.3g | %d of %d | %.1f | %.3g | %.3g | %.1f | %.0f |\n", r.name, r.stan.toTarget(), r.stan.RHat, r.ours,
			r.reached, fitSeeds, r.ratio(), whole, r.like, whole/r.like, r.stan.Compile)
	}
	fmt.Printf("| geometric mean; %d of %d at 10 or more | | | | | %.1f | | | %.1f | |\n", ten, len(rows), math.Exp(ours), math.Exp(like))
}
