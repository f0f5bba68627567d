package repl

// This file is where lines come from: the interface, and the plain reader for input that
// nobody types.

import (
	"bufio"
	"errors"
	"io"
	"strings"
)

// ErrInterrupt reports that the user gave up the line with Ctrl-C.
var ErrInterrupt = errors.New("interrupted")

// A Terminal gives the lines of a session.
type Terminal interface {
	// ReadLine shows the prompt and reads a line, without its end. The error is io.EOF
	// at the end of the input, or ErrInterrupt.
	ReadLine(prompt string) (string, error)
}

// A Rememberer is a Terminal with a history.
type Rememberer interface {
	// Remember puts a whole input into the history.
	Remember(text string) error
}

// plain reads lines without prompts, as from a file.
type plain struct{ r *bufio.Reader }

// NewPlain makes a terminal of input that is no terminal.
func NewPlain(r io.Reader) Terminal { return plain{bufio.NewReader(r)} }

// ReadLine implements Terminal.
func (p plain) ReadLine(string) (string, error) {
	line, err := p.r.ReadString('\n')
	if line != "" && errors.Is(err, io.EOF) {
		err = nil
	}
	return strings.TrimRight(line, "\r\n"), err
}
