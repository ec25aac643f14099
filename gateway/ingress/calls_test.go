package ingress_test

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"

	"parity/gateway/ingress"
)

// bounded answers where there is room.
func bounded(w http.ResponseWriter, r *http.Request) {
	if err := ingress.Reserve(r.Context(), 0); err != nil {
		w.WriteHeader(http.StatusTooManyRequests)
	}
	_, _ = io.WriteString(w, strings.Repeat("x", 100))
}

// windowless begins HTTP/2 with windows of nothing.
func (p *port) windowless() *http2.Framer {
	p.t.Helper()
	_, f := p.streams()
	if err := f.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 0}); err != nil {
		p.t.Fatal(err)
	}
	return f
}

func ask(f *http2.Framer, stream uint32) error {
	head := block(":method", "GET", ":scheme", "http", ":authority", "x", ":path", "/")
	return f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: head, EndHeaders: true, EndStream: true})
}

// Small replies that a client gives no window for were counted no more once
// their handlers had ended: a client had as many of them as it liked.
func TestRepliesWithoutAWindowStayCounted(t *testing.T) {
	t.Parallel()
	const most = 8
	var ended atomic.Int64
	handler := func(w http.ResponseWriter, r *http.Request) {
		bounded(w, r)
		ended.Add(1)
	}
	p := open(t, setup{handler: handler, change: func(o *ingress.Options) { o.MaxClientCalls = most }})
	f := p.windowless()
	for n := range uint32(most) {
		if err := ask(f, 2*n+1); err != nil {
			t.Fatal(err)
		}
	}
	for ended.Load() < most {
		<-time.After(time.Millisecond)
	}
	for range 20 {
		if answered(p.raw()) {
			t.Fatal("a call was answered beside as many as a client may have, whose replies nobody takes")
		}
	}
	for n := range uint32(most) {
		if err := f.WriteWindowUpdate(2*n+1, 1000); err != nil {
			t.Fatal(err)
		}
	}
	for !answered(p.raw()) { // once they are out
		<-time.After(time.Millisecond)
	}
}

// A client that asks on and on although it is refused is cut, and another
// connection of its address is served once it is.
func TestAClientThatAsksOnOverItsBoundIsCut(t *testing.T) {
	t.Parallel()
	shed := &sheds{}
	p := open(t, setup{handler: bounded, change: func(o *ingress.Options) { o.MaxClientCalls, o.Shed = 8, shed.add }})
	f := p.windowless()
	for n := range uint32(40) {
		if err := ask(f, 2*n+1); err != nil {
			break
		}
	}
	refused, err := 0, error(nil)
	for err == nil {
		var frame http2.Frame
		if frame, err = f.ReadFrame(); err != nil {
			break
		}
		if head, ok := frame.(*http2.MetaHeadersFrame); ok && head.PseudoValue("status") == "429" {
			refused++
		}
	}
	if n := shed.count(ingress.ShedCalls); n == 0 {
		t.Errorf("its connection ended with %v, after %d refusals, shed %v", err, refused, shed.what)
	}
	for !answered(p.raw()) {
		<-time.After(time.Millisecond)
	}
}

// One call of a connection waits for its run at a time, and one that is taken
// back waits no more.
func TestOneCallOfAConnectionHasASeat(t *testing.T) {
	t.Parallel()
	asked, seated, left, goOn := make(chan bool, 3), make(chan bool, 3), make(chan error, 3), make(chan bool)
	handler := func(_ http.ResponseWriter, r *http.Request) {
		asked <- true
		leave, err := ingress.Seat(r.Context())
		if err != nil {
			left <- err
			return
		}
		seated <- true
		<-goOn
		leave()
	}
	p := open(t, setup{handler: handler})
	_, f := p.streams()
	if err := ask(f, 1); err != nil {
		t.Fatal(err)
	}
	<-seated
	for _, stream := range []uint32{3, 5} {
		if err := ask(f, stream); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		<-asked
	}
	if err := f.WriteRSTStream(3, http2.ErrCodeCancel); err != nil {
		t.Fatal(err)
	}
	if err := <-left; err == nil || len(seated) > 0 {
		t.Errorf("the call that was taken back ended with %v; %d others have a seat beside the first", err, len(seated))
	}
	goOn <- true
	<-seated
	goOn <- true
}
