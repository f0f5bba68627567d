package cmdstan

// This file takes the executable of a model from its arguments to the exit code.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/ast"
)

// The exit codes of all programs of the folder.
const (
	exitOK    = 0
	exitNotOK = 1
)

// A job is one run of a model's executable.
type job struct {
	*tree
	exe   *executable
	ctx   context.Context
	model *lang.Model
	seed  uint64
	names []string // of the parameters' columns
	out   *lines
	errs  io.Writer
}

// lines is a writer for whole messages from several goroutines.
type lines struct {
	mu sync.Mutex
	w  io.Writer
}

// Write implements io.Writer.
func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}

// runModel runs the executable at path with CmdStan's arguments and gives the exit code.
func runModel(ctx context.Context, path string, args []string, out, errs io.Writer) int {
	t := newTree()
	asked := t.parse(path, slices.Clone(args), out, errs)
	switch {
	case asked == helped:
		return exitOK
	case asked == misused && len(args) > 0:
		fmt.Fprintln(errs, "Failed to parse command arguments, cannot run model.")
		return exitNotOK
	case asked == misused:
		return exitNotOK
	}
	exe, err := readExecutable(path)
	if err == nil && asked == informed {
		exe.info(out)
		return exitOK
	}
	if err == nil {
		err = (&job{tree: t, exe: exe, ctx: ctx, out: &lines{w: out}, errs: errs}).run()
	}
	if err != nil {
		report(errs, err)
		return exitNotOK
	}
	return exitOK
}

// info describes the build.
func (e *executable) info(w io.Writer) {
	fmt.Fprintf(w, "stan_version_major = %d\nstan_version_minor = %d\nstan_version_patch = %d\n", versionMajor, versionMinor, versionPatch)
	// What concerns C++ is told as it was asked for: clients compare it with their settings.
	fmt.Fprintf(w, "STAN_THREADS=%t\nSTAN_MPI=false\nSTAN_OPENCL=%t\nSTAN_NO_RANGE_CHECKS=%t\nSTAN_CPP_OPTIMS=%t\n",
		e.Threads, e.Echo["STAN_OPENCL"], e.Echo["STAN_NO_RANGE_CHECKS"], e.Echo["STAN_CPP_OPTIMS"])
}

// run is everything after the arguments.
func (j *job) run() error {
	if err := errors.Join(j.check(), j.takeThreads()); err != nil {
		return err
	}
	if j.divided() { // parts of sums go to as many cores as were asked for
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(j.threads()))
	}
	j.drawSeed()
	j.echo(j.out, "")
	fmt.Fprintln(j.out)
	if err := j.bind(); err != nil {
		return err
	}
	if j.flag("output", "save_cmdstan_config") {
		if err := j.saveConfig(); err != nil {
			return err
		}
	}
	if err := j.perform(); err != nil {
		return err
	}
	return j.writeProfiles()
}

// perform runs the method.
func (j *job) perform() error {
	switch j.method() {
	case "sample":
		return j.sample()
	case "optimize":
		return j.optimize()
	case "variational":
		return j.variational()
	case "pathfinder":
		return j.pathfinder()
	case "laplace":
		return j.laplace()
	case "generate_quantities":
		return j.generate()
	case "log_prob":
		return j.logProb()
	}
	return j.testGradient()
}

// check finds arguments that do not go together.
func (j *job) check() error {
	switch j.method() {
	case "sample":
		hmc := []string{"method", "sample", "algorithm"}
		static := j.text(hmc...) == "hmc" && j.text(append(hmc, "hmc", "engine")...) == "static"
		switch {
		case static && j.int("method", "sample", "num_chains") > 1:
			return says("Argument 'num_chains' is unavailable for the 'static' HMC engine.")
		case j.flag("method", "sample", "adapt", "save_metric") && !j.flag("method", "sample", "adapt", "engaged"):
			return says("Saving the adapted metric (save_metric=1) can only be enabled when adaptation is engaged (adapt engaged=1)")
		}
	case "generate_quantities":
		return j.checkInput("fitted_params file", "method", "generate_quantities", "fitted_params")
	case "laplace":
		return j.checkInput("mode file", "method", "laplace", "mode")
	}
	return nil
}

func (j *job) checkInput(what string, path ...string) error {
	switch input := j.text(path...); input {
	case "":
		return says("Argument %s - found empty string, expecting filename.", what)
	case j.text("output", "file"):
		return says("Filename conflict, %s %s and output file names are identical, must be different.", what, input)
	}
	return nil
}

// drawSeed takes the seed from the clock where none is given; it counts as the default.
func (j *job) drawSeed() {
	a := j.at("random", "seed")
	if a.value == "-1" {
		a.value = strconv.FormatUint(uint64(uint32(time.Now().UnixMilli())), 10)
		a.def = a.value
	}
	j.seed, _ = strconv.ParseUint(a.value, 10, 64)
}

