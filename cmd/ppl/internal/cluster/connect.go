package cluster

// This file connects to a server, and refuses connections that others could listen to.

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"github.com/seed-12b88e03/ppl/infer/disk"
)

// An Access is how a server is reached.
type Access struct {
	URL         string // or several, with commas between them
	Credentials string // file with a token, an nkey seed or a user's creds; empty for none
	CA          string // file with certificates of authorities; empty for the system's
	Insecure    bool   // connections beyond this machine may do without TLS and credentials
	Name        string // for the server's log
	Say         func(text string)
}

// Connect reaches a server and sees to it that the queue is there.
func Connect(ctx context.Context, a Access) (*Cluster, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	again := make(chan struct{}, 1)
	options := []nats.Option{
		nats.Name(a.Name), nats.Timeout(5 * time.Second), nats.MaxReconnects(-1), nats.ReconnectWait(500 * time.Millisecond),
		nats.DisconnectErrHandler(func(c *nats.Conn, err error) {
			if !c.IsClosed() {
				a.Say(fmt.Sprintf("%s: the connection is lost; trying again", a.URL))
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			a.Say(fmt.Sprintf("%s: connected again", a.URL))
			select {
			case again <- struct{}{}:
			default: // it has not been seen yet
			}
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { a.Say(fmt.Sprintf("%s: %v", a.URL, err)) }),
	}
	if a.CA != "" {
		if text, err := disk.ReadInput(a.CA, mostSecret); err != nil || !x509.NewCertPool().AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("--ca %s: expected a file with certificates in PEM", a.CA)
		}
		options = append(options, nats.RootCAs(a.CA))
	}
	if a.Credentials != "" {
		o, err := credentials(a.Credentials)
		if err != nil {
			return nil, err
		}
		options = append(options, o)
	}
	conn, err := nats.Connect(a.URL, options...)
	if err != nil {
		return nil, a.explain(err)
	}
	c := &Cluster{url: conn.ConnectedUrlRedacted(), conn: conn, again: again}
	if err := c.open(ctx); err != nil {
		conn.Close()
		return nil, err
	}
	return c, nil
}

// check refuses URLs that are none, and connections beyond this machine without TLS or credentials.
func (a *Access) check() error {
	for text := range strings.SplitSeq(a.URL, ",") {
		if !strings.Contains(text, "://") {
			text = "nats://" + text
		}
		u, err := url.Parse(text)
		if err != nil || u.Hostname() == "" {
			return fmt.Errorf("expected the URL of a NATS server, such as nats://127.0.0.1:4222 or tls://host:4222, found %q", a.URL)
		}
		switch {
		case u.Scheme != "nats" && u.Scheme != "tls" && u.Scheme != "ws" && u.Scheme != "wss":
			return fmt.Errorf("%s: expected a URL that begins with nats://, tls://, ws:// or wss://", text)
		case a.Insecure || Loopback(u.Hostname()):
		case u.Scheme != "tls" && u.Scheme != "wss":
			return fmt.Errorf("%s: models and data would cross the network in the open: begin the URL with tls://, or say --insecure", text)
		case a.Credentials == "" && u.User == nil:
			return fmt.Errorf("%s: a server beyond this machine is reached with --credentials FILE (a token, an nkey seed or a creds file), or with --insecure", text)
		}
	}
	return nil
}

// Loopback reports whether a host is this machine and nobody else reaches it.
func Loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// mostSecret is how many bytes of certificates or credentials are read.
const mostSecret = 1 << 20

// credentials reads a file that holds a user's JWT and seed, an nkey seed, or a token.
func credentials(path string) (nats.Option, error) {
	text, err := disk.ReadInput(path, mostSecret)
	if err != nil {
		return nil, fmt.Errorf("--credentials %s: %w", path, errors.Unwrap(err))
	}
	secret := strings.TrimSpace(string(text))
	_, notSeed := nkeys.FromSeed([]byte(secret))
	switch {
	case strings.Contains(secret, "BEGIN NATS USER JWT"):
		return nats.UserCredentials(path), nil
	case notSeed == nil:
		return nats.NkeyOptionFromSeed(path)
	case secret == "" || strings.ContainsAny(secret, " \t\r\n"):
		return nil, fmt.Errorf("--credentials %s: expected a token in one line, an nkey seed or a creds file", path)
	}
	return nats.Token(secret), nil
}

// explain says in our words why there is no connection.
func (a *Access) explain(err error) error {
	var unknown x509.UnknownAuthorityError
	var certificate *tls.CertificateVerificationError
	what := "no server answers"
	switch {
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired), errors.Is(err, nats.ErrAccountAuthExpired), errors.Is(err, nats.ErrAuthRevoked), errors.Is(err, nats.ErrNkeysNotSupported):
		what = "the server refuses the credentials"
		if a.Credentials == "" {
			what = "the server wants credentials: --credentials FILE"
		}
	case errors.As(err, &unknown):
		what = "the server's certificate is of an authority that this machine does not know; --ca FILE names it"
	case errors.As(err, &certificate):
		what = "the server's certificate is not valid"
	case errors.Is(err, nats.ErrSecureConnWanted):
		what = "the server has no TLS"
	}
	return fmt.Errorf("%s: %s: %w", redacted(a.URL), what, err)
}

// redacted is a list of URLs without what is secret.
func redacted(list string) string {
	var out []string
	for text := range strings.SplitSeq(list, ",") {
		if u, err := url.Parse(text); err == nil && u.User != nil {
			u.User = url.User("xxxxx")
			text = u.String()
		}
		out = append(out, text)
	}
	return strings.Join(out, ",")
}
