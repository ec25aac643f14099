package contain

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// tree makes a folder of files: a tree of control groups, as far as files can be.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	top := t.TempDir()
	for name, text := range files {
		path := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // a test's
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil { //nolint:gosec // a test's
			t.Fatal(err)
		}
	}
	return top
}

func TestLimitsAreOfAGroupWhereOneCanBeMade(t *testing.T) {
	t.Parallel()
	const unified, single = "30 24 0:26 ROOT TOP rw,nosuid,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate\n", "36 31 0:32 ROOT TOP rw - cgroup cgroup rw,memory\n"
	limits := Limits{Memory: 1 << 30, Processes: 64}
	for _, row := range []struct {
		name          string
		mount, groups string
		root          string
		files         map[string]string
		limits        Limits
		want          map[string]string // files below the tree, and what is in them
	}{
		{
			name: "delegated and empty but for this process", mount: unified, groups: "0::/user/app.scope\n", root: "/", limits: limits,
			files: map[string]string{
				"user/cgroup.procs": "", "user/cgroup.controllers": "cpu memory pids", "user/cgroup.subtree_control": "memory pids",
				"user/app.scope/cgroup.procs": "71\n", "user/app.scope/cgroup.controllers": "cpu memory pids", "user/app.scope/cgroup.subtree_control": "",
			},
			want: map[string]string{
				"user/parity-7-memory-1073741824-pids-64/memory.max":      "1073741824",
				"user/parity-7-memory-1073741824-pids-64/pids.max":        "64",
				"user/parity-7-memory-1073741824-pids-64/memory.swap.max": "0",
				"user/parity-7-memory-1073741824-pids-64/cgroup.procs":    "0",
				"user/app.scope/cgroup.subtree_control":                   "",
			},
		},
		{
			name: "at the top of a container's own", mount: unified, groups: "0::/\n", root: "/", limits: Limits{Processes: 64},
			files: map[string]string{"cgroup.procs": "1\n71\n", "cgroup.controllers": "memory pids", "cgroup.subtree_control": ""},
			want:  map[string]string{"parity-7-pids-64/pids.max": "64", "cgroup.subtree_control": "+pids"},
		},
		{
			name: "mounted from further down", mount: unified, groups: "0::/user/app/x\n", root: "/user/app", limits: Limits{Memory: 5},
			files: map[string]string{"x/cgroup.procs": "", "x/cgroup.controllers": "memory", "x/cgroup.subtree_control": "memory"},
			want:  map[string]string{"x/parity-7-memory-5/memory.max": "5"},
		},
		{
			name: "a controller that was not handed down", mount: unified, groups: "0::/a/b\n", root: "/", limits: limits,
			files: map[string]string{"a/b/cgroup.procs": "71\n", "a/b/cgroup.controllers": "", "a/cgroup.procs": "", "a/cgroup.controllers": "cpu"},
			want:  nil,
		},
		{
			name: "version 1", mount: single, groups: "4:memory:/here\n1:cpu:/\n0::/\n", root: "/", limits: limits,
			files: map[string]string{"here/cgroup.procs": "71\n"},
			want:  map[string]string{"here/parity-7-memory-1073741824/memory.limit_in_bytes": "1073741824", "here/parity-7-memory-1073741824/cgroup.procs": "0"},
		},
		{name: "no tree at all", mount: "22 27 0:21 / /proc rw - proc proc rw\n", groups: "0::/\n", limits: limits},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			top := tree(t, row.files)
			made := 0
			for _, h := range hierarchies(row.groups, strings.NewReplacer("ROOT", row.root, "TOP", top).Replace(row.mount)) {
				if h.place(h.needs(row.limits)) != "" {
					made++
				}
				if err := h.make("7", row.limits); err != nil {
					t.Fatal(err)
				}
			}
			if (made > 0) != (row.want != nil) {
				t.Errorf("%d groups can be made", made)
			}
			for name, want := range row.want {
				if got, err := os.ReadFile(filepath.Join(top, name)); string(got) != want { //nolint:gosec // the test's
					t.Errorf("%s: %q, %v, want %q", name, got, err, want)
				}
			}
			if row.want == nil {
				if found, _ := filepath.Glob(filepath.Join(top, "*/*/parity-*")); found != nil {
					t.Errorf("made %v", found)
				}
			}
		})
	}
}

