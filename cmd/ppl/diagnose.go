package main

// This file is ppl diagnose: verdicts on a method for a model, or on a fit on disk.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/folders"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/input"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/stored"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/view"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
)

// diagnoseCmd judges methods.
type diagnoseCmd struct {
	Paths []string `arg:"" name:"model" help:"File of the model; or the folder of a fit, or CSV files of its chains."`
	input.ModelFlags
	input.EngineFlags
	view.ColorFlag
	With   []string       `placeholder:"EXPR" sep:"none" help:"A diagnosis, such as 'sbc(nuts())', in place of the diagnose lines of the inference block; may be repeated."`
	Method []string       `placeholder:"EXPR" sep:"none" help:"A method, or the name of a binding, to consult about where there is neither --with nor a diagnose line; may be repeated."`
	Chains *int           `placeholder:"N" help:"Number of chains, of the diagnosis where it has chains, of the method otherwise."`
	Warmup *int           `placeholder:"N" help:"Iterations of warm-up in each chain of the method."`
	Draws  *int           `placeholder:"N" help:"Draws, of the diagnosis where it takes draws, of the method otherwise."`
	Out    string         `placeholder:"DIR" help:"Folder to write diagnosis.json and its pictures to; it may hold an earlier fit."`
	Resume bool           `help:"Go on with the diagnoses that --out DIR holds, after an interrupt or a crash."`
	Budget *time.Duration `placeholder:"D" help:"Work of a consultation, as time of one processor; 60s without it. It is counted, not measured, so that the same is decided on every machine."`
	shardFlag
	onFlags
	Jobs      int            `placeholder:"N" help:"Chains or fits at work at the same time; all processors without it."`
	TimeLimit *time.Duration `placeholder:"D" help:"Stop after this time, such as 90s or 10m, and judge what there is."`
	JSON      bool           `name:"json" help:"Verdicts as JSON on standard output."`
	Strict    bool           `help:"Exit with code 3 where a verdict is bad; of a consultation, where the answer must not be used."`

	unlock   func()           // ends the use of --out DIR; nil before it has begun
	parts    []string         // files of --out DIR with finished parts
	division infer.Share      // of --shard
	merged   *diagnosisRecipe // of these shares; nil: there are none
	gathered []gathered       // of the shares that ppl merge puts together, by diagnosis; nil: parts are made
}

// Help implements kong.HelpProvider.
func (*diagnoseCmd) Help() string {
	return frame.Examples(
		"ppl diagnose model.ppl                   # the block's diagnose lines, or a consultation: may the answer be used?",
		"ppl diagnose model.ppl --with 'sbc(nuts(), replications = 200)' --out judged",
		"ppl diagnose model.ppl --with 'sbc(nuts(), replications = 200)' --out judged --resume",
		"ppl diagnose fit                         # the findings of an earlier fit",
	)
}

// Run prints the verdicts.
func (c *diagnoseCmd) Run(a *frame.App) error {
	restoreGC := frame.RelaxGC()
	defer restoreGC()
	if c.Jobs < 0 {
		return frame.Wrongf("--jobs must not be negative, found %d", c.Jobs)
	}
	if err := checkLimit(c.TimeLimit); err != nil {
		return err
	}
	if c.Budget != nil && *c.Budget <= 0 {
		return frame.Wrongf("--budget must be positive, found %s", *c.Budget)
	}
	if c.Resume && c.Out == "" {
		return frame.Wrongf("--resume needs --out DIR: the folder of the diagnoses to go on with")
	}
	if err := c.validate(c.Out, map[string]bool{"json": c.JSON, "strict": c.Strict}); err != nil {
		return err
	}
	if err := c.without(map[string]bool{"shard": c.Shard != "", "jobs": c.Jobs != 0, "resume": c.Resume}); err != nil {
		return err
	}
	var err error
	if c.division, err = c.share(); err != nil {
		return err
	}
	if c.Out != "" {
		if err := diagnosisPlace(c.Out); err != nil {
			return err
		}
	}
	ctx, stop := frame.UntilInterrupt(c.TimeLimit, a.Stopping(c.Quiet))
	defer stop()
	return c.judge(ctx, a)
}

