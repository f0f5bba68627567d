// This file tests figures: their bytes, their layout and the numbers they show.

package plots

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// sample is a fit of two variables whose chains have the autocorrelation 0.5; theta.1 of
// the last chain has been put elsewhere, and every hundredth transition diverged.
func sample(chains, n int) *Fit {
	columns := []string{"mu", "tau", "theta.1", "theta.2", "constant"}
	d := draws.New(chains, []string{"divergent__", "energy__"}, columns)
	for c := range chains {
		r := rand.New(rand.NewPCG(1, uint64(c)))
		x := make([]float64, 4)
		for i := range n {
			for k := range x {
				x[k] = 0.5*x[k] + math.Sqrt(0.75)*r.NormFloat64()
			}
			v := []float64{3 + x[0], math.Exp(2 * x[1]), x[2], 100 * x[3], 7}
			if c == chains-1 {
				v[2] += 3
			}
			d.Append(draws.Row{Chain: c, Iteration: i, LogDensity: -x[0] * x[0], Stats: []float64{float64(b2i(i%100 == 99)), 5 + r.NormFloat64()}, Values: v})
		}
	}
	return NewFit("fit", "nuts()", d, d.Summaries())
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func allFigures(f *Fit, c Choice) []*Figure {
	y := []float64{1.2, 0.3, -0.4, 2.5}
	return []*Figure{f.Trace(c), f.Rank(c), f.Autocorrelation(c), f.Density(c), f.Forest(c, nil, true), f.Pairs(c), f.Energy(),
		f.Predictive([]Prediction{{"theta", "y", y[:2]}}), Swap(f, f, c)}
}

func TestGoldenSVG(t *testing.T) {
	f := sample(2, 60)
	c, err := f.Choose(nil, nil, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, fig := range allFigures(f, c) {
		var got, again bytes.Buffer
		if err := errors.Join(fig.WriteSVG(&got), fig.WriteSVG(&again)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), again.Bytes()) {
			t.Errorf("%s: the same figure gave other bytes", fig.Name)
		}
		wellFormed(t, fig.Name, got.Bytes())
		file := filepath.Join("testdata", fig.Name+".svg")
		if *update {
			if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatalf("%v (go test ./cmd/ppl/internal/plots -update writes it)", err)
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s differs; look at the picture, then go test ./cmd/ppl/internal/plots -update", file)
		}
	}
}

func wellFormed(t *testing.T, name string, text []byte) {
	t.Helper()
	for dec := xml.NewDecoder(bytes.NewReader(text)); ; {
		if _, err := dec.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%s is not well-formed: %v", name, err)
		}
	}
}

func TestPNG(t *testing.T) {
	f := sample(2, 60)
	c, _ := f.Choose([]string{"mu", "theta"}, nil, 8)
	for _, fig := range allFigures(f, c) {
		var b bytes.Buffer
		if err := fig.WritePNG(&b); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&b)
		if err != nil {
			t.Fatalf("%s: %v", fig.Name, err)
		}
		w, _ := fig.size()
		if got := float64(img.Bounds().Dx()); math.Abs(got-2*w) > 2 {
			t.Errorf("%s is %g pixels wide, want %g", fig.Name, got, 2*w)
		}
	}
}

// Every panel says what its axes are: by a label, or by the names of its rows.
func TestAxesAreLabelled(t *testing.T) {
	f := sample(4, 200)
	c, _ := f.Choose(nil, nil, 8)
	for _, fig := range allFigures(f, c) {
		for _, p := range fig.Panels {
			if p.X.Label == "" || p.Y.Label == "" && p.Y.Names == nil {
				t.Errorf("%s, %s: an axis has no label", fig.Name, p.Title)
			}
			if p.Title == "" {
				t.Errorf("%s: a panel has no title", fig.Name)
			}
		}
	}
}

