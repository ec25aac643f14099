package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// A keeping is what exchanges leave behind in one server.
type keeping struct {
	Peer        string
	Start       float64 // resident MB, after the first answer
	Resident    float64 // KB an exchange
	Heap, Store float64 // KB an exchange, of Parity
	Ours        bool    // Heap and Store are known
}

// memory posts n payment intents to each server and says what it kept of one.
func (b *bench) memory(ctx context.Context, n int) ([]keeping, error) {
	i := slices.IndexFunc(contests(), func(c contest) bool { return c.name == "intent" })
	f, err := prepared(ctx, b, contests()[i])
	if err != nil {
		return nil, err
	}
	defer f.stop()
	var all []keeping
	for _, l := range f.lanes {
		k, err := l.kept(ctx, n)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", l.peer, err)
		}
		all = append(all, k)
	}
	return all, nil
}

func (l *lane) kept(ctx context.Context, n int) (keeping, error) {
	k := keeping{Peer: l.peer}
	resident, err := residentOf(l.server.pid())
	if err != nil {
		return k, err
	}
	k.Start = float64(resident) / (1 << 20)
	// A tenth first, so that what is made once is not counted.
	if err := l.post(ctx, n/10); err != nil {
		return k, err
	}
	if resident, err = residentOf(l.server.pid()); err != nil {
		return k, err
	}
	heapBefore, err := l.leastHeap(ctx, n/10)
	if err != nil {
		return k, err
	}
	stored, err := sizeBelow(l.server.dir)
	if err != nil {
		return k, err
	}
	if err := l.post(ctx, n); err != nil {
		return k, err
	}
	heapAfter, err := l.leastHeap(ctx, n/10)
	if err != nil {
		return k, err
	}
	residentAfter, err := residentOf(l.server.pid())
	if err != nil {
		return k, err
	}
	storedAfter, err := sizeBelow(l.server.dir)
	if err != nil {
		return k, err
	}
	each := func(bytes float64) float64 { return bytes / float64(n+n/10) / 1024 }
	k.Resident, k.Store = each(float64(residentAfter-resident)), each(float64(storedAfter-stored))
	k.Heap, k.Ours = each(heapAfter-heapBefore), l.gateway != nil
	return k, nil
}

func (l *lane) post(ctx context.Context, n int) error {
	sum := l.crowd.drive(ctx, l.request, l.status, 10*time.Minute, n)
	if sum.failed > 0 || sum.calls < n {
		return fmt.Errorf("%d of %d calls, %d failed: %s", sum.calls, n, sum.failed, sum.first)
	}
	return nil
}

// leastHeap makes n more calls and gives the smallest heap meanwhile: what there
// is just after a collection, which nobody can ask for from outside.
func (l *lane) leastHeap(ctx context.Context, n int) (float64, error) {
	if l.gateway == nil {
		return 0, l.post(ctx, n)
	}
	done := make(chan error, 1)
	go func() { done <- l.post(ctx, n) }()
	h, err := l.gateway.heap(ctx)
	for least := h.inUse; err == nil; least = min(least, h.inUse) {
		select {
		case err := <-done:
			return least, err
		case <-time.After(5 * time.Millisecond):
			h, err = l.gateway.heap(ctx)
		}
	}
	<-done
	return 0, err
}

// sizeBelow is the size of all files below a folder.
func sizeBelow(dir string) (int64, error) {
	var sum int64
	err := filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return ignoreMissing(err)
		}
		info, err := entry.Info()
		if err == nil {
			sum += info.Size()
		}
		return ignoreMissing(err)
	})
	return sum, err
}

func ignoreMissing(err error) error {
	if os.IsNotExist(err) {
		return nil
	}
	return err
}
