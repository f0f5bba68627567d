package draws

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/seed-12b88e03/ppl/infer/disk"
)

func testPlan() Plan {
	return Plan{
		Method: "nuts", Chains: 2, Warmup: 30, Draws: 3, Thin: 1, Seed: 42,
		Stats:   []string{"accept_stat__", "stepsize__", "treedepth__", "n_leapfrog__", "divergent__", "energy__"},
		Columns: []string{"mu", "theta.1", "theta.2", "z.real", "t:1.1"},
		Config: []Entry{
			{Name: "adapt", Children: []Entry{{Name: "delta", Value: 0.8, Default: true}}},
			{Name: "algorithm", Value: "hmc", Default: true, Choice: true, Children: []Entry{{Name: "hmc", Children: []Entry{
				{Name: "engine", Value: "nuts", Default: true, Choice: true, Children: []Entry{{Name: "nuts", Children: []Entry{{Name: "max_depth", Value: 7}}}}},
				{Name: "metric", Value: "diag_e", Default: true, Choice: true},
			}}}},
		},
	}
}

func testRow(chain, i int, warmup bool) Row {
	return Row{
		Chain: chain, Iteration: i, Warmup: warmup, LogDensity: -1.0 / 3,
		Stats:  []float64{0.9, 0.25, 3, 7, 0, 12345678.9},
		Values: []float64{float64(i), math.NaN(), math.Inf(1), math.Inf(-1), 1e-7 / 3},
	}
}

