// Command ppl fits, checks and inspects probabilistic models.
//
// Standard output is for results; progress, warnings and errors go to standard error.
// Exit codes: 0 success; 1 the run failed; 2 the model, data or arguments are wrong;
// 3 --strict and a verdict is bad; 130 interrupted.
package main

import (
	"fmt"
	"os"
	"runtime"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/system"
)

func main() {
	if err := system.CheckAddresses(); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(frame.ExitFailed)
	}
	frame.BoundMemory()
	system.EndAtQuit()
	unused := make([]byte, frame.Ballast)
	code := execute(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	runtime.KeepAlive(unused)
	os.Exit(code)
}
