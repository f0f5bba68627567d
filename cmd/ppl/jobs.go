package main

// This file is ppl jobs: scripts that have a scheduler run the shares of a diagnosis.

import (
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/input"
)

// jobsCmd writes what a scheduler reads.
type jobsCmd struct {
	Shares    int      `default:"8" placeholder:"N" help:"Shares, a task each; 8 without it."`
	CPUs      int      `name:"cpus" default:"1" placeholder:"N" help:"Processors of a task; 1 without it."`
	Memory    string   `default:"2G" placeholder:"SIZE" help:"Memory of a task, such as 512M or 2G; 2G without it."`
	Time      string   `placeholder:"HH:MM:SS" help:"Most time of a task. Without it, the scheduler's."`
	Image     string   `default:"ppl:latest" placeholder:"NAME" help:"Container image with ppl as its entry point, for kubernetes; ppl:latest without it."`
	Claim     string   `placeholder:"NAME" help:"Persistent volume claim with model and data, mounted as the working folder, for kubernetes."`
	Scheduler string   `arg:"" enum:"slurm,kubernetes" help:"slurm or kubernetes."`
	Command   []string `arg:"" name:"command" passthrough:"" help:"The command to divide: diagnose MODEL ... --with EXPR --out DIR."`
}

// Help implements kong.HelpProvider.
func (*jobsCmd) Help() string {
	return "Prints a batch script for sbatch (slurm) or the manifest of an Indexed Job (kubernetes), each with the step that\n" +
		"merges the shares in its first lines. A task that died is resumed by the next one of its number.\n\n" + frame.Examples(
		"ppl jobs --shares 16 slurm diagnose model.ppl --with 'sbc(nuts())' --out judged > sbc.sbatch",
		"ppl jobs --claim study kubernetes diagnose model.ppl --with 'sbc(nuts())' --out judged > sbc.yaml",
	)
}

