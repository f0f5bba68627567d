//go:build unix

package examples

// This file is the study of collapsing (Grosse, Ancha and Roy 2016, section 5.2) on matrix
// factorisation, and the densities at the stored point.

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seed-12b88e03/ppl/diagnose/bread"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/lang"
)

var factorisation = filepath.Join("matrix_factorisation", "data.json")

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

var (
	collapsing      = flag.Int("collapsing", 0, "chains of each length and direction of the study of collapsing; 0 leaves it out")
	collapsingCells = flag.String("collapsing-cells", "", "run only cells whose /FORM/KERNEL/SCHEDULE contains this; the page keeps its rows of the others")
)

const collapsingFile = "docs/collapsing.md"

// A gapCell is what one kernel with one schedule gave on one form of the model.
type gapCell struct {
	form, kernel, schedule string
	ladder                 []bread.Rung
	seconds                []float64 // CPU-seconds of a chain, by rung
}

// TestCollapsing makes the table of gaps against steps and seconds. It takes an hour or
// more, and runs only when asked, all cells or some:
//
//	go test ./examples -run Collapsing -collapsing 100 -timeout 0 -v
//	go test ./examples -run Collapsing -collapsing 30 -collapsing-cells nuts/sigmoidal -timeout 0 -v
//
// Both forms have the same log p(Y), so that each mean of forward values must be below each mean
// of reverse ones, and longer chains must have smaller gaps: within 5 standard errors,
// about 6,000 comparisons of which few are close.
func TestCollapsing(t *testing.T) {
	if *collapsing == 0 {
		t.Skip("the study of collapsing runs with -collapsing CHAINS only; " + collapsingFile + " holds what it gave")
	}
	var cells []gapCell
	for _, form := range []string{"uncollapsed", "collapsed"} {
		for _, kernel := range []string{"nuts", "hmc", "mh"} {
			for _, schedule := range []string{"sigmoidal", "linear"} {
				if !strings.Contains("/"+form+"/"+kernel+"/"+schedule, *collapsingCells) {
					continue
				}
				c := gapCell{form: form, kernel: kernel, schedule: schedule}
				c.run(t, *collapsing)
				t.Log("\n" + c.rows())
				cells = append(cells, c)
				writeCollapsing(t, c)
			}
		}
	}
	checkOrder(t, cells)
	for _, c := range cells {
		last := c.ladder[len(c.ladder)-1]
		most := map[string]float64{"uncollapsed": 14, "collapsed": 11}[c.form]
		if c.kernel == "nuts" && c.schedule == "sigmoidal" && !(float64(last.Gap) < most) {
			t.Errorf("%s: the gap of nuts in %d sigmoidal steps is %.2f nats, should be below %g", c.form, last.Steps, float64(last.Gap), most)
		}
	}
}

// run fills in the ladder, on the stored data, which came with their exact posterior draw.
func (c *gapCell) run(t *testing.T, chains int) {
	t.Helper()
	m := load(t, filepath.Join("matrix_factorisation", c.form+".ppl"), factorisation)
	d, err := m.Program.Diagnosis(fmt.Sprintf(`bread(%s(chains = 1, warmup = 100, draws = 10), steps = [10, 30, 100, 300, 1000], chains = %d, schedule = %q, data = "given", start = %q)`,
		c.kernel, chains, c.schedule, factorisation))
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	var watch cpuWatch
	v, err := m.Diagnose(context.Background(), d, lang.RunOptions{Seed: 1, Jobs: runtime.GOMAXPROCS(0), Observer: &watch})
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	f := v.Figures.(bread.Figures)
	c.ladder = f.Ladder
	// Chains are timed by the clock; the processor's time of all of them together says
	// how much of that they had.
	clock := 0.0
	for _, r := range c.ladder {
		clock += float64(r.Seconds) * float64(len(r.Forward)+len(r.Reverse))
	}
	for _, r := range c.ladder {
		c.seconds = append(c.seconds, float64(r.Seconds)*(watch.last-watch.first)/clock)
	}
}

// A cpuWatch notes the processor's time at the first and last sign of chains: the pilot run
// is before, what is spent on the method's own draws after.
type cpuWatch struct {
	infer.Ignore
	first, last float64
}

func (w *cpuWatch) Step(infer.Step) {
	w.last = cpuSeconds()
	if w.first == 0 {
		w.first = w.last
	}
}

