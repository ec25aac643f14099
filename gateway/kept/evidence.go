package kept

import (
	"errors"
	"fmt"
	"strings"

	"parity/specs/words"
)

// Whole refuses a run of which not all is there to be judged.
func (k *Run) Whole() error {
	n, kinds := k.strange()
	switch {
	case k.Complete() != nil:
		return fmt.Errorf("%w: make another run", k.Complete())
	case !k.ended():
		return fmt.Errorf("it is still going on: keep it once it has ended (`parity runs end %s`)", k.ID)
	case k.Unread != nil:
		return fmt.Errorf("its profile cannot be read: %w", k.Unread)
	case k.Profile == nil:
		return errors.New("it has no profile in its record")
	case n > 0:
		return fmt.Errorf("%s of kinds that this Parity does not know (%s): keep it with the Parity that made it", words.Count(n, "event"), strings.Join(kinds, ", "))
	}
	return nil
}
