package main

// This file writes to standard error: remarks, and progress that gives way to them.

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/seed-12b88e03/ppl/infer"
)

// A console is standard error. It may be used from several goroutines.
type console struct {
	mu       sync.Mutex
	w        io.Writer
	terminal bool
	bar      string // what stands on the last line of a terminal; empty for none
	tenths   int    // of the progress already reported where there is no terminal
}

func newConsole(w io.Writer) *console { return &console{w: w, terminal: isTerminal(w)} }

// Write implements io.Writer.
func (c *console) Write(p []byte) (int, error) {
	c.text(string(p))
	return len(p), nil
}

// text writes a text that ends its line. What standard error cannot take is lost.
func (c *console) text(s string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.erase()
	_, _ = io.WriteString(c.w, s)
	c.draw()
}

func (c *console) erase() {
	if c.bar != "" {
		_, _ = io.WriteString(c.w, "\r\x1b[K")
	}
}

func (c *console) draw() {
	if c.bar != "" {
		_, _ = io.WriteString(c.w, c.bar)
	}
}

// barWidth is the number of places of the bar.
const barWidth = 30

// progress shows how far a run is: a bar on a terminal, otherwise a line at each tenth.
// stage says in words what it is at.
func (c *console) progress(r infer.ProgressReport, stage string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	done := r.Fraction()
	if !c.terminal {
		if tenths := int(done * 10); tenths > c.tenths {
			c.tenths = tenths
			_, _ = fmt.Fprintf(c.w, "%3d%% %s\n", tenths*10, stage)
		}
		return
	}
	c.erase()
	full := int(done * barWidth)
	c.bar = fmt.Sprintf("%s%s %3.0f%% %s", strings.Repeat("█", full), strings.Repeat("░", barWidth-full), done*100, stage)
	c.draw()
}

// endProgress takes the bar away.
func (c *console) endProgress() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.erase()
	c.bar, c.tenths = "", 0
}

// fitStage is what a method without chains is at.
func fitStage(r infer.ProgressReport) string {
	switch s := r.Chains[0]; {
	case s.Done == s.Total:
		return "done"
	case s.Warmup:
		return "fitting"
	}
	return "drawing"
}

// chainStage is what the chains are at.
func chainStage(r infer.ProgressReport) string {
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
	if r.Divergences() > 0 {
		text += fmt.Sprintf("; %d divergences", r.Divergences())
	}
	return text
}
