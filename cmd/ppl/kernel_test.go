package main

// This file speaks with the kernel as Jupyter does: over another implementation of ZeroMQ, by signed messages.

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"
	"github.com/google/go-cmp/cmp"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/kernel"
)

// A notebook is a client of a kernel.
type notebook struct {
	t                         *testing.T
	where                     kernel.Connection
	shell, control, iopub, hb zmq4.Socket
	sent                      int
	shown                     chan answered // on iopub
	ended                     chan error    // takes what Serve returns
}

// answered is a message of the kernel.
type answered struct {
	Kind    string
	Parent  string // id of the request
	Content struct {
		Status, Ename, Evalue, Text, Name, Indent, State string
		ExecutionState                                   string `json:"execution_state"`
		Traceback, Matches                               []string
		Count                                            int `json:"execution_count"`
		Start                                            int `json:"cursor_start"`
		End                                              int `json:"cursor_end"`
		Found, Restart                                   bool
		Data                                             map[string]string
		Protocol                                         string `json:"protocol_version"`
	}
}

// openNotebook starts a kernel in this process, and a client of it.
func openNotebook(t *testing.T) *notebook {
	t.Helper()
	n := &notebook{t: t, shown: make(chan answered, 10000), ended: make(chan error, 1)}
	n.where = kernel.Connection{Transport: "tcp", IP: "127.0.0.1", Key: "a key", Scheme: "hmac-sha256"}
	for _, port := range []*int{&n.where.Shell, &n.where.Control, &n.where.IOPub, &n.where.Stdin, &n.where.Heartbeat} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		*port = l.Addr().(*net.TCPAddr).Port
		l.Close()
	}
	k, err := kernel.Listen(n.where)
	if err != nil {
		t.Fatal(err)
	}
	a := frame.NewApp(strings.NewReader(""), io.Discard, io.Discard)
	go func() { n.ended <- k.Serve((&kernelCmd{Jobs: 1}).session(a, k)) }()
	t.Cleanup(k.Shutdown)
	n.shell, n.control = n.dial(zmq4.NewDealer, n.where.Shell), n.dial(zmq4.NewDealer, n.where.Control)
	n.hb, n.iopub = n.dial(zmq4.NewReq, n.where.Heartbeat), n.dial(zmq4.NewSub, n.where.IOPub)
	if err := n.iopub.SetOption(zmq4.OptionSubscribe, ""); err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			m, err := n.iopub.Recv()
			if err != nil {
				return
			}
			n.shown <- n.read(m)
		}
	}()
	n.awaitSubscription()
	return n
}

// dial connects to a socket of the kernel.
func (n *notebook) dial(open func(context.Context, ...zmq4.Option) zmq4.Socket, port int) zmq4.Socket {
	n.t.Helper()
	s := open(n.t.Context(), zmq4.WithLogger(log.New(io.Discard, "", 0)))
	if err := s.Dial(fmt.Sprintf("tcp://127.0.0.1:%d", port)); err != nil {
		n.t.Fatal(err)
	}
	return s
}

// awaitSubscription asks until the answer is heard on iopub, as clients do.
func (n *notebook) awaitSubscription() {
	for range 100 {
		n.ask(n.shell, "kernel_info_request", struct{}{})
		select {
		case <-n.shown:
			n.ask(n.shell, "kernel_info_request", struct{}{})
			id := n.id()
			for a := range n.shown {
				if a.Parent == id && a.Content.ExecutionState == "idle" {
					return
				}
			}
		case <-time.After(100 * time.Millisecond):
		}
	}
	n.t.Fatal("nothing is heard on iopub")
}

// signed is the signature of the parts of a message.
func signed(key string, parts [][]byte) string {
	h := hmac.New(sha256.New, []byte(key))
	h.Write(bytes.Join(parts, nil))
	return hex.EncodeToString(h.Sum(nil))
}

// id is that of the last request.
func (n *notebook) id() string { return fmt.Sprintf("request-%d", n.sent) }

