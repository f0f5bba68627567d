package console

// This file shows how far a run is: a bar for each chain on a terminal, otherwise a line
// at each tenth.

import (
	"fmt"
	"strings"
	"time"

	"github.com/seed-12b88e03/ppl/infer"
)

// ProgressEvery is the shortest time between two pictures of a run.
const ProgressEvery = 150 * time.Millisecond

// Watch shows how far a run is until end is called. stage says in words what it is at;
// each chain has its own bar if chains is set.
func (c *Console) Watch(stage func(infer.ProgressReport) string, chains bool) (o infer.Observer, end func()) {
	if c.Terminal {
		return c.watchBars(stage, chains)
	}
	began, shown := time.Now(), 0
	return infer.NewProgress(ProgressEvery, func(r infer.ProgressReport) {
		if tenths := int(r.Fraction() * 10); tenths > shown {
			shown = tenths
			c.Text(fmt.Sprintf("%3d%% %s%s\n", tenths*10, stage(r), TimeLeft(time.Since(began), r.Fraction())))
		}
	}), func() {}
}

// TimeLeft guesses from the time that a part has taken.
func TimeLeft(took time.Duration, done float64) string {
	if done <= 0 || done >= 1 || took < time.Second {
		return ""
	}
	left := time.Duration(float64(took) * (1 - done) / done)
	return fmt.Sprintf(", about %s left", left.Round(time.Second))
}

// FitStage is what a method without chains is at.
func FitStage(r infer.ProgressReport) string {
	switch s := r.Chains[0]; {
	case s.Done == s.Total:
		return "done"
	case s.Warmup:
		return "fitting"
	}
	return "drawing"
}

// ChainStage is what the chains are at.
func ChainStage(r infer.ProgressReport) string {
	warm, sampling, done := 0, 0, 0
	for _, s := range r.Chains {
		switch {
		case s.Total > 0 && s.Done == s.Total:
			done++
		case s.Warmup:
			warm++
		case s.Done > 0:
			sampling++
		}
	}
	var parts []string
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	add(warm, "in warm-up")
	add(sampling, "sampling")
	add(done, "done")
	text := "chains: " + strings.Join(parts, ", ")
	if n := r.Divergences(); n > 0 {
		text += "; " + Plural(n, "divergence")
	}
	return text
}

// Plural is a number of things of a kind.
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
