package kernel

// This file answers requests.

import (
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"unicode/utf8"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/repl"
	"github.com/seed-12b88e03/ppl/infer"
)

// A Session is what cells are evaluated in.
type Session struct {
	*repl.Session
	Version string // of ppl
}

// An answer makes the content of a reply.
type answer func(k *Kernel, s Session, r *request) (any, error)

// onShell and onControl are the requests that are answered, without "_request". Those of control are answered while a cell is evaluated.
var (
	onShell = map[string]answer{
		"kernel_info": info, "execute": execute, "complete": complete, "inspect": inspect, "is_complete": isComplete,
		"history": fixed(ok{"history": []any{}}), "comm_info": fixed(ok{"comms": struct{}{}}), "shutdown": shutdown, "interrupt": interrupt,
	}
	onControl = map[string]answer{"kernel_info": info, "shutdown": shutdown, "interrupt": interrupt}
)

// ok is the content of a reply without an error.
type ok map[string]any

// MarshalJSON implements json.Marshaler.
func (o ok) MarshalJSON() ([]byte, error) {
	with := map[string]any{"status": "ok"}
	maps.Copy(with, o)
	return encoded(with)
}

// A failure is the content of a reply that has an error.
type failure struct {
	Status    string   `json:"status"`
	Name      string   `json:"ename"`
	Value     string   `json:"evalue"`
	Traceback []string `json:"traceback"` // the message with its place
	Count     int      `json:"execution_count,omitempty"`
}

func failed(text string) *failure {
	text = strings.TrimRight(text, "\n")
	first, _, _ := strings.Cut(text, "\n")
	return &failure{Status: "error", Name: "error", Value: strings.TrimPrefix(first, "error: "), Traceback: strings.Split(text, "\n")}
}

// Fail shows why the cell has failed.
func (k *Kernel) Fail(text string) {
	k.failure = failed(text)
	k.show("error", k.failure)
}

// Serve answers until a client or Shutdown ends it.
func (k *Kernel) Serve(s Session) error {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case r := <-k.control:
				k.handle(s, r, onControl)
			case <-k.done.Done():
				return
			}
		}
	}()
	for k.done.Err() == nil {
		select {
		case r := <-k.shell:
			k.parent, k.failure = r.header, nil
			k.handle(s, r, onShell)
			k.abort(s)
		case <-k.done.Done():
		}
	}
	<-ended
	return k.close()
}

// handle answers a request, if it is one that is known.
func (k *Kernel) handle(s Session, r *request, answers map[string]answer) {
	name := strings.TrimSuffix(r.kind, "_request")
	a := answers[name]
	if a == nil || name == r.kind {
		return
	}
	k.publish(r.header, "status", map[string]string{"execution_state": "busy"})
	var content any
	err := infer.Guarded(func() (err error) {
		content, err = a(k, s, r)
		return err
	})
	if err != nil {
		content = failed(err.Error())
	}
	r.from.send(k.written(r.route, name+"_reply", r.header, content))
	k.publish(r.header, "status", map[string]string{"execution_state": "idle"})
	if name == "shutdown" && err == nil {
		k.Shutdown()
	}
}

// stop takes what waits behind a cell that failed. What is sent when its reply is known does not belong to it.
func (k *Kernel) stop() {
	for {
		select {
		case r := <-k.shell:
			k.behind = append(k.behind, r)
		default:
			return
		}
	}
}

// abort answers what waited behind a cell that failed: cells are not run.
func (k *Kernel) abort(s Session) {
	aborted := map[string]answer{"execute": fixed(map[string]string{"status": "aborted"})}
	for _, r := range k.behind {
		if r.kind == "execute_request" {
			k.handle(s, r, aborted)
		} else {
			k.handle(s, r, onShell)
		}
	}
	k.behind = nil
}

func fixed(content any) answer {
	return func(*Kernel, Session, *request) (any, error) { return content, nil }
}