// judge prints and keeps the verdicts on a model or on fits.
func (c *diagnoseCmd) judge(ctx context.Context, a *frame.App) error {
	info, err := os.Stat(c.Paths[0])
	if err == nil && info.IsDir() || strings.HasSuffix(c.Paths[0], ".csv") {
		verdicts, err := c.ofFits(a)
		if err != nil {
			return err
		}
		return c.conclude(ctx, a, verdicts)
	}
	if len(c.Paths) > 1 {
		return frame.Wrongf("ppl diagnose takes one model, found %d", len(c.Paths))
	}
	s, err := c.prepare(ctx, a)
	if err != nil {
		return err
	}
	verdicts, err := s.run(ctx)
	if c.unlock != nil {
		defer c.unlock()
	}
	switch {
	case err != nil:
		return err
	case s.division.Divided():
		return s.concludeShare(ctx, verdicts)
	}
	return c.conclude(ctx, a, verdicts)
}

// ofFits are the findings of fits on disk, as verdicts.
func (c *diagnoseCmd) ofFits(a *frame.App) ([]*diagnose.Verdict, error) {
	for _, f := range []struct {
		name  string
		given bool
	}{
		{"with", len(c.With) > 0}, {"method", len(c.Method) > 0}, {"chains", c.Chains != nil}, {"warmup", c.Warmup != nil}, {"draws", c.Draws != nil},
		{"data", c.Data != ""}, {"include", len(c.Include) > 0}, {"seed", c.Seed != nil}, {"resume", c.Resume}, {"shard", c.Shard != ""}, {"on", c.On != ""}, {"budget", c.Budget != nil}, {"time-limit", c.TimeLimit != nil},
	} {
		if f.given {
			return nil, frame.Wrongf("--%s needs a model, found a fit: %s", f.name, c.Paths[0])
		}
	}
	fits, err := stored.ReadFits(a, c.Paths, c.Quiet)
	if err != nil {
		return nil, err
	}
	var out []*diagnose.Verdict
	for _, f := range fits {
		k, conclusion := lang.ConsultFit(f.Fit, lineOfFit(f.Dir))
		for _, v := range append(k.Verdicts, conclusion) {
			if err := c.show(a, v); err != nil {
				return nil, err
			}
			out = append(out, v)
		}
	}
	return out, nil
}

// A diagnosing is a run of ppl diagnose after its arguments have been understood.
type diagnosing struct {
	*diagnoseCmd
	app     *frame.App
	program *lang.Program
	model   *lang.Model
	seed    uint64
	source  *input.DataSource
	digest  *draws.Source     // of the data; nil for none
	earlier *diagnosisRecipe  // of the run to go on with; nil for none
	recipe  *diagnosisRecipe  // of this one, where it keeps parts
	asked   []*lang.Diagnosis // by --with or the program
	methods []*lang.Method    // to consult about, where nothing was asked for
}

// prepare does everything that can go wrong by the user's input.
func (c *diagnoseCmd) prepare(ctx context.Context, a *frame.App) (*diagnosing, error) {
	p, err := c.Compile(a, c.Paths[0])
	if err != nil {
		return nil, err
	}
	s := &diagnosing{diagnoseCmd: c, app: a, program: p}
	if err := s.choose(); err != nil {
		return nil, frame.Wrong(err)
	}
	if s.division.Divided() && c.Seed == nil && !s.ownSeed() {
		return nil, frame.Wrongf("--shard needs --seed N, the same for all shares")
	}
	s.seed = c.SeedOr(s.firstSeed())
	if c.merged != nil && c.Seed == nil {
		s.seed = c.merged.Seed
	}
	if err := c.ofModel(p); err != nil {
		return nil, err
	}
	if c.Resume {
		if s.earlier, err = readDiagnosisRecipe(c.Out); err != nil {
			return nil, err
		}
		if s.earlier != nil && c.Seed == nil {
			s.seed = s.earlier.Seed
		}
	}
	s.source = c.DataSource(a, p, c.Paths[0])
	if s.model, err = input.BindModel(ctx, a, p, s.source, c.Options(s.seed)); err != nil {
		return nil, err
	}
	if s.digest, err = s.source.Digest(); err != nil {
		return nil, frame.Wrong(frame.PlainPath(err))
	}
	for _, d := range s.asked {
		if err := frame.Asked(ctx, func() error { return s.model.Judges(d) }); err != nil {
			return nil, frame.OrEnded(ctx, err)
		}
	}
	for _, m := range s.methods {
		if err := frame.Asked(ctx, func() error { return s.model.Supports(m) }); err != nil {
			return nil, frame.OrEnded(ctx, err)
		}
	}
	return s, nil
}

