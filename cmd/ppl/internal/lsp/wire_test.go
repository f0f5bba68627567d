package lsp

// This file tests places, framing and messages.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// Places are in UTF-16 code units, and lines may end in three ways.
func TestPositions(t *testing.T) {
	text := "a𝜎µ\r\nb\rc\n\xff\xfed"
	tab := newTable(text)
	for offset, want := range map[int]position{0: {0, 0}, 1: {0, 1}, 5: {0, 3}, 7: {0, 4}, 9: {1, 0}, 10: {1, 1}, 11: {2, 0}, 13: {3, 0}, 15: {3, 2}, 16: {3, 3}} {
		if got := tab.position(offset); got != want {
			t.Errorf("offset %d is at %v, want %v", offset, got, want)
		}
		if got := tab.offset(want); got != offset {
			t.Errorf("%v is offset %d, want %d", want, got, offset)
		}
	}
	for p, want := range map[position]int{{0, 2}: 1, {0, 99}: 7, {9, 0}: 16, {-1, 5}: 0, {1, -3}: 9, {3, 9}: 16} {
		if got := tab.offset(p); got != want {
			t.Errorf("%v is offset %d, want %d", p, got, want)
		}
	}
}

// The server ends as the protocol says.
func TestEnd(t *testing.T) {
	frame := func(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }
	shutdown := frame(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`) + frame(`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`)
	exit := frame(`{"jsonrpc":"2.0","method":"exit"}`)
	lost := &FrameError{}
	for name, test := range map[string]struct {
		in   string
		want error // a FrameError stands for any
	}{
		"orderly":            {shutdown + exit, nil},
		"closed":             {shutdown, nil},
		"exit alone":         {exit, ErrNoShutdown},
		"nothing":            {"", ErrNoShutdown},
		"no length":          {"\r\n", lost},
		"no header":          {"hello\r\n", lost},
		"wrong length":       {"Content-Length: -4\r\n\r\n", lost},
		"vast length":        {"Content-Length: 99999999999\r\n\r\n", lost},
		"cut off":            {"Content-Length: 10\r\n\r\n{}", lost},
		"header cut off":     {"Content-Length: 10\r\n", lost},
		"a long header line": {strings.Repeat("x", 10000), lost},
		"many header lines":  {strings.Repeat("x: y\r\n", 1000), lost},
	} {
		err := New().Run(strings.NewReader(test.in), io.Discard)
		var frame *FrameError
		if framing := errors.As(err, &frame); framing != (test.want == error(lost)) || !framing && err != test.want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := New().Run(strings.NewReader(shutdown), brokenPipe{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a client that does not read: %v", err)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// Messages without sense are answered with the error that belongs to them, and the
// session goes on.
func TestMalformed(t *testing.T) {
	c := newClient(t)
	for _, step := range []struct {
		in   string
		code int // of the answer; zero for no answer
	}{
		{`{"id": 1, "method": "textDocument/hover"}`, codeNotInitialized},
		{`{"id": 1, "method": "initialize", "params": {"initializationOptions": null, "capabilities": 3}}`, 1},
		{`{"id": 1, "method": "initialize", "params": {}}`, codeInvalidRequest},
		{`{`, codeParse},
		{``, codeParse},
		{"\x00\xff", codeParse},
		{`[]`, codeInvalidRequest},
		{`7`, codeInvalidRequest},
		{`{}`, codeInvalidRequest},
		{`{"id": {}, "method": "shutdown"}`, codeInvalidRequest},
		{`{"id": 1, "method": "textDocument/paint"}`, codeNoMethod},
		{`{"method": "$/paint"}`, 0},
		{`{"id": 5, "result": null}`, 0},
		{`{"id": "a", "method": "textDocument/hover"}`, codeInvalidParams},
		{`{"id": "a", "method": "textDocument/hover", "params": [1]}`, codeInvalidParams},
		{`{"id": "a", "method": "textDocument/rename", "params": {"position": {"line": "one"}}}`, codeInvalidParams},
		{`{"method": "textDocument/didChange", "params": {"contentChanges": [{}]}}`, 0},
		{`{"method": "textDocument/didOpen", "params": 3}`, 0},
		{`{"id": 9, "method": "shutdown"}`, 1},
		{`{"id": 10, "method": "textDocument/hover"}`, codeInvalidRequest},
	} {
		c.server.receive([]byte(step.in))
		var got struct {
			Error *rpcError
		}
		messages := c.messages()
		if step.code == 0 {
			if len(messages) != 0 {
				t.Errorf("%s: answered with %s", step.in, messages)
			}
			continue
		}
		if len(messages) != 1 || json.Unmarshal(messages[0], &got) != nil {
			t.Fatalf("%s: answered with %s", step.in, messages)
		}
		if step.code == 1 && got.Error != nil || step.code != 1 && (got.Error == nil || got.Error.Code != step.code) {
			t.Errorf("%s: answered with %s", step.in, messages[0])
		}
	}
}
