//go:build js || wasip1

package repl

// This file stands in for the terminal where there is none that can be taken over: lines are read
// as they come.

import "errors"

// IsTerminal reports that standard input is no terminal.
func IsTerminal() bool { return false }

// A Readline cannot be had here.
type Readline struct{ Terminal }

// NewReadline returns an error.
func NewReadline(string, func(before string) (words []string, replace int)) (*Readline, error) {
	return nil, errors.New("lines cannot be edited here")
}

// Close does nothing.
func (r *Readline) Close() error { return nil }
