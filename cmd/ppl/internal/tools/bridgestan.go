package tools

// This file is ppl bridgestan: models for programs that load BridgeStan's.

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/bridge"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/cmdstan"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/input"
	"github.com/seed-12b88e03/ppl/infer/disk"
)

// bridgestanLibrary is the name of the library that programs are put into.
const bridgestanLibrary = "libppl_bridgestan.so"

// BridgestanCmd makes the library of a model.
type BridgestanCmd struct {
	Model string `arg:"" help:"File of the model."`
	input.IncludeFlags
	Library string `placeholder:"FILE" help:"The library to put the program into, as cmd/ppl/extra/bridgestan/build.sh makes it; without it, libppl_bridgestan.so beside ppl."`
	Out     string `placeholder:"FILE" help:"The library to write; without it, NAME_model.so beside NAME.ppl."`
}

// Help implements kong.HelpProvider.
func (*BridgestanCmd) Help() string {
	return "The library has the model's density, gradient, Hessian and transforms; data are given when it is opened. It is for Linux.\n\n" + frame.Examples(
		"ppl bridgestan model.ppl                 # makes model_model.so",
		"python -c 'import bridgestan; m = bridgestan.StanModel(\"./model_model.so\", \"data.json\")'",
	)
}

// Run writes the library.
func (c *BridgestanCmd) Run(a *frame.App) error {
	p, err := input.CompileModel(a, c.Model, &c.IncludeFlags)
	if err != nil {
		return frame.Wrong(frame.PlainPath(err))
	}
	a.Warn(p.Problems())
	from := c.Library
	if from == "" {
		ppl, err := os.Executable()
		if err != nil {
			return err
		}
		from = filepath.Join(filepath.Dir(ppl), bridgestanLibrary)
	}
	library, err := disk.ReadInput(from, disk.MostRecord)
	if err != nil {
		return &frame.Exit{Code: frame.ExitWrongInput, Err: fmt.Errorf("--library %w", frame.PlainPath(err)), Help: "cmd/ppl/extra/bridgestan/build.sh of the source makes the library"}
	}
	if !bytes.HasPrefix(library, []byte("\x7fELF")) {
		return frame.Wrongf("--library %s: expected a shared library in ELF, as of Linux", from)
	}
	if c.Out == "" {
		c.Out = strings.TrimSuffix(c.Model, filepath.Ext(c.Model)) + "_model.so"
	}
	var b bytes.Buffer
	carried := bridge.Carried{Name: cmdstan.ModelName(c.Model), File: filepath.Base(c.Model), Program: cmdstan.WithIncludes(p)}
	if err := bridge.Carry(&b, library, carried); err != nil {
		return err
	}
	if err := ownLibrary(c.Out); err != nil {
		return err
	}
	if err := a.Disk.ReplaceBytes(c.Out, b.Bytes()); err != nil {
		return frame.Wrongf("--out %s: %w", c.Out, err)
	}
	_, err = fmt.Fprintln(a.Stdout, c.Out)
	return err
}

// ownLibrary refuses to write over a file that this command has not written, such as the model.
func ownLibrary(out string) error {
	info, err := os.Stat(out)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil // what stands in the way otherwise is found at writing
	}
	if _, err := bridge.ReadCarried(out); err != nil {
		return frame.Wrongf("--out %s: the file is no library that ppl bridgestan has made; choose another name, or remove it", out)
	}
	return nil
}
