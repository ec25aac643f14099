package capture

import (
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"
)

// Settings say where the gateway is and which run the agent belongs to.
// Paths are absolute, since an agent may change its folder.
type Settings struct {
	ProxyURL    string // http://RUN:TOKEN@127.0.0.1:PORT
	TLSAddr     string // host:port that takes TLS directly and picks by SNI: the data port
	PlainAddr   string // host:port that takes HTTP directly and picks by Host: the data port
	BundlePath  string // PEM: the system's roots and our CA
	CAPath      string // PEM: our CA, and what the parent had Node trust besides its own roots
	PreloadPath string // what WritePreload gave
	PythonPath  string // what WritePython gave
	TrustPath   string // what Files.Write gave, as the others
	ControlURL  string
	Names       []string // what this machine is called: see ThisMachine
	Run         string
	Token       string // of the run: with it the agent posts what came of its work

	Minted map[string]string `json:"-"` // credentials that were made for the run, by variable; they are written into no file
}

const (
	nodeOptions = "NODE_OPTIONS"
	javaOptions = "JAVA_TOOL_OPTIONS"
	pythonPath  = "PYTHONPATH"
	// direct stays as the parent has it: hosts that the preload leaves alone.
	direct = "PARITY_DIRECT"
	// ownHosts names what this machine is called, for the preload and Python: the
	// agent's own services there are called as without a gateway.
	ownHosts = "PARITY_OWN_HOSTS"
)

// operators are variables of whoever starts agents, which no agent inherits: the
// control token is good for every run, and a control URL may have it inside.
func operators() []string { return []string{"PARITY_CONTROL_TOKEN", "PARITY_GATEWAY"} }

// added tells of a variable that is added to whether ours comes first, and what
// stands between.
func added(name string) (first bool, separator string, ok bool) {
	switch name {
	case nodeOptions, javaOptions: // the later of two wins
		return false, " ", true
	case pythonPath:
		return true, string(os.PathListSeparator), true
	}
	return false, "", false
}

// variables are what the agent gets; those that are added to, without what was
// in them before.
func (s Settings) variables() map[string]string {
	vars := map[string]string{
		"NODE_EXTRA_CA_CERTS": s.CAPath,
		// Node 24 and late 22; without effect on 20, which has the preload only.
		"NODE_USE_ENV_PROXY": "1",
		nodeOptions:          "--require " + nodeQuote(s.PreloadPath),
		javaOptions:          s.java(),
		pythonPath:           s.PythonPath,
		"PARITY_CONTROL_URL": s.ControlURL,
		"PARITY_RUN":         s.Run,
		"PARITY_TOKEN":       s.Token,
		"PARITY_TLS_ADDR":    s.TLSAddr,
		"PARITY_PLAIN_ADDR":  s.PlainAddr,
	}
	if len(s.Names) > 0 {
		vars[ownHosts] = strings.Join(s.Names, ",")
	}
	for name, value := range s.Minted {
		if _, ours := vars[name]; !ours {
			vars[name] = value
		}
	}
	// Both cases: curl reads http_proxy only in lower case, twilio-node
	// HTTP_PROXY only in upper case.
	for name, value := range map[string]string{
		"HTTP_PROXY": s.ProxyURL, "HTTPS_PROXY": s.ProxyURL, "ALL_PROXY": s.ProxyURL, "NO_PROXY": exempt(s.Names),
	} {
		vars[name], vars[strings.ToLower(name)] = value, value
	}
	// All of these replace the roots of their program instead of adding to
	// them, so they get the bundle: our CA alone would break tunnelled hosts.
	for _, name := range []string{
		"SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO",
		"AWS_CA_BUNDLE", "PIP_CERT", "DENO_CERT",
	} {
		vars[name] = s.BundlePath
	}
	return vars
}

// Environ is the environment for the agent: the parent's, in its order, with
// ours in place of what would lead around the gateway, in order of name.
// NODE_OPTIONS, JAVA_TOOL_OPTIONS and PYTHONPATH are added to; everything else is replaced, and Notes says where
// that may be felt. What is the operator's own is left out. The parent's slice is
// not changed.
func (s Settings) Environ(parent []string) []string {
	vars := s.variables()
	environ := make([]string, 0, len(parent)+len(vars))
	for _, entry := range parent {
		name, value, _ := strings.Cut(entry, "=")
		if first, separator, ok := added(name); ok && strings.TrimSpace(value) != "" {
			if vars[name] = value + separator + vars[name]; first {
				vars[name] = s.variables()[name] + separator + value
			}
		}
		if _, ours := vars[name]; !ours && !slices.Contains(operators(), name) {
			environ = append(environ, entry)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		environ = append(environ, name+"="+vars[name])
	}
	return environ
}

// Notes are sentences for the person who starts the agent, one for each setting
// of the parent that the agent will not see as it was and may miss.
func (s Settings) Notes(parent []string) []string {
	var notes []string
	var dropped []string
	for _, entry := range parent {
		name, value, _ := strings.Cut(entry, "=")
		if minted, ok := s.Minted[name]; ok && value != minted {
			notes = append(notes, name+" is replaced for the agent by a credential that was made for this run, as its profile says")
		}
		switch name {
		case "NO_PROXY", "no_proxy":
			for host := range strings.SplitSeq(value, ",") {
				host = strings.TrimSpace(host)
				if host != "" && !IsItself(strings.TrimPrefix(host, "."), s.Names) && host != "127.0.0.0/8" && !slices.Contains(dropped, host) {
					dropped = append(dropped, host)
				}
			}
		case direct:
			if value != "" {
				notes = append(notes, direct+"="+value+" lets Node reach these hosts without the gateway")
			}
		}
	}
	if len(dropped) > 0 {
		notes = append(notes, "NO_PROXY is replaced for the agent, without "+strings.Join(dropped, ",")+
			": what it exempts would never reach the gateway; name hosts to let through with --allow")
	}
	return notes
}

// java is what has a JVM go through the proxy and trust the bundle. A JVM sends
// no credentials to a proxy that is named so: on this machine it belongs to the
// first run.
func (s Settings) java() string {
	u, err := url.Parse(s.ProxyURL)
	if err != nil {
		return ""
	}
	var options []string
	for _, scheme := range []string{"http", "https"} {
		options = append(options, "-D"+scheme+".proxyHost="+u.Hostname(), "-D"+scheme+".proxyPort="+u.Port())
	}
	options = append(options, "-Dhttp.nonProxyHosts="+strings.Join(slices.Concat([]string{"localhost", "localhost.", "*.localhost", "127.*", "[::1]", "0.0.0.0", "[::]"}, s.Names), "|"))
	trust := "-Djavax.net.ssl.trustStore=" + s.TrustPath
	switch { // quotes of either kind, and nothing that escapes
	case !strings.ContainsAny(trust, " '\""):
	case !strings.Contains(trust, "'"):
		trust = "'" + trust + "'"
	default:
		trust = `"` + trust + `"`
	}
	return strings.Join(append(options, trust, "-Djavax.net.ssl.trustStoreType=PKCS12"), " ")
}

// nodeQuote words a path for NODE_OPTIONS, which splits at spaces outside
// double quotes and knows backslashes inside them only
// (https://nodejs.org/api/cli.html#node_optionsoptions).
func nodeQuote(path string) string {
	if !strings.ContainsAny(path, " \"\\") {
		return path
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(path) + `"`
}
