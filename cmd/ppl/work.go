package main

// This file is ppl serve and ppl work: the queue of units, and who does them.

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/cluster"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/input"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/system"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/disk"
)

// metricsFlag has figures served.
type metricsFlag struct {
	Metrics string `placeholder:"ADDR" help:"Serve figures for Prometheus at http://ADDR/metrics."`
}

// serve answers with what write writes, until end is called.
func (f *metricsFlag) serve(log *slog.Logger, write func(io.Writer) error) (end func(), err error) {
	if f.Metrics == "" {
		return func() {}, nil
	}
	l, err := net.Listen("tcp", f.Metrics)
	if err != nil {
		return nil, frame.Wrongf("--metrics %s: %w", f.Metrics, err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		var text bytes.Buffer
		if err := write(&text); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		_, _ = w.Write(text.Bytes()) // who asked may be gone
	})
	log.Info("figures for Prometheus", "metrics", fmt.Sprintf("http://%s/metrics", l.Addr()))
	s := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = s.Serve(l) }() // ends with Close
	return func() { _ = s.Close() }, nil
}

// serveCmd is a server.
type serveCmd struct {
	Listen      string `default:"127.0.0.1:4222" placeholder:"HOST:PORT" help:"Where to listen; 127.0.0.1:4222 without it. Beyond this machine --credentials, --cert and --key are demanded."`
	Store       string `default:"ppl-store" placeholder:"DIR" help:"Folder of the queue, the files of jobs and their results; ppl-store without it."`
	Limit       string `placeholder:"SIZE" help:"Most that the folder may hold, such as 20G."`
	Credentials string `placeholder:"FILE" help:"Who may connect: a file with one token, or with public nkeys of users, one a line."`
	Cert        string `placeholder:"FILE" help:"Certificate for TLS, PEM."`
	Key         string `placeholder:"FILE" help:"Its key, PEM."`
	Insecure    bool   `help:"Do without TLS and credentials beyond this machine."`
	metricsFlag
}

// Help implements kong.HelpProvider.
func (*serveCmd) Help() string {
	return "A NATS server with JetStream, until it is interrupted. Any other NATS server with JetStream serves as well. What was in\n" +
		"the folder goes on when the server is started again.\n\n" + frame.Examples(
		"ppl serve --store queue",
		"ppl serve --listen 0.0.0.0:4222 --store queue --credentials token --cert cert.pem --key key.pem",
	)
}

// Run serves until an interrupt.
func (c *serveCmd) Run(a *frame.App) error {
	limit, err := input.Size("limit", c.Limit)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(a.Stderr, nil))
	s, err := cluster.NewServer(cluster.ServerConfig{
		Listen: c.Listen, Store: c.Store, Limit: limit, Credentials: c.Credentials, Cert: c.Cert, Key: c.Key, Insecure: c.Insecure, Log: log,
	})
	if err != nil {
		return frame.Wrong(err)
	}
	if err := os.MkdirAll(c.Store, 0o700); err != nil {
		return frame.Wrongf("--store %s: %w", c.Store, frame.PlainPath(err))
	}
	unlock, err := system.Lock(c.Store)
	if err != nil {
		return frame.Wrongf("--store %s: another server uses it", c.Store)
	}
	defer unlock()
	ctx, stop := frame.UntilInterrupt(nil, func() {})
	defer stop()
	if err := s.Start(); err != nil {
		return frame.Wrong(err)
	}
	defer s.Close()
	end, err := c.serve(log, s.Metrics)
	if err != nil {
		return err
	}
	defer end()
	log.Info("serving", "url", s.URL())
	<-ctx.Done()
	return nil
}

// workCmd does units for others.
type workCmd struct {
	URL       string        `arg:"" name:"url" help:"The server: nats://HOST:PORT, or tls://HOST:PORT beyond this machine; several with commas between them."`
	Jobs      int           `placeholder:"N" help:"Tasks at work at the same time, in a process each; all processors without it."`
	Memory    string        `placeholder:"SIZE" help:"Most memory of a task, such as 2G; without it there is no bound. On systems other than Linux the garbage collector alone knows it."`
	TimeLimit time.Duration `default:"24h" placeholder:"D" help:"Most time of a task, which then counts as failed; 24h without it."`
	Idle      time.Duration `placeholder:"D" help:"End when there has been nothing to do for this time. Without it, work until an interrupt."`
	Name      string        `placeholder:"NAME" help:"What messages call this worker; the machine's name without it."`
	accessFlags
	metricsFlag

	memory int64
}

// Help implements kong.HelpProvider.
func (*workCmd) Help() string {
	return "Any number of workers on any machines; one that dies loses nothing. They must be of the version of those who submit.\n\n" + frame.Examples(
		"ppl work nats://127.0.0.1:4222",
		"ppl work tls://queue.example:4222 --credentials token --ca ca.pem --memory 2G --idle 10m",
	)
}