// What diverges from the others comes first, and a column that does not vary is left out.
func TestChoose(t *testing.T) {
	f := sample(4, 400)
	c, err := f.Choose(nil, nil, 2)
	if err != nil || c.Columns[0] != "theta.1" || len(c.Columns) != 2 || !strings.Contains(c.Note, "2 of 4") {
		t.Errorf("got %+v, %v", c, err)
	}
	if c, _ := f.Choose(nil, []string{"theta"}, 8); !slices.Equal(c.Columns, []string{"mu", "tau"}) || c.Note != "" {
		t.Errorf("without theta: got %+v", c)
	}
	if c, err := f.Choose([]string{"theta[2]", "mu"}, nil, 1); err != nil || !slices.Equal(c.Columns, []string{"theta.2", "mu"}) {
		t.Errorf("by name: got %+v, %v", c, err)
	}
	c, err = f.Choose([]string{"lp__", "mu"}, nil, 1)
	if trace := f.Trace(c); err != nil || len(trace.Panels) != 2 || trace.Panels[0].Title != "lp__" || len(f.column("lp__")[0]) == 0 {
		t.Errorf("lp__: got %+v, %v", c, err)
	}
	var unknown *draws.UnknownVariableError
	if _, err := f.Choose([]string{"nu"}, nil, 8); !errors.As(err, &unknown) {
		t.Errorf("an unknown name gave %v", err)
	}
}

// Densities integrate to one, also at a bound, and agree with the true density; the
// bounds are five standard errors of a kernel estimate of this size.
func TestSmooth(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, c := range []struct {
		name string
		draw func() float64
		pdf  func(float64) float64
		at   float64
	}{
		{"normal", r.NormFloat64, distuv.UnitNormal.Prob, 0.5},
		{"exponential", r.ExpFloat64, distuv.Exponential{Rate: 1}.Prob, 0.02},
		{"uniform", r.Float64, distuv.Uniform{Min: 0, Max: 1}.Prob, 0.01},
	} {
		x := make([]float64, 4000)
		for i := range x {
			x[i] = c.draw()
		}
		lo, hi := ends(x)
		at, v := smooth(within(x, lo, hi), lo, hi)
		total, near := 0.0, 0
		for i := 1; i < len(at); i++ {
			total += (at[i] - at[i-1]) * (v[i] + v[i-1]) / 2
			if math.Abs(at[i]-c.at) < math.Abs(at[near]-c.at) {
				near = i
			}
		}
		if math.Abs(total-1) > 0.01 {
			t.Errorf("%s: the density integrates to %.4f", c.name, total)
		}
		if want := c.pdf(at[near]); math.Abs(v[near]-want) > 0.15*want {
			t.Errorf("%s: the density at %.3f is %.3f, want %.3f", c.name, at[near], v[near], want)
		}
	}
}

// The chains of sample have autocorrelation 0.5^lag; six standard errors of 20000 draws.
func TestAutocorrelation(t *testing.T) {
	f := sample(1, 20000)
	rho := autocorrelation(f.pooled("mu"), 3)
	for lag, want := range []float64{1, 0.5, 0.25, 0.125} {
		if math.Abs(rho[lag]-want) > 6/math.Sqrt(20000)*1.5 {
			t.Errorf("autocorrelation at lag %d is %.4f, want %.4f", lag, rho[lag], want)
		}
	}
}

