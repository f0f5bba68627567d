package main

// This file is ppl play: a server for the playground, whose program runs in the browser.

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// playCmd serves the playground.
type playCmd struct {
	Dir     string `arg:"" help:"Folder of the playground, as cmd/ppl/extra/play/build.sh makes it. Any server of files can serve it."`
	Address string `placeholder:"HOST:PORT" default:"127.0.0.1:8080" help:"Where to listen; 127.0.0.1:8080 without it. Port 0: one that is free."`
}

// Help implements kong.HelpProvider.
func (*playCmd) Help() string {
	return "Models are fitted by the page itself: nothing is sent anywhere. Ctrl-C ends it.\n\n" + examples(
		"ppl play playground",
		"ppl play playground --address 127.0.0.1:0",
	)
}

// Run serves until it is interrupted.
func (c *playCmd) Run(a *app) error {
	if _, err := os.Stat(filepath.Join(c.Dir, "play.wasm.packed")); err != nil {
		return &exit{code: exitWrongInput, err: fmt.Errorf("%s: there is no playground in this folder", c.Dir), help: "cmd/ppl/extra/play/build.sh of the source makes one"}
	}
	l, err := net.Listen("tcp", c.Address)
	if err != nil {
		return wrongf("--address %s: expected a host and a port that can be listened at, such as 127.0.0.1:8080: %w", c.Address, err)
	}
	ctx, stop := untilInterrupt(nil, func() {})
	defer stop()
	a.say("http://%s", l.Addr())
	files := http.FileServerFS(os.DirFS(c.Dir))
	s := &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-cache") // a folder that was built anew is seen at once
		files.ServeHTTP(w, r)
	})}
	defer context.AfterFunc(ctx, func() { _ = s.Close() })()
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return &exit{code: exitInterrupted}
}
