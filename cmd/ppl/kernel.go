package main

// This file is ppl kernel: sessions in Jupyter's notebooks, whose results are shown as pages are.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"time"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/console"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/input"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/kernel"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/outputs"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/page"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/plots"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/repl"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/stored"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
)

// kernelCmd tells Jupyter of ppl, and is what Jupyter starts.
type kernelCmd struct {
	Action     string `arg:"" enum:"install,run" help:"install: tell Jupyter of ppl. run: serve one notebook, as Jupyter has it done."`
	Connection string `arg:"" optional:"" help:"Of run: the connection file that Jupyter wrote."`
	User       bool   `xor:"where" help:"Install for yourself, as without flags."`
	Prefix     string `xor:"where" placeholder:"DIR" help:"Install below this folder, such as /usr/local or a virtual environment: DIR/share/jupyter/kernels/ppl."`
	Jobs       int    `placeholder:"N" help:"Chains at work at the same time; all processors without it. install writes it down for run."`
}

// Help implements kong.HelpProvider.
func (*kernelCmd) Help() string {
	return frame.Examples(
		"ppl kernel install                       # then choose ppl in Jupyter",
		"ppl kernel install --prefix \"$VIRTUAL_ENV\"",
	)
}

// Run does either.
func (c *kernelCmd) Run(a *frame.App) error {
	switch {
	case c.Jobs < 0:
		return frame.Wrongf("--jobs must not be negative, found %d", c.Jobs)
	case c.Action == "install" && c.Connection != "":
		return frame.Wrongf("install takes no file, found %s", c.Connection)
	case c.Action == "install":
		return c.install(a)
	case c.Connection == "":
		return &frame.Exit{Code: frame.ExitWrongInput, Err: errors.New("run needs the connection file that Jupyter writes"), Help: "Jupyter runs it; people want ppl kernel install"}
	case c.User:
		return frame.Wrongf("--user is a flag of install")
	case c.Prefix != "":
		return frame.Wrongf("--prefix is a flag of install")
	}
	return c.serve(a)
}

// install writes the file by which Jupyter knows the kernel.
func (c *kernelCmd) install(a *frame.App) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	data, err := c.jupyterData()
	if err != nil {
		return err
	}
	argv := []string{program, "kernel", "run", "{connection_file}"}
	if c.Jobs > 0 {
		argv = append(argv, fmt.Sprintf("--jobs=%d", c.Jobs))
	}
	text, err := json.MarshalIndent(struct {
		Argv      []string `json:"argv"`
		Name      string   `json:"display_name"`
		Language  string   `json:"language"`
		Interrupt string   `json:"interrupt_mode"`
	}{argv, "ppl", "ppl", "message"}, "", "  ")
	if err != nil {
		return err
	}
	dir := filepath.Join(data, "kernels", "ppl")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return outputs.Unwritable(err, dir, "--prefix DIR installs below another folder")
	}
	at := filepath.Join(dir, "kernel.json")
	if err := a.Disk.ReplaceBytes(at, append(text, '\n')); err != nil {
		return outputs.Unwritable(err, dir, "--prefix DIR installs below another folder")
	}
	_, err = fmt.Fprintln(a.Stdout, at)
	return err
}

// jupyterData is the folder where Jupyter looks for kernels (jupyter --paths).
func (c *kernelCmd) jupyterData() (string, error) {
	if c.Prefix != "" {
		return filepath.Join(c.Prefix, "share", "jupyter"), nil
	}
	if dir := os.Getenv("JUPYTER_DATA_DIR"); dir != "" {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	switch {
	case runtime.GOOS == "windows":
		dir, err := os.UserConfigDir()
		return filepath.Join(dir, "jupyter"), err
	case runtime.GOOS == "darwin":
		return filepath.Join(home, "Library", "Jupyter"), err
	case os.Getenv("XDG_DATA_HOME") != "":
		return filepath.Join(os.Getenv("XDG_DATA_HOME"), "jupyter"), nil
	}
	return filepath.Join(home, ".local", "share", "jupyter"), err
}

// serve evaluates the cells of a notebook until its kernel is shut down, or who started it is gone.
func (c *kernelCmd) serve(a *frame.App) error {
	where, err := kernel.ReadConnection(c.Connection)
	if err != nil {
		return frame.Wrong(frame.PlainPath(err))
	}
	k, err := kernel.Listen(where)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Connection, err)
	}
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	go func() {
		parent, tick := os.Getppid(), time.Tick(time.Second)
		for {
			select {
			case <-interrupts:
				k.Interrupt()
			case <-tick:
				if os.Getenv("JPY_PARENT_PID") != "" && os.Getppid() != parent {
					k.Shutdown()
				}
			}
		}
	}()
	return k.Serve(c.session(a, k))
}

