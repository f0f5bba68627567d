package cmdstan

// This file gives every argument of every method a value of its own and wrong ones.

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A leaf is an argument with a value, and the words that lead to it.
type leaf struct {
	*argument
	words  []string // such as sample, adapt
	method string   // empty for arguments of all
}

// leaves lists the arguments below args.
func leaves(args []*argument, words []string, method string) []leaf {
	var out []leaf
	with := func(word string) []string { return append(append([]string{}, words...), word) }
	for _, a := range args {
		switch a.kind {
		case group:
			out = append(out, leaves(a.args, with(a.name), method)...)
		case bare:
		case choice:
			out = append(out, leaf{a, words, method})
			for _, b := range a.args {
				of := method
				if a.name == "method" {
					of = b.name
				}
				out = append(out, leaves(b.args, with(a.name+"="+b.name), of)...)
			}
		default:
			out = append(out, leaf{a, words, method})
		}
	}
	return out
}

// another is a valid value that is not the default; empty for files.
func (l leaf) another() string {
	switch l.kind {
	case choice:
		for _, b := range l.args {
			if b.name != l.def {
				return b.name
			}
		}
		return l.def
	case whole:
		n, _ := strconv.Atoi(l.def)
		return strconv.Itoa(max(n+1, 2))
	case number:
		x, _ := strconv.ParseFloat(l.def, 64)
		if x = x * 1.1; x == 0 {
			x = 0.5
		}
		return formatReal(x)
	case truth:
		return strconv.Itoa(1 - int(l.def[0]-'0'))
	}
	return ""
}

// wrong are values that do not do.
func (l leaf) wrong() []string {
	var out []string
	switch l.kind {
	case text:
		return nil
	case choice:
		return []string{"", "nothing"}
	case truth:
		return []string{"", "maybe", "2"}
	case whole:
		out = []string{"", "many", "1.5", "1e3"}
	case number:
		out = []string{"", "many", "1,5", "nan"}
	}
	if l.min > -math.MaxInt32 {
		below := l.min - 1
		if l.minOpen {
			below = l.min
		}
		out = append(out, formatReal(below))
	}
	if l.max < math.MaxInt32 {
		out = append(out, formatReal(l.max+1))
	}
	return out
}

// TestEveryValue: wrong values are refused in CmdStan's words, at any place in the tree.
func TestEveryValue(t *testing.T) {
	all := leaves(newTree().args, nil, "")
	if len(all) < 80 {
		t.Errorf("%d arguments", len(all))
	}
	for _, l := range all {
		for _, value := range l.wrong() {
			var out, errs strings.Builder
			got := newTree().parse("model", append(append([]string{}, l.words...), l.name+"="+value), &out, &errs)
			want := fmt.Sprintf("%s is not a valid value for \"%s\"\n  Valid values: %s\n", value, l.name, l.validValues())
			if got != misused || !strings.HasPrefix(errs.String(), want) {
				t.Errorf("%v %s=%s: outcome %d, %q, want %q", l.words, l.name, value, got, errs.String(), want)
			}
		}
	}
}

// TestEveryPlace: an argument in the wrong place is refused, and told where it belongs.
func TestEveryPlace(t *testing.T) {
	for _, l := range leaves(newTree().args, nil, "") {
		if len(l.words) == 0 {
			continue
		}
		var out, errs strings.Builder
		got := newTree().parse("model", []string{"id=2", l.name + "=1"}, &out, &errs)
		belongs := "\n  " + strings.Join(l.words, " ") + " " + l.name
		if got != misused || !strings.HasPrefix(errs.String(), l.name+"=1 is either mistyped or misplaced.\nPerhaps you meant") || !strings.Contains(errs.String(), belongs) {
			t.Errorf("%s: outcome %d, %q, want it to name%q", l.name, got, errs.String(), belongs)
		}
	}
}

const leavesModel = `data { int<lower=0> N; array[N] int<lower=0, upper=1> y; }
parameters { real<lower=0, upper=1> theta; }
model { theta ~ beta(1, 1); y ~ bernoulli(theta); }
generated quantities { int again = bernoulli_rng(theta); }
`

// TestEveryArgument runs each method with each of its arguments at another value than the
// default, and looks for it in the echo.
func TestEveryArgument(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{
		"leaves.stan": leavesModel, "metric.json": `{"inv_metric": [1.5]}`, "theta.json": `{"theta": 0.25}`, "free.json": `{"params_r": [0.5]}`,
	} {
		if err := os.WriteFile(at(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	exe := executableOf(t, at("leaves.stan"))
	perform := func(words string, output ...string) string {
		t.Helper()
		args := append(strings.Fields(words), "data", "file="+bernoulli+".data.json", "random", "seed=1", "output")
		code, out, errs := run(t, exe, append(args, output...)...)
		if code != 0 {
			t.Errorf("%s output %v: exit code %d: %s", words, output, code, errs)
		}
		return out
	}
	perform("sample num_samples=20 num_chains=2", "file="+at("draws.csv"))
	perform("optimize", "file="+at("mode.csv"))

	values := map[string]string{
		"init": "1", "metric_file": at("metric.json"), "mode": at("mode.csv"), "fitted_params": at("draws_1.csv"),
		"constrained_params": at("theta.json"), "unconstrained_params": at("free.json"),
		"diagnostic_file": at("diagnostic.csv"), "profile_file": at("profile.csv"),
	}
	needs := map[string][]string{ // to run at all, or in a short time
		"sample": {"num_samples=10", "num_warmup=150"}, "variational": {"output_samples=10"}, "pathfinder": {"num_paths=2", "num_draws=20", "num_psis_draws=20"},
		"laplace": {"mode=" + values["mode"]}, "log_prob": {"constrained_params=" + values["constrained_params"]},
		"generate_quantities": {"fitted_params=" + values["fitted_params"]},
	}
	for _, l := range leaves(newTree().args, nil, "") {
		value := l.another()
		if l.kind == text {
			value = values[l.name]
		}
		given := l.name + "=" + value
		need := lacking(needs[l.method], l.name)
		switch {
		case l.name == "method" || l.name == "seed" || l.name == "file": // given everywhere
			continue
		case l.kind == choice && value == l.def: // there is no other
			continue
		case l.name == "unconstrained_params": // in the place of the other
			need = nil
		case l.name == "num_chains" && l.method == "generate_quantities":
			need = []string{"fitted_params=" + at("draws.csv")}
		}
		output := []string{"file=" + at("out.csv")}
		method := l.method
		words := l.words
		if method == "" { // an argument of all methods
			method, need = "sample", needs["sample"]
			if len(words) == 1 && words[0] == "output" {
				output, given = append(output, given), ""
			}
			words, given = []string{given, "method=sample"}, ""
		}
		k := slices.Index(words, "method="+method) + 1
		words = slices.Concat(words[:k], need, words[k:], []string{given})
		echo := perform(strings.Join(words, " "), output...)
		if want := " " + l.name + " = " + value + "\n"; !strings.Contains("\n "+strings.ReplaceAll(echo, "\n", "\n "), want) {
			t.Errorf("%v: %q is not in\n%s", words, want, echo)
		}
	}
}

// lacking are the needs but for that of one name.
func lacking(needs []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(needs), func(need string) bool { return strings.HasPrefix(need, name+"=") })
}
