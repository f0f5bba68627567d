package main

import (
	"bytes"
	"context"
	"errors"
	"testing"
)

// An interrupt ends the writing of a file of columns with an error, so that what was written is removed.
func TestColumnsAreInterrupted(t *testing.T) {
	var out bytes.Buffer
	ctx, cancel := context.WithCancel(t.Context())
	w := &failing{ctx: ctx, w: &out}
	if _, err := w.Write([]byte("x")); err != nil || w.err != nil {
		t.Errorf("found %v, %v", err, w.err)
	}
	cancel()
	if n, err := w.Write([]byte("y")); n != 0 || !errors.Is(err, context.Canceled) || !errors.Is(w.err, context.Canceled) || out.String() != "x" {
		t.Errorf("found %d, %v, %v, %q", n, err, w.err, out.String())
	}
}
