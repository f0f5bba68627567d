package main

// This file is ppl lsp: the language server that editors start.

import (
	"errors"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/lsp"
)

// lspCmd is the language server.
type lspCmd struct {
	Stdio bool `help:"Speak over standard input and output, as it does in any case; some editors give this flag."`
}

// Help implements kong.HelpProvider.
func (*lspCmd) Help() string {
	return examples("ppl lsp                                  # started by an editor: see cmd/ppl/extra/vscode")
}

// Run serves until the editor ends the session.
func (*lspCmd) Run(a *app) error {
	s := lsp.New()
	s.Version = version
	err := s.Run(a.stdin, a.raw)
	if _, ok := errors.AsType[*lsp.FrameError](err); ok {
		return &exit{code: exitWrongInput, err: err, help: "ppl lsp is started by an editor; people want ppl check"}
	}
	return err
}