func write(t *testing.T, dir string, p Plan, rows int, a Adaptation) {
	t.Helper()
	w := NewCSVWriter(CSVOptions{Dir: dir, Model: "m_model", DataFile: "m.json", Init: "2", Started: time.Unix(0, 0)})
	check(t, w.Begin(p))
	for c := range p.Chains {
		if p.SaveWarmup {
			check(t, w.Draw(testRow(c, 0, true)))
		}
		check(t, w.Adapted(c, a))
		for i := range rows {
			check(t, w.Draw(testRow(c, i, false)))
		}
		check(t, w.End(c, ChainEnd{WarmupTime: 1500 * time.Millisecond, SamplingTime: 20 * time.Microsecond}))
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestCSVText(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, testPlan(), 1, Adaptation{StepSize: 0.123456789, MetricType: MetricDiagonal, InvMetric: []float64{1, 0.5}})
	got, err := os.ReadFile(filepath.Join(dir, "chain-2.csv"))
	check(t, err)
	want := `# stan_version_major = 2
# stan_version_minor = 37
# stan_version_patch = 0
# model = m_model
# start_datetime = 1970-01-01 00:00:00 UTC
# method = sample (Default)
#   sample
#     num_samples = 1
#     num_warmup = 30
#     save_warmup = 0 (Default)
#     thin = 1 (Default)
#     adapt
#       delta = 0.8 (Default)
#     algorithm = hmc (Default)
#       hmc
#         engine = nuts (Default)
#           nuts
#             max_depth = 7
#         metric = diag_e (Default)
#     num_chains = 1 (Default)
# id = 2
# data
#   file = m.json
# init = 2 (Default)
# random
#   seed = 42
# output
#   file = chain-2.csv
#   diagnostic_file =  (Default)
#   refresh = 100 (Default)
#   sig_figs = 8 (Default)
#   profile_file = profile.csv (Default)
#   save_cmdstan_config = 1
# num_threads = 1 (Default)
# stanc_version = ppl
# stancflags = 
lp__,accept_stat__,stepsize__,treedepth__,n_leapfrog__,divergent__,energy__,mu,theta.1,theta.2,z.real,t:1.1
# Adaptation terminated
# Step size = 0.12345679
# Diagonal elements of inverse mass matrix:
# 1, 0.5
-0.33333333,0.9,0.25,3,7,0,12345679,0,nan,inf,-inf,3.3333333e-08
# 
#  Elapsed Time: 1.5 seconds (Warm-up)
#                0 seconds (Sampling)
#                1.5 seconds (Total)
# 
`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestCSVRoundTrip(t *testing.T) {
	for _, a := range []Adaptation{
		{StepSize: 0.5, MetricType: MetricDiagonal, InvMetric: []float64{1, 0.25, 1e-8}},
		{StepSize: 0.5, MetricType: MetricDense, InvMetric: []float64{1, 0.25, 0.25, 2}},
		{StepSize: 0.5, MetricType: MetricUnit},
		{},
	} {
		dir := t.TempDir()
		p := testPlan()
		p.SaveWarmup = true
		p.Warmup = 1
		write(t, dir, p, 3, a)
		fit, err := ReadDir(dir)
		check(t, err)
		if fit.Plan.Seed != 42 || fit.Plan.Warmup != 1 || fit.Plan.Draws != 3 || fit.Plan.Method != "nuts" || fit.Plan.Chains != 2 {
			t.Errorf("plan %+v", fit.Plan)
		}
		if !reflect.DeepEqual(fit.Plan.Stats, p.Stats) || !reflect.DeepEqual(fit.Plan.Columns, p.Columns) {
			t.Errorf("columns %v %v", fit.Plan.Stats, fit.Plan.Columns)
		}
		if v, _ := Find(fit.Plan.Config, "max_depth"); v != "7" {
			t.Errorf("max_depth %v", v)
		}
		for c, f := range fit.Chains {
			if !reflect.DeepEqual(f.Adaptation, a) || len(f.Warmup) != 1 || f.End.Incomplete || f.End.WarmupTime != 1500*time.Millisecond {
				t.Errorf("chain %d: %+v", c, f)
			}
			for i := range 3 {
				want := testRow(c, i, false)
				for k, v := range append(append([]float64{want.LogDensity}, want.Stats...), want.Values...) {
					got := fit.Draws.Row(c, i)[k]
					if !(math.Abs(got-v) <= 5e-8*math.Abs(v) || got == v || math.IsNaN(got) && math.IsNaN(v)) {
						t.Errorf("column %s: %.10g, was %.10g", fit.Draws.Names()[k], got, v)
					}
				}
			}
		}
	}
}

// What warm-up settled on is in the header, and what CmdStan's words cannot say is a remark, which its readers pass over:
// CmdStanPy splits every comment at "=", CmdStanR looks for "(Warm-up)" and its kin and reads the lines as a table, and
// both want metric and matrix by the names that they know, and nothing between the matrix and the first draw.
func TestCSVRemarks(t *testing.T) {
	dir := t.TempDir()
	p := testPlan()
	metric := &p.Config[1].Children[0].Children[1]
	metric.Value, metric.Default = MetricLowRank, false
	p.Remarks = []string{"stages"}
	write(t, dir, p, 1, Adaptation{StepSize: 0.5, Delta: 0.9875, MetricType: MetricLowRank, InvMetric: []float64{1, 2}, Stretch: []float64{3}, Directions: []float64{0, 1}})
	text, err := os.ReadFile(filepath.Join(dir, "chain-1.csv"))
	check(t, err)
	for _, want := range []string{
		"\n#       delta = 0.9875       \n", "\n#         metric = diag_e\n", "\n# ppl: the metric is of low rank, ", "\n# ppl: stages\nlp__,",
		"\n# Diagonal elements of inverse mass matrix:\n# 1, 2\n-0.33333333,",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "# ppl:") && strings.ContainsAny(line, `="()[]`) {
			t.Errorf("readers may take this for a setting: %s", line)
		}
	}
	var config struct {
		Method struct {
			Sample struct{ Adapt struct{ Delta float64 } }
		}
		Remarks []string `json:"ppl_remarks"`
	}
	text, err = os.ReadFile(filepath.Join(dir, "chain-1_config.json"))
	check(t, err)
	check(t, json.Unmarshal(text, &config))
	if config.Method.Sample.Adapt.Delta != 0.9875 || len(config.Remarks) != 2 {
		t.Errorf("config %+v", config)
	}
	fit, err := ReadDir(dir)
	check(t, err)
	if v, _ := Find(fit.Plan.Config, "delta"); v != "0.9875" {
		t.Errorf("read delta %v", v)
	}
}

// A run cut short has a header that tells the truth, in both files.
func TestCSVInterrupted(t *testing.T) {
	dir := t.TempDir()
	p := testPlan()
	p.Draws = 1000
	write(t, dir, p, 2, Adaptation{StepSize: 1, MetricType: MetricUnit})
	fit, err := ReadDir(dir)
	check(t, err)
	if n := fit.Chains[0].count("num_samples"); n != 2 {
		t.Errorf("num_samples = %d for 2 rows", n)
	}
	var config struct {
		Method struct {
			Value  string `json:"value"`
			Sample struct {
				NumSamples int `json:"num_samples"`
				Algorithm  struct {
					Value string `json:"value"`
					HMC   struct {
						Metric struct{ Value string } `json:"metric"`
						Engine struct {
							Value string
							NUTS  struct {
								MaxDepth int `json:"max_depth"`
							} `json:"nuts"`
						} `json:"engine"`
					} `json:"hmc"`
				} `json:"algorithm"`
			} `json:"sample"`
		} `json:"method"`
		ID     int               `json:"id"`
		Major  string            `json:"stan_major_version"`
		Data   map[string]string `json:"data"`
		Random map[string]uint64 `json:"random"`
	}
	text, err := os.ReadFile(filepath.Join(dir, "chain-1_config.json"))
	check(t, err)
	check(t, json.Unmarshal(text, &config))
	s := config.Method.Sample
	if config.Method.Value != "sample" || s.NumSamples != 2 || s.Algorithm.Value != "hmc" || s.Algorithm.HMC.Metric.Value != "diag_e" ||
		s.Algorithm.HMC.Engine.NUTS.MaxDepth != 7 || config.ID != 1 || config.Major != "2" || config.Data["file"] != "m.json" || config.Random["seed"] != 42 {
		t.Errorf("config %+v", config)
	}
}

func TestMetricFile(t *testing.T) {
	for _, c := range []struct {
		a    Adaptation
		want string
	}{
		{Adaptation{StepSize: 0.5, MetricType: MetricDiagonal, InvMetric: []float64{1, 2}}, `{"stepsize":0.5,"metric_type":"diag_e","inv_metric":[1,2]}`},
		{Adaptation{StepSize: 0.5, MetricType: MetricDense, InvMetric: []float64{1, 2, 2, 5}}, `{"stepsize":0.5,"metric_type":"dense_e","inv_metric":[[1,2],[2,5]]}`},
		{Adaptation{StepSize: 0.5, MetricType: MetricLowRank, InvMetric: []float64{1, 2}, Stretch: []float64{3}, Directions: []float64{0, 1}}, `{"stepsize":0.5,"metric_type":"diag_e","inv_metric":[1,2]}`},
		{Adaptation{StepSize: 0.5, MetricType: MetricUnit, InvMetric: nil}, `{"stepsize":0.5,"metric_type":"unit_e","inv_metric":[]}`},
	} {
		dir := t.TempDir()
		write(t, dir, testPlan(), 1, c.a)
		text, err := os.ReadFile(filepath.Join(dir, "chain-1_metric.json"))
		check(t, err)
		var b bytes.Buffer
		check(t, json.Compact(&b, text))
		if b.String() != c.want {
			t.Errorf("metric file %s, want %s", &b, c.want)
		}
	}
}

// Few digits must not turn counts into rounded numbers.
func TestCountsStayWhole(t *testing.T) {
	dir := t.TempDir()
	w := NewCSVWriter(CSVOptions{Dir: dir, Digits: 2})
	p := testPlan()
	check(t, w.Begin(p))
	r := testRow(0, 0, false)
	r.Stats[3] = 1023
	check(t, w.Draw(r))
	check(t, w.End(0, ChainEnd{}))
	text, err := os.ReadFile(filepath.Join(dir, "chain-1.csv"))
	check(t, err)
	if !strings.Contains(string(text), "\n-0.33,0.9,0.25,3,1023,0,1.2e+07,0,") {
		t.Errorf("file\n%s", text)
	}
}

// A file in the form of CmdStan 2.37, fixed_param, with warm-up rows that no
// adaptation block separates, and one that breaks off in its last row.
func TestReadForeignCSV(t *testing.T) {
	c, err := ReadCSV(strings.NewReader("# num_samples = 2\n# num_warmup = 1\n# save_warmup = true\n# thin = 1 (Default)\nlp__,accept_stat__,y\n-1,1,5\n-2,1,+inf\n-3,1,NaN\n# \n#  Elapsed Time: 0 seconds (Warm-up)\n#                1.3e-05 seconds (Sampling)\n#                1.3e-05 seconds (Total)\n"), "a.csv")
	check(t, err)
	if len(c.Warmup) != 1 || len(c.Rows) != 2 || !math.IsInf(c.Rows[0][2], 1) || c.End.Incomplete || c.End.SamplingTime != 13*time.Microsecond {
		t.Errorf("read %+v", c)
	}
	c, err = ReadCSV(strings.NewReader("lp__,y\n-1,5\n-2,6\n-3"), "a.csv")
	check(t, err)
	if len(c.Rows) != 2 || !c.End.Incomplete {
		t.Errorf("read %+v", c)
	}
}

func TestReadCSVErrorsTellTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"lp__,y\n1,2\n1\n":           "a.csv:3: 1 values for 2 columns",
		"lp__,y\n1,2\n1,x\n":         `a.csv:3: column 2: "x" is not a number`,
		"# only = comments\n":        "a.csv: no line with column names, so this is no CSV file of draws",
		"lp__\n# Step size = much\n": `a.csv:2: step size " much" is not a number`,
		"lp__\n# Step size = 1\n# Diagonal elements of inverse mass matrix:\n# 1, b\n": `a.csv:4: inverse mass matrix: " b" is not a number`,
	} {
		if _, err := ReadCSV(strings.NewReader(text), "a.csv"); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	dir := t.TempDir()
	if _, err := ReadDir(dir); err == nil || !strings.Contains(err.Error(), "no chain-1.csv") {
		t.Errorf("error %v", err)
	}
	a, b := filepath.Join(dir, "chain-1.csv"), filepath.Join(dir, "chain-2.csv")
	check(t, os.WriteFile(a, []byte("lp__,x\n1,2\n"), 0o666))
	check(t, os.WriteFile(b, []byte("lp__,y\n1,2\n"), 0o666))
	if _, err := ReadFiles(a, b); err == nil || !strings.Contains(err.Error(), "columns") {
		t.Errorf("error %v", err)
	}
}