// send sends a request signed with a key.
func (n *notebook) send(to zmq4.Socket, key, kind string, content any) {
	n.t.Helper()
	n.sent++
	header := map[string]string{"msg_id": n.id(), "session": "a session", "username": "u", "date": "2026-01-01T00:00:00Z", "msg_type": kind, "version": "5.3"}
	var parts [][]byte
	for _, part := range []any{header, struct{}{}, struct{}{}, content} {
		text, err := json.Marshal(part)
		if err != nil {
			n.t.Fatal(err)
		}
		parts = append(parts, text)
	}
	frames := append([][]byte{[]byte("<IDS|MSG>"), []byte(signed(key, parts))}, parts...)
	if err := to.SendMulti(zmq4.NewMsgFrom(frames...)); err != nil {
		n.t.Fatal(err)
	}
}

// read checks the signature of a message of the kernel and takes it apart.
func (n *notebook) read(m zmq4.Msg) answered {
	var a answered
	for i, f := range m.Frames {
		if string(f) != "<IDS|MSG>" {
			continue
		}
		parts := m.Frames[i+2:]
		var head, parent struct {
			Kind string `json:"msg_type"`
			ID   string `json:"msg_id"`
		}
		err := errors.Join(json.Unmarshal(parts[0], &head), json.Unmarshal(parts[1], &parent), json.Unmarshal(parts[3], &a.Content))
		if want := signed(n.where.Key, parts); err != nil || string(m.Frames[i+1]) != want {
			n.t.Errorf("%v, or the signature of %s is wrong", err, parts[0])
		}
		a.Kind, a.Parent = head.Kind, parent.ID
	}
	return a
}

// reply is the next message on a socket; it must be to a request.
func (n *notebook) reply(from zmq4.Socket, to string) answered {
	n.t.Helper()
	m, err := from.Recv()
	if err != nil {
		n.t.Fatal(err)
	}
	a := n.read(m)
	if a.Parent != to {
		n.t.Fatalf("found a reply to %s, want one to %s", a.Parent, to)
	}
	return a
}

// ask sends a request and waits for its reply.
func (n *notebook) ask(on zmq4.Socket, kind string, content any) answered {
	n.t.Helper()
	n.send(on, n.where.Key, kind, content)
	return n.reply(on, n.id())
}

// output is what is shown for a request, until the kernel is idle.
func (n *notebook) output(request string) []answered {
	n.t.Helper()
	var out []answered
	for {
		select {
		case a := <-n.shown:
			switch {
			case a.Parent != request:
			case a.Kind == "status" && a.Content.ExecutionState == "idle":
				return out
			case a.Kind != "status":
				out = append(out, a)
			}
		case <-time.After(time.Minute):
			n.t.Fatalf("the kernel is not idle; so far %v", out)
		}
	}
}

// run evaluates a cell.
func (n *notebook) run(code string) (answered, []answered) {
	n.t.Helper()
	a := n.ask(n.shell, "execute_request", map[string]any{"code": code})
	return a, n.output(n.id())
}

// bar is what shows how far a run is.
var bar = regexp.MustCompile(`^ ?[0-9]+% `)

// shownText is what cells wrote as a stream, and their results as text.
func shownText(list []answered) string {
	out := ""
	for _, a := range list {
		out += a.Content.Text + a.Content.Data["text/plain"]
	}
	return out
}

// schoolsCell has the blocks of a model, which no line of it is by itself, and data.
const schoolsCell = `// eight schools
data { int J; vector[J] y; vector<lower=0>[J] sigma; }
parameters { real mu; real<lower=0> tau; vector[J] theta; }

model {
  mu ~ normal(0, 5);
  tau ~ normal(0, 5);
  theta ~ normal(mu, tau);
  y ~ normal(theta, sigma);
}
:data {"J": 8, "y": [28, 8, -3, 7, -1, 1, 18, 12], "sigma": [15, 10, 16, 11, 9, 11, 10, 18]}`

