package main

// This file looks at the report in a real browser, where there is one.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

const browsedModel = `data { int<lower=0> N; vector[N] y; }
parameters { real mu; real<lower=0> sigma; vector[12] a_parameter_with_a_long_name; }
model { mu ~ normal(0, 5); sigma ~ exponential(1); a_parameter_with_a_long_name ~ normal(0, sigma); y ~ normal(mu, sigma); }
generated quantities { vector[N] y_rep; for (n in 1:N) y_rep[n] = normal_rng(mu, sigma); }
`

// probe is a page that holds the report in a frame of a given width and writes down what
// it measures there.
const probe = `<!DOCTYPE html><body><pre id="measured"></pre>
<iframe style="width:%dpx;height:800px;border:0" srcdoc="%s"></iframe>
<script>
window.addEventListener("load", function () {
  var d = document.querySelector("iframe").contentDocument, small = 0, outside = 0, overlaps = 0;
  d.querySelectorAll("svg.panel").forEach(function (s) {
    var box = s.getBoundingClientRect(), before = [];
    s.querySelectorAll("text").forEach(function (t) {
      var r = t.getBoundingClientRect();
      // Boxes of text have room above and below the letters.
      before.forEach(function (o) {
        if (Math.min(r.right, o.right) - Math.max(r.left, o.left) > 1 && Math.min(r.bottom, o.bottom) - Math.max(r.top, o.top) > 4) overlaps++;
      });
      before.push(r);
      if (r.left < box.left - 1 || r.right > box.right + 1 || r.top < box.top - 1 || r.bottom > box.bottom + 1) outside++;
      if (parseFloat(getComputedStyle(t).fontSize) * box.width / s.viewBox.baseVal.width < 9) small++;
    });
  });
  document.getElementById("measured").textContent = JSON.stringify({
    width: d.documentElement.scrollWidth, height: d.documentElement.scrollHeight,
    panels: d.querySelectorAll("svg.panel[aria-label]").length, sections: d.querySelectorAll("section").length,
    outside: outside, small: small, overlaps: overlaps,
  });
});
</script></body>`

type measured struct{ Width, Height, Panels, Sections, Outside, Small, Overlaps int }

func TestReportInABrowser(t *testing.T) {
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		t.Skip("NOT CHECKED: how the report looks in a browser; there is neither chromium nor google-chrome on this machine")
	}
	text, err := os.ReadFile(browsedReport(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{390, 1200} {
		m := measure(t, browser, string(text), width)
		t.Logf("%d px: %+v", width, m)
		if m.Width > width {
			t.Errorf("at %d px the page is %d px wide", width, m.Width)
		}
		if m.Height < 2000 || m.Panels < 20 || m.Sections != 2 {
			t.Errorf("at %d px the page lacks a part: %+v", width, m)
		}
		if m.Outside > 0 || m.Small > 0 || m.Overlaps > 0 {
			t.Errorf("at %d px %d labels lie outside of their pictures, %d are too small to be read and %d overlap", width, m.Outside, m.Small, m.Overlaps)
		}
	}
}

// browsedReport makes a fit and its report.
func browsedReport(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), strings.Repeat("a_folder_with_a_long_name_", 4))
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	model := write("m.ppl", browsedModel)
	write("m.json", `{"N": 5, "y": [1, 2, 0.5, -1, 3]}`)
	fit := filepath.Join(dir, "fit")
	for _, args := range [][]string{
		{"run", model, "--seed", "1", "--draws", "200", "--warmup", "200", "--out", fit, "--quiet"},
		{"report", fit, "--quiet"},
	} {
		var out, said bytes.Buffer
		if code := execute(args, strings.NewReader(""), &out, &said); code != 0 {
			t.Fatalf("ppl %v: exit code %d\n%s", args, code, said.String())
		}
	}
	return filepath.Join(fit, reportFile)
}

var measuredText = regexp.MustCompile(`<pre id="measured">(\{.*?\})</pre>`)

// measure shows the page in the browser.
func measure(t *testing.T, browser, page string, width int) (m measured) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "probe.html")
	if err := os.WriteFile(file, fmt.Appendf(nil, probe, width, html.EscapeString(page)), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--enable-logging=stderr",
		"--user-data-dir="+t.TempDir(), fmt.Sprintf("--window-size=%d,900", width+200), "--dump-dom", file)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		t.Skipf("NOT CHECKED: how the report looks in a browser; %s does not run here: %v", browser, err)
	}
	for line := range strings.Lines(said.String()) {
		if strings.Contains(line, "CONSOLE") {
			t.Errorf("the browser complains: %s", line)
		}
	}
	found := measuredText.FindStringSubmatch(out.String())
	if found == nil {
		t.Fatalf("the browser measured nothing:\n%s", said.String())
	}
	if err := json.Unmarshal([]byte(found[1]), &m); err != nil {
		t.Fatal(err)
	}
	return m
}
