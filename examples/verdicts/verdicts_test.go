package main

// This file runs a small fixed part of the measurement.

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// smallPart are the flags of the part that every test run makes.
var smallPart = []string{"-n", "1", "-classes", "^(normal_mean|proportion|regression|logistic|cauchy_two|mode_narrow|signs|banana|indicator|clipped|improper)$", "-methods", `^(laplace|pathfinder|advi\(\)|gibbs|prior_swap\(laplace)`}

// knownFalseGoods are wrong answers of that part that are called good today, as class and
// method. Whoever mends one takes it out.
var knownFalseGoods = map[string]bool{}

// TestSmallPart: the part's wrong answers are not called good, and the report is the same
// whatever the number of jobs.
func TestSmallPart(t *testing.T) {
	var one, two bytes.Buffer
	kept := filepath.Join(t.TempDir(), "kept")
	if err := run(t.Context(), append([]string{"-jobs", "1", "-append", kept}, smallPart...), &one, &one); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), append([]string{"-jobs", "2"}, smallPart...), &two, &two); err != nil {
		t.Fatal(err)
	}
	if one.String() != two.String() {
		t.Errorf("one job:\n%s\ntwo jobs:\n%s", one.String(), two.String())
	}
	outcomes, err := readOutcomes(kept)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range outcomes {
		if key := o.Problem.Class + " " + o.Method; o.falseGood() && !knownFalseGoods[key] {
			t.Errorf("%q is wrong and called good: %s", key, o.Off)
		} else if !o.falseGood() && knownFalseGoods[key] {
			t.Errorf("%q is no longer a false good: take it out of the list", key)
		}
	}
}

// TestEndedEarly: what there is when the time is up, or after an interrupt, is printed.
func TestEndedEarly(t *testing.T) {
	kept := filepath.Join(t.TempDir(), "kept")
	one := []string{"-n", "1", "-classes", "^rate$", "-methods", "^laplace", "-append", kept}
	var out bytes.Buffer
	if err := run(t.Context(), one, &out, &out); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx  context.Context
		args []string
		want error
	}{{t.Context(), []string{"-for", "1ns"}, nil}, {ended, nil, context.Canceled}} {
		out.Reset()
		err := run(c.ctx, append(append([]string{}, c.args...), "-n", "9", "-classes", "^rate$", "-append", kept), &out, &out)
		if !errors.Is(err, c.want) || !strings.Contains(out.String(), "| `laplace()` | 0 ") || !strings.Contains(out.String(), "with 1 answers") {
			t.Errorf("%v: %v\n%s", c.args, err, out.String())
		}
	}
}

// TestReproduction: -write writes model, data and answers, and the line that runs them.
func TestReproduction(t *testing.T) {
	var out bytes.Buffer
	dir := t.TempDir()
	if err := run(t.Context(), []string{"-write", dir, "-n", "1", "-from", "7", "-classes", "^rate$", "-methods", `^prior_swap\(laplace`}, &out, &out); err != nil {
		t.Fatal(err)
	}
	if want := "rate.ppl --seed 8 --method 'prior_swap(laplace()) { lambda ~ "; !strings.Contains(out.String(), want) {
		t.Errorf("%q lacks %q", out.String(), want)
	}
}

// TestPairs: a pair judged right and a contaminated one.
func TestPairs(t *testing.T) {
	for contaminated, want := range map[bool]verdict{false: "good", true: "bad"} {
		if got, text, err := pair(0, contaminated).judge(t.Context(), diagnoses[0]); err != nil || got != want {
			t.Errorf("contaminated %v: %s %s %v", contaminated, got, text, err)
		}
	}
}

// TestMended: wrong answers that were once called good are not any more. Each stands for a
// mechanism of the search for other answers.
func TestMended(t *testing.T) {
	for _, c := range []struct {
		class  string
		number uint64
		method string
	}{
		{"cauchy_two", 2000, "nuts()"},       // a far mode with a thousandth of the mass, which doubles the standard deviation
		{"cauchy_two", 2000, "pathfinder()"}, // the same beside an approximation
		{"rate_zero", 700, "advi()"},         // a transformed parameter is off, the declared one is not
		{"rate_zero", 801, "fvi()"},
		{"unseen", 800, "cavi()"},            // a discrete parameter is off, which the search sums out
		{"spike_and_slab", 701, "laplace()"}, // a mode at zero that is too narrow for random starts to hit
		{"signs", 3001, "map()"},             // another mode is higher by 0.03 nats
		{"mirrored", 3003, "map()"},
		{"shrunk", 3003, "map()"},          // no bound where a scale goes to zero, which only climbs from the prior's outermost draws reach
		{"share_free", 197001, "map()"},    // no bound where a share goes to zero, behind a valley
		{"rare_far", 223000, "advi()"},     // 200 starts of which a far mode with a hundredth of the mass got none
		{"rare_wide", 224000, "laplace()"}, // one of the widened draws has a third of the variance
		{"rare_wide", 223004, "laplace()"}, // a wide part around a narrow one, in three dimensions
		{"without_mass", 223000, "mh()"},   // an end of the mass that is that of rounding
		{"hinge", 223000, "gibbs()"},       // not the verdict, but minutes for what blocks know of each other, which nothing stopped
	} {
		s, err := parse([]string{"-n", "1", "-from", strconv.FormatUint(c.number, 10), "-classes", "^" + c.class + "$", "-methods", "^" + regexp.QuoteMeta(c.method)}, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		outcomes, err := s.outcomesOf(t.Context(), slices.Concat(classes(), told(), fresh(), strangers()), io.Discard)
		if err != nil || len(outcomes) != 1 {
			t.Fatal(c, len(outcomes), err)
		}
		for _, o := range outcomes {
			if o.Verdict == verdicts[0] {
				t.Errorf("%s %d %s is called good: %s", c.class, c.number, c.method, o.Off)
			}
		}
	}
}
