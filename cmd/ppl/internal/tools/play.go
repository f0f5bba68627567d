package tools

// This file is ppl play: a server for the playground, whose program runs in the browser.

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/textproto"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
)

// PlayCmd serves the playground.
type PlayCmd struct {
	Dir     string `arg:"" help:"Folder of the playground, as cmd/ppl/extra/play/build.sh makes it. Any server of files can serve it."`
	Address string `placeholder:"HOST:PORT" default:"127.0.0.1:8080" help:"Where to listen; 127.0.0.1:8080 without it. Port 0: one that is free."`
}

// Help implements kong.HelpProvider.
func (*PlayCmd) Help() string {
	return "Models are fitted by the page itself: nothing is sent anywhere. Ctrl-C ends it.\n\n" + frame.Examples(
		"ppl play playground",
		"ppl play playground --address 127.0.0.1:0",
	)
}

// Run serves until it is interrupted.
func (c *PlayCmd) Run(a *frame.App) error {
	if _, err := os.Stat(filepath.Join(c.Dir, "play.wasm.packed")); err != nil {
		return &frame.Exit{Code: frame.ExitWrongInput, Err: fmt.Errorf("%s: there is no playground in this folder", c.Dir), Help: "cmd/ppl/extra/play/build.sh of the source makes one"}
	}
	l, err := net.Listen("tcp", c.Address)
	if err != nil {
		return frame.Wrongf("--address %s: expected a host and a port that can be listened at, such as 127.0.0.1:8080: %w", c.Address, err)
	}
	ctx, stop := frame.UntilInterrupt(nil, func() {})
	defer stop()
	a.Say("http://%s", l.Addr())
	defer context.AfterFunc(ctx, func() { _ = l.Close() })()
	for files := os.DirFS(c.Dir); ; {
		conn, err := l.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return &frame.Exit{Code: frame.ExitInterrupted}
		case err != nil:
			time.Sleep(100 * time.Millisecond) // there may be too many open files
		default:
			go func() {
				defer conn.Close()
				if err := conn.SetDeadline(time.Now().Add(time.Minute)); err == nil {
					_, _ = conn.Write(Served(files, bufio.NewReader(io.LimitReader(conn, 1<<16)))) // whoever has asked may be gone
				}
			}()
		}
	}
}

// playTypes are those of the files of the playground; others are text.
var playTypes = map[string]string{".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".packed": "application/octet-stream"}

// Served answers one request for a file. The server of net/http, of which this needs nothing else, would make ppl larger by 2.4 MB.
func Served(files fs.FS, in *bufio.Reader) []byte {
	request := textproto.NewReader(in)
	line, err := request.ReadLine()
	words := strings.Fields(line)
	if err == nil {
		_, err = request.ReadMIMEHeader() // to its end
	}
	status, kind, body := "200 OK", "text/plain", []byte(nil)
	switch {
	case err != nil || len(words) != 3:
		status = "400 Bad Request"
	case words[0] != "GET" && words[0] != "HEAD":
		status = "405 Method Not Allowed"
	default:
		name, _, _ := strings.Cut(strings.TrimPrefix(words[1], "/"), "?")
		name = cmp.Or(name, "index.html")
		if body, err = fs.ReadFile(files, name); err != nil {
			status, body = "404 Not Found", nil
		}
		kind = cmp.Or(playTypes[path.Ext(name)], kind)
	}
	head := fmt.Appendf(nil, "HTTP/1.1 %s\r\nContent-Type: %s; charset=utf-8\r\nContent-Length: %d\r\nCache-Control: no-cache\r\nConnection: close\r\n\r\n", status, kind, len(body))
	if len(words) > 0 && words[0] == "HEAD" {
		return head
	}
	return append(head, body...)
}
