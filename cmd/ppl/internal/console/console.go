// Package console writes to standard error: remarks, and below them how far a run is.
package console

import (
	"io"
	"os"
	"sync"

	"github.com/seed-12b88e03/ppl/lang/problem"
)

// A Console is standard error. It may be used from several goroutines.
type Console struct {
	mu       sync.Mutex
	w        io.Writer
	Terminal bool
	bars     io.Writer // takes text while bars are shown; nil while there are none
}

// NewConsole is the console that writes to w.
func NewConsole(w io.Writer) *Console { return &Console{w: w, Terminal: IsTerminal(w)} }

// Write implements io.Writer.
func (c *Console) Write(p []byte) (int, error) {
	c.Text(string(p))
	return len(p), nil
}

// Text writes a text that ends its line, with what a terminal would obey shown. What
// standard error cannot take is lost.
func (c *Console) Text(s string) {
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

// Home takes the cursor to the start of its line while bars are shown: the terminal has
// written ^C there, and the bars are drawn from where the cursor stands.
func (c *Console) Home() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bars != nil {
		_, _ = io.WriteString(c.w, "\r")
	}
}

// showBars reports where text goes while bars are shown; nil when they are gone.
func (c *Console) showBars(w io.Writer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bars = w
}

// IsTerminal reports whether w shows its text to a person at once.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
