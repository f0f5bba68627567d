// Command stan compares gradients and sampling with real Stan, in turns on one machine.
//
//	stan prepare BENCH               writes the models and their data, one folder each
//	stan compare ROOT BENCH PPL      measures, and prints the table
//	stan classes BENCH [SCALE]       writes the models of models/ and data that it simulates
//	stan gradients ROOT BENCH PPL    measures gradients and start alone
//	stan fits WORK BENCH PPL         measures whole fits beside those that the peer left in WORK
//
// BENCH has NAME/{model.stan,data.json}; ROOT is the Debian root in which the peer was
// built (see README.md); PPL is the binary to be measured.
package main

import (
	"bytes"
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
	"strings"
)

func main() {
	log.SetFlags(0)
	var err error
	switch {
	case len(os.Args) == 3 && os.Args[1] == "prepare":
		err = prepare(os.Args[2])
	case len(os.Args) == 3 && os.Args[1] == "classes":
		err = prepareClasses(os.Args[2], 1)
	case len(os.Args) == 4 && os.Args[1] == "classes":
		var scale float64
		if scale, err = strconv.ParseFloat(os.Args[3], 64); err == nil {
			err = prepareClasses(os.Args[2], scale)
		}
	case len(os.Args) == 5 && os.Args[1] == "compare":
		err = compare(os.Args[2], os.Args[3], os.Args[4], sampling, table)
	case len(os.Args) == 5 && os.Args[1] == "gradients":
		err = compare(os.Args[2], os.Args[3], os.Args[4], start, gradientTable)
	case len(os.Args) == 5 && os.Args[1] == "fits":
		err = fits(os.Args[2], os.Args[3], os.Args[4])
	default:
		log.Fatal("usage: stan prepare|classes BENCH | stan compare|gradients ROOT BENCH PPL | stan fits WORK BENCH PPL")
	}
	if err != nil {
		log.Fatal(err)
	}
}

// A figure is what was measured of one model.
type figure struct {
	name             string
	stan, ours, slow float64 // microseconds a gradient; slow is without native code
	stanESS, ourESS  float64 // effective draws a second of processor time, the least
	start            float64 // milliseconds of processor time to the first gradient
}

// rounds is how often the two are measured in turns; the least of each counts.
const rounds = 3

// compare measures gradients of all models, and with further what else the table shows.
func compare(root, bench, ppl string, further func(f *figure, root, dir, ppl string) error, table func([]figure)) error {
	dirs, err := filepath.Glob(filepath.Join(bench, "*", "model.stan"))
	if err != nil {
		return err
	}
	var all []figure
	for _, path := range dirs {
		f, err := measure(root, filepath.Dir(path), ppl)
		if err == nil {
			err = further(f, root, filepath.Dir(path), ppl)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Dir(path), err)
		}
		all = append(all, *f)
		log.Printf("%-45s %10.3f %10.3f %10.3f", f.name, f.stan, f.ours, f.slow)
	}
	table(all)
	return nil
}

func measure(root, dir, ppl string) (*figure, error) {
	f := &figure{name: filepath.Base(dir), stan: math.Inf(1), ours: math.Inf(1), slow: math.Inf(1)}
	work := filepath.Join("/peer/work", f.name)
	at, err := writePoints(filepath.Join(root, work, "points.txt"), dir)
	if err != nil {
		return nil, err
	}
	data := filepath.Join(dir, "data.json")
	for range rounds {
		out, err := exec.Command("chroot", root, filepath.Join(work, "plain"), "grad",
			filepath.Join("/peer/bench", f.name, "data.json"), filepath.Join(work, "points.txt"), "1").Output()
		if err != nil {
			return nil, err
		}
		var s struct {
			Least float64 `json:"us_min"`
		}
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &s); err != nil {
			return nil, err
		}
		f.stan = min(f.stan, s.Least)
		for _, how := range []struct {
			least *float64
			flags []string
		}{{&f.ours, nil}, {&f.slow, []string{"--no-jit"}}} {
			us, err := gradient(ppl, append([]string{"density", filepath.Join(dir, "model.stan"), "--data", data, "--at", at, "--time"}, how.flags...))
			if err != nil {
				return nil, err
			}
			*how.least = min(*how.least, us)
		}
	}
	return f, nil
}

// points is how many of the peer's points ppl is measured at; each takes a while.
const points = 4

// writePoints turns the peer's first points, one a line, into the form that ppl reads.
func writePoints(from, dir string) (string, error) {
	text, err := os.ReadFile(from)
	if err != nil {
		return "", err
	}
	type point struct {
		Unconstrained []json.Number `json:"unconstrained"`
	}
	var all []point
	for line := range strings.Lines(string(text)) {
		var p point
		for _, x := range strings.Fields(line) {
			p.Unconstrained = append(p.Unconstrained, json.Number(x))
		}
		if all = append(all, p); len(all) == points {
			break
		}
	}
	out, err := json.Marshal(all)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "points.json")
	return path, os.WriteFile(path, out, 0o666)
}

