//go:build unix

// Command faults kills runs, damages fits and feeds ppl hostile files, and writes a page of what
// was kept. See README.md.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

func main() {
	ppl := flag.String("ppl", "ppl", "the program under test")
	kills := flag.Int("kills", 1000, "how many runs are killed")
	mutations := flag.Int("mutations", 1000, "how many fits are damaged")
	questions := flag.Int("questions", 200, "how many commands that read a fit are stopped")
	hostile := flag.Int("hostile", 200, "how many hostile files are read")
	meets := flag.Bool("situations", true, "whether ppl is put in the situations")
	seed := flag.Uint64("seed", 1, "of the random choices; the moments of kills cannot be repeated")
	limit := flag.Duration("time-limit", 0, "stop after this time and write the page about what was done; 0 for none")
	kept := flag.String("counts", "", "file of counts: those of earlier runs are added to, for the page of all; none without it")
	out := flag.String("out", "", "file for the page; standard output without it")
	flag.Parse()
	b, err := newBench(*ppl, *seed)
	if err == nil {
		defer b.stopAfter(*limit)()
		err = b.all(amounts{*kills, *mutations, *questions, *hostile, *meets}, *kept, *out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A bench is where the faults are made.
type bench struct {
	ppl   string
	dir   string // of models, data and fits
	rand  *rand.Rand
	wrong []string // what must not be, in words
	ctx   context.Context
}

// stopAfter ends the work after a time, if it is not 0, or at an interrupt.
func (b *bench) stopAfter(limit time.Duration) (done func()) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	// What the runs are sent must not be ignored in them because it is here, under nohup.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	b.ctx, done = ctx, stop
	if limit > 0 {
		limited, cancel := context.WithTimeout(ctx, limit)
		b.ctx, done = limited, func() { cancel(); stop() }
	}
	return done
}

func newBench(ppl string, seed uint64) (*bench, error) {
	path, err := filepath.Abs(ppl)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "faults")
	if err != nil {
		return nil, err
	}
	b := &bench{ppl: path, dir: dir, rand: rand.New(rand.NewPCG(seed, 0))}
	for name, text := range inputs {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// inputs are the files that all runs start from.
var inputs = map[string]string{
	"model.ppl": `data { int N; vector[N] y; }
parameters { real mu; real<lower=0> tau; vector[N] z; }
model { mu ~ normal(0, 2); tau ~ normal(0, 1); z ~ normal(0, 1); y ~ normal(mu + tau * z, 1); }
generated quantities {
  vector[N] log_lik;
  for (n in 1:N) log_lik[n] = normal_lpdf(y[n] | mu + tau * z[n], 1);
}
`,
	"model.json": `{"N": 5, "y": [0.1, 1.2, -0.4, 2.2, 0.7]}`,
}

// fail notes what must not be.
func (b *bench) fail(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	b.wrong = append(b.wrong, text)
	fmt.Fprintln(os.Stderr, "WRONG:", text)
}

// amounts are how many faults of each kind are made.
type amounts struct {
	kills, mutations, questions, hostile int
	situations                           bool
}

func (b *bench) all(n amounts, kept, out string) error {
	defer os.RemoveAll(b.dir)
	k, err := b.kill(n.kills)
	if err != nil {
		return err
	}
	m, err := b.mutate(n.mutations)
	if err != nil {
		return err
	}
	q, err := b.ask(n.questions)
	if err != nil {
		return err
	}
	h, err := b.feed(n.hostile)
	if err != nil {
		return err
	}
	var list []situation
	if n.situations {
		list = situations
	}
	met, err := b.meet(list)
	if err != nil {
		return err
	}
	c, err := readCounts(kept)
	if err != nil {
		return err
	}
	c.add(k, m, h, b.wrong)
	c.addStopped(q)
	if len(met) > 0 {
		c.Met = met // those of the newest run
	}
	if err := c.write(kept); err != nil {
		return err
	}
	text := page(c)
	if out == "" {
		fmt.Print(text)
	} else if err := os.WriteFile(out, []byte(text), 0o666); err != nil {
		return err
	}
	if len(b.wrong) > 0 {
		return fmt.Errorf("%d cases are not as they must be", len(b.wrong))
	}
	return nil
}