// Run works until an interrupt.
func (c *workCmd) Run(a *frame.App) (err error) {
	if c.memory, err = input.Size("memory", c.Memory); err != nil {
		return err
	}
	switch {
	case c.Jobs < 0:
		return frame.Wrongf("--jobs must not be negative, found %d", c.Jobs)
	case c.TimeLimit <= 0:
		return frame.Wrongf("--time-limit must be positive, found %s", c.TimeLimit)
	case c.Idle < 0:
		return frame.Wrongf("--idle must not be negative, found %s", c.Idle)
	}
	if c.Name == "" {
		if c.Name, err = os.Hostname(); err != nil {
			c.Name = "a worker"
		}
	}
	ctx, stop := frame.UntilInterrupt(nil, func() {})
	defer stop()
	log := slog.New(slog.NewTextHandler(a.Stderr, nil))
	access := c.access(a, c.URL, "ppl work "+c.Name)
	access.Say = func(text string) { log.Warn(text) }
	server, err := cluster.Connect(ctx, access)
	if err != nil {
		return frame.Wrong(err)
	}
	defer server.Close()
	w := &cluster.Worker{
		Presence: cluster.Presence{Name: c.Name, Version: a.Build(), Slots: cmp.Or(c.Jobs, runtime.GOMAXPROCS(0))},
		Start:    c.start, Limit: c.TimeLimit, Idle: c.Idle, Log: log,
	}
	end, err := c.serve(log, w.Metrics)
	if err != nil {
		return err
	}
	defer end()
	log.Info("working", "slots", w.Slots, "version", w.Version)
	return w.Run(ctx, server)
}

// start begins a process that does units of a job.
func (c *workCmd) start(job *cluster.Job, file func(int) (string, error)) (cluster.Runner, error) {
	spec, files, err := fetch(job, file)
	if err != nil {
		return nil, err
	}
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &unitProcess{limit: c.Memory, command: exec.Command(exe)}
	p.command.Args = []string{"ppl", "unit", "--memory", strconv.FormatInt(c.memory, 10), spec, files}
	p.command.Env = append(os.Environ(), "GOMAXPROCS=1")
	p.command.Stderr = &p.said
	in, inErr := p.command.StdinPipe()
	out, outErr := p.command.StdoutPipe()
	if err := errors.Join(inErr, outErr); err != nil {
		return nil, err
	}
	p.in, p.out = json.NewEncoder(in), json.NewDecoder(out)
	return p, p.command.Start()
}

// fetch has the files of a job brought, and gives those of the data the suffixes by which readers know them.
func fetch(job *cluster.Job, file func(int) (string, error)) (spec, list string, err error) {
	if spec, err = file(0); err != nil {
		return "", "", err
	}
	text, err := disk.ReadFile(spec)
	var about workSpec
	if err == nil {
		err = json.Unmarshal(text, &about)
	}
	if err != nil || len(about.Data) != len(job.Files)-1 {
		return "", "", &cluster.Failure{Text: "the job's payload cannot be read", Final: true}
	}
	var files []string
	for i, kind := range about.Data {
		path, err := file(i + 1)
		if err == nil && slices.Contains(dataKinds, kind) {
			err = os.Rename(path, path+kind)
		}
		if err != nil {
			return "", "", err
		}
		files = append(files, path+kind)
	}
	return spec, strings.Join(files, ","), nil
}

// A unitProcess does units in a process of its own. It implements cluster.Runner.
type unitProcess struct {
	command *exec.Cmd
	in      *json.Encoder
	out     *json.Decoder
	said    tail
	limit   string
}

// Do implements cluster.Runner.
func (p *unitProcess) Do(ctx context.Context, job *cluster.Job, task int, input string) ([]byte, error) {
	return p.exchange(ctx, unitTask{Share: infer.Share{Index: task + 1, Of: job.Tasks}.String(), Input: input})
}

// Answer implements cluster.Answerer.
func (p *unitProcess) Answer(ctx context.Context, _ *cluster.Job, _ int, request []byte) ([]byte, error) {
	return p.exchange(ctx, unitTask{Ask: request})
}

func (p *unitProcess) exchange(ctx context.Context, task unitTask) ([]byte, error) {
	defer context.AfterFunc(ctx, func() { _ = p.command.Process.Kill() })()
	var answer unitAnswer
	err := p.in.Encode(task)
	if readErr := p.out.Decode(&answer); readErr != nil || err != nil {
		_ = p.command.Process.Kill()
		err := p.command.Wait()
		said := p.said.last()
		if strings.Contains(string(p.said.text), "out of memory") || strings.Contains(string(p.said.text), "cannot allocate memory") {
			return nil, &cluster.Failure{Text: fmt.Sprintf("it needs more memory than there is, or than --memory %s allows", p.limit)}
		}
		return nil, fmt.Errorf("its process ended: %w %s", err, said)
	}
	if answer.Failure != nil {
		return nil, answer.Failure
	}
	return answer.Result, nil
}

// Close implements cluster.Runner.
func (p *unitProcess) Close() {
	_ = p.command.Process.Kill() // it may have ended
	_ = p.command.Wait()
}

// A tail is the end of what was written to it.
type tail struct{ text []byte }

func (t *tail) Write(p []byte) (int, error) {
	const most = 16 << 10
	t.text = append(t.text, p...)
	if n := len(t.text) - most; n > 0 {
		t.text = append([]byte{}, t.text[n:]...)
	}
	return len(p), nil
}

// last is the last line.
func (t *tail) last() string {
	lines := strings.Split(strings.TrimSpace(string(t.text)), "\n")
	return lines[len(lines)-1]
}
