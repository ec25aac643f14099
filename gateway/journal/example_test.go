package journal_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"parity/gateway/journal"
)

func Example() {
	runs, err := os.MkdirTemp("", "runs")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(runs)

	store, err := journal.Create(filepath.Join(runs, "store"), journal.Options{})
	if err != nil {
		panic(err)
	}
	w, err := store.Begin("r-1", journal.Origin{})
	if err != nil {
		panic(err)
	}
	for seq := uint64(1); seq <= 3; seq++ {
		if err := w.Append(journal.Entry{Seq: seq, Data: fmt.Appendf(nil, "event %d", seq)}); err != nil {
			panic(err) // the exchange is refused
		}
		if err := w.Covered(context.Background(), seq); err != nil {
			panic(err)
		}
		// Now its reply may go out.
	}
	if err := store.Close(); err != nil {
		panic(err)
	}

	r, err := journal.Open(filepath.Join(runs, "store"))
	if err != nil {
		panic(err)
	}
	defer r.Close()
	run, err := r.Read("r-1")
	if err != nil {
		panic(err)
	}
	for e, err := range run.Entries(2) {
		if err != nil {
			panic(err) // damaged from here on
		}
		fmt.Println(e.Seq, string(e.Data))
	}
	// Output:
	// 2 event 2
	// 3 event 3
}
