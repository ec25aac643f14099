//go:build linux

package contain_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"parity/gateway/contain"
)

// role is the variable that says what this binary does in the place of tests.
const role = "PARITY_TEST_ROLE"

func TestMain(m *testing.M) {
	contain.Stage()
	switch os.Getenv(role) {
	case "agent":
		agent(os.Args[1:])
		os.Exit(0)
	case "outside":
		os.Exit(outside(os.Args[1:]))
	case "no namespaces left":
		os.Exit(withoutNamespaces())
	}
	os.Exit(m.Run())
}

// agent does, as a program without any settings, what it is told to, and writes
// what came of each.
func agent(tries []string) {
	for _, try := range tries {
		what, to, _ := strings.Cut(try, " ")
		said := ""
		switch what {
		case "tcp", "udp":
			said = call(what, to)
		case "serve":
			l, err := net.Listen("tcp", to)
			if err != nil {
				said = err.Error()
				break
			}
			fmt.Println("ready")
			conn, err := l.Accept()
			if err == nil {
				fmt.Fprint(conn, "served")
				conn.Close()
			}
		case "listen":
			l, err := net.Listen("tcp", to)
			if err != nil {
				said = err.Error()
				break
			}
			go answer("own", l)
			said = "listens"
		case "status":
			text, err := os.ReadFile("/proc/thread-self/status")
			said = fmt.Sprint(string(text), err)
		case "group":
			unix.Kill(0, unix.SIGTERM)
			select {}
		}
		fmt.Printf("%s: %s\n", try, said)
	}
}

// self is this binary.
func self() string {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return path
}

// outside runs an agent inside, as `parity run` does.
func outside(command []string) int {
	b, err := contain.Open(context.Background(), contain.Options{Level: contain.Network, Files: contain.Files{Show: []string{self()}}})
	if err != nil {
		fmt.Println("refused:", err)
		return 0
	}
	defer b.Close()
	end, err := b.Run(context.Background(), contain.Command{
		Args: command, Env: []string{"PATH=/usr/bin:/bin"}, Dir: "/", Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
	})
	fmt.Println("ended with", end.Code, err)
	return end.Code
}

// call says what is answered at an address.
func call(network, to string) string {
	conn, err := net.DialTimeout(network, to, 2*time.Second)
	if err == nil {
		defer conn.Close()
		conn.SetDeadline(time.Now().Add(2 * time.Second))
		fmt.Fprint(conn, "ask")
		answer := make([]byte, 100)
		var n int
		if n, err = conn.Read(answer); err == nil {
			return string(answer[:n])
		}
	}
	return err.Error()
}

// withoutNamespaces opens a containment in a user namespace that may have no
// others, which this process is alone in.
func withoutNamespaces() int {
	if err := os.WriteFile("/proc/sys/user/max_user_namespaces", []byte("0"), 0); err != nil {
		fmt.Println("skip:", err)
		return 0
	}
	_, err := contain.Open(context.Background(), contain.Options{Level: contain.Network})
	fmt.Println(err)
	return 0
}