func TestRunFile(t *testing.T) {
	dir := t.TempDir()
	want := Run{
		Program: Source{"m.ppl", "aa"}, Data: &Source{"m.json", "bb"}, Name: "fit", Method: "nuts()", Seed: math.MaxUint64,
		Chains: 1, Warmup: 2, Draws: 3, Thin: 1, Version: "0.1", GoVersion: "go1.26", Started: time.Unix(7, 0).UTC(), Seconds: 0.5,
		Adaptation: []ChainRun{{Chain: 1, Adaptation: Adaptation{StepSize: 0.5, MetricType: MetricDiagonal, InvMetric: []float64{1}}, Draws: 3}},
	}
	check(t, WriteRun(disk.Disk{}, dir, want))
	got, err := ReadRun(dir)
	check(t, err)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v, wrote %+v", got, want)
	}
}

func FuzzReadCSV(f *testing.F) {
	f.Add("# thin = 1\nlp__,y\n1,2\n# Adaptation terminated\n# Step size = 1\n# Elements of inverse mass matrix:\n# 1, 0\n# 0, 1\n3,4\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ReadCSV(strings.NewReader(text), "a.csv")
		if err != nil {
			return
		}
		for _, row := range append(c.Warmup, c.Rows...) {
			if len(row) != len(c.Names) {
				t.Fatalf("row of %d values, %d columns", len(row), len(c.Names))
			}
		}
	})
}