// bind joins program and data.
func (j *job) bind() error {
	p, err := j.exe.compile()
	if err != nil {
		return err
	}
	opts := lang.BindOptions{Seed: j.seed, Divide: j.divided(), Print: func(text string) { fmt.Fprintln(j.out, text) }}
	path := j.text("data", "file")
	if path == "" {
		j.model, err = p.BindContext(j.ctx, nil, opts)
	} else {
		in, readErr := readVariables(path, p.WantsData)
		if readErr != nil {
			return readErr
		}
		j.model, err = p.BindContext(j.ctx, in, opts)
	}
	if j.ctx.Err() != nil {
		return says("Interrupted; nothing was drawn.")
	}
	if err != nil {
		return err
	}
	j.names = j.model.Bound().ParameterColumns()
	return nil
}

// density is the model as CmdStan's methods see it: without the constants that may be
// dropped.
type density struct{ *bind.Model }

// NewEvaluator implements infer.Model.
func (d density) NewEvaluator() infer.Evaluator { return d.evaluator(true) }

func (d density) evaluator(jacobian bool) infer.Evaluator {
	return d.Model.Density(jacobian, true).(infer.Evaluator)
}

// density is the model for methods.
func (j *job) density() density { return density{j.model.Bound()} }

// takeThreads takes the number of threads from the environment where no argument gives it.
func (j *job) takeThreads() error {
	given, a := os.Getenv("STAN_NUM_THREADS"), j.at("num_threads")
	if given == "" || !a.isDefault() {
		return nil
	}
	if !a.set(given) || a.value == "0" {
		return says("The STAN_NUM_THREADS environment variable is '%s' but it must be a positive number or -1", given)
	}
	return nil
}

// divided reports that threads are left for parts of large sums, and asked for.
func (j *job) divided() bool {
	chains := 1
	if j.method() == "sample" {
		chains = j.int("method", "sample", "num_chains")
	}
	return j.exe.Threads && j.int("num_threads") > chains
}

// threads is how many chains or paths may work at the same time.
func (j *job) threads() int {
	if n := j.int("num_threads"); n > 0 {
		return n
	}
	return runtime.NumCPU()
}

// each calls f for 0 to n-1, in order, as many at a time as there are threads.
func (j *job) each(n int, f func(i int)) {
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(j.threads(), n) {
		wg.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}

func (j *job) id() int { return j.int("id") }

// init reports where chain or path number i of n starts.
func (j *job) init(i, n int) (infer.Init, error) {
	given := j.text("init")
	if radius, err := strconv.ParseFloat(given, 64); err == nil {
		return infer.Init{Radius: radius}, nil
	}
	names, err := inputNames(given, n, j.id())
	if err != nil {
		return infer.Init{}, err
	}
	set, err := readVariables(names[i], nil)
	if err != nil {
		return infer.Init{}, err
	}
	q, err := j.model.Bound().UnconstrainPart(set)
	if err != nil {
		return infer.Init{}, says("%s%w\nUser-specified initialization failed.", j.bounded(err), err)
	}
	return infer.Init{Radius: 2, Points: [][]float64{q}}, nil
}

// bounded is CmdStan's wording, on a line of its own, of a value outside of the bounds of its
// parameter; empty for other errors.
func (j *job) bounded(err error) string {
	value, rest, found := strings.Cut(err.Error(), ", but must be ")
	name, value, is := strings.Cut(value, " is ")
	if !found || !is {
		return ""
	}
	name, _, _ = strings.Cut(name, "[")
	for _, s := range j.model.Program.Info.Globals[ast.ParametersKind] {
		if s.Name != name || s.Decl == nil {
			continue
		}
		has := func(bound string) bool {
			return slices.ContainsFunc(s.Decl.Type.Bounds, func(b ast.Bound) bool { return b.Name == bound })
		}
		what := ""
		switch lower, upper := has("lower"), has("upper"); {
		case lower && upper:
			what = "lub_free: Bounded"
		case lower:
			what = "lb_free: Lower bounded"
		case upper:
			what = "ub_free: Upper bounded"
		default:
			return ""
		}
		return fmt.Sprintf("Exception: %s variable is %s, but must be %s%s\n", what, value, rest, in(s.Decl.Span()))
	}
	return ""
}

// interrupted is the error of a run that was ended from outside.
func (j *job) interrupted() error {
	if j.ctx.Err() == nil {
		return nil
	}
	return says("Interrupted; what was drawn before is in the files.")
}

// saveConfig writes the arguments as JSON.
func (j *job) saveConfig() error {
	base, _ := splitSuffix(j.text("output", "file"))
	f, err := os.Create(base + "_config.json")
	if err != nil {
		return err
	}
	now := time.Now().UTC().Format(dateFormat)
	member := func(key, value string) string { return strconv.Quote(key) + ":" + strconv.Quote(value) }
	err = j.writeJSON(f, []string{
		member("stan_major_version", strconv.Itoa(versionMajor)),
		member("stan_minor_version", strconv.Itoa(versionMinor)),
		member("stan_patch_version", strconv.Itoa(versionPatch)),
		member("model_name", j.exe.Name),
		member("start_datetime", now),
	}, []string{
		member("stanc_version", stancVersion), member("stancflags", strings.TrimSpace(j.exe.StancFlags)),
	})
	return errors.Join(err, f.Close())
}

const dateFormat = "2006-01-02 15:04:05 UTC"
