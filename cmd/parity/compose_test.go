package main

import (
	"bytes"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v4"

	"parity/fakes/builtin"
)

func compose(t *testing.T, env ...string) *types.Project {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	options, err := cli.NewProjectOptions([]string{filepath.Join(root, "docker-compose.yml")},
		cli.WithName("parity"), cli.WithEnv(append(env, "PARITY_CONTROL_TOKEN=a-token")))
	if err != nil {
		t.Fatal(err)
	}
	project, err := options.LoadProject(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if project, err = project.WithProfiles([]string{"*"}); err != nil {
		t.Fatal(err)
	}
	return project
}

// The agent of compose reaches the gateway and nothing else, and hosts that there
// are fakes of are the gateway's there.
func TestComposeLeavesTheAgentNoWayOut(t *testing.T) {
	t.Parallel()
	project := compose(t)
	agent, gateway := project.Services["agent"], project.Services["contained-gateway"]
	if len(agent.Networks) != 1 || !project.Networks["contained"].Internal || agent.NetworkMode != "" || agent.Privileged || len(agent.Ports) > 0 {
		t.Errorf("the agent has another way out: %v", agent.Networks)
	}
	if len(gateway.Networks) != 1 || gateway.Networks["contained"] == nil {
		t.Fatalf("the gateway is elsewhere too: %v", gateway.Networks)
	}
	all, err := builtin.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range gateway.Networks["contained"].Aliases {
		if _, ok := all.ByHost(host); !ok {
			t.Errorf("%s is led to the gateway, and no fake answers for it", host)
		}
	}
	checkCommand(t, gateway.Command)
	checkCommand(t, gateway.HealthCheck.Test[2:])
	if v := agent.Environment["HTTPS_PROXY"]; v == nil || *v != "http://contained-gateway:443" || !slices.Contains(gateway.Command, "--listen=0.0.0.0:443") {
		t.Error("the agent's proxy is not where the gateway listens")
	}
}

// The gateway that compose starts has flags that there are, listens where its
// ports lead, and reads the profiles of whoever starts it, not those of this
// repository.
func TestComposeStartsAGatewayThatThereIs(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	gateway := compose(t, "PARITY_PROFILES="+folder).Services["gateway"]
	checkCommand(t, gateway.Command)
	checkCommand(t, gateway.HealthCheck.Test[2:])
	ports := map[string]string{}
	for _, word := range gateway.Command {
		if _, address, ok := strings.Cut(word, "=0.0.0.0:"); ok {
			ports[address] = word
		}
	}
	for _, p := range gateway.Ports {
		if p.HostIP != "127.0.0.1" || ports[p.Published] == "" || ports[p.Published] != ports[net.JoinHostPort("", p.Published)[1:]] {
			t.Errorf("port %s:%s:%d leads to none of %v", p.HostIP, p.Published, p.Target, ports)
		}
		delete(ports, p.Published)
	}
	if len(ports) > 0 {
		t.Errorf("nothing leads to %v", ports)
	}
	mounted := map[string]string{}
	for _, v := range gateway.Volumes {
		mounted[v.Target] = v.Source
	}
	if mounted["/profiles"] != folder || !slices.Contains(gateway.Command, "--profiles=/profiles") {
		t.Errorf("the folder of profiles is %q, not the user's", mounted["/profiles"])
	}
	if token := gateway.Environment["PARITY_CONTROL_TOKEN"]; token == nil || *token != "a-token" {
		t.Error("the control token does not come from outside")
	}
}

// checkCommand parses a command line as parity itself does, without running it.
func checkCommand(t *testing.T, args []string) {
	t.Helper()
	var said bytes.Buffer
	c := console{stdin: strings.NewReader(""), stdout: &said, stderr: &said, getenv: func(string) string { return "" }, environ: os.Environ}
	for _, cmd := range []*cobra.Command{serveCommand(c), healthCommand(c)} {
		if cmd.Name() != args[0] {
			continue
		}
		found, rest, err := cmd.Find(args[1:])
		if err == nil {
			err = found.ParseFlags(rest)
		}
		if err != nil {
			t.Errorf("%q: %v", args, err)
		}
		return
	}
	t.Errorf("there is no command %q", args[0])
}

// Prometheus scrapes where the gateway has its metrics, under a name by which
// the control port lets itself be called.
func TestComposeScrapesTheGateway(t *testing.T) {
	t.Parallel()
	project := compose(t)
	var config struct {
		Rules   []string `yaml:"rule_files"`
		Scrapes []struct {
			Path          string `yaml:"metrics_path"`
			Authorization struct{ Credentials string }
			Static        []struct{ Targets []string } `yaml:"static_configs"`
		} `yaml:"scrape_configs"`
	}
	if err := yaml.Load([]byte(project.Configs["prometheus"].Content), &config); err != nil {
		t.Fatal(err)
	}
	rules := project.Configs["alerts"].File
	if _, err := os.Stat(rules); err != nil || !slices.Equal(config.Rules, []string{"/etc/prometheus/" + filepath.Base(rules)}) {
		t.Errorf("its alerts %v are not %s: %v", config.Rules, rules, err)
	}
	scrape := config.Scrapes[0]
	host, port, err := net.SplitHostPort(scrape.Static[0].Targets[0])
	command := project.Services["gateway"].Command
	if err != nil || project.Services[host].Name == "" || !slices.Contains(command, "--control=0.0.0.0:"+port) || !slices.Contains(command, "--control-host="+host) {
		t.Errorf("%q is not where the gateway's control port is: %v", scrape.Static[0].Targets[0], err)
	}
	if scrape.Path != "/metrics" || scrape.Authorization.Credentials != "a-token" {
		t.Errorf("scrapes %s with %q", scrape.Path, scrape.Authorization.Credentials)
	}
}

// The image runs a command that there is, and its build copies what is there.
func TestDockerfileRunsACommandThatThereIs(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	var args []string
	for line := range strings.Lines(string(text)) {
		if _, rest, ok := strings.Cut(line, "CMD ["); ok {
			args = nil
			for word := range strings.SplitSeq(strings.Trim(strings.TrimSpace(rest), "]"), ",") {
				args = append(args, strings.Trim(strings.TrimSpace(word), `"`))
			}
			checkCommand(t, slices.DeleteFunc(args, func(word string) bool { return word == "/parity" }))
		}
		if strings.Contains(line, "go build") && !strings.Contains(line, "./cmd/parity") {
			t.Errorf("it builds %q", line)
		}
	}
	if len(args) == 0 {
		t.Error("it runs nothing")
	}
	if _, err := fs.Stat(os.DirFS("../.."), "cmd/parity/main.go"); err != nil {
		t.Error(err)
	}
}

// What docker compose mounts where nobody names a folder is no folder of this
// repository's sources.
func TestComposeMountsTheSourcesAsProfiles(t *testing.T) {
	t.Parallel()
	for _, v := range compose(t).Services["gateway"].Volumes {
		if v.Target == "/profiles" && filepath.Base(filepath.Dir(v.Source)) != ".parity" {
			t.Errorf("profiles are read from %s", v.Source)
		}
	}
}
