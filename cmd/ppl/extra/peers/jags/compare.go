//go:build unix

// Command jags compares Gibbs sampling with JAGS on two models: effective draws per
// second of processor time, with one estimator for both. See README.md.
package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
)

func main() {
	models := flag.String("models", ".", "folder of the models")
	profile := flag.String("profile", "", "write a processor profile of our side to this file")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: jags [-models DIR] DIR, with what jags.R wrote in DIR")
		os.Exit(2)
	}
	if err := compare(flag.Arg(0), *models, *profile); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A row is one model of the comparison.
type row struct {
	name         string
	start        map[string]any // the generating values
	warmup, draw int
	quantities   func(d table, data map[string]any) table
}

func rows() []row {
	means := func(v float64) []float64 { return slices.Repeat([]float64{v}, 30) }
	return []row{
		{"gmm3", map[string]any{"w": []float64{0.3, 0.5, 0.2}, "m": []float64{-4, 0, 3}, "p": []float64{1, 2, 0.7}},
			1000, 5000, mixture},
		{"rats", map[string]any{"a": means(4), "b": means(1), "ma": 4.0, "mb": 1.0, "sa": 0.5, "sb": 0.2, "ty": 1 / 0.09},
			2000, 50000, regression},
	}
}

// A table holds draws by name, chain and iteration.
type table map[string][][]float64

