package main

// This file speaks with ppl lsp as an editor does: over the pipes of a process.

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os/exec"
	"strconv"
	"testing"
)

// An editor is the client of a language server.
type editor struct {
	t  *testing.T
	in io.Writer
	r  *bufio.Reader
	id int
}

func (e *editor) send(message map[string]any) {
	e.t.Helper()
	message["jsonrpc"] = "2.0"
	body, err := json.Marshal(message)
	if err != nil {
		e.t.Fatal(err)
	}
	if _, err := fmt.Fprintf(e.in, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil {
		e.t.Fatal(err)
	}
}

// next reads one message.
func (e *editor) next(into any) {
	e.t.Helper()
	header, err := textproto.NewReader(e.r).ReadMIMEHeader()
	if err != nil {
		e.t.Fatal(err)
	}
	n, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		e.t.Fatal(err)
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(e.r, body); err != nil {
		e.t.Fatal(err)
	}
	if err := json.Unmarshal(body, into); err != nil {
		e.t.Fatalf("%v in %s", err, body)
	}
}

// ask sends a request and reads its answer.
func (e *editor) ask(method string, params, into any) {
	e.t.Helper()
	e.id++
	e.send(map[string]any{"id": e.id, "method": method, "params": params})
	var m struct {
		ID     int
		Result json.RawMessage
		Error  json.RawMessage
	}
	e.next(&m)
	if m.ID != e.id || m.Error != nil {
		e.t.Fatalf("%s: %+v", method, m)
	}
	if err := json.Unmarshal(m.Result, into); err != nil {
		e.t.Fatalf("%s: %v in %s", method, err, m.Result)
	}
}

func TestLanguageServer(t *testing.T) {
	cmd := exec.Command("ppl", "lsp", "--stdio")
	in, errIn := cmd.StdinPipe()
	out, errOut := cmd.StdoutPipe()
	if errIn != nil || errOut != nil {
		t.Fatal(errIn, errOut)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	e := &editor{t: t, in: in, r: bufio.NewReader(out)}
	var hello struct{ Capabilities map[string]any }
	e.ask("initialize", map[string]any{"capabilities": map[string]any{}}, &hello)
	for _, what := range []string{
		"completionProvider", "hoverProvider", "signatureHelpProvider", "documentSymbolProvider", "documentHighlightProvider",
		"definitionProvider", "referencesProvider", "renameProvider", "documentFormattingProvider", "codeActionProvider",
	} {
		if hello.Capabilities[what] == nil {
			t.Errorf("the server does not announce %s", what)
		}
	}
	e.send(map[string]any{"method": "initialized", "params": map[string]any{}})
	document := map[string]any{"uri": "file:///model.ppl"}
	text := "parameters {\n  real mu;\n}\nmodel {\n  mu ~ normal(0, sgn(1));\n}\n"
	e.send(map[string]any{"method": "textDocument/didOpen", "params": map[string]any{
		"textDocument": map[string]any{"uri": document["uri"], "languageId": "ppl", "version": 1, "text": text}}})
	var problems struct {
		Params struct{ Diagnostics []struct{ Message string } }
	}
	e.next(&problems)
	if len(problems.Params.Diagnostics) != 1 {
		t.Errorf("found %+v", problems)
	}
	var outline []struct{ Name string }
	e.ask("textDocument/documentSymbol", map[string]any{"textDocument": document}, &outline)
	if len(outline) != 2 || outline[0].Name != "parameters" || outline[1].Name != "model" {
		t.Errorf("the outline is %+v", outline)
	}
	var help struct {
		Signatures      []struct{ Label string }
		ActiveParameter int
	}
	e.ask("textDocument/signatureHelp", map[string]any{"textDocument": document, "position": map[string]any{"line": 4, "character": 17}}, &help)
	if len(help.Signatures) == 0 || help.ActiveParameter != 2 {
		t.Errorf("the signatures are %+v", help)
	}
	var none any
	e.ask("shutdown", nil, &none)
	e.send(map[string]any{"method": "exit"})
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
