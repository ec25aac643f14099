package profiles

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Isolation says what an agent has of the machine while it is contained.
type Isolation struct {
	On     Isolating
	Write  []string // files and folders that may be written to, as they are written: see Isolation.Here
	Show   []string // that are seen besides
	Hide   []string // that are covered besides
	Env    []string // names of variables that the agent has besides those that it always has
	Limits Limits
	Ports  []int // TCP ports that come in besides 80 and 443

	places map[string]place // of each of these texts, by its key and itself
}

// Isolating says whether each run is contained, and how far.
type Isolating string

// How far. Where nothing is said, or NotIsolated, runs are where --isolate is.
const (
	NotIsolated   Isolating = "false"
	WholeIsolated Isolating = "true"    // network, files, processes, limits
	NetIsolated   Isolating = "network" // the network alone
)

// Limits bound what an agent takes of the machine. 0: as the machine has it.
type Limits struct {
	Memory    int64 // bytes
	FileSize  int64 // bytes, of each file
	Processes int
	OpenFiles int
	Time      time.Duration
}

// The least of each limit with which a program begins at all.
const (
	leastMemory    = 16 << 20
	leastFileSize  = 4 << 10
	leastOpenFiles = 16
	mostCounted    = 1 << 20
)

func isolationKey() key {
	paths := func(name, example, doc string) key {
		return key{name: name, kind: list, of: &key{kind: text, example: example}, example: "[" + example + "]", doc: doc + " ~ is the home folder; a path that is not absolute begins in the folder that parity runs in, which is `.` itself, wherever the profile is. Each has to be there."}
	}
	return key{name: "isolation", kind: object, doc: "What the agent has of the machine while it is contained: `parity run --isolate`, or `on`.", keys: []key{
		{
			name: "on", kind: choice, choices: []string{string(WholeIsolated), string(NetIsolated), string(NotIsolated)}, example: "true", otherwise: "only with --isolate",
			doc: "true contains each run: network, files, processes, limits; network its network alone. Where the machine cannot, nothing is started.",
		},
		{name: "files", kind: object, doc: "What the agent sees of the machine's files. System folders and its home are read-only, /tmp is its own, and folders that are known to hold secrets are covered, without being named.", keys: []key{
			paths("write", "\".\"", "Files and folders that it may write to."),
			paths("show", "/opt/models", "Files and folders that it sees besides."),
			paths("hide", "~/.config/my-cli", "Files and folders that are covered besides."),
		}},
		{
			name: "env", kind: list, of: &key{kind: text, example: "ANTHROPIC_API_KEY"}, example: "[ANTHROPIC_API_KEY]",
			doc: "Variables that the agent has besides PATH, HOME, LANG, TERM, TZ, Parity's own and credentials that are made for the run. Each has to be set.",
		},
		{name: "limits", kind: object, doc: "What the agent takes of the machine at most; by default what the machine has.", keys: []key{
			{name: "memory", kind: size, doc: "Memory.", example: "2GB"},
			{name: "processes", kind: whole, least: 1, most: mostCounted, doc: "Processes and threads at once.", example: "256"},
			{name: "open_files", kind: whole, least: leastOpenFiles, most: mostCounted, doc: "Open files of each process.", example: "4096"},
			{name: "file_size", kind: size, doc: "The size of each file that it writes.", example: "1GB"},
			{name: "time", kind: span, doc: "How long the agent runs, in real time, before all of it is ended.", example: "30m"},
		}},
		{
			name: "ports", kind: list, of: &key{kind: whole, least: 1, most: 65535, example: "5432"}, example: "[5432]",
			doc: "TCP ports that come in to the gateway, at whatever address, besides 80 and 443. Connections to others are refused and are in the report.",
		},
	}}
}

