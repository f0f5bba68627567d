package main

// This file types at a real terminal: a pseudo-terminal whose other end the test holds.

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// A screen is the test's end of a pseudo-terminal: keys go in, text comes out.
type screen struct {
	t      *testing.T
	master *os.File
	mu     sync.Mutex
	text   bytes.Buffer
	seen   int // of the text, by waitFor
}

// openTerminal makes a pseudo-terminal of 100 columns and gives both ends.
func openTerminal(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { _ = master.Close() })
	control := func(request uintptr, arg unsafe.Pointer) {
		conn, err := master.SyscallConn()
		if err != nil {
			t.Fatal(err)
		}
		var failed syscall.Errno
		if err := conn.Control(func(fd uintptr) { _, _, failed = syscall.Syscall(syscall.SYS_IOCTL, fd, request, uintptr(arg)) }); err != nil || failed != 0 {
			t.Skipf("no pseudo-terminal can be had: %v %v", err, failed)
		}
	}
	var locked, number int32
	control(syscall.TIOCSPTLCK, unsafe.Pointer(&locked))
	control(syscall.TIOCGPTN, unsafe.Pointer(&number))
	size := [4]uint16{40, 100}
	control(syscall.TIOCSWINSZ, unsafe.Pointer(&size))
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("the pseudo-terminal cannot be opened: %v", err)
	}
	return master, slave
}

// startSession runs ppl repl at a terminal, in the present folder.
func startSession(t *testing.T, state string, args ...string) (*screen, *exec.Cmd) {
	t.Helper()
	return startAtTerminal(t, state, append([]string{"repl"}, args...)...)
}

// startAtTerminal runs a command of ppl at a terminal, in the present folder.
func startAtTerminal(t *testing.T, state string, args ...string) (*screen, *exec.Cmd) {
	t.Helper()
	master, slave := openTerminal(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Args = append([]string{"ppl"}, args...) // TestMain runs the command of this name
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+state, "TERM=xterm")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = slave.Close()
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // it is gone already if all went well
	s := &screen{t: t, master: master}
	go s.read()
	return s, cmd
}

func (s *screen) read() {
	part := make([]byte, 4096)
	for {
		n, err := s.master.Read(part)
		s.mu.Lock()
		s.text.Write(part[:n])
		s.mu.Unlock()
		if err != nil {
			return // the session is over
		}
	}
}

// controls are what moves the cursor and colours the text.
var controls = regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]|\r|\x07")

// waitFor waits until the text is on the screen, behind what was waited for before.
func (s *screen) waitFor(want string) {
	s.t.Helper()
	for began := time.Now(); time.Since(began) < 2*time.Minute; time.Sleep(5 * time.Millisecond) {
		s.mu.Lock()
		text := controls.ReplaceAllString(s.text.String(), "")
		s.mu.Unlock()
		if s.seen > len(text) {
			s.seen = len(text) // half a control sequence was counted
		}
		if i := strings.Index(text[s.seen:], want); i >= 0 {
			s.seen += i + len(want)
			return
		}
	}
	s.t.Fatalf("%q does not come up; on the screen is\n%s", want, controls.ReplaceAllString(s.text.String(), ""))
}

