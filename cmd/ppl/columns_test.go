package main

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/tools"
)

// An interrupt ends the writing of a file of columns with an error, so that what was written is removed.
func TestColumnsAreInterrupted(t *testing.T) {
	var out bytes.Buffer
	ctx, cancel := context.WithCancel(t.Context())
	w := &tools.Failing{Ctx: ctx, W: &out}
	if _, err := w.Write([]byte("x")); err != nil || w.Err != nil {
		t.Errorf("found %v, %v", err, w.Err)
	}
	cancel()
	if n, err := w.Write([]byte("y")); n != 0 || !errors.Is(err, context.Canceled) || !errors.Is(w.Err, context.Canceled) || out.String() != "x" {
		t.Errorf("found %d, %v, %v, %q", n, err, w.Err, out.String())
	}
}
