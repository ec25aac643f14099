package rehearsal

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"parity/fakes/builtin"
	"parity/faults/trail"
	"parity/profiles"
	"parity/specs/words"
)

// RunWatching is Run again and again: at each save of the agent's files
// below the current folder, or of those of the profile.
//
//	run, report ─▶ a save ─▶ run, report ─▶ …      until ctx is done
//	run ─ a save ─▶ the agent is ended, nothing of it is kept ─▶ run, report
//
// The agent is in a process group of its own, which a save ends as a whole, and
// has no standard input. The code is that of the last run.
func RunWatching(ctx context.Context, p Plan) (code int, err error) {
	if err := p.Check(); err != nil {
		return 0, err
	}
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return 0, err
	}
	p.Settings = p.WithDefaults()
	tree := &profiles.Tree{
		Folder: ".", Except: []string{p.Root, p.CA}, Profile: p.Profile, Wall: p.Wall, Log: p.Log,
		Options: p.ProfileOptions(catalogue, profiles.NewShelf()),
	}
	for _, to := range p.Reports {
		if to.URL == nil {
			tree.Except = append(tree.Except, to.File)
		}
	}
	if err := tree.Begin(); err != nil {
		return 0, fmt.Errorf("--watch: files cannot be watched here: %w", err)
	}
	watching, stop := context.WithCancel(ctx)
	saves, ended := make(chan []string), make(chan struct{})
	go func() {
		defer close(ended)
		tree.Watch(watching, func(saved []string) {
			select {
			case saves <- saved:
			case <-watching.Done():
			}
		})
	}()
	defer func() { stop(); <-ended }()
	w := watched{Plan: p, own: map[string]bool{}}
	for {
		saved, err := w.again(ctx, saves)
		switch {
		case w.done == 0 && len(saved) == 0: // what cannot be started at all is no work in progress
			return w.code, err
		case err != nil:
			fmt.Fprintf(p.Stderr, "parity: %v\nparity: waiting for a save; Ctrl-C ends\n", err)
		}
		for len(saved) == 0 && ctx.Err() == nil {
			select {
			case files := <-saves:
				saved = w.byHand(files, false)
			case <-ctx.Done():
			}
		}
		if ctx.Err() != nil {
			return w.code, nil
		}
		fmt.Fprintf(p.Stderr, "\nparity: %s saved\n", listedFiles(saved))
	}
}

// listedFiles names what was saved, the first few of many.
func listedFiles(files []string) string {
	const most = 3
	if rest := len(files) - most; rest > 0 {
		return words.And(append(slices.Clone(files[:most]), fmt.Sprintf("%d more", rest)))
	}
	return words.And(files)
}

// watched is what became of the runs so far.
type watched struct {
	Plan
	begun, done int
	failed      int // verdicts of the last that came to its end
	code        int // what that one ended with
	ended       time.Time

	own       map[string]bool // what the agent writes
	meanwhile map[string]bool // what changed while the last ran
}

// again rehearses once. It gives the files that were saved meanwhile.
func (w *watched) again(ctx context.Context, saves <-chan []string) (saved []string, err error) {
	w.begun++
	overtaken, overtake := context.WithCancel(ctx)
	defer overtake()
	came := make(chan error, 1)
	go func() { came <- w.rehearse(ctx, overtaken) }()
	for {
		select {
		case err = <-came:
			return nil, err
		case files := <-saves:
			if saved = w.byHand(files, true); len(saved) > 0 {
				overtake()
				return saved, <-came
			}
		}
	}
}

// byHand leaves out what the agent writes itself, which would have it run for
// ever: a file that changed while it ran, in two runs one after the other. Those
// that its command and profiles are written in are never taken for that.
func (w *watched) byHand(saved []string, running bool) (hand []string) {
	meanwhile := map[string]bool{}
	for _, file := range saved {
		if w.own[file] {
			continue
		}
		info, err := os.Stat(file)
		if running || err != nil || info.ModTime().Before(w.ended) {
			if w.meanwhile[file] && !w.source(file) {
				w.own[file] = true
				fmt.Fprintf(w.Stderr, "parity: %s changes whenever the agent runs: taken for its own, and no longer looked at\n", file)
				continue
			}
			meanwhile[file] = true
		}
		hand = append(hand, file)
	}
	if len(hand) > 0 {
		w.meanwhile = meanwhile
	}
	return hand
}

// source tells whether a file is in the language of one that the command names,
// or of profiles.
func (w *watched) source(file string) bool {
	kind := filepath.Ext(file)
	return kind == ".yaml" || kind == ".yml" || slices.ContainsFunc(w.Command, func(arg string) bool { return kind != "" && filepath.Ext(arg) == kind })
}

// rehearse begins a run, and reports it and how many verdicts failed, unless it
// was overtaken: nothing is kept of it then.
func (w *watched) rehearse(ctx, overtaken context.Context) error {
	p := w.Plan
	p.until = overtaken.Done()
	srv, code, err := p.run(ctx)
	w.ended = p.Wall.Now()
	gone := overtaken.Err() != nil && ctx.Err() == nil
	switch {
	case err != nil || srv == nil && gone:
		return err
	case srv == nil:
		w.code = code
		return nil
	case gone:
		return srv.Discard()
	}
	rep, err := concluded(context.WithoutCancel(ctx), srv, p)
	if err != nil {
		return err
	}
	failed := 0
	for _, v := range rep.Verdicts {
		if v.Result == trail.Failed {
			failed++
		}
	}
	said := fmt.Sprintf("run %d: %d failed", w.begun, failed)
	if w.done > 0 {
		said += fmt.Sprintf(", was %d", w.failed)
	}
	w.done, w.failed, w.code = w.done+1, failed, rep.Exit
	fmt.Fprintf(p.Stderr, "\nparity: %s; exit %d. Waiting for a save; Ctrl-C ends\n", said, rep.Exit)
	return nil
}
