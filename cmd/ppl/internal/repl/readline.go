//go:build !(js || wasip1)

package repl

// This file is the terminal that a person types at: editing, history, completion.

import (
	"errors"
	"io"
	"os"
	"strings"
	"sync/atomic"

	"github.com/chzyer/readline"
)

// IsTerminal reports whether standard input and output are terminals, where a Readline can
// work.
func IsTerminal() bool {
	return readline.IsTerminal(int(os.Stdin.Fd())) && readline.IsTerminal(int(os.Stdout.Fd()))
}

// A Readline is a Terminal with line editing.
type Readline struct {
	in    *readline.Instance
	press atomic.Pointer[func(Key)] // where single keys are heard; nil otherwise
}

// NewReadline takes over standard input, which must be a terminal. complete gives the
// words that the text before the cursor may go on with, and how many bytes at its end
// they replace. history is the file of earlier lines; empty for none, and where it
// cannot be written there is none either.
func NewReadline(history string, complete func(before string) (words []string, replace int)) (*Readline, error) {
	r := &Readline{}
	in, err := readline.NewEx(&readline.Config{
		FuncFilterInputRune:    r.hear,
		Listener:               readline.FuncListener(r.begins),
		HistoryFile:            history,
		HistorySearchFold:      true,
		DisableAutoSaveHistory: true, // an input of several lines is remembered as a whole
		AutoComplete:           completer(complete),
		InterruptPrompt:        "^C",
	})
	if err != nil {
		return nil, err
	}
	r.in = in
	return r, nil
}

// ReadLine implements Terminal.
func (r *Readline) ReadLine(prompt string) (string, error) {
	r.in.SetPrompt(prompt)
	line, err := r.in.Readline()
	if errors.Is(err, readline.ErrInterrupt) {
		return "", ErrInterrupt
	}
	return line, err
}

// begins is called when a line begins, where the terminal gives all keys and sends no signals. It leaves lines as they are.
func (r *Readline) begins(_ []rune, _ int, key rune) ([]rune, int, bool) {
	if press := r.press.Load(); press != nil && key == 0 {
		(*press)(KeyNone)
	}
	return nil, 0, false
}

// hear takes keys from the line while single ones are heard, all but those that end it.
func (r *Readline) hear(c rune) (rune, bool) {
	press := r.press.Load()
	if press == nil || c == readline.CharEnter || c == readline.CharCtrlJ || c == readline.CharInterrupt || c == 0 {
		return c, true
	}
	switch c {
	case readline.CharPrev:
		(*press)(KeyUp)
	case readline.CharNext:
		(*press)(KeyDown)
	case readline.CharBackward:
		(*press)(KeyLeft)
	case readline.CharForward:
		(*press)(KeyRight)
	}
	return readline.CharLineStart, true // nothing to an empty line; a key that is not handed on lets the next line be read too early
}

// Keys implements Keyboard.
func (r *Readline) Keys(press func(Key)) error {
	r.press.Store(&press)
	defer r.press.Store(nil)
	_, err := r.ReadLine("")
	return err
}

// Remember implements Rememberer.
func (r *Readline) Remember(text string) error { return r.in.SaveHistory(oneLine(text)) }

// oneLine writes an input in one line: a history has a line for each. Comments up to the end
// of a line become such as end by themselves.
func oneLine(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		l = strings.TrimSpace(l)
		if at := comment(l); at >= 0 && i < len(lines)-1 {
			l = l[:at] + "/*" + strings.ReplaceAll(l[at+2:], "*/", "* /") + " */"
		}
		lines[i] = l
	}
	return strings.TrimSpace(strings.Join(lines, " "))
}

// comment is where a comment begins that ends with its line; -1 where there is none.
func comment(line string) int {
	quoted := false
	for i := 0; i+1 < len(line); i++ {
		switch {
		case line[i] == '"':
			quoted = !quoted
		case !quoted && line[i] == '/' && line[i+1] == '/':
			return i
		}
	}
	return -1
}

// Close returns the terminal back.
func (r *Readline) Close() error { return r.in.Close() }

var _ io.Closer = (*Readline)(nil)

type completer func(before string) ([]string, int)

// Do implements readline.AutoCompleter: it gives what is to be appended.
func (c completer) Do(line []rune, pos int) ([][]rune, int) {
	words, replace := c(string(line[:pos]))
	var out [][]rune
	for _, w := range words {
		out = append(out, []rune(w[replace:]))
	}
	return out, replace
}
