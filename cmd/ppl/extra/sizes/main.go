//go:build unix

// Command sizes measures how the time and memory of fits grow with the size of the data: a row
// of a table for each model and method at n, 10 n and 100 n, on data simulated here.
//
//	go run ./cmd/ppl/extra/sizes [-only TEXT] [-limit SECONDS] [-profile FILE]
//
// Times are of the processor. Set-up is from the text of the program and the data in memory to the
// end of the first sweep, less one sweep; a sweep the median of the others; diagnosis what comes
// after the last; memory the greatest of the process. A diagnosis by itself is all set-up. Each
// fit is a process of its own and is ended at the limit. growth is the exponent of n between the
// last two sizes.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime/pprof"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/lang"
)

func main() {
	only := flag.String("only", "", "measure cases with this text in their names only")
	limit := flag.Int("limit", 60, "seconds that one fit may take")
	one := flag.String("case", "", "measure this case at one size, in this process")
	size := flag.Int("n", 0, "the size of -case")
	profile := flag.String("profile", "", "write a processor profile of -case to this file")
	flag.Parse()
	if err := start(*only, *limit, *one, *size, *profile); err != nil {
		fmt.Fprintln(os.Stderr, lang.ErrorText(err))
		os.Exit(1)
	}
}

func start(only string, limit int, one string, size int, profile string) error {
	if one == "" {
		return table(only, time.Duration(limit)*time.Second)
	}
	for _, c := range cases() {
		if c.name == one {
			f, err := c.measure(size, profile)
			if err != nil {
				return err
			}
			return json.NewEncoder(os.Stdout).Encode(f)
		}
	}
	return fmt.Errorf("there is no case %q", one)
}

// figures are what one fit took, in seconds and bytes.
type figures struct {
	Setup, Sweep, Diagnosis float64
	Memory                  float64
}

// table measures the cases and prints a row for each size.
func table(only string, limit time.Duration) error {
	fmt.Println("| case | n | set-up, s | a sweep, ms | diagnosis, s | memory, MB | growth: set-up, sweep, memory |")
	fmt.Println("| --- | ---: | ---: | ---: | ---: | ---: | --- |")
	for _, c := range cases() {
		if !strings.Contains(c.name, only) {
			continue
		}
		n := c.n
		var before *figures
		for i := range c.sizes {
			name := c.name
			if i == 0 {
				name += " (" + c.unit + ")"
			} else {
				n *= 10
				name = ""
			}
			f, err := child(c.name, n, limit)
			if err != nil {
				fmt.Printf("| %s | %d | %s | | | | |\n", name, n, err)
				break
			}
			fmt.Printf("| %s | %d | %.3f | %.3f | %.2f | %.0f | %s |\n", name, n, f.Setup, 1e3*f.Sweep, f.Diagnosis, f.Memory/1e6, growth(before, f))
			before = f
		}
	}
	return nil
}

func growth(a, b *figures) string {
	if a == nil {
		return ""
	}
	return fmt.Sprintf("%.1f, %.1f, %.1f", math.Log10(b.Setup/a.Setup), math.Log10(b.Sweep/a.Sweep), math.Log10(b.Memory/a.Memory))
}

// child measures in a process of its own.
func child(name string, n int, limit time.Duration) (*figures, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, self, "-case", name, "-n", fmt.Sprint(n))
	var message strings.Builder
	cmd.Stderr = &message
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("over %v", limit)
	}
	if err != nil {
		return nil, errors.New(strings.SplitN(message.String(), "\n", 2)[0])
	}
	f := &figures{}
	if err := json.Unmarshal(out, f); err != nil {
		return nil, err
	}
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		f.Memory = float64(u.Maxrss) * 1024
	}
	return f, nil
}

// A clock notes when sweeps ended.
type clock struct {
	infer.Ignore
	fits bool // the method fits an approximation
	ends []float64
}

// Step implements infer.Observer. What follows a fit, draws from it, is no sweep.
func (c *clock) Step(s infer.Step) {
	if s.Warmup || !c.fits {
		c.ends = append(c.ends, processorTime())
	}
}

// measure fits the case at size n.
func (c *kase) measure(n int, profile string) (*figures, error) {
	in, err := lang.Data(c.data(rand.New(rand.NewPCG(1, 2)), n))
	if err != nil {
		return nil, err
	}
	if profile != "" {
		f, err := os.Create(profile)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return nil, err
		}
		defer pprof.StopCPUProfile()
	}
	began := processorTime()
	p, err := lang.Compile("model.ppl", c.program, lang.Options{})
	if err != nil {
		return nil, err
	}
	m, err := p.Bind(in, lang.BindOptions{Seed: 1})
	if err != nil {
		return nil, err
	}
	k := &clock{fits: strings.HasPrefix(c.method, "cavi")}
	o := lang.RunOptions{Seed: 1, Jobs: 1, Observer: k}
	if c.diagnosis {
		err = diagnose(p, m, c.method, o)
	} else {
		err = run(p, m, c.method, o)
	}
	if err != nil {
		return nil, err
	}
	return k.figures(began, processorTime()), nil
}

func run(p *lang.Program, m *lang.Model, method string, o lang.RunOptions) error {
	f, err := p.Method(method)
	if err != nil {
		return err
	}
	_, err = m.Run(context.Background(), f, o)
	return err
}

func diagnose(p *lang.Program, m *lang.Model, method string, o lang.RunOptions) error {
	d, err := p.Diagnosis(method)
	if err != nil {
		return err
	}
	_, err = m.Diagnose(context.Background(), d, lang.RunOptions{Seed: o.Seed, Jobs: o.Jobs})
	return err
}

// figures are of a fit that began and ended then.
func (c *clock) figures(began, done float64) *figures {
	if len(c.ends) == 0 {
		return &figures{Setup: done - began}
	}
	f := &figures{Diagnosis: done - c.ends[len(c.ends)-1]}
	var sweeps []float64
	for i := range c.ends[1:] {
		sweeps = append(sweeps, c.ends[i+1]-c.ends[i])
	}
	if len(sweeps) > 0 {
		slices.Sort(sweeps)
		f.Sweep = sweeps[len(sweeps)/2]
	}
	f.Setup = max(0, c.ends[0]-began-f.Sweep)
	return f
}

// processorTime is what this process has had of processors, in seconds.
func processorTime() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}
