package gateway_test

import (
	"bufio"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkColdStart is the time from starting the program to its first good
// answer, with default settings: the binary, its contracts, the profile, the
// journal and the ports. A gateway that is opened in this process has most of
// that behind it. The certificate authority is there already, as it is on every
// start but the first. make peers sets starts beside those of others.
func BenchmarkColdStart(b *testing.B) {
	dir := b.TempDir()
	binary := filepath.Join(dir, "parity.exe")
	if out, err := exec.Command("go", "build", "-o", binary, "../cmd/parity").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	coldStart(b, binary, dir)
	var took, used []time.Duration
	for b.Loop() {
		t, u := coldStart(b, binary, dir)
		took, used = append(took, t), append(used, u)
	}
	slices.Sort(took)
	slices.Sort(used)
	b.ReportMetric(took[len(took)/2].Seconds()*1000, "ms/median")
	b.ReportMetric(used[len(used)/2].Seconds()*1000, "cpu-ms/median")
}

// coldStart starts a gateway that lives until it has answered once, and gives
// how long that took, and its processor time.
func coldStart(b *testing.B, binary, home string) (took, used time.Duration) {
	cmd := exec.CommandContext(b.Context(), binary, "serve")
	cmd.Dir = b.TempDir()
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+filepath.Join(home, "config"))
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	err = firstAnswer(b, bufio.NewScanner(out))
	took = time.Since(began)
	_ = cmd.Process.Kill() // what it does at its end is not counted
	_ = cmd.Wait()
	if err != nil {
		b.Fatal(err)
	}
	return took, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// firstAnswer reads what the program says, and calls it where it says it is.
func firstAnswer(b *testing.B, said *bufio.Scanner) error {
	for said.Scan() {
		base, ok := strings.CutPrefix(said.Text(), "data ")
		if !ok {
			continue
		}
		reply, err := http.DefaultClient.Do(request(b, "GET", strings.TrimSpace(base)+"/stripe/v1/charges", ""))
		if err != nil {
			return err
		}
		defer reply.Body.Close()
		if reply.StatusCode != http.StatusOK {
			return fmt.Errorf("status %d", reply.StatusCode)
		}
		return nil
	}
	return errors.Join(errors.New("it ended without saying where it is"), said.Err())
}