// cpuSeconds is the time that processors spent on the process; 0 where the system does not
// tell.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// checkOrder holds forward values against reverse ones, and gaps of a cell against each
// other.
func checkOrder(t *testing.T, cells []gapCell) {
	t.Helper()
	type side struct {
		name        string
		mean, error float64
	}
	var forward, reverse []side
	of := func(c gapCell, r bread.Rung, x []draws.Number) side {
		mean, err := meanAndError(x)
		return side{fmt.Sprintf("%s, %s, %s, %d steps", c.form, c.kernel, c.schedule, r.Steps), mean, err}
	}
	for _, c := range cells {
		for i, r := range c.ladder {
			reverse = append(reverse, of(c, r, r.Reverse))
			if len(r.Forward) == 0 {
				continue
			}
			forward = append(forward, of(c, r, r.Forward))
			if before := c.ladder[i-1]; len(before.Forward) > 0 && float64(r.Gap-before.Gap) > 5*math.Hypot(float64(r.Error), float64(before.Error)) {
				t.Errorf("%s: the gap grows from %.2f to %.2f", of(c, r, r.Forward).name, float64(before.Gap), float64(r.Gap))
			}
		}
	}
	for _, f := range forward {
		for _, r := range reverse {
			if f.mean-r.mean > 5*math.Hypot(f.error, r.error) {
				t.Errorf("forward %s: %.2f is above reverse %s: %.2f", f.name, f.mean, r.name, r.mean)
			}
		}
	}
}

func meanAndError(x []draws.Number) (mean, err float64) {
	values := make([]float64, len(x))
	for i, v := range x {
		values[i] = float64(v)
	}
	list := [][]float64{values}
	if len(x) < 2 { // one reverse chain of one step, which is exact
		return values[0], 0
	}
	return draws.Mean(list), draws.SD(list) / math.Sqrt(float64(len(x)))
}

// key is what the cell's lines of the table begin with.
func (c *gapCell) key() string { return fmt.Sprintf("| %s | %s | %s |", c.form, c.kernel, c.schedule) }

// rows are the lines of the table.
func (c *gapCell) rows() string {
	var b strings.Builder
	for i, r := range c.ladder {
		if len(r.Forward) == 0 {
			continue
		}
		f, _ := meanAndError(r.Forward)
		v, _ := meanAndError(r.Reverse)
		fmt.Fprintf(&b, "%s %d | %d | %.1f | %.1f | %.2f | %.2f | %.2g |\n", c.key(), len(r.Forward), r.Steps, f, v, float64(r.Gap), float64(r.Error), c.seconds[i])
	}
	return b.String()
}

// writeCollapsing puts the cell's rows into the page in the place of those that it had.
func writeCollapsing(t *testing.T, c gapCell) {
	t.Helper()
	old, err := os.ReadFile(collapsingFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	rows := slices.Collect(strings.Lines(c.rows()))
	for line := range strings.Lines(string(old)) {
		if strings.HasPrefix(line, "| collapsed") || strings.HasPrefix(line, "| uncollapsed") {
			if !strings.HasPrefix(line, c.key()) {
				rows = append(rows, line)
			}
		}
	}
	// Forms, kernels and schedules as in the study: each is the reverse of the alphabet.
	key := func(row string) string { return strings.Join(strings.SplitN(row, " | ", 4)[:3], "") }
	slices.SortStableFunc(rows, func(a, b string) int { return strings.Compare(key(b), key(a)) })
	text := fmt.Sprintf(collapsingHead, time.Now().Format("2006-01-02"), machine()) + strings.Join(rows, "")
	if err := os.WriteFile(collapsingFile, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// machine is what the system says of its processors.
func machine() string {
	name := runtime.GOOS + "/" + runtime.GOARCH
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return name
	}
	lines := bytes.Split(info, []byte("\n"))
	i := slices.IndexFunc(lines, func(l []byte) bool { return bytes.HasPrefix(l, []byte("model name")) })
	if i < 0 {
		return name
	}
	_, model, _ := bytes.Cut(lines[i], []byte(":"))
	return fmt.Sprintf("%s, %d x %s", name, runtime.NumCPU(), bytes.TrimSpace(model))
}

const collapsingHead = `# Collapsing, by the gap

Matrix factorisation with 50 rows, 25 columns and 5 factors on stored data that came with their
exact posterior draw ([the model](../matrix_factorisation/README.md)): uncollapsed, and with U
integrated out. Means of single-chain values over as many chains of each length and direction as
the table says, without averaging of weights: forward ones are below log p(Y) in expectation, reverse ones above, whatever form,
kernel and schedule. The gap bounds the Jeffreys divergence of the last state from the posterior,
in nats; its error is conditional on the data and the exact draw, which all reverse chains
share. Seconds are of the processor, for one chain in one direction, pilot run left out: compare gaps
at equal seconds, too, not only at equal steps. Last
written on %s (%s, other work beside it) by
` + "`go test ./examples -run Collapsing -collapsing CHAINS -timeout 0`" + `, where ` + "`-collapsing-cells /FORM/KERNEL/SCHEDULE`" + `
makes some of the rows anew.

| form | kernel | schedule | chains | steps | forward | reverse | gap | error | CPU-seconds |
| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
`
