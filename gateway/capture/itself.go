package capture

import (
	"bufio"
	"bytes"
	"net/netip"
	"os"
	"slices"
	"strings"
)

// ThisMachine is what this machine is called, in lower case: its host name, and
// what the hosts file has for it with a domain. Names of other things that the file
// puts at this machine are not among them.
func ThisMachine() []string {
	name, err := os.Hostname()
	if err != nil {
		return nil
	}
	hosts, _ := os.ReadFile("/etc/hosts") // where there is none, the name alone
	return namesOf(name, hosts)
}

func namesOf(name string, hosts []byte) []string {
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	if name == "" || name == "localhost" {
		return nil
	}
	names := []string{name}
	short, _, _ := strings.Cut(name, ".")
	if short != name {
		names = append(names, short)
	}
	for lines := bufio.NewScanner(bytes.NewReader(hosts)); lines.Scan(); {
		line, _, _ := strings.Cut(strings.ToLower(lines.Text()), "#")
		for _, word := range strings.Fields(line) {
			if strings.HasPrefix(word, short+".") && !slices.Contains(names, word) {
				names = append(names, word)
			}
		}
	}
	return names
}

// IsItself tells whether a host is one by which programs on a machine call one
// another: any address of loopback, the unspecified one, localhost and what is
// below it, and what the machine is called.
func IsItself(host string, names []string) bool {
	host = strings.ToLower(strings.Trim(strings.TrimSuffix(host, "."), "[]"))
	if at, err := netip.ParseAddr(host); err == nil {
		at = at.Unmap().WithZone("")
		return at.IsLoopback() || at.IsUnspecified()
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || slices.Contains(names, host)
}

// exempt is what NO_PROXY has. Clients read its entries in their own ways: all take
// a name and an address, Go, curl since 7.86 and Python's requests a range, curl a
// name with a dot at its end for one without. Some stumble over an address in
// brackets (httpx), so that there is none.
//
// To most an entry stands for all names that end in it, a few even where no label
// ends: a machine that is called app would exempt *.vercel.app. So a name is among
// them only if no public name ends in it.
func exempt(names []string) string {
	entries := []string{"localhost", "127.0.0.1", "::1", "127.0.0.0/8", "0.0.0.0", ".localhost"}
	for _, name := range names {
		last := name[strings.LastIndexByte(name, '.')+1:]
		if strings.Contains(name, ".") || strings.ContainsAny(last, "0123456789_-") && !strings.Contains(last, "--") {
			entries = append(entries, name)
		}
	}
	return strings.Join(entries, ",")
}
