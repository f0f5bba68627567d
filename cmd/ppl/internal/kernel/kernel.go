// Package kernel lets Jupyter use a session: cells are its inputs.
//
// Contract. Listen binds the five sockets of a connection file, and Serve answers until it is told to shut down. Messages
// that are not signed with the connection's key, or are none, are ignored. What a session shows goes out by Display, Stream
// and Fail, which belong to the cell that is evaluated.
//
// Concurrency. Interrupt and Shutdown may be called at any time from any goroutine; the session is used by Serve's alone.
package kernel

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"strconv"
	"sync"
)

// A Connection is the content of a connection file.
type Connection struct {
	Transport string `json:"transport"` // "tcp" or "ipc"
	IP        string `json:"ip"`        // of "ipc": a path, to which "-" and the port are added
	Shell     int    `json:"shell_port"`
	Control   int    `json:"control_port"`
	IOPub     int    `json:"iopub_port"`
	Stdin     int    `json:"stdin_port"`
	Heartbeat int    `json:"hb_port"`
	Key       string `json:"key"` // of signatures; empty: there are none
	Scheme    string `json:"signature_scheme"`
}

// ReadConnection reads a connection file.
func ReadConnection(path string) (Connection, error) {
	c := Connection{Transport: "tcp", Scheme: scheme}
	const most = 1 << 20
	if info, err := os.Stat(path); err == nil && (!info.Mode().IsRegular() || info.Size() > most) { // a device has no end
		return c, fmt.Errorf("%s: expected the connection file of a Jupyter client, found no regular file of at most 1 MB", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return c, err
	}
	err = json.Unmarshal(text, &c)
	switch {
	case err != nil:
		return c, fmt.Errorf("%s: expected the connection file of a Jupyter client, which is JSON: %w", path, err)
	case c.IP == "":
		return c, fmt.Errorf("%s: expected the connection file of a Jupyter client, found no ip in it", path)
	case c.Scheme != scheme:
		return c, fmt.Errorf("%s: expected signature_scheme %q, found %q", path, scheme, c.Scheme)
	case c.Transport != "tcp" && c.Transport != "ipc":
		return c, fmt.Errorf("%s: expected the transport tcp or ipc, found %q", path, c.Transport)
	}
	return c, nil
}

// scheme is the one of signatures.
const scheme = "hmac-sha256"

// waiting is how many requests are held while a cell is evaluated; clients wait to send more.
const waiting = 1000

// A Kernel speaks with the clients of one session.
type Kernel struct {
	key, session   string
	sockets        []*socket
	iopub          *socket
	shell, control chan *request
	done           context.Context
	end            context.CancelFunc

	mu     sync.Mutex
	cell   context.Context // of the cell that is evaluated
	cancel context.CancelFunc

	// Of the goroutine of Serve.
	count   int             // cells so far
	parent  json.RawMessage // header of the request that is answered
	silent  bool            // nothing is to be shown of it
	failure *failure        // how it failed; nil: not
	behind  []*request      // that waited when it failed
}

// Listen binds the sockets.
func Listen(c Connection) (*Kernel, error) {
	k := &Kernel{
		key: c.Key, session: rand.Text(), shell: make(chan *request, waiting), control: make(chan *request, waiting),
		cell: context.Background(), cancel: func() {},
	}
	k.done, k.end = context.WithCancel(context.Background())
	for _, s := range []struct {
		kind     string
		port     int
		received func(*peer, [][]byte)
	}{
		{"ROUTER", c.Shell, k.queue(k.shell)},
		{"ROUTER", c.Control, k.queue(k.control)},
		{"PUB", c.IOPub, func(p *peer, frames [][]byte) { k.iopub.subscribe(p, frames) }},
		{"ROUTER", c.Stdin, func(*peer, [][]byte) {}}, // nothing is asked for
		{"REP", c.Heartbeat, (*peer).send},            // it gets back what it sends
	} {
		network, address := "tcp", net.JoinHostPort(c.IP, strconv.Itoa(s.port))
		if c.Transport == "ipc" {
			network, address = "unix", fmt.Sprintf("%s-%d", c.IP, s.port)
		}
		bound, err := bind(s.kind, network, address, s.received)
		if err != nil {
			return nil, errors.Join(err, k.close())
		}
		k.sockets = append(k.sockets, bound)
		if s.kind == "PUB" {
			k.iopub = bound
		}
	}
	return k, nil
}

func (k *Kernel) close() error {
	var err error
	for _, s := range k.sockets {
		err = errors.Join(err, s.Close())
	}
	return err
}

// queue puts requests that are signed behind those that wait.
func (k *Kernel) queue(to chan<- *request) func(*peer, [][]byte) {
	return func(from *peer, frames [][]byte) {
		r, err := read(k.key, from, frames)
		if err != nil {
			return // whoever has the key does not send such
		}
		select {
		case to <- r:
		case <-k.done.Done():
		}
	}
}

// publish tells all clients.
func (k *Kernel) publish(parent json.RawMessage, kind string, content any) {
	k.iopub.publish(k.written([][]byte{[]byte(kind)}, kind, parent, content))
}

// show tells all clients what a cell has shown.
func (k *Kernel) show(kind string, content any) {
	if !k.silent {
		k.publish(k.parent, kind, content)
	}
}

// Display shows a result: its text, and the same in other forms by MIME type.
func (k *Kernel) Display(text string, forms map[string]string) {
	data := map[string]string{"text/plain": text}
	maps.Copy(data, forms)
	k.show("display_data", map[string]any{"data": data, "metadata": struct{}{}, "transient": struct{}{}})
}

// Update shows a text in the place of the one before, whose id it returns; without an id in a place of its own. It may be called
// from any goroutine while a cell is evaluated.
func (k *Kernel) Update(id, text string) string {
	kind := "update_display_data"
	if id == "" {
		kind, id = "display_data", rand.Text()
	}
	k.show(kind, map[string]any{"data": map[string]string{"text/plain": text}, "metadata": struct{}{}, "transient": map[string]string{"display_id": id}})
	return id
}

// A Stream is an io.Writer of a cell: "stdout" or "stderr".
type Stream struct {
	Kernel *Kernel
	Name   string
}

// Write implements io.Writer.
func (s Stream) Write(text []byte) (int, error) {
	s.Kernel.show("stream", map[string]string{"name": s.Name, "text": string(text)})
	return len(text), nil
}

// Cell is the context of the cell that is evaluated: it ends by an interrupt.
func (k *Kernel) Cell() context.Context {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.cell
}

// begin makes the context of a cell; what it returns ends it.
func (k *Kernel) begin() context.CancelFunc {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.cell, k.cancel = context.WithCancel(k.done)
	return k.cancel
}

// Interrupt ends the cell that is evaluated.
func (k *Kernel) Interrupt() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.cancel()
}

// Shutdown ends the cell that is evaluated, and Serve.
func (k *Kernel) Shutdown() { k.end() }