// gradient is the mean over the points of microseconds a gradient.
func gradient(ppl string, args []string) (float64, error) {
	out, err := run(ppl, args...)
	if err != nil {
		return 0, err
	}
	sum, n := 0.0, 0.0
	for line := range bytes.Lines(out.Bytes()) {
		var p struct {
			Time float64 `json:"ns_per_gradient"`
		}
		if err := json.Unmarshal(line, &p); err != nil {
			return 0, err
		}
		sum, n = sum+p.Time, n+1
	}
	return sum / n / 1000, nil
}

// sampling compares effective draws: four chains of 1000 draws after as many of warm-up.
func sampling(f *figure, root, dir, ppl string) error {
	text, err := os.ReadFile(filepath.Join(root, "peer/work", f.name, "result.json"))
	if err != nil {
		return err
	}
	var s struct {
		ESS float64 `json:"ess_per_cpu_s"`
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	f.stanESS = s.ESS
	cmd := exec.Command(ppl, "run", filepath.Join(dir, "model.stan"), "--data", filepath.Join(dir, "data.json"), "--seed", "1", "--quiet", "--json")
	out, err := cmd.Output()
	if err != nil {
		return err
	}
	var fits struct {
		Fits []struct {
			Parameters []struct {
				Name string  `json:"name"`
				ESS  float64 `json:"ess_bulk"`
			} `json:"parameters"`
		} `json:"fits"`
	}
	if err := json.Unmarshal(out, &fits); err != nil {
		return err
	}
	least := math.Inf(1)
	for _, p := range fits.Fits[0].Parameters {
		if p.ESS > 0 && p.Name != "lp__" {
			least = min(least, p.ESS)
		}
	}
	cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	f.ourESS = least / cpu.Seconds()
	return nil
}

// start is what a process takes that reads model and data, compiles and prints a gradient.
func start(f *figure, _, dir, ppl string) error {
	f.start = math.Inf(1)
	for range 2 * rounds {
		cmd := exec.Command(ppl, "density", filepath.Join(dir, "model.stan"), "--data", filepath.Join(dir, "data.json"), "--at", "zeros")
		if err := cmd.Run(); err != nil {
			return err
		}
		cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		f.start = min(f.start, cpu.Seconds()*1000)
	}
	return nil
}

func run(name string, args ...string) (*bytes.Buffer, error) {
	var out bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	return &out, cmd.Run()
}

func table(all []figure) {
	slices.SortFunc(all, func(a, b figure) int { return strings.Compare(a.name, b.name) })
	fmt.Println("| model | Stan, us | ppl, us | ratio | `--no-jit`, us | ratio | Stan, ESS/s | ppl, ESS/s | ratio |")
	fmt.Println("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
	var logs [3]float64
	for _, f := range all {
		ratios := [3]float64{f.stan / f.ours, f.stan / f.slow, f.ourESS / f.stanESS}
		for i, r := range ratios {
			logs[i] += math.Log(r) / float64(len(all))
		}
		fmt.Printf("| %s | %.3g | %.3g | %.1f | %.3g | %.1f | %.3g | %.3g | %.1f |\n", f.name, f.stan, f.ours, ratios[0], f.slow, ratios[1],
			f.stanESS, f.ourESS, ratios[2])
	}
	fmt.Printf("| geometric mean | | | %.1f | | %.1f | | | %.1f |\n", math.Exp(logs[0]), math.Exp(logs[1]), math.Exp(logs[2]))
}

// gradientTable has the least ratios last.
func gradientTable(all []figure) {
	slices.SortFunc(all, func(a, b figure) int { return cmp.Compare(b.stan/b.ours, a.stan/a.ours) })
	fmt.Println("| model | Stan, us | ppl, us | ratio | `--no-jit`, us | ratio | start, ms |")
	fmt.Println("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
	var logs [2]float64
	for _, f := range all {
		ratios := [2]float64{f.stan / f.ours, f.stan / f.slow}
		for i, r := range ratios {
			logs[i] += math.Log(r) / float64(len(all))
		}
		fmt.Printf("| %s | %.3g | %.3g | %.1f | %.3g | %.1f | %.0f |\n", f.name, f.stan, f.ours, ratios[0], f.slow, ratios[1], f.start)
	}
	fmt.Printf("| geometric mean | | | %.1f | | %.1f | |\n", math.Exp(logs[0]), math.Exp(logs[1]))
}
