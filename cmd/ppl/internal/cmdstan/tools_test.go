package cmdstan

// This file tests stanc, stansummary and diagnose, and executables as files.

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func tool(t *testing.T, name string, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = Run(t.Context(), "ppl", name, args, &o, &e)
	return code, o.String(), e.String()
}

const aProgram = `functions { real twice(real x) { return 2 * x; } }
data { int N; array[N, 2] int k; matrix[N, 3] x; complex z; }
parameters { real a; simplex[3] s; }
transformed parameters { vector[3] b = twice(a) * s; }
model { a ~ normal(0, 1); target += normal_lpdf(b | 0, 1); }
generated quantities { tuple(real, int) t = (a, 1); array[N] real e = normal_rng(rep_vector(0, N), 1); }
`

func TestStancInfo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "my model.stan")
	if err := os.WriteFile(path, []byte(aProgram), 0o666); err != nil {
		t.Fatal(err)
	}
	code, out, errs := tool(t, "stanc", "--O1", "--allow-undefined", "--include-paths=/a,'/b c'", "--warn-pedantic", "--info", path)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	type variable struct {
		Type       string
		Dimensions int
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	flat := func(key string) map[string]variable {
		b, err := json.Marshal(got[key])
		vars := map[string]variable{}
		if err == nil {
			err = json.Unmarshal(b, &vars)
		}
		if err != nil {
			t.Fatal(err)
		}
		return vars
	}
	for key, want := range map[string]map[string]variable{
		"inputs":                 {"N": {"int", 0}, "k": {"int", 2}, "x": {"real", 2}, "z": {"complex", 0}},
		"parameters":             {"a": {"real", 0}, "s": {"real", 1}},
		"transformed parameters": {"b": {"real", 1}},
		"generated quantities":   {"t": {"tuple", 0}, "e": {"real", 1}},
	} {
		if diff := cmp.Diff(want, flat(key)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
}

func TestStanc(t *testing.T) {
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.stan"), filepath.Join(dir, "bad.stan")
	for path, text := range map[string]string{good: "parameters { real x; } model { x ~ normal(0,1); }", bad: "model { x ~ normal(0, 1); }"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	note := filepath.Join(dir, "out.hpp")
	for _, c := range []struct {
		args      []string
		code      int
		out, errs string // parts
	}{
		{[]string{"--version"}, 0, "stanc3 v2.37.0", ""},
		{[]string{"--help"}, 0, "--auto-format", ""},
		{[]string{"--auto-format", good}, 0, "  x ~ normal(0, 1);\n", ""},
		{[]string{"--name", "m", "--o=" + note, "--standalone-functions", good}, 0, "", ""},
		{[]string{bad}, 1, "", "bad.stan:1:9"},
		{[]string{"--filename-in-msg=shown.stan", bad}, 1, "", "shown.stan:1:9: error"},
		{[]string{"--bogus", good}, exitUsage, "", "unknown option '--bogus'"},
		{[]string{"--o"}, exitUsage, "", "option '--o' needs an argument"},
		{[]string{good, bad}, exitUsage, "", "too many arguments"},
		{nil, exitUsage, "", "required argument FILE is missing"},
		{[]string{filepath.Join(dir, "none.stan")}, 1, "", "no such file"},
	} {
		code, out, errs := tool(t, "stanc", c.args...)
		if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(errs, c.errs) {
			t.Errorf("stanc %q: exit code %d\n%s%s", c.args, code, out, errs)
		}
	}
	if _, err := os.Stat(note); err != nil {
		t.Error(err)
	}
}

// oneFit writes four chains with fixed numbers, among which is everything to complain about.
func oneFit(t *testing.T, text func(chain int) string) []string {
	t.Helper()
	dir := t.TempDir()
	var paths []string
	for chain := range 4 {
		path := filepath.Join(dir, string(rune('a'+chain))+".csv")
		if err := os.WriteFile(path, []byte(text(chain)), 0o666); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

func TestSummaryAndDiagnoseGolden(t *testing.T) {
	fixed := func(chain int) string {
		var b strings.Builder
		b.WriteString("# model = fixed_model\n# num_samples = 200\n# num_warmup = 100\n# thin = 1\n# algorithm = hmc\n# engine = nuts\n# max_depth = 3\n" +
			"lp__,accept_stat__,treedepth__,divergent__,energy__,mu,theta.1,m.1.2\n# Adaptation terminated\n# Step size = 0.5\n")
		state := uint64(chain + 1)
		next := func() float64 {
			state = state*6364136223846793005 + 1442695040888963407
			return float64(state>>11) / (1 << 53)
		}
		energy := 0.0
		for i := range 200 {
			energy += next() - 0.5
			divergent := 0.0
			if i%50 == 7 {
				divergent = 1
			}
			row := []float64{-next(), 0.5 + next()/2, float64(1 + i%3), divergent, energy, next(), float64(chain) + next(), 1000 * next()}
			line := []byte(nil)
			for k, v := range row {
				if k > 0 {
					line = append(line, ',')
				}
				line = appendNumber(line, v, 8)
			}
			b.Write(append(line, '\n'))
		}
		b.WriteString("# \n#  Elapsed Time: 0.5 seconds (Warm-up)\n#                0.25 seconds (Sampling)\n#                0.75 seconds (Total)\n")
		return b.String()
	}
	files := oneFit(t, fixed)
	table := filepath.Join(t.TempDir(), "summary.csv")
	code, out, errs := tool(t, "stansummary", append([]string{"-s3", "--percentiles", "2.5,97.5", "-c", table, "-a", "2"}, files...)...)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	csv, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	code, judged, errs := tool(t, "diagnose", files...)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	golden(t, "tools", out+"\n-- csv --\n"+string(csv)+"\n-- diagnose --\n"+judged)
}

func TestSummaryMisuse(t *testing.T) {
	for _, c := range []struct {
		args string
		want string
	}{
		{"--sig_figs=0 x.csv", "not in range"}, {"--percentiles 50,5 x.csv", "rising numbers"}, {"--bogus x.csv", "not expected"},
		{"-s", "1 required"}, {"none.csv", "no such file"}, {"-a 2 x.csv", "not a valid chain id"}, {"-s 3", "input_files is required"},
		{"-c tools_test.go x.csv", "already exists"},
	} {
		if code, _, errs := tool(t, "stansummary", strings.Fields(c.args)...); code != exitNotOK || !strings.Contains(errs, c.want) {
			t.Errorf("stansummary %s: exit code %d, %q; want 1 and %q", c.args, code, errs, c.want)
		}
	}
	if code, _, errs := tool(t, "diagnose", "none.csv"); code != exitNotOK || !strings.Contains(errs, "none.csv") {
		t.Errorf("diagnose: exit code %d, %q", code, errs)
	}
	if code, out, _ := tool(t, "print", "--help"); code != exitOK || !strings.Contains(out, "--percentiles") {
		t.Errorf("print --help: exit code %d, %q", code, out)
	}
	if code, _, _ := tool(t, "nothing"); code != exitUsage {
		t.Errorf("a program that does not exist: exit code %d", code)
	}
}

// The executable keeps everything that a program needs, under the strangest names.
func TestExecutable(t *testing.T) {
	e := &executable{Name: "m_model", File: "m.stan", StancFlags: "--O1", Threads: true, program: "model { }\n" + marker + "{}\n"}
	text, err := e.script("/it's/here ppl")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, `exec '/it'\''s/here ppl' cmdstan-tool model "$0" "$@"`) {
		t.Error(text)
	}
	path := filepath.Join(t.TempDir(), "m")
	if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
	back, err := readExecutable(path)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, e) {
		t.Errorf("%+v, want %+v", back, e)
	}
	if got := ModelName("/x/my-model 2.v1.stan"); got != "my_model_2_v1_model" {
		t.Error(got)
	}
}
