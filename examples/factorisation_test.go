//go:build unix

package examples

// This file is the study of collapsing (Grosse, Ancha and Roy 2016, section 5.2) on matrix
// factorisation, and the densities at the stored point.

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose/bread"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/lang"
)

var factorisation = filepath.Join("matrix_factorisation", "data.json")

// factor judges a method on a form of the model with the stored data, which came with
// their exact posterior draw.
func factor(t testing.TB, form, method, options string) bread.Figures {
	t.Helper()
	m := load(t, filepath.Join("matrix_factorisation", form+".ppl"), factorisation)
	d, err := m.Program.Diagnosis(fmt.Sprintf(`bread(%s, %s, data = "given", start = %q)`, method, options, factorisation))
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	v, err := m.Diagnose(context.Background(), d, lang.RunOptions{Seed: 1, Jobs: 2})
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	return v.Figures.(bread.Figures)
}

// TestFactorisation: the log likelihoods at the exact draw that came with the data, which
// are the reverse values of one step, against figures calculated apart.
func TestFactorisation(t *testing.T) {
	for form, want := range map[string]float64{"uncollapsed": -1733.172007, "collapsed": -2168.098256} {
		m := load(t, filepath.Join("matrix_factorisation", form+".ppl"), factorisation)
		at, err := data.ReadAllFile(factorisation, nil)
		if err != nil {
			t.Fatal(err)
		}
		q, err := m.Point(at[0])
		if err != nil {
			t.Fatal(lang.ErrorText(err))
		}
		e, _ := infer.Capability[infer.Tempered](m.Bound().NewEvaluator())
		if _, got, err := e.LogDensityParts(q); err != nil || math.Abs(got-want) > 1e-6 {
			t.Errorf("%s: the log likelihood is %.6f, should be %.6f (%v)", form, got, want, err)
		}
	}
}

// BenchmarkFactorisation gives the gap between mean reverse and mean forward values of
// chains of n steps, and the CPU-seconds of a chain, the pilot run and what is spent on
// the method's own draws included. All cells take a long time: choose some by -bench.
//
//	go test ./examples -run NONE -bench 'Factorisation/uncollapsed/nuts/sigmoidal/1000' -benchtime 1x -timeout 0
func BenchmarkFactorisation(b *testing.B) {
	for _, form := range []string{"uncollapsed", "collapsed"} {
		for _, method := range []string{"nuts", "hmc", "mh"} {
			for _, schedule := range []string{"sigmoidal", "linear"} {
				for _, n := range []int{10, 30, 100, 300, 1000} {
					b.Run(fmt.Sprintf("%s/%s/%s/%d", form, method, schedule, n), func(b *testing.B) {
						const chains = 100
						began := cpuSeconds(b)
						f := factor(b, form, method+"(chains = 1, warmup = 100, draws = 10)",
							fmt.Sprintf("steps = [%d], chains = %d, schedule = %q", n, chains, schedule))
						b.ReportMetric((cpuSeconds(b)-began)/(2*chains), "cpu-s/chain")
						b.ReportMetric(float64(f.LogEvidence.Lower), "forward")
						b.ReportMetric(float64(f.LogEvidence.Upper), "reverse")
						b.ReportMetric(float64(f.Jeffreys.Bound), "gap")
						b.ReportMetric(float64(f.Jeffreys.Error), "gap-error")
					})
				}
			}
		}
	}
}

// cpuSeconds is the time that processors spent on the process.
func cpuSeconds(t testing.TB) float64 {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
