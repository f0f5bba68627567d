package cluster

// This file is a NATS server inside of this process.

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"github.com/seed-12b88e03/ppl/infer/disk"
)

// A ServerConfig is how a server is to be.
type ServerConfig struct {
	Listen      string // host:port; port 0: any that is free
	Store       string // folder
	Limit       int64  // most bytes in it; 0: what the disk has
	Credentials string // file with a token, or public nkeys, one a line; empty: none are demanded
	Cert, Key   string // files, PEM; empty: no TLS
	Insecure    bool   // beyond this machine without TLS and credentials
	Log         *slog.Logger
}

// A Server is a NATS server with JetStream.
type Server struct {
	config  ServerConfig
	options *server.Options
	server  *server.Server // nil before Start
}

// NewServer returns a server that is not started, and touches nothing: an error is one of the settings.
func NewServer(c ServerConfig) (*Server, error) {
	host, text, err := net.SplitHostPort(c.Listen)
	port, portErr := strconv.Atoi(text)
	if err != nil || portErr != nil || port < 0 || port > 65535 {
		return nil, fmt.Errorf("--listen: expected HOST:PORT, such as 127.0.0.1:4222, found %q", c.Listen)
	}
	switch {
	case c.Insecure || Loopback(host):
	case c.Cert == "" || c.Key == "":
		return nil, fmt.Errorf("--listen %s: models and data would cross the network in the open: give --cert and --key, or --insecure", c.Listen)
	case c.Credentials == "":
		return nil, fmt.Errorf("--listen %s: everybody who reaches it could have programs run: give --credentials, or --insecure", c.Listen)
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	o := &server.Options{
		ServerName: "ppl", Host: host, Port: port, NoSigs: true, JetStream: true, StoreDir: c.Store,
		JetStreamMaxStore: c.Limit, JetStreamMaxMemory: 64 << 20, // workers' presence
	}
	if err := errors.Join(c.demand(o), c.encrypt(o)); err != nil {
		return nil, err
	}
	if l, err := net.Listen("tcp", c.Listen); err != nil {
		return nil, fmt.Errorf("--listen %s: %w", c.Listen, err)
	} else if err := l.Close(); err != nil { // the server would try for long
		return nil, err
	}
	return &Server{config: c, options: o}, nil
}

// Start makes the server ready for connections.
func (s *Server) Start() (err error) {
	if s.server, err = server.NewServer(s.options); err != nil {
		return err
	}
	s.server.SetLogger(&logger{s.config.Log}, false, false)
	s.server.Start()
	if !s.server.ReadyForConnections(10*time.Second) || !s.server.JetStreamEnabled() {
		s.server.Shutdown()
		return fmt.Errorf("--listen %s, --store %s: the server does not start; its log says why", s.config.Listen, s.config.Store)
	}
	return nil
}

// demand reads who may connect.
func (c *ServerConfig) demand(o *server.Options) error {
	if c.Credentials == "" {
		return nil
	}
	text, err := disk.ReadInput(c.Credentials, mostSecret)
	if err != nil {
		return fmt.Errorf("--credentials %s: %w", c.Credentials, errors.Unwrap(err))
	}
	lines := strings.Fields(string(text))
	for _, line := range lines {
		if nkeys.IsValidPublicUserKey(line) {
			o.Nkeys = append(o.Nkeys, &server.NkeyUser{Nkey: line})
		}
	}
	switch {
	case len(lines) > 0 && len(o.Nkeys) == len(lines):
	case len(lines) == 1:
		o.Authorization = lines[0]
	default:
		return fmt.Errorf("--credentials %s: expected one token, or public nkeys of users, one a line", c.Credentials)
	}
	return nil
}

// encrypt reads the certificate.
func (c *ServerConfig) encrypt(o *server.Options) error {
	if c.Cert == "" && c.Key == "" {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(c.Cert, c.Key)
	if err != nil {
		return fmt.Errorf("--cert %s, --key %s: %w", c.Cert, c.Key, err)
	}
	o.TLS, o.TLSConfig = true, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	o.TLSTimeout = 5
	return nil
}

// URL is where clients on this machine reach the server.
func (s *Server) URL() string { return s.server.ClientURL() }

// Close puts everything on disk and ends.
func (s *Server) Close() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
}

// Metrics writes gauges as Prometheus reads them.
func (s *Server) Metrics(out io.Writer) error {
	state, err := s.server.Jsz(&server.JSzOptions{Accounts: true, Streams: true, Consumer: true})
	if err != nil {
		return err
	}
	var leased, waiting uint64
	stored := map[string]uint64{}
	for _, a := range state.AccountDetails {
		for _, st := range a.Streams {
			stored[st.Name] = st.State.Msgs
			for _, c := range st.Consumer {
				if st.Name == queueName {
					leased += uint64(c.NumAckPending)
					waiting += c.NumPending
				}
			}
		}
	}
	_, err = fmt.Fprintf(out, `# TYPE ppl_tasks gauge
ppl_tasks{state="waiting"} %d
ppl_tasks{state="leased"} %d
# TYPE ppl_results gauge
ppl_results %d
# TYPE ppl_workers gauge
ppl_workers %d
# TYPE ppl_connections gauge
ppl_connections %d
# TYPE ppl_store_bytes gauge
ppl_store_bytes %d
`, waiting, leased, stored["KV_ppl_results"], stored["KV_ppl_workers"], s.server.NumClients(), state.Store)
	return err
}

// A logger hands on what the server says. It implements server.Logger.
type logger struct{ *slog.Logger }

func (l *logger) Noticef(format string, v ...any) { l.Debug(fmt.Sprintf(format, v...)) }
func (l *logger) Warnf(format string, v ...any)   { l.Warn(fmt.Sprintf(format, v...)) }
func (l *logger) Debugf(format string, v ...any)  { l.Debug(fmt.Sprintf(format, v...)) }
func (l *logger) Tracef(format string, v ...any)  { l.Debug(fmt.Sprintf(format, v...)) }
func (l *logger) Fatalf(format string, v ...any)  { l.Error(fmt.Sprintf(format, v...)) }
func (l *logger) Errorf(format string, v ...any)  { l.Error(fmt.Sprintf(format, v...)) }
