package kernel

// This file is the part of ZeroMQ that a kernel needs: bound sockets that speak ZMTP 3.0 without security
// (rfc.zeromq.org/spec/23).

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"time"
)

// What a peer may cost: it is not known to be a friend before a signature was seen.
const (
	mostBytes     = 64 << 20 // of a message
	mostFrames    = 1000     // of a message
	handshakeTime = 10 * time.Second
	sendTime      = 10 * time.Second // a peer that takes nothing for so long is left
)

// The flags of a frame.
const (
	moreFlag    = 1
	longFlag    = 2
	commandFlag = 4
)

// A socket is bound to an address and has any number of peers.
type socket struct {
	net.Listener
	kind     string // "ROUTER", "PUB" or "REP"
	received func(from *peer, frames [][]byte)

	mu    sync.Mutex
	peers map[*peer]bool // that have shaken hands
}

// A peer is a connection to a socket.
type peer struct {
	net.Conn
	mu     sync.Mutex // of sending
	topics [][]byte   // what a peer of a publisher has subscribed to
}

// bind opens a socket; received is called in a goroutine for each peer.
func bind(kind, network, address string, received func(*peer, [][]byte)) (*socket, error) {
	l, err := net.Listen(network, address)
	if err != nil {
		return nil, err
	}
	s := &socket{Listener: l, kind: kind, received: received, peers: map[*peer]bool{}}
	go s.accept()
	return s, nil
}

func (s *socket) accept() {
	for {
		conn, err := s.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil:
			time.Sleep(100 * time.Millisecond) // there may be too many open files
		default:
			go s.serve(&peer{Conn: conn})
		}
	}
}

// serve reads what a peer sends until one side has enough of it.
func (s *socket) serve(p *peer) {
	defer p.Close()
	r := bufio.NewReader(p)
	if s.shakeHands(p, r) != nil {
		return
	}
	s.mu.Lock()
	s.peers[p] = true
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.peers, p)
	}()
	for {
		frames, command, err := receive(r)
		if err != nil {
			return
		}
		if !command {
			s.received(p, frames)
		}
	}
}

// greeting names the version and the mechanism: signature, 3.0, "NULL" and filler.
var greeting = append([]byte("\xff\x00\x00\x00\x00\x00\x00\x00\x01\x7f\x03\x00NULL"), make([]byte, 48)...)

// shakeHands exchanges greetings and what the sockets are.
func (s *socket) shakeHands(p *peer, r *bufio.Reader) error {
	if err := p.SetDeadline(time.Now().Add(handshakeTime)); err != nil {
		return err
	}
	if _, err := p.Write(greeting); err != nil {
		return err
	}
	theirs := make([]byte, len(greeting))
	if _, err := io.ReadFull(r, theirs); err != nil {
		return err
	}
	if theirs[0] != 0xff || theirs[9] != 0x7f || theirs[10] < 3 || !bytes.Equal(theirs[12:32], greeting[12:32]) {
		return errors.New("no ZMTP 3 without security")
	}
	ready := "\x05READY\x0bSocket-Type\x00\x00\x00" + string(rune(len(s.kind))) + s.kind
	if _, err := p.Write(append([]byte{commandFlag, byte(len(ready))}, ready...)); err != nil {
		return err
	}
	frames, command, err := receive(r)
	if err == nil && !(command && strings.HasPrefix(string(frames[0]), "\x05READY")) {
		err = errors.New("the peer is not ready")
	}
	return errors.Join(err, p.SetDeadline(time.Time{}))
}

// receive reads a message, or a command.
func receive(r io.Reader) (frames [][]byte, command bool, err error) {
	for left := uint64(mostBytes); len(frames) < mostFrames; {
		var head [9]byte
		if _, err := io.ReadFull(r, head[:2]); err != nil {
			return nil, false, err
		}
		size := uint64(head[1])
		if head[0]&longFlag != 0 {
			if _, err := io.ReadFull(r, head[2:]); err != nil {
				return nil, false, err
			}
			size = binary.BigEndian.Uint64(head[1:])
		}
		if size > left {
			break
		}
		left -= size
		frame := make([]byte, size)
		if _, err := io.ReadFull(r, frame); err != nil {
			return nil, false, err
		}
		frames = append(frames, frame)
		if head[0]&moreFlag == 0 {
			return frames, head[0]&commandFlag != 0, nil
		}
	}
	return nil, false, errors.New("the message is too large")
}

// send sends a message; a peer that does not take it is left.
func (p *peer) send(frames [][]byte) {
	var b []byte
	for i, frame := range frames {
		flags := byte(0)
		if i < len(frames)-1 {
			flags = moreFlag
		}
		if len(frame) < 256 {
			b = append(b, flags, byte(len(frame)))
		} else {
			b = binary.BigEndian.AppendUint64(append(b, flags|longFlag), uint64(len(frame)))
		}
		b = append(b, frame...)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.SetWriteDeadline(time.Now().Add(sendTime)) // where it fails, so does Write
	if _, err := p.Write(b); err != nil {
		p.Close()
	}
}

// publish sends a message to the peers that have subscribed to the beginning of its first frame.
func (s *socket) publish(frames [][]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for p := range s.peers {
		for _, topic := range p.topics {
			if bytes.HasPrefix(frames[0], topic) {
				p.send(frames)
				break
			}
		}
	}
}

// subscribe is what a publisher receives: 1 and a topic, or 0 and one to be forgotten.
func (s *socket) subscribe(p *peer, frames [][]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := frames[0]; len(f) > 0 && f[0] == 1 {
		p.topics = append(p.topics, f[1:])
	} else if len(f) > 0 {
		for i, topic := range p.topics {
			if bytes.Equal(topic, f[1:]) {
				p.topics = append(p.topics[:i], p.topics[i+1:]...)
				break
			}
		}
	}
}

// Close leaves all peers.
func (s *socket) Close() error {
	err := s.Listener.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	for p := range s.peers {
		err = errors.Join(err, p.Close())
	}
	return err
}