func TestKernel(t *testing.T) {
	n := openNotebook(t)
	t.Run("info", func(t *testing.T) {
		if a := n.ask(n.shell, "kernel_info_request", struct{}{}); a.Kind != "kernel_info_reply" || a.Content.Protocol != "5.3" {
			t.Errorf("%+v", a)
		}
		if a := n.ask(n.control, "kernel_info_request", struct{}{}); a.Content.Status != "ok" {
			t.Errorf("on control: %+v", a)
		}
	})
	t.Run("expressions", func(t *testing.T) {
		a, out := n.run("real x = 3;\n\nx^2\nprint(x + 1);")
		if a.Content.Status != "ok" || a.Content.Count != 1 || shownText(out) != "9\n4\n" || out[0].Kind != "execute_input" {
			t.Errorf("%+v %+v", a, out)
		}
		if a, _ := n.run("x"); a.Content.Count != 2 {
			t.Errorf("count %d", a.Content.Count)
		}
	})
	t.Run("results", n.results)
	t.Run("errors", n.errors)
	t.Run("questions", n.questions)
	t.Run("heartbeat", func(t *testing.T) {
		if err := n.hb.Send(zmq4.NewMsgString("ping")); err != nil {
			t.Fatal(err)
		}
		if m, err := n.hb.Recv(); err != nil || string(m.Bytes()) != "ping" {
			t.Errorf("%s, %v", m, err)
		}
	})
	t.Run("shutdown", func(t *testing.T) {
		if a := n.ask(n.control, "shutdown_request", map[string]bool{"restart": true}); a.Content.Status != "ok" || !a.Content.Restart {
			t.Errorf("%+v", a)
		}
		if err := <-n.ended; err != nil {
			t.Error(err)
		}
	})
}

// results: a fit as text and table, a plot as picture, a verdict.
func (n *notebook) results(t *testing.T) {
	if a, _ := n.run(schoolsCell); a.Content.Status != "ok" {
		t.Fatalf("%+v", a)
	}
	_, out := n.run(":run nuts(chains = 2, warmup = 200, draws = 200, seed = 1)")
	fit := out[len(out)-1].Content.Data
	for _, want := range []string{"<th scope=\"row\">tau</th>", "<li><strong>", "seed 1."} {
		if !strings.Contains(fit["text/html"], want) {
			t.Errorf("the page has no %q:\n%s", want, fit["text/html"])
		}
	}
	if !strings.Contains(fit["text/plain"], "rhat\n") {
		t.Errorf("the text has no table:\n%s", fit["text/plain"])
	}
	if err := xml.Unmarshal([]byte("<p>"+strings.ReplaceAll(fit["text/html"], "<br>", "<br/>")+"</p>"), new(any)); err != nil {
		t.Errorf("the page does not close what it opens: %v\n%s", err, fit["text/html"])
	}
	for cell, pictures := range map[string]int{":plot tau": 2, ":plot theta": 1, ":plot mu / tau": 2} {
		_, out := n.run(cell)
		seen := 0
		for _, a := range out {
			if svg := a.Content.Data["image/svg+xml"]; svg != "" && a.Kind == "display_data" && a.Content.Data["text/plain"] != "" {
				seen++
				if err := xml.Unmarshal([]byte(svg), new(any)); err != nil {
					t.Errorf("%s: %v", cell, err)
				}
			}
		}
		if seen != pictures {
			t.Errorf("%s: %d pictures, want %d: %+v", cell, seen, pictures, out)
		}
	}
	_, out = n.run(":diagnose sbc(nuts(warmup = 20, draws = 20, chains = 1), replications = 20)")
	html, svg := false, false
	for _, a := range out {
		html, svg = html || strings.Contains(a.Content.Data["text/html"], "sbc("), svg || a.Content.Data["image/svg+xml"] != ""
	}
	if !html || !svg {
		t.Errorf("the verdict has a page: %v, a picture: %v", html, svg)
	}
}

// errors: their text, and that the rest of the cell and the cells that wait are not run.
func (n *notebook) errors(t *testing.T) {
	a, out := n.run("1 + 1\n\nreal z =\n  undefined_thing;\n2 + 2")
	want := "input:4:3: error: \"undefined_thing\" is not declared here [undeclared-name]"
	if got := strings.Join(a.Content.Traceback, "\n"); a.Content.Status != "error" || !strings.HasPrefix(got, want) || shownText(out) != "2\n" {
		t.Errorf("%+v, shown %q", a, shownText(out))
	}
	if last := out[len(out)-1]; last.Kind != "error" || last.Content.Evalue != want {
		t.Errorf("%+v", last)
	}
	for _, code := range []string{":quit", ":edit"} {
		if a, _ := n.run(code); a.Content.Status != "error" {
			t.Errorf("%s: %+v", code, a)
		}
	}
	if _, out := n.run("6 * 7"); shownText(out) != "42\n" {
		t.Errorf("after errors: %+v", out)
	}
	if a := n.ask(n.shell, "execute_request", map[string]any{"code": "1 + 1", "silent": true}); a.Content.Status != "ok" || len(n.output(n.id())) > 0 {
		t.Errorf("silent: %+v", a)
	}
}

