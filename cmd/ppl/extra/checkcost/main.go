//go:build unix

// Command checkcost measures what the search for other answers costs beside the fit, and what
// it finds: one row of a table for each model and method, in processor time.
//
//	go run ./cmd/ppl/extra/checkcost model.stan=data.json ...
//	go run ./cmd/ppl/extra/checkcost examples/posteriors examples/workloads
//
// A folder stands for its models with the data beside them, or of that name below
// $PPL_SHARED/posteriors.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
)

// methods are fitted with each model.
var methods = []string{"nuts", "laplace"}

func main() {
	fmt.Println("| model | method | fit, s | check, s | evaluations | allowed | verdict of the check |")
	fmt.Println("| --- | --- | ---: | ---: | ---: | ---: | --- |")
	for _, pair := range pairs(os.Args[1:]) {
		program, data, _ := strings.Cut(pair, "=")
		for _, method := range methods {
			row, err := measure(program, data, method)
			if err != nil {
				row = "| | | | | " + strings.SplitN(lang.ErrorText(err), "\n", 2)[0] + " |"
			}
			name := filepath.Base(strings.TrimSuffix(data, ".json"))
			if name == "data" {
				name = filepath.Base(filepath.Dir(data))
			}
			fmt.Printf("| %s | `%s` %s\n", name, method, row)
		}
	}
}

// pairs puts the pairs of program and data in place of folders.
func pairs(args []string) []string {
	var out []string
	for _, arg := range args {
		programs, err := filepath.Glob(filepath.Join(arg, "*.stan"))
		if err != nil || len(programs) == 0 {
			out = append(out, arg)
		}
		for _, p := range programs {
			stem := strings.TrimSuffix(p, ".stan")
			for _, pattern := range []string{stem + ".json", stem + "-*.json", filepath.Join(os.Getenv("PPL_SHARED"), "posteriors", filepath.Base(stem), "data.json")} {
				files, err := filepath.Glob(pattern)
				if err != nil {
					panic(err)
				}
				for _, d := range files {
					out = append(out, p+"="+d)
				}
			}
		}
	}
	return out
}

// measure fits without the search and with it.
func measure(program, data, method string) (string, error) {
	text, err := os.ReadFile(program)
	if err != nil {
		return "", err
	}
	p, err := lang.Compile(program, string(text), lang.Options{})
	if err != nil {
		return "", err
	}
	in, err := p.ReadDataFile(data)
	if err != nil {
		return "", err
	}
	m, err := p.Bind(in, lang.BindOptions{Seed: 1})
	if err != nil {
		return "", err
	}
	_, plain, err := fit(m, method+`(check = "none")`, 1)
	if err != nil {
		return "", err
	}
	one, whole, err := fit(m, method+"()", 1)
	if err != nil {
		return "", err
	}
	same := ""
	for _, jobs := range []int{3, 8} {
		other, _, err := fit(m, method+"()", jobs)
		if err != nil {
			return "", err
		}
		if found(one) != found(other) {
			same = fmt.Sprintf("; another one with %d jobs", jobs)
		}
	}
	r := one.Posterior.Population
	if r == nil {
		return "", fmt.Errorf("there was no search")
	}
	var finding diagnose.Finding
	for _, f := range one.Findings {
		if f.Name == "population" {
			finding = f
		}
	}
	return fmt.Sprintf("| %.2f | %.2f | %d | %d | %s: %s%s |", plain.Seconds(), max(0, (whole-plain).Seconds()), r.Evaluations, r.Allowed, finding.Severity, brief(finding, r), same), nil
}

// brief is what was found, in a few words.
func brief(f diagnose.Finding, r *draws.PopulationRun) string {
	value, _ := r.Largest.Difference()
	switch {
	case r.Failed != "":
		return r.Failed
	case r.Beta < 1:
		return fmt.Sprintf("%.0f %% of the way in inverse temperature", 100*float64(r.Beta))
	case f.Severity == diagnose.Good:
		return "no other answer"
	case r.Far != nil:
		return "a far mode of little mass"
	case len(r.Exchanged) > 0:
		return "labels are not exchanged"
	}
	return fmt.Sprintf("%s differs, by %.2g units of a wrong answer", r.Largest.Name, value)
}

// found is all that the search reports.
func found(f *lang.Fit) string {
	text, err := json.Marshal(f.Posterior.Population)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// fit runs a method, and returns the processor time that it took.
func fit(m *lang.Model, expr string, jobs int) (*lang.Fit, time.Duration, error) {
	method, err := m.Program.Method(expr)
	if err != nil {
		return nil, 0, err
	}
	before := used()
	f, err := m.Run(context.Background(), method, lang.RunOptions{Seed: 1, Jobs: jobs})
	return f, used() - before, err
}

// used is the processor time of this process.
func used() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
