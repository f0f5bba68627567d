package repl

// This file finds where the lines of earlier sessions are kept.

import (
	"os"
	"path/filepath"
	"runtime"
)

// HistoryFile is where the lines of earlier sessions are kept, in the user's folder for
// such things; empty where that is not known. The folder is made if it can be.
func HistoryFile() string {
	dir := os.Getenv("XDG_STATE_HOME")
	if dir == "" {
		var err error
		if dir, err = stateDir(); err != nil {
			return ""
		}
	}
	dir = filepath.Join(dir, "ppl")
	if os.MkdirAll(dir, 0o700) != nil {
		return "" // a session without history is a session
	}
	return filepath.Join(dir, "history")
}

func stateDir() (string, error) {
	switch runtime.GOOS {
	case "windows", "darwin", "ios", "plan9":
		return os.UserConfigDir()
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "state"), err
}
