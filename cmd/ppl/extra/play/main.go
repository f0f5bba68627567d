//go:build js && wasm

// Command play is the playground's worker: it answers questions that a page sends (cmd/ppl/internal/play), says in between how far
// it is, and stops when told. For the chains of a run it takes on further workers, which are this program, too, and are sent errands.
// The page and the script that puts all into a folder lie beside it.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"runtime/debug"
	"slices"
	"syscall/js"
	"time"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/legs"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/play"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// beat is how often a run looks up: says how far it is, and hears whether it is to stop.
const beat = 100 * time.Millisecond

// mostWorkers is how many more are taken on, where there are as many processors: one for each chain of a run, as a rule. patience is for how long
// a run is under way before they are: they take a fraction of a second each to begin, in which a short run has ended.
const (
	mostWorkers = 4
	patience    = time.Second
)

func main() {
	debug.SetGCPercent(400) // one thread does all, and a page has the memory
	debug.SetMemoryLimit(1 << 30)
	w := &worker{stop: func() {}}
	w.own.Watch = infer.NewProgress(beat, w.tell)
	js.Global().Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		switch data := args[0].Get("data"); data.Type() {
		case js.TypeString:
			go w.answer(data.String())
		case js.TypeObject:
			go w.move(bytesOf(data))
		default:
			w.stop()
		}
		return nil
	}))
	post("ready", nil)
	select {}
}

// A worker answers questions, or is sent errands by the one that does.
type worker struct {
	own   play.Mover
	pool  *play.Pool // nil: there is one processor
	hands []*hand    // of it
	stop  func()     // what is under way
	steps []infer.Step

	joined int // hands that are ready
}

// tell says how far chains are, and lets the browser hand over what was sent.
func (w *worker) tell(r infer.ProgressReport) {
	if js.Global().Get("another").IsUndefined() {
		post("steps", r.Chains) // to the worker that this one is a hand of
	} else {
		w.take(r.Chains)
	}
	time.Sleep(time.Millisecond)
}

// take says how far the run is, of which steps are news.
func (w *worker) take(steps []infer.Step) {
	if len(w.steps) != len(steps) {
		w.steps = slices.Clone(steps)
	}
	for c, s := range steps {
		if s.Done > w.steps[c].Done {
			w.steps[c] = s
		}
	}
	post("progress", infer.ProgressReport{Chains: w.steps}.Fraction())
}

// A beginning is told when a method begins. It implements infer.Observer.
type beginning struct {
	infer.Ignore
	call func()
}

// Begin implements infer.Observer.
func (b beginning) Begin(draws.Plan) error {
	b.call()
	return nil
}

// answer answers a question.
func (w *worker) answer(text string) {
	var q play.Question
	if err := json.Unmarshal([]byte(text), &q); err != nil {
		post("answer", play.Answer{Error: err.Error() + "\n"})
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w.stop = func() {
		cancel()
		for _, h := range w.hands {
			h.worker.Call("postMessage", 0)
		}
	}
	enough := min(mostWorkers, js.Global().Get("navigator").Get("hardwareConcurrency").Int())
	if w.pool == nil && enough > 1 {
		w.pool = play.NewPool(&w.own, enough)
	}
	if w.pool != nil && w.hands == nil {
		defer time.AfterFunc(patience, func() { w.takeOn(enough) }).Stop()
	}
	watch := infer.Observers{beginning{call: func() { w.steps = nil }}, infer.NewProgress(beat, w.tell)}
	a, more := play.Run(ctx, q, watch, w.pool)
	post("answer", a)
	list, err := more()
	if err != nil {
		post("broken", err.Error())
	}
	post("more", list)
}

// takeOn starts the workers that move chains. Until they are ready, and where there is one processor, this one moves them.
func (w *worker) takeOn(enough int) {
	for range enough {
		h := &hand{worker: js.Global().Call("another"), answers: make(chan passage, 1)}
		w.hands = append(w.hands, h)
		h.worker.Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
			w.hear(h, args[0].Get("data"))
			return nil
		}))
		h.worker.Set("onerror", js.FuncOf(func(_ js.Value, args []js.Value) any {
			h.has(passage{err: errors.New("a worker ended: " + args[0].Get("message").String())})
			return nil
		}))
	}
}

// move does an errand and sends what came of it.
func (w *worker) move(text []byte) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w.stop = cancel
	var out []byte
	err := infer.Guarded(func() error {
		e, err := legs.Decode[play.Errand](text)
		if err != nil {
			return err
		}
		p, err := w.own.Move(ctx, e)
		if err == nil {
			out, err = legs.EncodePassage(p)
		}
		return err
	})
	if err != nil {
		post("failed", err.Error())
		return
	}
	js.Global().Call("postMessage", bytesFor(out))
}

// A hand is another worker. It implements play.Hand.
type hand struct {
	worker  js.Value
	answers chan passage
}

// A passage is what came of an errand.
type passage struct {
	text []byte
	err  error
}

// Move implements play.Hand.
func (h *hand) Move(_ context.Context, e *play.Errand) (*infer.Passage, error) {
	text, err := legs.Encode(e)
	if err != nil {
		return nil, err
	}
	h.worker.Call("postMessage", bytesFor(text))
	p := <-h.answers
	if p.err != nil {
		return nil, p.err
	}
	return legs.DecodePassage(p.text)
}

// has takes an answer; where there is one already the worker has ended, and that is said by it.
func (h *hand) has(p passage) {
	select {
	case h.answers <- p:
	default:
	}
}

// hear takes what a hand says.
func (w *worker) hear(h *hand, data js.Value) {
	if data.Type() == js.TypeObject {
		h.has(passage{text: bytesOf(data)})
		return
	}
	var said struct {
		Kind    string
		Content json.RawMessage
	}
	var text string
	var steps []infer.Step
	if err := json.Unmarshal([]byte(data.String()), &said); err != nil {
		panic(err) // it is this program
	}
	switch said.Kind {
	case "ready":
		w.pool.Join(h)
		w.joined++
		post("workers", w.joined)
	case "steps":
		if json.Unmarshal(said.Content, &steps) == nil {
			w.take(steps)
		}
	case "failed", "broken":
		_ = json.Unmarshal(said.Content, &text)
		h.has(passage{err: errors.New(text)})
	}
}

func bytesOf(array js.Value) []byte {
	out := make([]byte, array.Length())
	js.CopyBytesToGo(out, array)
	return out
}

func bytesFor(b []byte) js.Value {
	out := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(out, b)
	return out
}

// post sends the page, or the worker that this one is a hand of, a message.
func post(kind string, content any) {
	text, err := json.Marshal(map[string]any{"kind": kind, "content": content})
	if err != nil {
		panic(err) // answers can be written
	}
	js.Global().Call("postMessage", string(text))
}
