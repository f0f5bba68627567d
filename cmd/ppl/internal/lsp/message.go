package lsp

// This file is JSON-RPC 2.0: requests, notifications, answers and their errors.

import (
	"encoding/json"
	"fmt"
)

// A message from the client: a request where it has an ID, otherwise a notification or
// an answer.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
}

// An answer to a request that could be served. Result is null where there is nothing.
type answer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result"`
}

// A failure is the answer to a request that could not be served.
type failure struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   *rpcError       `json:"error"`
}

// A notification tells the client something.
type notification struct {
	Version string `json:"jsonrpc"`
	Method  string `json:"method"`
	Params  any    `json:"params"`
}

const version = "2.0"

// The codes of errors, from JSON-RPC and the protocol.
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeNoMethod       = -32601
	codeInvalidParams  = -32602
	codeInternal       = -32603
	codeNotInitialized = -32002
	codeRequestFailed  = -32803
)

// An rpcError is why a request was not served.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *rpcError) Error() string { return e.Message }

func errorf(code int, format string, args ...any) *rpcError {
	return &rpcError{code, fmt.Sprintf(format, args...)}
}

// isID reports whether a request may have this identifier: a number or a string.
func isID(id json.RawMessage) bool {
	return len(id) > 0 && (id[0] == '"' || id[0] == '-' || id[0] >= '0' && id[0] <= '9')
}

// A handler serves the messages of one method.
type handler func(s *Server, params json.RawMessage) (any, error)

// takes makes a handler of a method of the server with its own type of parameters.
func takes[P any](serve func(s *Server, p P) (any, error)) handler {
	return func(s *Server, params json.RawMessage) (any, error) {
		var p P
		if len(params) > 0 {
			if err := json.Unmarshal(params, &p); err != nil {
				return nil, errorf(codeInvalidParams, "wrong parameters: %v", err)
			}
		}
		return serve(s, p)
	}
}