func compare(dir, models, profile string) error {
	if profile != "" {
		f, err := os.Create(profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	for _, r := range rows() {
		data, err := readData(filepath.Join(dir, r.name+".json"))
		if err != nil {
			return err
		}
		theirs, theirTime, err := readJAGS(dir, r.name)
		if err != nil {
			return err
		}
		ours, ourTime, err := r.run(dir, models)
		if err != nil {
			return err
		}
		report(r.name, r.quantities(ours, data), ourTime, r.quantities(theirs, data), theirTime)
	}
	return nil
}

// report prints a line for each quantity, and the least ratio.
func report(name string, ours table, ourTime time.Duration, theirs table, theirTime time.Duration) {
	var names []string
	for q := range theirs {
		names = append(names, q)
	}
	slices.Sort(names)
	fmt.Printf("%s: %.1f us an iteration, JAGS %.1f us\n", name, perDraw(ours[names[0]], ourTime), perDraw(theirs[names[0]], theirTime))
	ourLeast, theirLeast := math.Inf(1), math.Inf(1)
	for _, q := range names {
		x, y := draws.ESSMean(ours[q])/ourTime.Seconds(), draws.ESSMean(theirs[q])/theirTime.Seconds()
		ourLeast, theirLeast = min(ourLeast, x), min(theirLeast, y)
		if len(names) <= 10 || !strings.Contains(q, ".") {
			a, b := draws.Summarize(q, ours[q]), draws.Summarize(q, theirs[q])
			fmt.Printf("  %-8s mean %9.4f (%.4f) JAGS %9.4f (%.4f)  ESS/s %9.0f JAGS %8.1f  ratio %.1f\n",
				q, a.Mean, a.MCSE, b.Mean, b.MCSE, x, y, x/y)
		}
	}
	fmt.Printf("  least             ESS/s %9.0f JAGS %8.1f  ratio %.1f\n", ourLeast, theirLeast, ourLeast/theirLeast)
}

func perDraw(x [][]float64, d time.Duration) float64 {
	return float64(d.Microseconds()) / float64(len(x)*len(x[0]))
}

// mixture returns the log likelihood of the data with the components summed out, and the
// means in order.
func mixture(d table, data map[string]any) table {
	var y []float64
	for _, v := range data["y"].([]any) {
		y = append(y, v.(float64))
	}
	out := table{}
	for c := range d["w.1"] {
		for i := range d["w.1"][c] {
			var w, m, p [3]float64
			for k := range 3 {
				at := func(name string) float64 { return d[fmt.Sprintf("%s.%d", name, k+1)][c][i] }
				w[k], m[k], p[k] = at("w"), at("m"), at("p")
			}
			total := 0.0
			for _, v := range y {
				s := 0.0
				for k := range 3 {
					s += w[k] * math.Sqrt(p[k]/(2*math.Pi)) * math.Exp(-0.5*p[k]*(v-m[k])*(v-m[k]))
				}
				total += math.Log(s)
			}
			slices.Sort(m[:])
			out.add("loglik", c, total)
			for k := range 3 {
				out.add(fmt.Sprintf("m%d", k+1), c, m[k])
			}
		}
	}
	return out
}

// regression returns all parameters, with the standard deviation of the residuals.
func regression(d table, _ map[string]any) table {
	out := table{}
	for name, x := range d {
		if name == "ty" {
			for c := range x {
				for _, v := range x[c] {
					out.add("sy", c, 1/math.Sqrt(v))
				}
			}
			continue
		}
		out[name] = x
	}
	return out
}

func (t table) add(name string, chain int, v float64) {
	for len(t[name]) <= chain {
		t[name] = append(t[name], nil)
	}
	t[name][chain] = append(t[name][chain], v)
}

// A clock adds up the processor time from the end of warm-up to the end of each chain.
type clock struct {
	infer.Ignore
	from, total time.Duration
}

// Adapted implements infer.Observer.
func (c *clock) Adapted(int, draws.Adaptation) error {
	c.from = processorTime()
	return nil
}

// End implements infer.Observer.
func (c *clock) End(int, draws.ChainEnd) error {
	c.total += processorTime() - c.from
	return nil
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// run draws two chains, one after the other.
func (r row) run(dir, models string) (table, time.Duration, error) {
	m, q, err := r.bind(dir, models)
	if err != nil {
		return nil, 0, err
	}
	method, err := m.Program.Method(fmt.Sprintf("gibbs(chains = 2, warmup = %d, draws = %d)", r.warmup, r.draw))
	if err != nil {
		return nil, 0, err
	}
	var c clock
	fit, err := m.Run(context.Background(), method, lang.RunOptions{Seed: 1, Jobs: 1, Init: [][]float64{q}, Observer: &c})
	if err != nil {
		return nil, 0, err
	}
	out := table{}
	for _, name := range m.Columns() {
		if !strings.HasPrefix(name, "z.") {
			out[name] = fit.Posterior.Draws.Column(name)
		}
	}
	return out, c.total, nil
}

// bind returns the model and the point where its chains start; the first sweep draws the
// components anew.
func (r row) bind(dir, models string) (*lang.Model, []float64, error) {
	p, err := lang.CompileFile(filepath.Join(models, r.name+".ppl"), lang.Options{})
	if err != nil {
		return nil, nil, err
	}
	data, err := p.ReadDataFile(filepath.Join(dir, r.name+".json"))
	if err != nil {
		return nil, nil, err
	}
	m, err := p.Bind(data, lang.BindOptions{})
	if err != nil {
		return nil, nil, err
	}
	start, err := lang.Data(r.start)
	if err != nil {
		return nil, nil, err
	}
	q, err := m.Unconstrain(start)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range m.Columns() {
		if strings.HasPrefix(name, "z.") {
			q = append(q, 1)
		}
	}
	return m, q, nil
}

func readData(path string) (map[string]any, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var x map[string]any
	return x, json.Unmarshal(b, &x)
}

// readJAGS reads the draws and the processor time that jags.R wrote.
func readJAGS(dir, name string) (table, time.Duration, error) {
	b, err := os.ReadFile(filepath.Join(dir, name+".cpu"))
	if err != nil {
		return nil, 0, err
	}
	seconds, err := strconv.ParseFloat(strings.TrimSpace(string(b)), 64)
	if err != nil {
		return nil, 0, err
	}
	out := table{}
	for c := range 2 {
		if err := readChain(filepath.Join(dir, fmt.Sprintf("%s.%d.csv", name, c+1)), c, out); err != nil {
			return nil, 0, err
		}
	}
	return out, time.Duration(seconds * float64(time.Second)), nil
}

func readChain(path string, chain int, out table) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r := csv.NewReader(f)
	head, err := r.Read()
	if err != nil {
		return err
	}
	for i, h := range head {
		head[i] = strings.NewReplacer("[", ".", "]", "").Replace(h)
	}
	for {
		line, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		for i, s := range line {
			v, err := strconv.ParseFloat(s, 64)
			if err != nil {
				return fmt.Errorf("%s: %v", path, err)
			}
			out.add(head[i], chain, v)
		}
	}
}
