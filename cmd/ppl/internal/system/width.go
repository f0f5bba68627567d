//go:build !(js || wasip1)

package system

import (
	"os"

	"github.com/chzyer/readline"
)

// Width is how many characters a line of a terminal has; 0 where that is not known.
func Width(terminal *os.File) int {
	width, _, err := readline.GetSize(int(terminal.Fd()))
	if err != nil {
		return 0
	}
	return max(0, width)
}