// choose finds what is to be run and puts the flags in the place of options.
func (s *diagnosing) choose() error {
	for _, text := range s.With {
		d, err := s.program.Diagnosis(text)
		if err != nil {
			return err
		}
		if !s.Quiet {
			s.app.Warn(d.Warnings())
		}
		s.asked = append(s.asked, d)
	}
	var err error
	if len(s.With) == 0 && len(s.Method) == 0 {
		if s.asked, err = s.program.Diagnoses(); err != nil {
			return err
		}
	}
	run := runCmd{Method: s.Method, ModelFlags: s.ModelFlags, Chains: s.Chains, Warmup: s.Warmup, Draws: s.Draws}
	if len(s.asked) == 0 {
		if s.methods, err = run.chosen(s.app, s.program, nil); err != nil {
			return err
		}
		return run.override(s.methods)
	}
	var all []*lang.Method
	for _, d := range s.asked {
		all = append(all, d.Method)
	}
	return run.overrideOptions(all)
}

// ownSeed reports whether a diagnosis gives a seed.
func (s *diagnosing) ownSeed() bool {
	return slices.ContainsFunc(s.asked, func(d *lang.Diagnosis) bool {
		_, own := d.Seed()
		_, inner := d.Method.Seed()
		return own || inner
	})
}

// ofModel refuses to put verdicts into the folder of another model's fit.
func (c *diagnoseCmd) ofModel(p *lang.Program) error {
	if c.Out == "" {
		return nil
	}
	run, err := draws.ReadRun(c.Out)
	if err != nil {
		return nil // no fit, or one that its readers complain about
	}
	if here := folders.ModelDigest(c.Paths[0], p); !folders.SameSource(here, &run.Program) {
		return frame.Wrongf("--out %s: the folder holds a fit of another model\n  there: %s\n  here:  %s", c.Out, folders.Shown(&run.Program), folders.Shown(here))
	}
	return nil
}

// firstSeed is the first seed that a diagnosis gives, or a drawn one.
func (s *diagnosing) firstSeed() uint64 {
	r := session{methods: s.methods}
	for _, d := range s.asked {
		r.methods = append(r.methods, d.Method)
	}
	return r.firstSeed()
}

