// Command service shows how a program embeds a model: it answers questions about success
// rates over HTTP. The model lies in the binary, data come from the request, and a fit ends
// when its client goes or its time is up.
//
//	go run ./examples/service &
//	curl -d '{"trials": [120, 118], "successes": [12, 23]}' localhost:8080/rates
package main

import (
	"context"
	"errors"
	"flag"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

func main() {
	listen := flag.String("listen", "localhost:8080", "address to listen on")
	limit := flag.Duration("limit", 10*time.Second, "longest time for an answer")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	l, err := net.Listen("tcp", *listen)
	if err == nil {
		log.Printf("listening on http://%s/rates", l.Addr())
		err = run(ctx, l, *limit)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// run serves until ctx ends, and lets the answers under way finish.
func run(ctx context.Context, l net.Listener, limit time.Duration) error {
	s, err := newService(runtime.GOMAXPROCS(0), limit)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("POST /rates", s)
	server := &http.Server{Handler: mux, ReadTimeout: limit, WriteTimeout: 2 * limit}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if err := server.Shutdown(last); err != nil {
		return errors.Join(err, server.Close())
	}
	return nil
}
