package capture

import (
	"slices"
	"strings"
	"testing"
)

func TestWhatAMachineIsCalled(t *testing.T) {
	t.Parallel()
	hosts := "127.0.0.1 localhost\n127.0.1.1 build-7.corp.example build-7 # build-7.comment.example\n127.0.0.1 api.stripe.com\n10.0.0.9 BUILD-7.vpn.example other\n"
	for name, want := range map[string]string{
		"build-7": "build-7 build-7.corp.example build-7.vpn.example", "Build-7.corp.example.": "build-7.corp.example build-7 build-7.vpn.example",
		"": "", "localhost": "", "vm": "vm",
	} {
		if got := strings.Join(namesOf(name, []byte(hosts)), " "); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

func TestHostsOfThisMachine(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]bool{
		"localhost": true, "LOCALHOST.": true, "api.localhost": true, "127.0.0.2": true, "127.255.0.1": true, "0.0.0.0": true, "::": true, "[::1]": true, "::ffff:127.0.0.9": true,
		"VM": true, "vm.": true, "notlocalhost": false, "localhost.example": false, "128.0.0.1": false, "10.0.0.1": false, "a.vm": false, "": false, "169.254.169.254": false,
	} {
		if IsItself(host, []string{"vm"}) != want {
			t.Errorf("%q: %v", host, !want)
		}
	}
}

// To most clients an entry stands for what is below it, to some for what ends in
// it: a machine that is called as a top-level domain exempts nobody's hosts.
func TestWhatIsExemptIsNoSuffixOfOthers(t *testing.T) {
	t.Parallel()
	const always = "localhost,127.0.0.1,::1,127.0.0.0/8,0.0.0.0,.localhost"
	for names, want := range map[string]string{
		"": always, "app": always, "dev com": always, "xn--p1ai": always,
		"build-7": always + ",build-7", "my-host": always + ",my-host", "ip10": always + ",ip10", "3f2a9c": always + ",3f2a9c", "build.corp.example": always + ",build.corp.example",
	} {
		if got := exempt(strings.Fields(names)); got != want {
			t.Errorf("%q: %s", names, got)
		}
	}
	if slices.ContainsFunc(strings.Split(exempt([]string{"a.b"}), ","), func(e string) bool { return strings.HasPrefix(e, "[") }) {
		t.Error("an address in brackets, over which httpx stumbles")
	}
}
