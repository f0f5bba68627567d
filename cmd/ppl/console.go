package main

// This file writes to standard error: remarks, which stand above the bars of a run.

import (
	"io"
	"sync"

	"github.com/seed-12b88e03/ppl/lang/problem"
)

// A console is standard error. It may be used from several goroutines.
type console struct {
	mu       sync.Mutex
	w        io.Writer
	terminal bool
	bars     io.Writer // takes text while bars are shown; nil while there are none
}

func newConsole(w io.Writer) *console { return &console{w: w, terminal: isTerminal(w)} }

// Write implements io.Writer.
func (c *console) Write(p []byte) (int, error) {
	c.text(string(p))
	return len(p), nil
}

// text writes a text that ends its line, with what a terminal would obey shown. What
// standard error cannot take is lost.
func (c *console) text(s string) {
	s = problem.Printable(s)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bars != nil {
		if _, err := io.WriteString(c.bars, s); err == nil {
			return
		}
	}
	_, _ = io.WriteString(c.w, s)
}

// home takes the cursor to the start of its line while bars are shown: the terminal has
// written ^C there, and the bars are drawn from where the cursor stands.
func (c *console) home() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bars != nil {
		_, _ = io.WriteString(c.w, "\r")
	}
}

// showBars reports where text goes while bars are shown; nil when they are gone.
func (c *console) showBars(w io.Writer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bars = w
}
