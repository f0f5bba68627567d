package main

// This file prints which ppl this is.

import (
	_ "embed"
	"fmt"
	"io"
	"runtime"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
)

// stanVersion is that of the Stan language whose programs run.
const stanVersion = "2.40"

// licences are those of Go and of the modules that are linked; TestLicences writes them.
//
//go:embed licences.txt
var licences string

// versionCmd prints the version.
type versionCmd struct {
	Licences bool `help:"Print the licences of the software of others that is inside."`
}

// Help implements kong.HelpProvider.
func (*versionCmd) Help() string {
	return frame.Examples("ppl version", "ppl version --licences                   # of the software of others that is inside")
}

// Run prints version, commit, Go version, kernels and whether models become machine code.
func (c *versionCmd) Run(a *frame.App) error {
	if c.Licences {
		_, err := io.WriteString(a.Stdout, licences)
		return err
	}
	m := frame.ThisMachine()
	_, err := fmt.Fprintf(a.Stdout, "ppl %s\nStan language %s\ncommit %s\n%s %s/%s\nvector kernels: %s\nnative code: %s\n",
		frame.Version, stanVersion, frame.Commit(), runtime.Version(), m.System, m.Processor, m.Kernels, m.Native)
	return err
}
