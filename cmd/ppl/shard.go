package main

// This file divides the units of a diagnosis among processes: the tasks of a scheduler's array, say.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/folders"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
)

// shardFlag names the share of a process.
type shardFlag struct {
	Shard string `placeholder:"I/N" help:"Do share I of N of the replications, data sets and chains of diagnoses, and keep them in --out DIR; ppl merge judges all shares. auto/N takes I from a scheduler's SLURM_ARRAY_TASK_ID, PBS_ARRAY_INDEX, SGE_TASK_ID (from 1) or JOB_COMPLETION_INDEX (from 0)."`
}

// taskVariables are where schedulers say which task of an array a process is, and the
// number of the first one.
var taskVariables = []struct {
	name  string
	first int
}{{"SLURM_ARRAY_TASK_ID", 1}, {"PBS_ARRAY_INDEX", 1}, {"SGE_TASK_ID", 1}, {"JOB_COMPLETION_INDEX", 0}}

// share reads the flag; the zero value where it is not given.
func (f *shardFlag) share() (infer.Share, error) {
	if f.Shard == "" {
		return infer.Share{}, nil
	}
	n, auto := strings.CutPrefix(f.Shard, "auto/")
	if !auto {
		s, err := infer.ParseShare(f.Shard)
		if err != nil {
			return s, frame.Wrongf("--shard: %w; auto/N takes I from the scheduler", err)
		}
		return s, nil
	}
	of, err := strconv.Atoi(n)
	if err != nil || of < 1 {
		return infer.Share{}, frame.Wrongf("--shard: expected auto/N with N of at least 1, found %q", f.Shard)
	}
	for _, v := range taskVariables {
		text := os.Getenv(v.name)
		if text == "" || text == "undefined" { // what Grid Engine gives jobs without tasks
			continue
		}
		task, err := strconv.Atoi(text)
		if err != nil || task < v.first || task >= v.first+of {
			return infer.Share{}, frame.Wrongf("--shard %s: expected %s from %d to %d, found %q", f.Shard, v.name, v.first, v.first+of-1, text)
		}
		return infer.Share{Index: task - v.first + 1, Of: of}, nil
	}
	var names []string
	for _, v := range taskVariables {
		names = append(names, v.name)
	}
	return infer.Share{}, frame.Wrongf("--shard %s: no scheduler says which task this is; expected one of %s in the environment", f.Shard, strings.Join(names, ", "))
}

// validate refuses what belongs to verdicts on the whole.
func (f *shardFlag) validate(out string, whole map[string]bool) error {
	switch {
	case f.Shard == "":
		return nil
	case out == "":
		return frame.Wrongf("--shard needs --out DIR: the folder that ppl merge reads, another one for each share")
	}
	for flag, given := range whole {
		if given {
			return frame.Wrongf("--%s belongs to the verdict on all shares: give it to ppl merge", flag)
		}
	}
	return nil
}

// concludeShare lists the parts that were kept and says what is next. A verdict other than Unjudged is
// about a method that fails, whose other units could not be done.
func (s *diagnosing) concludeShare(ctx context.Context, verdicts []*diagnose.Verdict) error {
	for _, v := range verdicts {
		if !v.Incomplete {
			return errors.Join(folders.ListingOf(s.app, s.Out, s.Quiet).Add(s.parts...), s.show(s.app, v), &frame.Exit{Code: frame.ExitFailed, Err: fmt.Errorf("share %s cannot be done: the method fails", s.division)})
		}
	}
	ended := ctx.Err() == nil
	if ended {
		s.recipe.Finished = true
		if err := s.recipe.write(s.app.Disk, s.Out); err != nil {
			return err
		}
	}
	if err := folders.ListingOf(s.app, s.Out, s.Quiet).Add(s.parts...); err != nil {
		return err
	}
	if !ended {
		code := frame.ExitInterrupted
		if errors.Is(context.Cause(ctx), frame.ErrTimeLimit) {
			code = frame.ExitFailed
		}
		return &frame.Exit{Code: code, Err: fmt.Errorf("share %s was stopped before its end; --resume goes on with it", s.division)}
	}
	if !s.Quiet {
		s.app.Say("written: %s, share %s; ppl merge judges all shares together", s.Out, s.division)
	}
	return nil
}
