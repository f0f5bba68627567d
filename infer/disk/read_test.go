//go:build unix

package disk

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestReadFileOfStrangers: devices and pipes are refused before anything is read, and so is what is too large.
func TestReadFileOfStrangers(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{
		os.Symlink("/dev/zero", at("device")),
		syscall.Mkfifo(at("pipe"), 0o600),
		os.WriteFile(at("large"), nil, 0o600),
		os.Truncate(at("large"), MostRecord+1),
		os.WriteFile(at("record"), []byte("{}"), 0o600),
		os.Symlink("record", at("link")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"device", "pipe"} {
		if _, err := ReadFile(at(name)); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s: %v, want %v", name, err, ErrNotRegular)
		}
	}
	for _, name := range []string{"large", "absent", ""} {
		if _, err := ReadFile(at(name)); err == nil {
			t.Errorf("%q: no error", name)
		}
	}
	for name, most := range map[string]int64{"device": 10, "record": 1, "absent": 10} {
		if _, err := ReadInput(at(name), most); err == nil {
			t.Errorf("%s: no error of at most %d bytes", name, most)
		}
	}
	go os.WriteFile(at("pipe"), []byte("{}"), 0o600) //nolint:errcheck // the reader sees what is missing
	if text, err := ReadInput(at("pipe"), 2); err != nil || string(text) != "{}" {
		t.Errorf("pipe: %q, %v", text, err)
	}
	for _, name := range []string{"record", "link"} {
		if text, err := ReadFile(at(name)); err != nil || string(text) != "{}" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

// TestReadingThatWaits: a file that passes for a regular one and waits for what is to come is not waited for.
func TestReadingThatWaits(t *testing.T) {
	const waits = "/proc/kmsg"
	if f, err := os.Open(waits); err != nil {
		t.Skip(err)
	} else if f.Close(); os.Getuid() != 0 {
		t.Skip("it takes root to read " + waits)
	}
	done := make(chan error, 1)
	go func() {
		_, err := ReadFile(waits)
		done <- err
	}()
	select {
	case err := <-done:
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("expected the end of the time, got %v", err)
		}
	case <-time.After(30 * time.Second):
		t.Error("it is read for ever")
	}
}