func TestRanksWithTies(t *testing.T) {
	got := ranks([][]float64{{1, 5}, {1, 3}})
	if want := [][]float64{{0.5, 3}, {0.5, 2}}; !slices.EqualFunc(got, want, slices.Equal[[]float64]) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Resampling keeps the weighted mean, up to half a step of each draw.
func TestResampled(t *testing.T) {
	d := draws.New(1, []string{draws.LogWeightColumn}, []string{"x"})
	var want, total float64
	for i := range 100 {
		x := float64(i)
		d.Append(draws.Row{Iteration: i, Stats: []float64{math.Log(1 + x)}, Values: []float64{x}})
		want, total = want+(1+x)*x, total+1+x
	}
	if got := draws.Mean(resampled(d).Column("x")); math.Abs(got-want/total) > 1 {
		t.Errorf("mean %.3f, want %.3f", got, want/total)
	}
}

// Labels of an axis do not overlap, whatever its range.
func TestTicksStandApart(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 5000 {
		lo := (2*r.Float64() - 1) * math.Pow(10, -5+15*r.Float64())
		wide := math.Abs(lo) * math.Pow(10, -6+9*r.Float64())
		a := Axis{Label: "x", Range: []float64{lo, lo + wide}, Whole: r.IntN(4) == 0}
		if r.IntN(3) == 0 {
			a = Axis{Label: "x", Range: []float64{math.Abs(lo), math.Abs(lo) + wide}, Log: true}
		}
		p := &Panel{Title: "a panel", X: a, Y: Axis{Label: "y"}}
		w, h := p.size()
		f, xs, _ := p.layout(w, h)
		end := math.Inf(-1)
		for _, tick := range xs {
			half := width(tick.text, textSize, false) / 2
			if f.across(tick.at)-half < end {
				t.Fatalf("%+v: labels overlap: %v", a, xs)
			}
			end = f.across(tick.at) + half
		}
	}
}

func TestTicks(t *testing.T) {
	text := func(a Axis, lo, hi float64) string {
		var out []string
		for _, t := range ticksOf(a, span{lo, hi}, 6) {
			out = append(out, t.text)
		}
		return strings.Join(out, " ")
	}
	for _, c := range []struct {
		axis   Axis
		lo, hi float64
		want   string
	}{
		{Axis{}, -1, 1, "−1.0 −0.5 0 0.5 1.0"},
		{Axis{}, 0, 1000, "0 200 400 600 800 1000"},
		{Axis{Whole: true}, 0, 2, "0 1 2"},
		{Axis{}, 0, 2e6, "0 5e5 1.0e6 1.5e6 2.0e6"},
		{Axis{Log: true}, 0, 3, "1 10 100 1000"},
		{Axis{Log: true}, -8, -4, "1e−8 1e−7 1e−6 1e−5 1e−4"},
	} {
		if got := text(c.axis, c.lo, c.hi); got != c.want {
			t.Errorf("%+v from %g to %g: %s, want %s", c.axis, c.lo, c.hi, got, c.want)
		}
	}
}

// Text that a user chose cannot leave its place in the file.
func TestTextIsEscaped(t *testing.T) {
	p := &Panel{Title: `<script>"&`, X: Axis{Label: "<b>"}, Y: Axis{Label: "y"}}
	text := p.SVG(`"><script>`)
	wellFormed(t, "panel", []byte(text))
	if strings.Contains(text, "<script>") || strings.Contains(text, "<b>") {
		t.Errorf("not escaped: %s", text)
	}
}

// verdictText is a file of verdicts, one of each kind that has figures.
func verdictText() string {
	ranks := make([]string, 200)
	for i := range ranks {
		ranks[i] = strconv.Itoa(i % 100)
	}
	quantiles := "[" + strings.TrimSuffix(strings.Repeat("0.1,0.4,0.2,", 20), ",") + "]"
	return `{"verdicts": [
		{"kind": "sbc", "draws": 99, "bins": 20, "parameters": [{"name": "mu", "p": 0.5, "p_ecdf": 0.4, "ranks": [` + strings.Join(ranks, ",") + `], "histogram": [` +
		strings.TrimSuffix(strings.Repeat("10,", 20), ",") + `]}]},
		{"kind": "bread", "datasets": 2, "by_dataset": [{"estimate": -10}, {"estimate": -20}], "log_evidence": {"estimate": -15},
			"ladder": [{"steps": 1, "forward": [], "reverse": [-5, -15], "gap": null, "error": null}, {"steps": 10, "forward": [-12, null], "reverse": [-9, -19], "gap": 3, "error": 4}]},
		{"kind": "gibbs_prior", "rhat": 1.01, "ess": 500, "statistics": [{"name": "mu", "p": 0.2, "quantiles": {"prior": ` + quantiles + `, "gibbs": ` + quantiles + `}}]},
		{"kind": "fit", "findings": [{"name": "rhat", "severity": "good"}]}]}`
}

// TestDamagedVerdicts: of a file with a byte changed, in numbers above all, there are figures or there is an error.
func TestDamagedVerdicts(t *testing.T) {
	text := verdictText()
	r := rand.New(rand.NewPCG(3, 0))
	for range subset.Of(150, 20000) {
		b := []byte(text)
		for range 1 + r.IntN(3) {
			i := r.IntN(len(b))
			if b[i] >= '0' && b[i] <= '9' {
				b[i] = "0123456789-.e"[r.IntN(13)]
			} else if r.IntN(20) == 0 {
				b[i] ^= 1 << r.IntN(7)
			}
		}
		verdicts, err := ReadVerdicts(bytes.NewReader(b))
		for _, v := range verdicts {
			if figures, err := v.Figures(); err == nil {
				for _, f := range figures {
					_ = f.WriteSVG(io.Discard)
				}
			}
		}
		var twice []Source
		for _, v := range verdicts {
			twice = append(twice, Source{"a", v}, Source{"b", v})
		}
		if f, err := Overlay(twice); err == nil && f != nil {
			_ = f.WriteSVG(io.Discard)
		}
		_ = err
	}
	for _, wrong := range []string{
		`{"kind": "sbc", "draws": 1, "parameters": [{"name": "mu", "ranks": [1, 2]}]}`,
		`{"kind": "sbc", "draws": 9, "parameters": [{"name": "mu", "ranks": [-1]}]}`,
		`{"kind": "sbc", "draws": 1000000000000, "parameters": [{"name": "mu", "ranks": [1]}]}`,
		`{"kind": "sbc", "draws": 3, "bands": {"n": 1, "ecdf": {"low": [0], "high": []}}, "parameters": [{"name": "mu", "ranks": [1]}]}`,
		`{"kind": "bread", "datasets": 2, "by_dataset": [{}, {}, {}], "ladder": [{"steps": 1, "forward": [1]}]}`,
		`{"kind": "bread", "datasets": -1, "ladder": [{"steps": 1, "forward": [1]}]}`,
	} {
		verdicts, err := ReadVerdicts(strings.NewReader(`{"verdicts": [` + wrong + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := verdicts[0].Figures(); err == nil {
			t.Errorf("figures of %s", wrong)
		}
	}
}

func TestVerdictFigures(t *testing.T) {
	verdicts, err := ReadVerdicts(strings.NewReader(verdictText()))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, v := range verdicts {
		figures, err := v.Figures()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range figures {
			names = append(names, f.Name)
			var b bytes.Buffer
			if err := errors.Join(f.WriteSVG(&b), f.WritePNG(io.Discard)); err != nil {
				t.Fatal(err)
			}
			wellFormed(t, f.Name, b.Bytes())
			if strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), "Inf") {
				t.Errorf("%s: a coordinate is not a number", f.Name)
			}
		}
	}
	if want := []string{"sbc_ranks", "sbc_ecdf", "bread", "gibbs_prior"}; !slices.Equal(names, want) {
		t.Errorf("figures %v, want %v", names, want)
	}
	if _, err := ReadVerdicts(strings.NewReader(`{"verdicts": [{"kind": 3}]}`)); err == nil {
		t.Error("a wrong file was read")
	}
	var wrong *json.UnmarshalTypeError
	bad := &Verdict{Kind: "sbc", text: json.RawMessage(`{"draws": "many"}`)}
	if _, err := bad.Figures(); !errors.As(err, &wrong) {
		t.Errorf("wrong figures gave %v", err)
	}
}

// TestObjectiveNamesWhatIsLeftOut has a way whose first step comes from far away.
func TestObjectiveNamesWhatIsLeftOut(t *testing.T) {
	for _, c := range []struct {
		values []draws.Number
		note   string
	}{
		{[]draws.Number{-4000, -20, -12, -11, -10.5, -10.2, -10.1, -10}, "Not shown: 1 of 8 values, as far away as -4000."},
		{[]draws.Number{-14, -13, -12, -11, -10.5, -10.2, -10.1, -10}, ""},
		{[]draws.Number{900, 300, 8, 7, 6.5, 6.2, 6.1, 6, 6, 6, 6, 6}, "Not shown: 2 of 12 values, as far away as 900."},
	} {
		r := &draws.FitRun{}
		for i, v := range c.values {
			r.Trace = append(r.Trace, draws.TraceRun{Iteration: i, Objective: v})
		}
		if note := Objective(r).Note; !strings.HasSuffix(note, c.note) || c.note == "" && strings.Contains(note, "Not shown") {
			t.Errorf("%v: %s", c.values, note)
		}
	}
}

// TestLongFit: the pictures of a long fit are of some of its draws, and say so; divergences and places are those of all.
func TestLongFit(t *testing.T) {
	d := draws.New(2, []string{"divergent__", "energy__"}, []string{"mu", "tau"})
	const n = draws.Long / 2
	for c := range 2 {
		for i := range n {
			divergent := 0.0
			if i == n-3 {
				divergent = 1
			}
			v := math.Mod(float64(i)*math.Phi, 1)
			d.Append(draws.Row{Chain: c, Stats: []float64{divergent, v}, Values: []float64{v, math.Mod(v*77, 1)}})
		}
	}
	f := NewFit("fit", "nuts", d, d.Summaries())
	c, err := f.Choose(nil, nil, 4)
	if err != nil {
		t.Fatal(err)
	}
	trace := f.Trace(c)
	if want := "Of 1048576 draws one of 8 is shown, and all that diverged; autocorrelations and energies are of the first 65536 of each chain."; !strings.Contains(trace.Note, want) {
		t.Errorf("the trace says %q", trace.Note)
	}
	last := 0.0
	for _, m := range trace.Panels[0].marks {
		switch m := m.(type) {
		case line:
			last = max(last, m.x[len(m.x)-1])
		case rug:
			if !slices.Equal(m.x, []float64{n - 2, n - 2}) {
				t.Errorf("divergences at %v", m.x)
			}
		}
	}
	if last < n-100000 || last > n {
		t.Errorf("the trace of %d draws ends at %v", n, last)
	}
	bad := 0
	for _, m := range f.Pairs(c).Panels[0].marks {
		if m, ok := m.(dots); ok && m.color == Alert {
			bad += len(m.x)
		}
	}
	if bad != 2 {
		t.Errorf("%d divergences in the pairs, expected 2", bad)
	}
	for _, fig := range []*Figure{f.Rank(c), f.Autocorrelation(c), f.Energy(), f.Density(c)} {
		if fig == nil {
			t.Error("a picture is missing")
		}
	}
}

// TestOverlay: verdicts of bread lie over each other under names that tell them apart, and curves have
// only what is there: a rung without forward chains or with a gap that cannot be drawn is left out.
func TestOverlay(t *testing.T) {
	verdicts, err := ReadVerdicts(strings.NewReader(verdictText()))
	if err != nil {
		t.Fatal(err)
	}
	bread := *verdicts[1]
	long := bread
	bread.Directive, long.Directive = "bread(nuts())", "bread(hmc())"
	for _, c := range []struct {
		dirs [2]string
		of   [2]*Verdict
		want []string
	}{
		{[2]string{"x/a", "x/b"}, [2]*Verdict{&bread, &bread}, []string{"a", "b"}},
		{[2]string{"x/a", "x/a"}, [2]*Verdict{&bread, &long}, []string{"bread(nuts())", "bread(hmc())"}},
		{[2]string{"x/a", "y/a"}, [2]*Verdict{&bread, &bread}, []string{"x/a: bread(nuts())", "y/a: bread(nuts())"}},
	} {
		f, err := Overlay([]Source{{c.dirs[0], c.of[0]}, {"other", verdicts[0]}, {c.dirs[1], c.of[1]}})
		if err != nil || f == nil {
			t.Fatal(f, err)
		}
		var names []string
		for _, k := range f.Legend {
			names = append(names, k.Label)
		}
		if !slices.Equal(names, c.want) {
			t.Errorf("%v, want %v", names, c.want)
		}
		var steps []float64
		for _, m := range f.Panels[0].marks {
			if d, ok := m.(dots); ok {
				steps = append(steps, d.x...)
			}
		}
		if want := []float64{1, 10, 1, 10}; !slices.Equal(steps, want) { // half of the forward values are minus infinity, and so is their median
			t.Errorf("medians at %v, want %v", steps, want)
		}
		if err := f.WriteSVG(io.Discard); err != nil {
			t.Error(err)
		}
	}
	if f, err := Overlay([]Source{{"a", &bread}, {"a", verdicts[0]}}); f != nil || err != nil {
		t.Errorf("of one: %v, %v", f, err)
	}
}

// lines are the abscissae and ordinates of a panel's lines.
func lines(p *Panel) (x, y [][]float64) {
	for _, m := range p.marks {
		if l, ok := m.(line); ok {
			x, y = append(x, l.x), append(y, l.y)
		}
	}
	return x, y
}

// TestConvergence: the curve ends at R-hat of all draws, rises above the bound for the quantity that a chain
// has elsewhere, and counts draws of each chain. There is none of one chain, or of few draws.
func TestConvergence(t *testing.T) {
	f := sample(3, 500)
	fig := f.Convergence(Choice{Columns: []string{"mu", "theta.1"}})
	for i, name := range []string{"mu", "theta.1"} {
		x, y := lines(fig.Panels[i])
		if last := len(x[0]) - 1; x[0][last] != 500 || y[0][last] != f.rows[name].RHat {
			t.Errorf("%s: ends at %v, %v; want 500, %v", name, x[0][last], y[0][last], f.rows[name].RHat)
		}
		if high := slices.Min(y[0]) > 1.3; high != (i == 1) {
			t.Errorf("%s: R-hat is %v", name, y[0])
		}
	}
	if sample(1, 500).Convergence(Choice{Columns: []string{"mu"}}) != nil || sample(3, 20).Convergence(Choice{Columns: []string{"mu"}}) != nil {
		t.Error("a curve of one chain, or of few draws")
	}
}

// TestOverlayFits: a panel for each quantity that two fits have, with a curve for each.
func TestOverlayFits(t *testing.T) {
	a, b := sample(2, 60), sample(2, 80)
	one := draws.New(1, nil, []string{"mu"})
	for i := range 50 {
		one.Append(draws.Row{Iteration: i, Values: []float64{float64(i*i%17) / 3}})
	}
	c := NewFit("c", "advi()", one, one.Summaries())
	fig := OverlayFits([]*Fit{c, a, b}, []string{"c", "a", "b"}, Choice{Columns: []string{"mu", "tau"}})
	if len(fig.Panels) != 2 || len(fig.Legend) != 3 {
		t.Fatalf("%d panels, %d keys", len(fig.Panels), len(fig.Legend))
	}
	for i, want := range [][]Color{{Series(0), Series(1), Series(2)}, {Series(1), Series(2)}} {
		var got []Color
		for _, m := range fig.Panels[i].marks {
			if l, ok := m.(line); ok {
				got = append(got, l.color)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: colours %v, want %v", fig.Panels[i].Title, got, want)
		}
	}
	if OverlayFits([]*Fit{a}, []string{"a"}, Choice{Columns: []string{"mu"}}) != nil {
		t.Error("an overlay of one fit")
	}
}
