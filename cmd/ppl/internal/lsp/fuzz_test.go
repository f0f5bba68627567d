package lsp

// This file is the fuzz target: no input may bring the server down.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// FuzzText asks everything at one place of any text.
func FuzzText(f *testing.F) {
	for i := 0; i < len(model); i += 41 {
		f.Add(model[:i], i)
		f.Add(model, i)
	}
	f.Add("model { x[ \"a\" ~ (\xff }#include <a> /* ", 12)
	f.Fuzz(func(t *testing.T, text string, at int) {
		text = strings.ToValidUTF8(text, "\ufffd") // as JSON has it
		c := begun(t)
		c.opened(uri, text)
		place := map[string]any{"textDocument": map[string]any{"uri": uri}, "position": newTable(text).position(at), "newName": "other"}
		place["range"] = span{position{}, newTable(text).position(at)}
		for method := range requests {
			if !strings.HasPrefix(method, "textDocument/") {
				continue
			}
			if got := c.ask(method, place); bytes.Contains(got, fmt.Appendf(nil, `"code":%d`, codeInternal)) {
				t.Errorf("%s at %d of %q: %s", method, at, text, got)
			}
		}
	})
}

// FuzzSession feeds any bytes as a session; each answer is whole.
func FuzzSession(f *testing.F) {
	frame := func(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }
	begin := frame(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`)
	f.Add([]byte(begin))
	f.Add([]byte(begin + frame(`{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"a","text":"model { "}}}`) +
		frame(`{"id":"x","method":"textDocument/completion","params":{"textDocument":{"uri":"a"},"position":{"line":0,"character":7}}}`)))
	f.Add([]byte("Content-Length: 3\r\nX: y\r\n\r\n[1]\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		c := newClient(t)
		_ = c.server.Run(bytes.NewReader(in), &c.out) // any error will do
		for _, m := range c.messages() {
			if !json.Valid(m) || bytes.Contains(m, fmt.Appendf(nil, `"code":%d`, codeInternal)) {
				t.Errorf("answered with %s", m)
			}
		}
	})
}
