//go:build js && wasm

// Command play is the playground's worker: it answers questions that a page sends (cmd/ppl/internal/play), says in between how far
// it is, and stops when told. The page and the script that puts all into a folder lie beside it.
package main

import (
	"context"
	"encoding/json"
	"runtime/debug"
	"syscall/js"
	"time"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/play"
	"github.com/seed-12b88e03/ppl/infer"
)

// beat is how often a run looks up: says how far it is, and hears whether it is to stop.
const beat = 100 * time.Millisecond

func main() {
	debug.SetGCPercent(400) // one thread does all, and a page has the memory
	debug.SetMemoryLimit(1 << 30)
	stop := func() {}
	answer := func(text string) {
		var q play.Question
		if err := json.Unmarshal([]byte(text), &q); err != nil {
			post("answer", play.Answer{Error: err.Error() + "\n"})
			return
		}
		ctx, cancel := context.WithCancel(context.Background())
		stop = cancel
		defer cancel()
		a, more := play.Run(ctx, q, infer.NewProgress(beat, func(r infer.ProgressReport) {
			post("progress", r.Fraction())
			time.Sleep(time.Millisecond) // lets the browser hand over what was sent
		}))
		post("answer", a)
		list, err := more()
		if err != nil {
			post("broken", err.Error())
		}
		post("more", list)
	}
	js.Global().Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		if text := args[0].Get("data"); text.Type() == js.TypeString {
			go answer(text.String())
		} else {
			stop()
		}
		return nil
	}))
	post("ready", nil)
	select {}
}

// post sends the page a message.
func post(kind string, content any) {
	text, err := json.Marshal(map[string]any{"kind": kind, "content": content})
	if err != nil {
		panic(err) // answers can be written
	}
	js.Global().Call("postMessage", string(text))
}
