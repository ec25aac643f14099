package people

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

var made = time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC)

func add(t interface{ Fatal(...any) }, file, name string) string {
	token, err := Add(file, name, made)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// A token is its person's until it is removed, and the file has none of it.
func TestATokenIsKnownUntilItIsRemoved(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), FileName)
	if all, err := List(file); len(all) != 0 || err != nil {
		t.Errorf("%v, %v", all, err)
	}
	ada, grace := add(t, file, "ada"), add(t, file, "grace@example.com")
	if who, ok, err := Who(file, grace); !ok || err != nil || who.Name != "grace@example.com" || !who.Made.Equal(made) {
		t.Errorf("%+v %v %v", who, ok, err)
	}
	for _, none := range []string{"", ada + "x", ada[:len(ada)-1], strings.ToUpper(ada), "parity-operator-"} {
		if who, ok, _ := Who(file, none); ok {
			t.Errorf("%q is %s", none, who.Name)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil || strings.Contains(string(text), strings.TrimPrefix(ada, prefix)) {
		t.Errorf("%v: %s", err, text)
	}
	if digest, ok := Still(file, "ada"); !ok || !strings.Contains(string(text), digest) {
		t.Errorf("%q", digest)
	}
	if who, ok, _ := Who(file, strings.Fields(string(text))[1]); ok {
		t.Errorf("its digest lets in %s", who.Name)
	}
	if err := Remove(file, "ada"); err != nil {
		t.Fatal(err)
	}
	if _, ok, _ := Who(file, ada); ok {
		t.Error("a token that was removed is good")
	}
	if _, ok := Still(file, "ada"); ok {
		t.Error("ada has a token still")
	}
	if _, ok, _ := Who(file, grace); !ok {
		t.Error("another's token went with it")
	}
}

func TestNamesAreRefusedThatWouldBeMisread(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), FileName)
	add(t, file, "ada")
	for _, name := range []string{"", "ada", "ADA", "a b", "a\nb", "-f", "ä", "a\u202eb", "a/b", strings.Repeat("a", 65)} {
		if _, err := Add(file, name, made); !errors.Is(err, ErrName) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if err := Remove(file, "eve"); !errors.Is(err, ErrName) || !strings.Contains(err.Error(), "parity token list") {
		t.Error(err)
	}
	if all, err := List(file); len(all) != 1 || err != nil {
		t.Errorf("%v %v", all, err)
	}
	if _, err := os.Stat(file + ".next"); err == nil {
		t.Error("a refused change has left its file")
	}
}

// What others can read or write proves nobody.
func TestAFileThatIsOpenToOthersIsRefused(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	file := filepath.Join(t.TempDir(), FileName)
	token := add(t, file, "ada")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v %v", info.Mode(), err)
	}
	for _, mode := range []os.FileMode{0o640, 0o604, 0o620, 0o666} {
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		if _, ok, err := Who(file, token); ok || err == nil || !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("%o: %v %v", mode, ok, err)
		}
		if _, err := Add(file, "eve", made); err == nil {
			t.Errorf("%o: a token was added", mode)
		}
	}
}

func TestABrokenLineIsToldByItsNumber(t *testing.T) {
	t.Parallel()
	digest := strings.Repeat("a", 64)
	for _, line := range []string{"ada", "ada " + digest, "ada " + digest + " noon", "ada 9f2c 2026-03-02T13:00:00Z", "a/b " + digest + " 2026-03-02T13:00:00Z", "ada " + strings.Repeat("x", 64) + " 2026-03-02T13:00:00Z", "\x00"} {
		file := filepath.Join(t.TempDir(), FileName)
		if err := os.WriteFile(file, []byte("grace "+digest+" 2026-03-02T13:00:00Z\n"+line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, ok, err := Who(file, "x"); ok || err == nil || !strings.Contains(err.Error(), FileName+":2: ") {
			t.Errorf("%q: %v", line, err)
		}
	}
}

// Many commands at once: each either has made its token, or says that another is at
// work; none is lost.
func TestTwoCommandsAtOnceLoseNobody(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), FileName)
	var all sync.WaitGroup
	var mu sync.Mutex
	tokens := map[string]string{}
	for _, name := range strings.Split("abcdefghijklmnop", "") {
		all.Go(func() {
			token, err := Add(file, name, made)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				tokens[token] = name
			} else if !strings.Contains(err.Error(), "another command") {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if len(tokens) == 0 {
		t.Error("nobody has a token")
	}
	for token, name := range tokens {
		if who, ok, err := Who(file, token); !ok || who.Name != name {
			t.Errorf("%s: %+v %v %v", name, who, ok, err)
		}
	}
}

// Whatever is added and removed, in which order ever, the file has what is left.
func TestTheFileIsWhatIsLeft(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		file := filepath.Join(dir, FileName)
		_ = os.Remove(file) // there is none at first
		var want []string
		for range rapid.IntRange(0, 12).Draw(t, "steps") {
			name := rapid.SampledFrom([]string{"ada", "grace", "lin.a", "bo+1"}).Draw(t, "name")
			at := -1
			for i, one := range want {
				if one == name {
					at = i
				}
			}
			if rapid.Bool().Draw(t, "add") {
				if _, err := Add(file, name, made); (err == nil) != (at < 0) {
					t.Fatalf("add %s: %v", name, err)
				}
				if at < 0 {
					want = append(want, name)
				}
			} else {
				if err := Remove(file, name); (err == nil) != (at >= 0) {
					t.Fatalf("remove %s: %v", name, err)
				}
				if at >= 0 {
					want = append(want[:at:at], want[at+1:]...)
				}
			}
		}
		all, err := List(file)
		var got []string
		for _, one := range all {
			got = append(got, one.Name)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Fatalf("%v %s", err, diff)
		}
	})
}