// press sends keys.
func (s *screen) press(keys string) {
	s.t.Helper()
	if _, err := s.master.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

const (
	keyUp    = "\x1b[A"
	keyDown  = "\x1b[B"
	keyRight = "\x1b[C"
	keyCtrlC = "\x03"
	keyCtrlD = "\x04"
	keyCtrlU = "\x15"
)

func TestSessionAtTerminal(t *testing.T) {
	example, err := filepath.Abs("../../examples/eight_schools/eight_schools.ppl")
	if err != nil {
		t.Fatal(err)
	}
	state := t.TempDir()
	t.Chdir(t.TempDir())
	s, cmd := startSession(t, state, example, "--seed", "1")
	s.waitFor(":quit ends it")
	s.waitFor("ppl> ")

	s.press("20 + 22\r")
	s.waitFor("\n42\n")
	s.waitFor("ppl> ")

	// The line before comes back.
	s.press(keyUp)
	s.waitFor("20 + 22")
	s.press("\r")
	s.waitFor("\n42\n")
	s.waitFor("ppl> ")

	// Names are completed, of commands, variables and options.
	s.press(":su\t")
	s.waitFor(":summary ")
	s.press(keyCtrlU + "theta_t\t")
	s.waitFor("theta_trans")
	s.press(keyCtrlU + ":run nuts(max_d\t")
	s.waitFor("max_depth = ")
	s.press(keyCtrlU)

	// Unfinished input is asked for to its end, and can be given up.
	s.press("functions {\r")
	s.waitFor("...> ")
	s.press(keyCtrlC)
	s.waitFor("ppl> ")
	s.press(keyCtrlC)
	s.waitFor(":quit or Ctrl-D ends the session")
	s.waitFor("ppl> ")

	// Ctrl-C stops the run, not the session.
	s.press(":run nuts(draws = 2000000, chains = 2)\r")
	s.waitFor("/2000000") // of the bar, not of what was typed
	time.Sleep(300 * time.Millisecond)
	s.press(keyCtrlC)
	s.waitFor("stopping")
	s.waitFor("2 chains of")
	s.waitFor("interrupted; the draws so far are kept")
	s.waitFor("ppl> ")
	s.press("exp(mu)\r")
	s.waitFor("ess_bulk")
	s.waitFor("ppl> ")

	// An error has its place and a caret.
	s.press("1 + tau_\r")
	s.waitFor(`input:1:5: error: "tau_" is not declared here`)
	s.waitFor("    ^~~~")
	s.waitFor("ppl> ")

	s.press(keyCtrlD)
	if err := cmd.Wait(); err != nil {
		t.Errorf("the session ended with %v", err)
	}
	history, err := os.ReadFile(filepath.Join(state, "ppl", "history"))
	if err != nil || !strings.Contains(string(history), "20 + 22\n") {
		t.Errorf("the history is %q (%v)", history, err)
	}

	// The next session knows the lines of the last one.
	s, cmd = startSession(t, state)
	s.waitFor("ppl> ")
	s.press(keyUp)
	s.waitFor("1 + tau_")
	s.press(keyCtrlU + ":quit\r")
	if err := cmd.Wait(); err != nil {
		t.Errorf("the second session ended with %v", err)
	}
}

// Arrow keys move the numbers of the priors; the line that sets them is in the history.
func TestSlidersAtTerminal(t *testing.T) {
	t.Chdir(t.TempDir())
	s, cmd := startSession(t, t.TempDir(), "--seed", "1")
	s.waitFor("ppl> ")
	s.press("parameters { real mu; } model { mu ~ normal(0, 1); }\r")
	s.waitFor("ppl> ")
	s.press(":slide mu\r")
	s.waitFor(">  1  mu ~ normal(0, 1);")
	s.press(keyDown)
	s.waitFor(">  2  mu ~ normal(0, 1);")
	for range 4 {
		s.press(keyRight)
	}
	s.waitFor(">  2  mu ~ normal(0, 2);")
	s.press("\r")
	s.waitFor(":prior 2=2 mu")
	s.waitFor("as set")
	s.waitFor("ppl> ")
	s.press(keyUp)
	s.waitFor(":prior 2=2 mu")
	s.press(keyCtrlU + ":slide mu\r")
	s.waitFor(">  1  mu ~ normal(0, 1);")
	s.press(keyCtrlC)
	s.waitFor("ppl> ")
	s.press("1 + 1\r")
	s.waitFor("\n2\n")
	s.press(keyCtrlD)
	if err := cmd.Wait(); err != nil {
		t.Errorf("the session ended with %v", err)
	}
}

// A session whose history cannot be kept is a session all the same.
func TestSessionWithoutHistory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s, cmd := startSession(t, file)
	s.waitFor("ppl> ")
	s.press("20 + 22\r")
	s.waitFor("\n42\n")
	s.press(":quit\r")
	if err := cmd.Wait(); err != nil {
		t.Errorf("the session ended with %v", err)
	}
}