// run makes the diagnoses that were asked for one after the other, or consults.
func (s *diagnosing) run(ctx context.Context) ([]*diagnose.Verdict, error) {
	if len(s.asked) == 0 {
		if s.division.Divided() {
			return nil, frame.Wrongf("--shard divides diagnoses, such as --with 'sbc(nuts())'; found none, and a consultation is one piece")
		}
		if s.On != "" {
			return nil, frame.Wrongf("--on has the units of diagnoses done, such as --with 'sbc(nuts())'; found none, and a consultation is one piece")
		}
		return s.consult(ctx)
	}
	if s.Budget != nil {
		return nil, frame.Wrongf("--budget belongs to a consultation, and here are diagnoses: %s", s.asked[0].Name())
	}
	if s.On != "" {
		if err := s.afar(ctx); err != nil {
			return nil, err
		}
	}
	if err := s.begin(s.asked); err != nil {
		return nil, err
	}
	var out []*diagnose.Verdict
	for i, d := range s.asked {
		if ctx.Err() != nil {
			break
		}
		v, err := s.kept(ctx, i, d)
		if err == nil && !s.division.Divided() {
			err = s.show(s.app, v)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// kept runs diagnosis i. What was done before a disk failed is kept.
func (s *diagnosing) kept(ctx context.Context, i int, d *lang.Diagnosis) (*diagnose.Verdict, error) {
	v, err := s.one(ctx, i, d)
	if cause := folders.WriteFailure(err); cause != nil {
		return nil, &frame.Exit{Code: frame.ExitFailed, Err: cause, Help: "what was done before is kept; --resume goes on with it once the files can be written"}
	}
	switch {
	case frame.IsLeft(err) && s.Out != "":
		return nil, leftAt(s.app, err)
	case err != nil:
		s.forget()
		return nil, err
	}
	return v, nil
}

func (s *diagnosing) jobs() int {
	if s.Jobs == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return s.Jobs
}

// one runs diagnosis i of the list.
func (s *diagnosing) one(ctx context.Context, i int, d *lang.Diagnosis) (v *diagnose.Verdict, err error) {
	seed := s.seed
	if own, ok := d.Seed(); ok {
		seed = own
	}
	show, end := s.progress(d.Name())
	if s.Out != "" {
		parts, openErr := openParts(s.partsPath(i), s.app.CheckpointEvery)
		if openErr != nil {
			return nil, openErr
		}
		defer func() { err = errors.Join(err, parts.close()) }()
		if parts.bad > 0 && !s.Quiet {
			s.app.Say("warning: %s:%d: the line is not as it was written; what it and the lines after it held is done again", s.partsPath(i), parts.bad)
		}
		if err := s.gather(i, parts); err != nil {
			return nil, err
		}
		show = diagnose.WithStore(show, parts)
	}
	if s.gathered != nil {
		show = diagnose.WithStore(show, s.gathered[i])
	}
	v, err = frame.WithGrace(ctx, frame.JudgeGrace, frame.Never, func() (*diagnose.Verdict, error) {
		return s.model.Diagnose(ctx, d, lang.RunOptions{Seed: seed, Jobs: s.jobs(), Observer: show, Share: s.division, Leave: true})
	})
	end()
	if _, ok := errors.AsType[*lang.MethodError](err); ok {
		return nil, frame.Wrong(err)
	}
	return v, err
}

// progress shows how far a run is, until end is called.
func (s *diagnosing) progress(name string) (o infer.Observer, end func()) {
	if s.Quiet || s.gathered != nil {
		return nil, func() {}
	}
	return s.app.Stderr.Watch(func(infer.ProgressReport) string { return name }, false)
}

// conclude writes JSON and files and finds the exit code.
func (c *diagnoseCmd) conclude(ctx context.Context, a *frame.App, verdicts []*diagnose.Verdict) error {
	if c.JSON {
		if err := writeVerdicts(a.Stdout, verdicts); err != nil {
			return err
		}
	}
	if c.Out != "" {
		if err := c.save(a, verdicts); err != nil {
			return err
		}
		if !c.Quiet {
			a.Say("written: %s", c.Out)
		}
	}
	switch {
	case ctx.Err() != nil && !errors.Is(context.Cause(ctx), frame.ErrTimeLimit):
		err := errors.New("interrupted; the verdicts are about what was done so far")
		if c.Out != "" {
			err = fmt.Errorf("%w, and --resume goes on with it", err)
		}
		return &frame.Exit{Code: frame.ExitInterrupted, Err: err}
	case c.Strict && anyBad(verdicts):
		return &frame.Exit{Code: frame.ExitStrict}
	}
	return nil
}

// save writes diagnosis.json with its pictures, and lists what the diagnoses have written.
func (c *diagnoseCmd) save(a *frame.App, verdicts []*diagnose.Verdict) error {
	l := folders.ListingOf(a, c.Out, c.Quiet)
	if err := errors.Join(os.MkdirAll(c.Out, 0o755), l.Begin(diagnosisFile)); err != nil {
		return err
	}
	if err := saveVerdicts(a.Disk, c.Out, verdicts); err != nil {
		return err
	}
	return errors.Join(l.Add(append(c.parts, diagnosisFile)...), drawVerdicts(a, c.Out, c.Quiet))
}

// anyBad reports whether a verdict is bad; of a consultation its conclusion counts alone.
func anyBad(verdicts []*diagnose.Verdict) bool {
	consulted := slices.ContainsFunc(verdicts, isConclusion)
	return slices.ContainsFunc(verdicts, func(v *diagnose.Verdict) bool {
		return v.Severity == diagnose.Bad && (!consulted || isConclusion(v))
	})
}
