package main

// This file asks the server of the playground as browsers do, and as others.

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/tools"
)

func TestServed(t *testing.T) {
	files := fstest.MapFS{"index.html": {Data: []byte("<p>page</p>")}, "page.js": {Data: []byte("run()")}, "examples/a.ppl": {Data: []byte("model { }")}}
	for request, want := range map[string]struct {
		code       int
		kind, body string
	}{
		"GET / HTTP/1.1\r\nHost: x\r\n\r\n":     {200, "text/html; charset=utf-8", "<p>page</p>"},
		"GET /?run HTTP/1.1\r\n\r\n":            {200, "text/html; charset=utf-8", "<p>page</p>"},
		"GET /page.js HTTP/1.1\r\n\r\n":         {200, "text/javascript; charset=utf-8", "run()"},
		"HEAD /page.js HTTP/1.1\r\n\r\n":        {200, "text/javascript; charset=utf-8", ""},
		"GET /examples/a.ppl HTTP/1.1\r\n\r\n":  {200, "text/plain; charset=utf-8", "model { }"},
		"GET /nothing HTTP/1.1\r\n\r\n":         {404, "text/plain; charset=utf-8", ""},
		"GET /examples HTTP/1.1\r\n\r\n":        {404, "text/plain; charset=utf-8", ""},
		"GET /../play_test.go HTTP/1.1\r\n\r\n": {404, "text/plain; charset=utf-8", ""},
		"GET //etc/passwd HTTP/1.1\r\n\r\n":     {404, "text/plain; charset=utf-8", ""},
		"POST / HTTP/1.1\r\n\r\n":               {405, "text/plain; charset=utf-8", ""},
		"GET / HTTP/1.1\r\nHost: x":             {400, "text/plain; charset=utf-8", ""},
		"":                                      {400, "text/plain; charset=utf-8", ""},
	} {
		method, _, _ := strings.Cut(request, " ")
		sent := bufio.NewReader(bytes.NewReader(tools.Served(files, bufio.NewReader(strings.NewReader(request)))))
		r, err := http.ReadResponse(sent, &http.Request{Method: method})
		if err != nil {
			t.Errorf("%q: %v", request, err)
			continue
		}
		body, err := io.ReadAll(r.Body)
		if rest, _ := io.ReadAll(sent); len(rest) > 0 {
			t.Errorf("%q: %q behind the answer", request, rest)
		}
		if r.StatusCode != want.code || r.Header.Get("Content-Type") != want.kind || string(body) != want.body || err != nil {
			t.Errorf("%q: found %d, %s, %q, %v", request, r.StatusCode, r.Header.Get("Content-Type"), body, err)
		}
	}
}