// questions: completion, explanation, and whether a cell is whole.
func (n *notebook) questions(t *testing.T) {
	code := "\"é\" // é\n:run nuts(warm"
	a := n.ask(n.shell, "complete_request", map[string]any{"code": code, "cursor_pos": len([]rune(code))}).Content
	if len(a.Matches) != 1 || a.Matches[0] != "warmup = " || a.Start != len([]rune(code))-4 || a.End != len([]rune(code)) {
		t.Errorf("%+v", a)
	}
	for word, want := range map[string]string{"tau": "real, a value for each draw", ":plot": "histogram", "nuts": "No-U-Turn", "normal_rng": "reals normal_rng(", "nothing_such": ""} {
		code := "1 + 1\n" + word + " ("
		a := n.ask(n.shell, "inspect_request", map[string]any{"code": code, "cursor_pos": len("1 + 1\n") + 2, "detail_level": 0}).Content
		if got := a.Data["text/plain"]; a.Status != "ok" || a.Found != (want != "") || !strings.Contains(got, want) {
			t.Errorf("%s: found %+v, want %q", word, a, want)
		}
	}
	for code, want := range map[string]string{"1 + 1": "complete", "1 +": "incomplete", "model {\n": "incomplete", "1\nmodel { }": "complete", "": "complete"} {
		if a := n.ask(n.shell, "is_complete_request", map[string]any{"code": code}).Content; a.Status != want {
			t.Errorf("%q: %s, want %s", code, a.Status, want)
		}
	}
	for _, kind := range []string{"history", "comm_info"} {
		if a := n.ask(n.shell, kind+"_request", struct{}{}); a.Kind != kind+"_reply" || a.Content.Status != "ok" {
			t.Errorf("%+v", a)
		}
	}
}

// An interrupt by message ends a run whose draws are kept, and what waits behind it.
func TestKernelInterrupt(t *testing.T) {
	n := openNotebook(t)
	n.run("parameters { real mu; }\nmodel { mu ~ normal(0, 1); }")
	n.send(n.shell, n.where.Key, "execute_request", map[string]any{"code": ":run nuts(chains = 1, draws = 100000000, thin = 1000)\n12345 + 1"})
	long := n.id()
	n.send(n.shell, n.where.Key, "execute_request", map[string]any{"code": "3 + 3"})
	behind := n.id()
	for a := range n.shown {
		if a.Parent == long && bar.MatchString(a.Content.Data["text/plain"]) { // after a second
			break
		}
	}
	if a := n.ask(n.control, "interrupt_request", struct{}{}); a.Kind != "interrupt_reply" || a.Content.Status != "ok" {
		t.Errorf("%+v", a)
	}
	a := n.reply(n.shell, long)
	out := n.output(long)
	if a.Content.Status != "error" || !strings.Contains(a.Content.Evalue, "interrupted") || !strings.Contains(shownText(out), "the draws so far are kept") || strings.Contains(shownText(out), "12346") {
		t.Errorf("%+v, shown %s", a, shownText(out))
	}
	if a := n.reply(n.shell, behind); a.Content.Status != "aborted" {
		t.Errorf("the cell behind it: %+v", a)
	}
	if a, out := n.run("exp(mu)"); a.Content.Status != "ok" || !strings.Contains(shownText(out), "exp(mu)") {
		t.Errorf("%+v, shown %s", a, shownText(out))
	}
	// A shutdown ends a run, too.
	n.send(n.shell, n.where.Key, "execute_request", map[string]any{"code": ":run nuts(chains = 1, draws = 100000000, thin = 1000)"})
	n.ask(n.control, "shutdown_request", map[string]bool{"restart": false})
	if err := <-n.ended; err != nil {
		t.Error(err)
	}
}