var (
	wallTime   = regexp.MustCompile(`^[0-9]+:[0-5][0-9]:[0-5][0-9]$`)
	objectName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`) // RFC 1123, as Kubernetes has it
)

// Run prints the script.
func (c *jobsCmd) Run(a *frame.App) error {
	d, err := c.divided()
	if err != nil {
		return err
	}
	switch {
	case c.Shares < 1 || c.CPUs < 1:
		return frame.Wrongf("--shares and --cpus must be positive, found %d and %d", c.Shares, c.CPUs)
	case !input.MemorySize.MatchString(c.Memory):
		return frame.Wrongf("--memory: expected a number with K, M, G or T, such as 2G, found %q", c.Memory)
	case c.Time != "" && !wallTime.MatchString(c.Time):
		return frame.Wrongf("--time: expected HH:MM:SS, found %q", c.Time)
	case c.Scheduler == "kubernetes" && !objectName.MatchString(c.Claim):
		return frame.Wrongf("--claim: expected the name of a persistent volume claim, in small letters, digits and -, found %q", c.Claim)
	}
	words := c.Command
	if d.Seed == nil {
		words = append(words, "--seed", strconv.FormatUint(input.DrawnSeed(), 10)) // one for all shares
	}
	at := slices.Index(words, "--out") // divided has seen to it that it is there
	out := words[at+1]
	words = slices.Delete(slices.Clone(words), at, at+2)
	text := c.slurm(words, out)
	if c.Scheduler == "kubernetes" {
		text = c.kubernetes(words, out)
	}
	_, err = io.WriteString(a.Stdout, text)
	return err
}

// divided checks the command that is to be divided.
func (c *jobsCmd) divided() (*diagnoseCmd, error) {
	if len(c.Command) == 0 || c.Command[0] != "diagnose" {
		return nil, frame.Wrongf("ppl jobs divides ppl diagnose, found %q", strings.Join(c.Command, " "))
	}
	var g struct {
		Diagnose diagnoseCmd `cmd:""`
	}
	parser, err := kong.New(&g, kong.Name("ppl"), kong.Exit(func(int) {}), kong.Writers(io.Discard, io.Discard))
	if err != nil {
		return nil, err
	}
	d := &g.Diagnose
	switch _, err := parser.Parse(c.Command); {
	case err != nil:
		return nil, frame.Wrongf("the command to divide: %w", err)
	case d.Shard != "" || d.Resume:
		return nil, frame.Wrongf("the command to divide: --shard and --resume are added to it; leave them out")
	case d.JSON || d.Strict:
		return nil, frame.Wrongf("the command to divide: --json and --strict belong to ppl merge; leave them out")
	case d.Out == "" || !slices.Contains(c.Command, "--out"):
		return nil, frame.Wrong(errors.New("the command to divide needs --out DIR: a folder that all tasks see"))
	case slices.ContainsFunc(c.Command, func(w string) bool { return strings.ContainsAny(w, "\r\n") }):
		return nil, frame.Wrong(errors.New("the command to divide holds a line break, which a script cannot have in its first lines"))
	}
	return d, nil
}

// slurm is a batch script.
func (c *jobsCmd) slurm(words []string, out string) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("#!/bin/sh")
	line("# Submit with:  sbatch THIS-FILE")
	line("# and then:     sbatch --dependency=afterok:JOB --wrap %s", shellLine([]string{merging(out)}))
	line("# Tasks that died are submitted again by their numbers, sbatch --array=3,7 THIS-FILE, and go on where they were.")
	line("#SBATCH --job-name=ppl")
	line("#SBATCH --array=1-%d", c.Shares)
	line("#SBATCH --cpus-per-task=%d", c.CPUs)
	line("#SBATCH --mem=%s", c.Memory)
	if c.Time != "" {
		line("#SBATCH --time=%s", c.Time)
	}
	line("#SBATCH --output=ppl-%%A-%%a.log")
	line("set -eu")
	line("mkdir -p %s", shellLine([]string{out}))
	line(`exec ppl %s %s/share-"$SLURM_ARRAY_TASK_ID"`, shellLine(c.task(words)), shellLine([]string{out}))
	return b.String()
}

// task is the command of each task, but for its folder.
func (c *jobsCmd) task(words []string) []string {
	return append(slices.Clone(words), "--shard", fmt.Sprintf("auto/%d", c.Shares), "--jobs", strconv.Itoa(c.CPUs), "--resume", "--quiet", "--out")
}

// merging is the command that judges all shares.
func merging(out string) string {
	return fmt.Sprintf("ppl merge %s/share-* --out %s", shellLine([]string{out}), shellLine([]string{path.Join(out, "judged")}))
}

// kubernetes is the manifest of an Indexed Job. JSON strings are YAML's, too.
func (c *jobsCmd) kubernetes(words []string, out string) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# Submit with:  kubectl apply -f THIS-FILE")
	line("# and then:     kubectl wait --for=condition=complete --timeout=-1s job/ppl")
	line("# and where %s is mounted:  %s", c.Claim, merging(out))
	line("apiVersion: batch/v1")
	line("kind: Job")
	line("metadata:")
	line("  name: ppl")
	line("spec:")
	line("  completionMode: Indexed")
	line("  completions: %d", c.Shares)
	line("  parallelism: %d", c.Shares)
	line("  backoffLimitPerIndex: 3")
	line("  template:")
	line("    spec:")
	line("      restartPolicy: Never")
	if c.Time != "" {
		line("      activeDeadlineSeconds: %d", seconds(c.Time))
	}
	line("      containers:")
	line("        - name: ppl")
	line("          image: %q", c.Image)
	line("          workingDir: /study")
	line("          args:")
	for _, w := range c.task(words) {
		line("            - %q", strings.ReplaceAll(w, "$(", "$$(")) // what Kubernetes would take for a variable
	}
	line("            - %q", strings.ReplaceAll(out, "$(", "$$(")+"/share-$(JOB_COMPLETION_INDEX)")
	line("          resources:")
	line("            requests: {cpu: %q, memory: %q}", strconv.Itoa(c.CPUs), c.Memory+"i")
	line("            limits: {memory: %q}", c.Memory+"i")
	line("          volumeMounts:")
	line("            - {name: study, mountPath: /study}")
	line("      volumes:")
	line("        - name: study")
	line("          persistentVolumeClaim: {claimName: %q}", c.Claim)
	return b.String()
}

// seconds is a time that matches wallTime.
func seconds(hms string) int {
	total := 0
	for part := range strings.SplitSeq(hms, ":") {
		n, _ := strconv.Atoi(part) // digits
		total = total*60 + n
	}
	return total
}