func (c *kernelCmd) session(a *frame.App, k *kernel.Kernel) kernel.Session {
	cell := frame.NewApp(a.Stdin, kernel.Stream{Kernel: k, Name: "stdout"}, kernel.Stream{Kernel: k, Name: "stderr"})
	cell.Args = a.Args
	o := repl.Options{Out: cell.Stdout, View: kernelView{sessionView{cell}, k}, Seed: input.DrawnSeed(), Jobs: c.Jobs}
	if c.Jobs == 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	return kernel.Session{Session: repl.New(o), Version: frame.Version}
}

// kernelView shows results as text, and as a notebook can.
type kernelView struct {
	sessionView
	kernel *kernel.Kernel
}

// show shows a result as text and as a section of a page.
func (v kernelView) show(text string, s page.Section) error {
	var b bytes.Buffer
	if err := page.WriteCell(&b, s); err != nil {
		return err
	}
	v.kernel.Display(text, map[string]string{"text/html": b.String()})
	return nil
}

// figures shows pictures, with a text for where there are none.
func (v kernelView) figures(text string, list ...*plots.Figure) error {
	for _, f := range list {
		if f == nil {
			continue
		}
		var b bytes.Buffer
		if err := f.WriteSVG(&b); err != nil {
			return err
		}
		v.kernel.Display(text, map[string]string{"image/svg+xml": b.String()})
		text = f.Title
	}
	return nil
}

// Fit implements repl.View.
func (v kernelView) Fit(f *lang.Fit, whole bool) error {
	s := fitSection(&gallery{fit: &stored.StoredFit{Fit: f}})
	s.Lead = fmt.Sprintf("%s, seed %d.", made(f.Posterior), f.Posterior.Plan.Seed)
	s.Tables[0].Title = ""
	return v.show(v.fit(f, whole), s)
}

// Table implements repl.View.
func (v kernelView) Table(d *draws.Draws) error {
	r := reportOfDraws(d)
	tables := summaryTables(r, nil)
	tables[0].Title = ""
	return v.show(r.Table(mostRows, 0), page.Section{Tables: tables})
}

// Verdict implements repl.View.
func (v kernelView) Verdict(verdict *diagnose.Verdict, _ bool) error {
	var b bytes.Buffer
	if err := writeVerdicts(&b, []*diagnose.Verdict{verdict}); err != nil {
		return err
	}
	judged, err := plots.ReadVerdicts(&b)
	if err != nil {
		return err
	}
	figures, err := judged[0].Figures()
	if err != nil {
		return err
	}
	s := verdictSection(judged[0])
	if s.Tables == nil {
		for _, t := range verdict.Tables {
			s.Tables = append(s.Tables, page.Table{Title: t.Title, Header: t.Header, Rows: t.Rows})
		}
	}
	if err := v.show(verdictText(verdict, v.app.Look("never")), s); err != nil {
		return err
	}
	return v.figures(verdict.Kind, figures...)
}

// Plot implements repl.View.
func (v kernelView) Plot(d *draws.Draws, blocks string) error {
	f := plots.NewFit("", "", d, d.Summaries())
	if f == nil {
		return v.sessionView.Plot(d, blocks)
	}
	all, err := f.Choose(nil, nil, len(d.Columns()))
	switch {
	case err != nil:
		return err
	case len(d.Columns()) > 1:
		return v.figures(blocks, f.Forest(all, nil, true))
	}
	return v.figures(blocks, f.Density(all), f.Trace(all))
}

// Watch implements repl.View. What takes no second shows nothing.
func (v kernelView) Watch(name string, chains bool) (infer.Observer, func()) {
	began, stage, id := time.Now(), stageOf(name, chains), ""
	watch := infer.NewProgress(time.Second, func(r infer.ProgressReport) {
		if took := time.Since(began); took > time.Second {
			id = v.kernel.Update(id, fmt.Sprintf("%2.0f%% %s%s", 100*r.Fraction(), stage(r), console.TimeLeft(took, r.Fraction())))
		}
	})
	return watch, func() {
		if id != "" {
			v.kernel.Update(id, "")
		}
	}
}

// Error implements repl.View.
func (v kernelView) Error(err error) {
	var b bytes.Buffer
	beside := frame.NewApp(v.app.Stdin, io.Discard, &b)
	beside.Args = v.app.Args
	beside.Finish(err)
	v.kernel.Fail(b.String())
}

// Interruptible implements repl.View.
func (v kernelView) Interruptible() (context.Context, func()) { return v.kernel.Cell(), func() {} }