// What is not signed is not answered, and nothing that a stranger sends ends the kernel.
func TestKernelStrangers(t *testing.T) {
	n := openNotebook(t)
	n.send(n.shell, "another key", "execute_request", map[string]any{"code": "1 + 1"})
	n.send(n.control, "", "shutdown_request", map[string]any{})
	bad := [][]string{
		{"no delimiter"}, {"<IDS|MSG>"}, {"<IDS|MSG>", "", "{}", "{}", "{}"}, {""},
		{"<IDS|MSG>", signed(n.where.Key, [][]byte{[]byte("["), {}, {}, {}}), "[", "", "", ""},
	}
	for _, frames := range bad {
		if err := n.shell.SendMulti(zmq4.NewMsgFrom(zmq4.NewMsgFromString(frames).Frames...)); err != nil {
			t.Fatal(err)
		}
	}
	greeting := "\xff\x00\x00\x00\x00\x00\x00\x00\x01\x7f\x03\x00NULL" + strings.Repeat("\x00", 48)
	ready := "\x04\x06\x05READY"
	for _, port := range []int{n.where.Shell, n.where.IOPub, n.where.Heartbeat, n.where.Control} {
		for _, sent := range []string{
			"", "GET / HTTP/1.1\r\n\r\n" + strings.Repeat("x", 100), greeting, greeting[:10] + "\x01" + greeting[11:],
			greeting + ready, greeting + "\x04\x00", greeting + ready + "\x00\x00", greeting + ready + "\x02\x7f\xff\xff\xff\xff\xff\xff\xff", greeting + ready + strings.Repeat("\x01\x00", 5000),
			greeting + ready + "\x02\xff\xff\xff\xff\xff\xff\xff\xff",
		} {
			conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
			if err != nil {
				t.Fatal(err)
			}
			_, _ = io.WriteString(conn, sent) // it may be refused
			defer conn.Close()
		}
	}
	for kind, content := range map[string]any{"execute_request": map[string]any{"code": 5}, "complete_request": []int{1}, "inspect_request": map[string]any{"code": "x", "cursor_pos": "y"}, "is_complete_request": 7, "shutdown_request": "no"} {
		if a := n.ask(n.shell, kind, content); a.Content.Status != "error" || a.Content.Evalue == "" {
			t.Errorf("%s: %+v", kind, a)
		}
	}
	for _, p := range []map[string]any{{"code": "ab", "cursor_pos": -3}, {"code": "ab", "cursor_pos": 99}, {}} {
		if a := n.ask(n.shell, "complete_request", p); a.Content.Status != "ok" {
			t.Errorf("%v: %+v", p, a)
		}
	}
	n.shell = n.dial(zmq4.NewDealer, n.where.Shell) // those that say nothing are no obstacle
	n.send(n.shell, n.where.Key, "nothing_such_request", struct{}{})
	if a, out := n.run("1 + 1"); a.Content.Status != "ok" || shownText(out) != "2\n" || a.Content.Count != 1 {
		t.Errorf("%+v, shown %+v", a, out)
	}
}

// The notebook of the examples shows what it shows now. It was written by Jupyter's client (cmd/ppl/extra/jupyter).
func TestKernelNotebook(t *testing.T) {
	t.Chdir("../../examples/eight_schools")
	stored, err := os.ReadFile("eight_schools.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	type lines = []string
	var book struct {
		Cells []struct {
			Kind    string `json:"cell_type"`
			Source  lines
			Outputs []struct {
				Text lines
				Data struct {
					Plain   lines `json:"text/plain"`
					Picture lines `json:"image/svg+xml"`
				}
			}
		}
	}
	if err := json.Unmarshal(stored, &book); err != nil {
		t.Fatal(err)
	}
	n, code := openNotebook(t), 0
	for _, cell := range book.Cells {
		if cell.Kind != "code" {
			continue
		}
		code++
		_, out := n.run(strings.Join(cell.Source, ""))
		want, got := "", ""
		for _, o := range cell.Outputs {
			want += strings.Join(slices.Concat(o.Text, o.Data.Plain, o.Data.Picture), "")
		}
		for _, a := range out {
			if c := a.Content; !strings.Contains(a.Kind, "update") && !bar.MatchString(c.Data["text/plain"]) { // one shows where it takes long
				got += c.Text + c.Data["text/plain"] + c.Data["image/svg+xml"]
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("cell %d (-stored +shown)\n%s", code, diff)
		}
	}
	if code < 5 {
		t.Errorf("the notebook has %d cells", code)
	}
}
