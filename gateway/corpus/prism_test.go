package corpus

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"parity/specs/openapi"
)

// prismVariable asks for the comparison.
const prismVariable = "PARITY_CORPUS_PRISM"

// compared are thirty documents of less than 300 kB, of as many vendors, each
// with eight to eighty operations and something to make a round trip of.
var compared = []string{
	"1password.local/connect.json", "amazonaws.com/m2.json", "api.video.json", "apideck.com/vault.json",
	"azure.com/mobileengagement-mobile-engagement.json", "billingo.hu.json", "bluemix.net/containers.json", "bulksms.com.json",
	"combell.com.json", "contentgroove.com.json", "docker.com/hub.json", "ebay.com/sell-account.json",
	"googleapis.com/fitness.json", "hubapi.com/automation.json", "ideal-postcodes.co.uk.json", "ijenko.net.json",
	"impala.travel/hotels.json", "interactivebrokers.com.json", "microsoft.com/cognitiveservices-Training.json", "nexmo.com/conversation.json",
	"onsched.com/consumer.json", "ritc.io.json", "sakari.io.json", "telstra.com.json",
	"turbinelabs.io.json", "twilio.com/twilio_notify_v1.json", "uebermaps.com.json", "vestorly.com.json",
	"windows.net/graphrbac.json", "wiremock.org/admin.json",
}

// TestPrism sends the same requests to Parity and to Prism, and has the same
// oracles judge their replies.
func TestPrism(t *testing.T) {
	root := os.Getenv(folderVariable)
	if root == "" || os.Getenv(prismVariable) == "" {
		t.Skip("not asked for: make corpus-prism compares with Prism")
	}
	modules := filepath.Join(root, "..", "..")
	program := filepath.Join(modules, ".bin", "prism")
	if _, err := os.Stat(program); err != nil {
		t.Skip("Prism is not installed: make corpus-prism does it")
	}
	var columns []sums
	for _, s := range []stage{gatewayStage(t), &prism{program: program, client: newClient()}} {
		results, _, _ := run(t, root, compared, 2, s)
		if _, ok := s.(*prism); ok {
			fmt.Println("failures of Prism:", keep(t, results))
		}
		columns = append(columns, summary{results: results}.sums())
	}
	fmt.Print(sideBySide(columns[0], columns[1]))
}

// sideBySide is the table of the comparison.
func sideBySide(parity, prism sums) string {
	var b strings.Builder
	row := func(name string, of func(sums) (int, int)) {
		fmt.Fprintf(&b, "| %s |", name)
		for _, s := range []sums{parity, prism} {
			n, total := of(s)
			fmt.Fprintf(&b, " %d of %d (%s) |", n, total, share(n, total))
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "\n| %d documents | Parity | Prism |\n| --- | ---: | ---: |\n", len(compared))
	row("loaded", func(s sums) (int, int) { return s.loaded, s.documents })
	for _, fate := range []string{answered, stateRefuses, replyInvalid, refusedWrong, broke, failed, notJudged, notMade, notServed} {
		row(fate, func(s sums) (int, int) { return s.fates[fate], s.operations })
	}
	for _, fate := range []string{rightly, acceptedWrong, broke, failed, nothingWrong, notSpoilt} {
		row("invalid request: "+fate, func(s sums) (int, int) { return s.spoilt[fate], s.operations })
	}
	row("state kept: round trips held", func(s sums) (int, int) { return s.pairs.Held, s.pairs.Whole })
	return b.String()
}

func newClient() *http.Client {
	return &http.Client{
		Transport:     &http.Transport{MaxIdleConnsPerHost: 4, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// prism is the stage on which Prism answers, a process for each document.
type prism struct {
	program string
	client  *http.Client
}

type prismSubject struct {
	*prism
	address string
	process *exec.Cmd
}

func (p *prism) open(file string) (subject, map[string]int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		return nil, nil, err
	}
	_, port, _ := net.SplitHostPort(address)
	c := exec.Command(p.program, "mock", "--host", "127.0.0.1", "--port", port, file)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := c.Start(); err != nil {
		return nil, nil, err
	}
	s := &prismSubject{prism: p, address: address, process: c}
	ended := make(chan struct{})
	go func() {
		_ = c.Wait() // it is killed in the end
		close(ended)
	}()
	for range 300 {
		if conn, err := net.DialTimeout("tcp", address, time.Second); err == nil {
			conn.Close()
			return s, nil, nil
		}
		select {
		case <-ended:
			return nil, nil, errors.New("prism ended by itself")
		case <-time.After(100 * time.Millisecond):
		}
	}
	s.close()
	return nil, nil, errors.New("prism does not listen after " + strconv.Itoa(30) + " s")
}

func (s *prismSubject) close() {
	s.client.CloseIdleConnections()
	_ = syscall.Kill(-s.process.Process.Pid, syscall.SIGKILL) // its whole group; it may be gone
}

// base leaves out the server's base path, as Prism does.
func (s *prismSubject) base(*openapi.Operation) string { return "http://" + s.address }

func (s *prismSubject) do(r *http.Request) (*http.Response, error) { return s.client.Do(r) }
