package cmdstan

// This file is errors in CmdStan's words, which other programs show as they are.

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seed-12b88e03/ppl/lang"
)

// A message is an error whose text is complete: a sentence, as CmdStan writes them.
type message struct{ error }

// Unwrap gives what the text was made of.
func (m message) Unwrap() error { return m.error }

// says makes a message.
func says(format string, args ...any) error { return message{fmt.Errorf(format, args...)} }

// report shows an error: a message as it is, any other in ppl's way behind a word that
// programs look for at the start of a line.
func report(w io.Writer, err error) {
	var m message
	if errors.As(err, &m) {
		fmt.Fprintln(w, err)
		return
	}
	text := lang.ErrorText(err)
	if rest, found := strings.CutPrefix(text, "error: "); found {
		fmt.Fprint(w, "Error: "+rest)
		return
	}
	fmt.Fprint(w, "Exception: "+text)
}
