// Command verdicts measures what verdicts are worth: it makes random problems whose posterior
// is known exactly, runs methods on them, and counts how often a right or a wrong answer is
// called good.
//
//	go run ./examples/verdicts                        # two problems of every class, every method
//	go run ./examples/verdicts -n 15 -jobs 2          # 1,000 problems
//	go run ./examples/verdicts -classes 'modes|cauchy' -methods 'advi|smc' -from 100
//	go run ./examples/verdicts -n 15 -append a.jsonl  # kept as it goes; the same line goes on
//	go run ./examples/verdicts -n 12 -share 4         # 1,000 problems, each by a quarter of the methods
//	go run ./examples/verdicts -n 12 -for 20m -append a.jsonl   # what twenty minutes suffice for
//	go run ./examples/verdicts -n 0 a.jsonl b.jsonl   # the table of what was kept
//	go run ./examples/verdicts -write DIR -classes banana -from 7 -n 1
//
// The answers that are compared with come from closed forms, enumeration and quadrature in
// this folder, none of which knows the program or the engines; a test compares each class
// with sums over the program's own density. Without -limit nothing depends on a clock.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed-12b88e03/ppl/lang"
)

// settings are the flags.
type settings struct {
	n              int
	from           uint64
	jobs           int
	share          int
	classes        *regexp.Regexp
	methods        *regexp.Regexp
	write          string
	verbose, quiet bool
	list           bool
	pairs          int
	limit, span    time.Duration
	appendTo       string
	files          []string
	record         *recorder
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func parse(args []string, stderr io.Writer) (*settings, error) {
	f := flag.NewFlagSet("verdicts", flag.ContinueOnError)
	f.SetOutput(stderr)
	s := &settings{}
	f.IntVar(&s.n, "n", 2, "instances of every class")
	f.Uint64Var(&s.from, "from", 0, "number of the first instance")
	f.IntVar(&s.share, "share", 1, "run one method in so many on a problem, in turn: each class meets all methods over as many instances")
	f.IntVar(&s.jobs, "jobs", 1, "problems at work at the same time")
	f.StringVar(&s.write, "write", "", "write model, data and exact answers into this folder, and run nothing")
	f.BoolVar(&s.list, "list", false, "print the names of the classes and what they are, and run nothing")
	f.BoolVar(&s.verbose, "v", false, "print every outcome")
	f.BoolVar(&s.quiet, "q", false, "leave out the false goods, one by one")
	f.IntVar(&s.pairs, "pairs", 0, "judge the wrappers on so many right and so many contaminated pairs of simulator and model, too")
	f.StringVar(&s.appendTo, "append", "", "append outcomes to this file as they come, leave out what it has, and count all of it; arguments are further such files to count")
	f.DurationVar(&s.limit, "limit", 0, "end a run after this time, and count it as failed: such a table depends on the machine")
	f.DurationVar(&s.span, "for", 0, "end after this time, and print the table of what there is")
	classes, methods := f.String("classes", "", "expression that names of classes match"), f.String("methods", "", "expression that methods match")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	s.files = f.Args()
	var err error
	if s.classes, err = regexp.Compile(*classes); err != nil {
		return nil, err
	}
	s.methods, err = regexp.Compile(*methods)
	return s, err
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	s, err := parse(args, stderr)
	if err != nil {
		return err
	}
	if s.list {
		for _, c := range classes() {
			fmt.Fprintf(stdout, "%-20s %s\n", c.name, c.what)
		}
		return nil
	}
	if s.write != "" {
		return s.writeAll(stdout)
	}
	if !s.verbose {
		stderr = io.Discard
	}
	outcomes, err := s.kept()
	if err != nil {
		return err
	}
	within := ctx
	if s.span > 0 {
		var cancel context.CancelFunc
		within, cancel = context.WithTimeout(ctx, s.span)
		defer cancel()
	}
	made, err := s.outcomes(within, stderr)
	if err != nil && within.Err() == nil {
		return err
	}
	outcomes = append(outcomes, made...)
	if s.verbose {
		for _, o := range outcomes {
			fmt.Fprintf(stdout, "%-8s %-8s %s %s; %s\n", o.Grade, o.Verdict, o.line(), o.Off, o.Because)
		}
	}
	if len(outcomes) > 0 {
		report(stdout, classes(), outcomes, s.quiet)
	}
	if within.Err() != nil {
		fmt.Fprintf(stdout, "\nEnded early, with %d answers; -append FILE keeps them, and the same line goes on.\n", len(outcomes))
		return ctx.Err()
	}
	if s.pairs > 0 {
		return s.judgePairs(ctx, stdout)
	}
	return nil
}

// kept are the outcomes in files.
func (s *settings) kept() (all []outcome, err error) {
	if s.record, all, err = newRecorder(s.appendTo); err != nil {
		return nil, err
	}
	for _, name := range s.files {
		more, err := readOutcomes(name)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return slices.DeleteFunc(all, func(o outcome) bool {
		return !s.classes.MatchString(o.Problem.Class) || !s.methods.MatchString(o.Method)
	}), nil
}

// asked is a problem that is yet to be made.
type asked struct {
	class  *class
	number uint64
}

// asks are the problems of classes that the flags ask for.
func (s *settings) asks(of []*class) []asked {
	var out []asked
	for i := range s.n {
		for _, c := range of {
			if s.classes.MatchString(c.name) {
				out = append(out, asked{c, s.from + uint64(i)})
			}
		}
	}
	return out
}

// outcomes runs all methods on all problems; what is done is told to progress.
func (s *settings) outcomes(ctx context.Context, progress io.Writer) ([]outcome, error) {
	return s.outcomesOf(ctx, classes(), progress)
}

// outcomesOf is that for problems of these classes.
func (s *settings) outcomesOf(ctx context.Context, of []*class, progress io.Writer) ([]outcome, error) {
	asks := s.asks(of)
	found, errs := make([][]outcome, len(asks)), make([]error, len(asks))
	inParallel(s.jobs, len(asks), func(i int) {
		if ctx.Err() != nil {
			return
		}
		found[i], errs[i] = s.solveAll(ctx, asks[i].class.instance(asks[i].number))
		var text strings.Builder
		for _, o := range found[i] {
			fmt.Fprintf(&text, " %s %.0fms", strings.SplitN(o.Method, "(", 2)[0], float64(o.Took.Milliseconds()))
		}
		fmt.Fprintf(progress, "%s %d:%s\n", asks[i].class.name, asks[i].number, &text)
	})
	var out []outcome
	for i := range asks {
		if errs[i] != nil {
			return nil, fmt.Errorf("%s %d: %w", asks[i].class.name, asks[i].number, errs[i])
		}
		out = append(out, found[i]...)
	}
	return out, ctx.Err()
}

func (s *settings) solveAll(ctx context.Context, p *problem) ([]outcome, error) {
	m, err := p.bind()
	if err != nil {
		return nil, fmt.Errorf("%s\n%s", lang.ErrorText(err), p.Text)
	}
	var out []outcome
	for i, method := range append(append([]string{}, methods...), swaps...) {
		if !s.takes(p, i) || !s.methods.MatchString(method) || s.record.has(p, method) || ctx.Err() != nil {
			continue
		}
		o, ok := s.solve(ctx, p, m, method)
		if !ok || ctx.Err() != nil {
			continue
		}
		if err := s.record.write(o); err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	return out, nil
}

// takes reports whether it is the turn of a method, by its place in the list, on a problem.
// Problems of one number start at other places, so that no class sets the pace for all.
func (s *settings) takes(p *problem, method int) bool {
	h := fnv.New32a()
	h.Write([]byte(p.Class))
	return (uint64(h.Sum32())+p.Number+uint64(method))%uint64(max(s.share, 1)) == 0
}

// solve runs a method within the limit.
func (s *settings) solve(ctx context.Context, p *problem, m *lang.Model, method string) (outcome, bool) {
	if s.limit == 0 {
		return p.solve(ctx, m, method)
	}
	within, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	o, ok := p.solve(within, m, method)
	if within.Err() != nil && ctx.Err() == nil {
		o.Grade, o.Verdict, o.Off = right, failed, "it took longer than the limit"
	}
	return o, ok
}

// inParallel calls f for 0 to n-1, jobs of them at the same time.
func inParallel(jobs, n int, f func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range max(1, jobs) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	wg.Wait()
}

// writeAll writes problems to files.
func (s *settings) writeAll(stdout io.Writer) error {
	all := s.pairsOf()
	for _, a := range s.asks(classes()) {
		all = append(all, a.class.instance(a.number))
	}
	for _, p := range all {
		dir := filepath.Join(s.write, fmt.Sprintf("%s-%d", p.Class, p.Number))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		text, err := lang.Format(p.Class+".ppl", p.Text, lang.Options{})
		if err != nil {
			return err
		}
		data, err := json.Marshal(p.Vars)
		if err != nil {
			return err
		}
		exact, err := json.MarshalIndent(map[string]any{"exact": p.Exact, "swap": p.Swap, "improper": p.Improper}, "", " ")
		if err != nil {
			return err
		}
		for name, text := range map[string][]byte{p.Class + ".ppl": []byte(text), p.Class + ".json": data, "exact.json": exact} {
			if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
				return err
			}
		}
		line := fmt.Sprintf("ppl run %s --seed %d", filepath.Join(dir, p.Class+".ppl"), p.Number+1)
		for _, m := range append(append([]string{}, methods...), swaps...) {
			if s.methods.String() != "" && s.methods.MatchString(m) && (p.Swap != nil || !strings.HasPrefix(m, "prior_swap")) {
				fmt.Fprintf(stdout, "%s --method '%s'\n", line, p.expression(m))
			}
		}
		if s.methods.String() == "" {
			fmt.Fprintln(stdout, line)
		}
	}
	return nil
}
