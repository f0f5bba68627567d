package main

// This file is ppl attach: what is on a server, and commands that others have begun.

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/cluster"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/view"
)

// attachCmd takes up what was submitted elsewhere.
type attachCmd struct {
	URL string `arg:"" name:"url" help:"The server: nats://HOST:PORT, or tls://HOST:PORT beyond this machine."`
	Job string `arg:"" optional:"" help:"A job of the list, or the beginning of its name: wait for it, and print what the command that submitted it prints."`
	accessFlags
	Quiet bool `short:"q" help:"No progress and no remarks on standard error; errors only."`
	JSON  bool `name:"json" help:"What is printed of a job as JSON, as by that command."`
}

// Help implements kong.HelpProvider.
func (*attachCmd) Help() string {
	return "Without a job, lists those on the server. With one, goes on with ppl diagnose, ppl run or ppl simulate as if it had been typed here, with the model and the\n" +
		"data that the server has; files are written by that command alone.\n\n" + frame.Examples(
		"ppl attach nats://127.0.0.1:4222",
		"ppl attach nats://127.0.0.1:4222 4f0c",
	)
}

// Run lists, or waits for one.
func (c *attachCmd) Run(a *frame.App) error {
	ctx, stop := frame.UntilInterrupt(nil, a.Stopping(c.Quiet))
	defer stop()
	server, err := cluster.Connect(ctx, c.access(a, c.URL, "ppl attach"))
	if err != nil {
		return frame.Wrong(err)
	}
	defer server.Close()
	all, err := server.Jobs(ctx)
	if err != nil {
		return frame.Wrong(err)
	}
	if c.Job == "" {
		return c.list(ctx, a, server, all)
	}
	var found []string
	for _, j := range all {
		if strings.HasPrefix(j.Files[0], c.Job) && !slices.Contains(found, j.Files[0]) {
			found = append(found, j.Files[0])
		}
	}
	if len(found) != 1 {
		return frame.Wrongf("%s: %d jobs have names that begin with %q; ppl attach %s lists all", c.URL, len(found), c.Job, c.URL)
	}
	at := slices.IndexFunc(all, func(j cluster.Standing) bool { return j.Files[0] == found[0] })
	spec, err := specOf(ctx, server, &all[at].Job)
	if err != nil {
		return frame.Wrong(err)
	}
	if spec.Version != a.Build() {
		return frame.Wrongf("%s: the job is of another version\n  there: %s\n  here:  %s", c.Job, spec.Version, a.Build())
	}
	files, end, err := bring(ctx, server, spec)
	if err != nil {
		return frame.Wrong(err)
	}
	defer end()
	return c.goOn(ctx, a, spec, files)
}

// goOn is the command that a spec is of.
func (c *attachCmd) goOn(ctx context.Context, a *frame.App, spec *workSpec, files string) error {
	on := onFlags{On: c.URL, accessFlags: c.accessFlags}
	switch {
	case spec.Kind == "diagnosis":
		d := spec.diagnosis(files)
		d.onFlags, d.JSON, d.Quiet = on, c.JSON, c.Quiet
		return d.judge(ctx, a)
	case spec.Kind == "chains" && spec.Run != nil && spec.Run.Points == "":
		r := spec.run(files)
		r.onFlags, r.JSON, r.Quiet, r.SaveWarmup = on, c.JSON, c.Quiet, spec.Run.SaveWarmup
		return r.execute(ctx, a)
	}
	if spec.Kind == "simulations" {
		s := spec.simulation(files)
		s.onFlags, s.Quiet = on, c.Quiet
		return s.Run(a)
	}
	if spec.Kind == "sums" {
		return frame.Wrongf("%s: the chains of %s are where it was begun, which workers evaluate sums for; nothing is to be taken up here", c.Job, spec.command())
	}
	return frame.Wrongf("%s: %s needs files that the server does not have; the command that submitted it goes on with it", c.Job, spec.command())
}

// list prints the jobs, the latest first. The stops of a fit's chains are jobs of one name.
func (c *attachCmd) list(ctx context.Context, a *frame.App, server *cluster.Cluster, all []cluster.Standing) error {
	slices.SortStableFunc(all, func(x, y cluster.Standing) int { return y.Submitted.Compare(x.Submitted) })
	t := view.NewTable()
	t.AppendHeader(table.Row{"job", "submitted", "command", "tasks", "done", "waiting", ""})
	for i, j := range all {
		same := func(o cluster.Standing) bool { return o.Files[0] == j.Files[0] }
		if slices.ContainsFunc(all[:i], same) {
			continue
		}
		what := "?"
		if spec, err := specOf(ctx, server, &j.Job); err == nil {
			what = spec.command()
		}
		state := ""
		for _, o := range all[i+1:] {
			if same(o) {
				j.Tasks, j.Done, j.Waiting = j.Tasks+o.Tasks, j.Done+o.Done, j.Waiting+o.Waiting
			}
		}
		if j.Stopped {
			state = "stopped"
		}
		t.AppendRow(table.Row{j.Files[0][:12], j.Submitted.Local().Format("2006-01-02 15:04"), what, j.Tasks, j.Done, j.Waiting, state})
	}
	_, err := io.WriteString(a.Stdout, t.Render()+"\n")
	return err
}

// command is what was typed, in short.
func (spec *workSpec) command() string {
	what := map[string]string{"diagnosis": "diagnose", "chains": "run", "refits": "loo", "sums": "run", "simulations": "simulate", "annealings": "compare"}[spec.Kind]
	words := append([]string{cmp.Or(what, "?"), spec.Name}, spec.Flags.With...)
	if spec.Run != nil {
		words = append(words, spec.Run.Method...)
	}
	return strings.Join(append(words, fmt.Sprintf("--seed %d", spec.Seed)), " ")
}

// specOf is the payload of a job.
func specOf(ctx context.Context, server *cluster.Cluster, job *cluster.Job) (*workSpec, error) {
	text, err := server.File(ctx, job.Files[0])
	spec := &workSpec{}
	if err == nil {
		err = json.Unmarshal(text, spec)
	}
	if err != nil || len(spec.Data) != len(spec.Sums) {
		return nil, fmt.Errorf("the payload of job %.12s cannot be read: %w", job.Files[0], err)
	}
	return spec, nil
}

// bring writes the data of a spec into a folder, under names of our own, until end is called.
func bring(ctx context.Context, server *cluster.Cluster, spec *workSpec) (list string, end func(), err error) {
	dir, err := os.MkdirTemp("", "ppl-attach-")
	if err != nil {
		return "", nil, err
	}
	end = func() { _ = os.RemoveAll(dir) } // of temporary files
	var files []string
	for i, sum := range spec.Sums {
		text, err := server.File(ctx, sum)
		path := filepath.Join(dir, fmt.Sprintf("file-%d", i))
		if slices.Contains(dataKinds, spec.Data[i]) {
			path += spec.Data[i]
		}
		if err == nil {
			err = os.WriteFile(path, text, 0o600)
		}
		if err != nil {
			end()
			return "", nil, err
		}
		files = append(files, path)
	}
	return strings.Join(files, ","), end, nil
}