func TestLimitsOfAProcessAreThoseThatNoGroupHolds(t *testing.T) {
	t.Parallel()
	limits := Limits{Memory: 5, Processes: 64}
	for groups, want := range map[string][2]bool{
		"0::/user/parity-71-memory-5-pids-64\n":                              {true, true},
		"0::/user/parity-71-pids-64\n":                                       {false, true},
		"8:pids:/parity-71-pids-64\n4:memory:/x\n":                           {false, true},
		"0::/user/parity-71-memory-50-pids-640\n":                            {false, false}, // of a containment around this one
		"4:memory:/parity-71-memory-5\n8:pids:/parity-71-pids-64\n0::/app\n": {true, true},
		"": {false, false},
	} {
		memory, processes := joined(groups, limits)
		if got := [2]bool{memory, processes}; got != want {
			t.Errorf("%q: %v, want %v", groups, got, want)
		}
	}
	want := []bound{{unix.RLIMIT_DATA, 5}, {unix.RLIMIT_NPROC, 64}, {unix.RLIMIT_NOFILE, 6}, {unix.RLIMIT_FSIZE, 7}}
	got := bounds(Options{Limits: Limits{Memory: 5, Processes: 64, OpenFiles: 6, FileSize: 7}})
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(bound{})); diff != "" {
		t.Error(diff)
	}
	if got := bounds(Options{}); got != nil {
		t.Errorf("none asked for: %v", got)
	}
}

func TestAnAgentThatWasOutOfMemoryIsSaidSo(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"low 0\nhigh 0\nmax 7\noom 1\noom_kill 1\noom_group_kill 0\n": true,
		"low 0\nhigh 0\nmax 7\noom 0\noom_kill 0\n":                   false,
		"": false,
	} {
		for _, file := range []string{"memory.events", "memory.oom_control"} {
			top := tree(t, map[string]string{"own/parity-7-memory-5/" + file: text, "own/parity-71-memory-5/" + file: "oom_kill 1\n"})
			if got := killed(groupsOf(7, []hierarchy{{own: top + "/own"}})); got != want {
				t.Errorf("%s %q: %v", file, text, got)
			}
		}
	}
}

func TestRootOfTheMachineIsKnownFromRootOfAContainer(t *testing.T) {
	t.Parallel()
	for ids, want := range map[string]bool{
		"         0          0 4294967295\n": true,
		"         0     100000      65536\n": false,
		"      1000       1000          1\n": false,
		"":                                   false,
	} {
		if got := rootOutside(ids); got != want {
			t.Errorf("%q: %v", ids, got)
		}
	}
}

func TestSocketsOfFilesAreFoundWhateverTheirNames(t *testing.T) {
	t.Parallel()
	list := `Num       RefCount Protocol Flags    Type St Inode Path
0000000000000000: 00000002 00000000 00010000 0001 01 101 /run/docker.sock
0000000000000000: 00000003 00000000 00000000 0001 03 102
0000000000000000: 00000002 00000000 00010000 0001 01 103 @abstract
0000000000000000: 00000002 00000000 00010000 0001 01 104 /home/ada/with  two spaces
0000000000000000: 00000002 00000000 00010000 0001 01 105 ./run/../s
0000000000000000: 00000002 00000000 00010000 0001 01 106 /a//b/../c
`
	absolute, relative := boundNames(list)
	if diff := cmp.Diff([]string{"/run/docker.sock", "/home/ada/with  two spaces", "/a/c"}, absolute); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"105": "./run/../s"}, relative); diff != "" {
		t.Error(diff)
	}
	far := farMounts("36 31 0:32 / /home/ada/far\\040away rw - fuse.sshfs ada@far: rw\n37 31 8:1 / /home rw - ext4 /dev/sda rw\n")
	if diff := cmp.Diff([]string{"/home/ada/far away"}, far); diff != "" {
		t.Error(diff)
	}
	process := filepath.Join(t.TempDir(), "71")
	if err := os.MkdirAll(process+"/fd", 0o700); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"fd/3": "socket:[105]", "fd/4": "socket:[106]", "fd/5": "/etc/hosts", "cwd": "/home/ada"} {
		if err := os.Symlink(to, filepath.Join(process, name)); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"/home/ada/s"}, placed([]string{process}, relative)); diff != "" {
		t.Error(diff)
	}
}

// FuzzListsOfTheKernel reads what no kernel writes.
func FuzzListsOfTheKernel(f *testing.F) {
	f.Add("30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n", "0::/user\n")
	f.Add("36 31 0:32 / /a\\040b ro - cgroup none rw,memory", "4:memory:/\n:::\n")
	f.Add("0: 2 0 1 1 1 5 /run/s\n0: 2 0 1 1 1 6 @s\n", "")
	f.Fuzz(func(t *testing.T, one, other string) {
		for _, m := range mounts(one) {
			if strings.Contains(m.kind, " ") {
				t.Errorf("a file system of kind %q", m.kind)
			}
		}
		if absolute, _ := boundNames(one); slices.ContainsFunc(absolute, func(name string) bool { return !filepath.IsAbs(name) }) {
			t.Errorf("not absolute: %q", absolute)
		}
		for _, h := range hierarchies(other, strings.ReplaceAll(one, "/sys", "/no-such")) {
			if len(h.holds) == 0 {
				t.Errorf("%+v holds nothing", h)
			}
		}
	})
}