func info(_ *Kernel, s Session, _ *request) (any, error) {
	return ok{
		"protocol_version": protocol, "implementation": "ppl", "implementation_version": s.Version,
		"language_info": map[string]string{
			"name": "ppl", "version": s.Version, "mimetype": "text/x-stan", "file_extension": ".ppl", "pygments_lexer": "stan", "codemirror_mode": "stan",
		},
		"banner": "ppl " + s.Version + ": a cell has blocks of a model, expressions, statements and commands; :help says more", "help_links": []any{},
	}, nil
}

// execute evaluates the inputs of a cell up to the first that fails.
func execute(k *Kernel, s Session, r *request) (any, error) {
	asked := struct {
		Code    string
		Silent  bool
		History *bool `json:"store_history"`
		Stop    *bool `json:"stop_on_error"`
	}{}
	if err := json.Unmarshal(r.content, &asked); err != nil {
		return nil, err
	}
	k.silent = asked.Silent
	defer func() { k.silent = false }()
	if !asked.Silent && (asked.History == nil || *asked.History) {
		k.count++
	}
	k.show("execute_input", map[string]any{"code": asked.Code, "execution_count": k.count})
	defer k.begin()()
	for _, text := range repl.Inputs(asked.Code) {
		if !s.Do(text) {
			break
		}
		if k.Cell().Err() != nil { // the draws so far are kept, but what follows expects them all
			k.Fail("interrupted; the rest of the notebook is not run")
			break
		}
	}
	if f := k.failure; f != nil {
		if asked.Stop == nil || *asked.Stop {
			k.stop()
		}
		f.Count = k.count
		return f, nil
	}
	return ok{"execution_count": k.count, "user_expressions": struct{}{}, "payload": []any{}}, nil
}

// A place is where the cursor stands in a cell.
type place struct {
	Code   string
	Cursor int `json:"cursor_pos"` // in code points
}

// before is the line of the cursor up to it, and where that begins.
func (p place) before() (line string, rest string) {
	runes := []rune(p.Code)
	at := min(max(0, p.Cursor), len(runes))
	line = string(runes[:at])
	return line[strings.LastIndexByte(line, '\n')+1:], string(runes[at:])
}

func complete(_ *Kernel, s Session, r *request) (any, error) {
	var p place
	if err := json.Unmarshal(r.content, &p); err != nil {
		return nil, err
	}
	line, _ := p.before()
	words, replace := s.Complete(line)
	if words == nil {
		words = []string{}
	}
	start := p.Cursor - utf8.RuneCountInString(line[len(line)-replace:])
	return ok{"matches": words, "cursor_start": start, "cursor_end": p.Cursor, "metadata": struct{}{}}, nil
}

func inspect(_ *Kernel, s Session, r *request) (any, error) {
	var p place
	if err := json.Unmarshal(r.content, &p); err != nil {
		return nil, err
	}
	line, rest := p.before()
	text := s.Inspect(repl.WordAt(line, rest))
	data := map[string]string{}
	if text != "" {
		data["text/plain"] = text
	}
	return ok{"found": text != "", "data": data, "metadata": struct{}{}}, nil
}

func isComplete(_ *Kernel, _ Session, r *request) (any, error) {
	var asked struct{ Code string }
	if err := json.Unmarshal(r.content, &asked); err != nil {
		return nil, err
	}
	if repl.Unfinished(asked.Code) {
		return map[string]string{"status": "incomplete", "indent": "  "}, nil
	}
	return map[string]string{"status": "complete"}, nil
}

func interrupt(k *Kernel, _ Session, _ *request) (any, error) {
	k.Interrupt()
	return ok{}, nil
}

// shutdown is told to all clients; handle ends the kernel when the reply is sent.
func shutdown(k *Kernel, _ Session, r *request) (any, error) {
	var asked struct{ Restart bool }
	if err := json.Unmarshal(r.content, &asked); err != nil {
		return nil, errors.New("restart is no boolean")
	}
	k.publish(r.header, "shutdown_reply", ok{"restart": asked.Restart})
	return ok{"restart": asked.Restart}, nil
}
