package main

// This file has the commands of scripts about servers and workers.

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"syscall"
	"time"

	"github.com/nats-io/nkeys"
	"github.com/rogpeppe/go-internal/testscript"
)

// A running is a process that a script has started.
type running struct {
	cmd            *exec.Cmd
	stdout, stderr lockedBuffer
}

// background starts a command, waits until its standard error matches, and makes what the first group matches the value of a
// variable: background NAME REGEXP COMMAND ARG...
func background(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: background NAME REGEXP COMMAND ARG...")
	}
	begun, err := regexp.Compile("(?m)" + args[1])
	ts.Check(err)
	r := &running{cmd: exec.Command(args[2], args[3:]...)}
	r.cmd.Dir, r.cmd.Stdout, r.cmd.Stderr = ts.MkAbs("."), &r.stdout, &r.stderr
	ts.Check(r.cmd.Start())
	ts.Defer(func() {
		_ = r.cmd.Process.Kill() // it may have ended
		_ = r.cmd.Wait()
	})
	if all, ok := ts.Value(runningKey{}).(map[string]*running); ok {
		all[args[0]] = r
	}
	if !eventually(func() bool { return begun.MatchString(r.stderr.String()) }) {
		ts.Fatalf("standard error does not match %s:\n%s", args[1], r.stderr.String())
	}
	if m := begun.FindStringSubmatch(r.stderr.String()); len(m) > 1 {
		ts.Setenv(args[0], m[1])
	}
	show(ts, r)
}

// runningKey is where a script's processes are.
type runningKey struct{}

func show(ts *testscript.TestScript, r *running) {
	_, errOut := ts.Stdout().Write([]byte(r.stdout.String()))
	_, errErr := ts.Stderr().Write([]byte(r.stderr.String()))
	ts.Check(errors.Join(errOut, errErr))
}

// signalled sends a signal to a process, or none, and waits for its end; unless it was killed, that must be a good one:
// signal NAME int|kill|none
func signalled(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: signal NAME int|kill|none")
	}
	r := ts.Value(runningKey{}).(map[string]*running)[args[0]]
	if s, ok := map[string]syscall.Signal{"int": syscall.SIGINT, "kill": syscall.SIGKILL}[args[1]]; ok {
		ts.Check(r.cmd.Process.Signal(s))
	}
	err := r.cmd.Wait()
	show(ts, r)
	if args[1] != "kill" && err != nil {
		ts.Fatalf("%v; standard error:\n%s", err, r.stderr.String())
	}
}

// fetched prints what a web server answers: fetch URL
func fetched(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: fetch URL")
	}
	answer, err := http.Get(args[0]) //nolint:gosec // a server of the script
	ts.Check(err)
	defer answer.Body.Close()
	_, err = io.Copy(ts.Stdout(), answer.Body)
	ts.Check(err)
}

// secrets writes cert.pem and key.pem for 127.0.0.1, past.pem, which has expired, and the nkey user.seed with user.pub.
func secrets(ts *testscript.TestScript, neg bool, args []string) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	ts.Check(err)
	for name, end := range map[string]time.Time{"cert.pem": time.Now().Add(time.Hour), "past.pem": time.Now().Add(-time.Hour)} {
		c := &x509.Certificate{
			SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-2 * time.Hour), NotAfter: end, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
			IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		}
		der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
		ts.Check(err)
		ts.Check(os.WriteFile(ts.MkAbs(name), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs("key.pem"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600))
	user, err := nkeys.CreateUser()
	ts.Check(err)
	seed, err := user.Seed()
	ts.Check(err)
	public, err := user.PublicKey()
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs("user.seed"), seed, 0o600))
	ts.Check(os.WriteFile(ts.MkAbs("user.pub"), []byte(public+"\n"), 0o600))
}
