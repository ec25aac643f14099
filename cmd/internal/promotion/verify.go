package promotion

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"parity/gateway/evidence"
	"parity/gateway/journal"
	"parity/gateway/kept"
	"parity/gateway/report"
	"parity/specs/words"
)

// errLost says of a journal that it may have lost something.
var errLost = errors.New("something of it is missing, or may be")

// journalDigest is the digest of a run's events as its journal has them. Its
// error says where they, or what else a report rests on, are not as they were
// written.
func journalDigest(root, name string) (string, error) {
	rec, closes, err := kept.OpenRecord(root, name)
	if err != nil {
		return "", err
	}
	defer closes()
	h := sha256.New()
	for entry, err := range rec.Entries(0) {
		if err != nil {
			return "", err
		}
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(entry.Data)))) // where one ends is part of it
		h.Write(entry.Data)
	}
	for _, err := range rec.Settlements() {
		if err != nil {
			return "", err
		}
	}
	if _, err := rec.Besides(); err != nil {
		return "", err
	}
	if gaps, err := rec.Gaps(); err != nil || len(gaps) > 0 {
		return "", cmp.Or(err, errLost)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Verify holds the evidence against its digests, and the runs that are
// still there against what was kept of them. head, where it is given, is a
// digest that was the newest once. It gives the exit code.
func (e Evidence) Verify(w io.Writer, head string) (code int, err error) {
	chain, err := e.store().Verify()
	if err != nil {
		return 0, err
	}
	broken := chain.Broken
	if head != "" && !chain.Has(head) {
		broken = append(broken, "the digest "+head+" was never the newest here: the end was cut off, or all was written anew")
	}
	whole, held := len(chain.Broken) == 0, 0
	for i := range chain.Entries {
		entry := &chain.Entries[i]
		if entry.Kind != evidence.Run {
			continue
		}
		if _, err := e.reportOf(entry); whole && err != nil {
			broken = append(broken, err.Error())
		}
		if !journal.ValidName(entry.Run) {
			broken = append(broken, fmt.Sprintf("entry %d names no run", entry.Number))
			continue
		}
		is, err := journalDigest(e.Root, entry.Run)
		var damaged *journal.DamagedError
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case errors.As(err, &damaged), errors.Is(err, errLost):
			broken = append(broken, fmt.Sprintf("the journal of run %s (entry %d) is damaged: %v", entry.Run, entry.Number, err))
		case err != nil:
			return 0, err
		case is != entry.Journal:
			broken = append(broken, fmt.Sprintf("the journal of run %s is not what entry %d was kept from: events were changed, or came after", entry.Run, entry.Number))
		}
		held++
	}
	if len(broken) > 0 {
		fmt.Fprintf(w, "The evidence in %s cannot be trusted:\n", e.store().Dir)
		for _, b := range broken {
			fmt.Fprintf(w, "  - %s\n", evidence.Printable(b))
		}
		return report.Failed, nil
	}
	fmt.Fprintf(w, "%s, each byte as it was kept; %s of them still here, with the same events\n", words.Count(len(chain.Entries), "entry"), words.Count(held, "run"))
	fmt.Fprintf(w, "Newest digest: %s\n", chain.Head)
	if head != chain.Head {
		fmt.Fprintf(w, "The newest entry is held by nothing that follows it: give --head the digest that was printed when it was kept.\n")
	}
	return 0, nil
}