// isolation reads how the agent is contained; nil: the profile says nothing of it.
func (b *binder) isolation() *Isolation {
	it := b.tree.get("isolation")
	if !it.ok() {
		return nil
	}
	i := &Isolation{On: Isolating(it.get("on").str()), places: map[string]place{}}
	files := it.get("files")
	i.Write, i.Show, i.Hide = b.pathsOf(i, files, "write"), b.pathsOf(i, files, "show"), b.pathsOf(i, files, "hide")
	for _, e := range it.get("env").entries() {
		name, _, valued := strings.Cut(e.str(), "=") // which is nobody's to see
		switch {
		case !e.ok():
		case valued || !variableForm().MatchString(name):
			b.wrong(e.place, "name it alone, such as ANTHROPIC_API_KEY; its value stays where it is", "isolation.env: %s is no name of a variable", shorten(name))
		case strings.HasPrefix(strings.ToUpper(name), own):
			b.wrong(e.place, "remove it", "isolation.env: %s is a variable of Parity's own, which the agent has or is not to have", name)
		default:
			i.Env, i.places["env "+name] = append(i.Env, name), e.place
		}
	}
	limits := it.get("limits")
	i.Limits = Limits{
		Memory: b.least(limits, "memory", leastMemory), FileSize: b.least(limits, "file_size", leastFileSize),
		Processes: int(limits.get("processes").count()), OpenFiles: int(limits.get("open_files").count()), Time: limits.get("time").span(), //nolint:gosec // up to mostCounted
	}
	if at := limits.get("time"); at.ok() && i.Limits.Time <= 0 {
		b.wrong(at.place, "such as time: 30m", "isolation.limits.time: an agent that may run for no time does nothing")
	}
	for _, e := range it.get("ports").entries() {
		n := int(e.count()) //nolint:gosec // up to 65535
		switch {
		case !e.ok():
		case n == 80 || n == 443:
			b.wrong(e.place, "remove it", "isolation.ports: %d comes in without being named", n)
		case n == 53 || slices.Contains(ownPorts(), n):
			b.wrong(e.place, "name another", "isolation.ports: %d is answered by the gateway itself inside", n)
		case slices.Contains(i.Ports, n):
			b.wrong(e.place, "keep one of them", "isolation.ports: %d is here twice", n)
		default:
			i.Ports = append(i.Ports, n)
		}
	}
	return i
}

// ownPorts are those of the gateway inside a containment.
func ownPorts() []int { return []int{3128, 3129} }

// least reads a size that is to be at least so much.
func (b *binder) least(of *item, name string, least int64) int64 {
	it := of.get(name)
	n := scalar[int64](it)
	if it.ok() && n < least {
		b.wrong(it.place, "such as "+name+": "+it.key.example, "isolation.limits.%s: with less than %s nothing starts", name, inBytes(least))
	}
	return n
}

func inBytes(n int64) string {
	if n >= 1<<20 {
		return strconv.FormatInt(n>>20, 10) + "MB"
	}
	return strconv.FormatInt(n>>10, 10) + "KB"
}

// userForm begins a path with another user's home.
var userForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^~[^/]`) })

// pathsOf reads one list of files.
func (b *binder) pathsOf(i *Isolation, files *item, name string) []string {
	var all []string
	for _, e := range files.get(name).entries() {
		path := e.str()
		switch {
		case !e.ok():
		case userForm().MatchString(path):
			b.wrong(e.place, "write its path", "isolation.files.%s: %s is another user's home", name, shorten(path))
		case strings.ContainsAny(path, "*?$"):
			b.wrong(e.place, "name the folder that they are in", "isolation.files.%s: %s has patterns or variables, which are not expanded", name, shorten(path))
		case strings.Trim(path, "/.") == "" && strings.HasPrefix(path, "/"):
			b.wrong(e.place, "name what the agent needs", "isolation.files.%s: %s is everything", name, shorten(path))
		default:
			all, i.places[name+" "+path] = append(all, path), e.place
		}
	}
	return all
}
