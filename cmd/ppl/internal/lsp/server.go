package lsp

// This file is the session: messages in, answers and notifications out.

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/seed-12b88e03/ppl/lang"
)

// A Server serves one client.
type Server struct {
	// Version is what the client is told; it may be empty.
	Version string

	out     io.Writer
	broken  error // of writing to out
	open    map[string]*document
	options lang.Options
	folders []string // of the workspace
	lint    bool

	initialized, stopped, ended bool
}

// New makes a server.
func New() *Server { return &Server{open: map[string]*document{}, lint: true} }

// ErrNoShutdown reports that the client ended the session without announcing it.
var ErrNoShutdown = errors.New("the client ended the session without a shutdown request")

// Run serves until the client says exit or the input ends. The error is nil after an
// orderly end, ErrNoShutdown, a *FrameError, or that of reading or writing.
func (s *Server) Run(in io.Reader, out io.Writer) error {
	s.out = out
	r := bufio.NewReader(in)
	for !s.ended && s.broken == nil {
		body, err := readFrame(r)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		s.receive(body)
	}
	switch {
	case s.broken != nil:
		return s.broken
	case !s.stopped:
		return ErrNoShutdown
	}
	return nil
}

// receive works on one message.
func (s *Server) receive(body []byte) {
	var m message
	if err := json.Unmarshal(body, &m); err != nil {
		code := codeParse
		if json.Valid(body) {
			code = codeInvalidRequest
		}
		s.fail(nil, errorf(code, "the message is no request: %v", err))
		return
	}
	request := len(m.ID) > 0 && string(m.ID) != "null"
	switch {
	case request && !isID(m.ID):
		s.fail(nil, errorf(codeInvalidRequest, "the identifier is neither a number nor a string"))
		return
	case m.Method == "" && request:
		return // an answer; the server asks nothing
	case m.Method == "":
		s.fail(nil, errorf(codeInvalidRequest, "the message has no method"))
		return
	}
	result, err := s.dispatch(&m, request)
	var wrong *rpcError
	switch {
	case !request: // a notification has no answer, not even an error
	case errors.As(err, &wrong):
		s.fail(m.ID, wrong)
	case err != nil:
		s.fail(m.ID, errorf(codeRequestFailed, "%v", err))
	default:
		s.send(answer{version, m.ID, result})
	}
}

// dispatch finds and runs the handler. A panic becomes an error, so that a bug costs one
// answer and not the session.
func (s *Server) dispatch(m *message, request bool) (result any, err error) {
	defer func() {
		if r := recover(); r != nil {
			result, err = nil, errorf(codeInternal, "this is a bug in ppl: %v", r)
		}
	}()
	table := notifications
	if request {
		table = requests
	}
	serve := table[m.Method]
	switch {
	case m.Method == "exit" && !request:
	case !s.initialized && m.Method != "initialize":
		return nil, errorf(codeNotInitialized, "the first request must be initialize")
	case s.stopped:
		return nil, errorf(codeInvalidRequest, "the session was shut down")
	case serve == nil:
		return nil, errorf(codeNoMethod, "there is no method %q", m.Method)
	}
	return serve(s, m.Params)
}

func (s *Server) fail(id json.RawMessage, err *rpcError) { s.send(failure{version, id, err}) }

func (s *Server) send(message any) {
	if err := writeFrame(s.out, message); err != nil && s.broken == nil {
		s.broken = fmt.Errorf("writing to the client: %w", err)
	}
}

// requests are answered.
var requests = map[string]handler{
	"initialize":                     takes((*Server).initialize),
	"shutdown":                       takes((*Server).shutdown),
	"textDocument/formatting":        takes((*Server).formatting),
	"textDocument/completion":        takes((*Server).completion),
	"textDocument/hover":             takes((*Server).hover),
	"textDocument/definition":        takes((*Server).definition),
	"textDocument/references":        takes((*Server).references),
	"textDocument/documentHighlight": takes((*Server).documentHighlight),
	"textDocument/documentSymbol":    takes((*Server).documentSymbol),
	"textDocument/signatureHelp":     takes((*Server).signatureHelp),
	"textDocument/codeAction":        takes((*Server).codeAction),
	"textDocument/prepareRename":     takes((*Server).prepareRename),
	"textDocument/rename":            takes((*Server).rename),
}

// notifications are not.
var notifications = map[string]handler{
	"initialized":                      takes((*Server).nothing),
	"exit":                             takes((*Server).exit),
	"textDocument/didOpen":             takes((*Server).didOpen),
	"textDocument/didChange":           takes((*Server).didChange),
	"textDocument/didSave":             takes((*Server).filesChanged),
	"workspace/didChangeWatchedFiles":  takes((*Server).filesChanged),
	"textDocument/didClose":            takes((*Server).didClose),
	"workspace/didChangeConfiguration": takes((*Server).nothing),
}

// compiling are the compiler's options for a document. The text may be a stranger's, whom the
// editor is not to read files for: included ones must lie in the workspace, or in the
// document's folder where it is in none, unless the settings say otherwise.
func (s *Server) compiling(path string) lang.Options {
	o := s.options
	if o.IncludeRoot != "" {
		return o
	}
	o.IncludeRoot = filepath.Dir(path)
	for _, folder := range s.folders {
		if rel, err := filepath.Rel(folder, path); err == nil && filepath.IsLocal(rel) {
			o.IncludeRoot = folder
			break
		}
	}
	return o
}

func (s *Server) initialize(p initializeParams) (any, error) {
	if s.initialized {
		return nil, errorf(codeInvalidRequest, "the session was initialized before")
	}
	s.initialized = true
	s.options = lang.Options{Include: p.Options.Include, IncludeRoot: p.Options.IncludeRoot}
	for _, f := range p.Folders {
		s.folders = append(s.folders, filePath(f.URI))
	}
	if p.Root != "" {
		s.folders = append(s.folders, filePath(p.Root))
	}
	if p.Options.Lint != nil {
		s.lint = *p.Options.Lint
	}
	return map[string]any{
		"capabilities": map[string]any{
			"positionEncoding":           "utf-16",
			"textDocumentSync":           map[string]any{"openClose": true, "change": 1, "save": true},
			"documentFormattingProvider": true,
			"completionProvider":         map[string]any{"triggerCharacters": []string{"~", `"`}},
			"hoverProvider":              true,
			"definitionProvider":         true,
			"referencesProvider":         true,
			"documentHighlightProvider":  true,
			"documentSymbolProvider":     true,
			"signatureHelpProvider":      map[string]any{"triggerCharacters": []string{"(", ",", "|"}},
			"codeActionProvider":         map[string]any{"codeActionKinds": []string{quickFix}},
			"renameProvider":             map[string]any{"prepareProvider": true},
		},
		"serverInfo": map[string]any{"name": "ppl", "version": s.Version},
	}, nil
}

func (s *Server) shutdown(struct{}) (any, error) {
	s.stopped = true
	return nil, nil
}

func (s *Server) exit(struct{}) (any, error) {
	s.ended = true
	return nil, nil
}

func (s *Server) nothing(struct{}) (any, error) { return nil, nil }
