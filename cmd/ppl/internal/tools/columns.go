package tools

// This file is ppl columns: a table as a file that is mapped into memory.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/input"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/tables"
	"github.com/seed-12b88e03/ppl/ir/data"
)

// ColumnsCmd writes a file of columns.
type ColumnsCmd struct {
	Table  string   `arg:"" help:"The table: .csv, .tsv, .parquet, .arrow."`
	Out    string   `placeholder:"FILE" help:"The file to write, whose name ends in .columns; without it, beside the table, of its name."`
	Only   []string `placeholder:"NAME" help:"Columns to keep, with commas between them; all without it."`
	Memory string   `placeholder:"SIZE" default:"256M" help:"About how much memory to take, such as 1G; 256M without it. With less, the table is read more often."`
	Quiet  bool     `short:"q" help:"No remarks on standard error; errors only."`
}

// Help implements kong.HelpProvider.
func (*ColumnsCmd) Help() string {
	return "The file is given as --data to any command. Its numbers are read from the disk when they are needed, so it may be larger than memory. It is\n" +
		"not written over: remove the one that is there first. It must not be changed while a command uses it.\n\n" + frame.Examples(
		"ppl columns rows.csv",
		"ppl run model.ppl --data rows.columns,sizes.json",
		"ppl columns rows.parquet --only y,x.1,x.2 --out /large/rows.columns",
	)
}

// Run writes the file.
func (c *ColumnsCmd) Run(a *frame.App) error {
	memory, err := input.Size("memory", c.Memory)
	if err != nil {
		return err
	}
	out := cmp.Or(c.Out, strings.TrimSuffix(c.Table, filepath.Ext(c.Table))+".columns")
	if filepath.Ext(out) != ".columns" {
		return frame.Wrongf("--out %s: expected a name that ends in .columns", out)
	}
	f := data.FormatOf(c.Table, tables.Formats()...)
	if f == nil {
		return frame.Wrongf("%s: expected a table, .csv, .tsv, .parquet or .arrow; JSON is read whole", c.Table)
	}
	if _, err := os.Lstat(out); !errors.Is(err, fs.ErrNotExist) {
		if err != nil {
			return frame.Wrong(frame.PlainPath(err))
		}
		return frame.Wrongf("%s is there already, and is not written over; remove it, or give --out another name", out)
	}
	if _, err := os.Stat(c.Table); err != nil {
		return frame.Wrong(frame.PlainPath(err))
	}
	ctx, stop := frame.UntilInterrupt(nil, a.Stopping(c.Quiet))
	defer stop()
	var reading error // as opposed to writing
	err = a.Disk.Replace(out, func(w io.Writer) error {
		full := &Failing{Ctx: ctx, W: w}
		err := tables.WriteColumns(full, c.Table, c.Only, memory, *f)
		if full.Err == nil {
			reading = err
		}
		return err
	})
	switch {
	case ctx.Err() != nil && err != nil:
		return frame.EndedEarly(ctx)
	case reading != nil:
		return frame.Wrong(frame.PlainPath(reading))
	case err != nil:
		return &frame.Exit{Code: frame.ExitFailed, Err: fmt.Errorf("%s cannot be written: %w", out, err)}
	case !c.Quiet:
		a.Say("written: %s", out)
	}
	return nil
}

// A Failing writer keeps what went wrong, and ends with a context.
type Failing struct {
	Ctx context.Context
	W   io.Writer
	Err error
}

func (f *Failing) Write(p []byte) (n int, err error) {
	if err = f.Ctx.Err(); err == nil {
		n, err = f.W.Write(p)
	}
	f.Err = errors.Join(f.Err, err)
	return n, err
}
