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
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"time"
)

func main() {
	listen := flag.String("listen", "localhost:8080", "address to listen on")
	limit := flag.Duration("limit", 10*time.Second, "longest time for an answer")
	flag.Parse()
	if err := run(*listen, *limit); err != nil {
		log.Fatal(err)
	}
}

// run serves until an interrupt, and lets the answers under way finish.
func run(listen string, limit time.Duration) error {
	s, err := newService(runtime.GOMAXPROCS(0), limit)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("POST /rates", s)
	server := &http.Server{Addr: listen, Handler: mux, ReadTimeout: limit, WriteTimeout: 2 * limit}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- server.ListenAndServe() }()
	log.Printf("listening on http://%s/rates", listen)
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if err := server.Shutdown(last); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}
