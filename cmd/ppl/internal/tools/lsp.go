package tools

// This file is ppl lsp: the language server that editors start.

import (
	"errors"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/lsp"
)

// LspCmd is the language server.
type LspCmd struct {
	Stdio bool `help:"Speak over standard input and output, as it does in any case; some editors give this flag."`
}

// Help implements kong.HelpProvider.
func (*LspCmd) Help() string {
	return frame.Examples("ppl lsp                                  # started by an editor: see cmd/ppl/extra/vscode")
}

// Run serves until the editor ends the session.
func (*LspCmd) Run(a *frame.App) error {
	s := lsp.New()
	s.Version = frame.Version
	err := s.Run(a.Stdin, a.Raw)
	if _, ok := errors.AsType[*lsp.FrameError](err); ok {
		return &frame.Exit{Code: frame.ExitWrongInput, Err: err, Help: "ppl lsp is started by an editor; people want ppl check"}
	}
	return err
}
