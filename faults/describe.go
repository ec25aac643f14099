package faults

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Unit says how values of a parameter are written.
func (p Param) Unit() string {
	switch p.Kind {
	case Duration:
		return "a duration with its unit: 250ms, 40s, 1h30m, 2d"
	case Share:
		return "a share with its sign: 8%, 0.5%"
	case Size:
		return "a size with its unit, in powers of 1024: 512B, 64KB, 10MB"
	case Count:
		return "a whole number"
	case Choice:
		return "one of " + strings.Join(p.Choices, ", ")
	case Flag:
		return "true or false"
	case Cut:
		return "a share (50%), a size (64B), or one of its words"
	case Portion:
		return "a share (30%), or a whole number from 1"
	case Call:
		return "an operation: service METHOD /path, or a list of them"
	case Fields:
		return "a map from fields to values"
	case Names:
		return "a word, or a list of words"
	case Number:
		return "a number"
	case Value:
		return "text, a number, true or false"
	}
	return "text"
}

// Bounds says between which values a parameter has to be; "" where there are
// none to say.
func (p Param) Bounds() string {
	shown := func(n int64) string { return strconv.FormatInt(n, 10) }
	switch p.Kind {
	case Duration:
		shown = func(n int64) string { return ShowDuration(time.Duration(n)) }
	case Count, Number:
	default:
		return ""
	}
	switch {
	case p.Max > 0:
		return "from " + shown(p.Min) + " to " + shown(p.Max)
	case p.Min != 0:
		return "from " + shown(p.Min)
	}
	return ""
}

// Otherwise gives what a parameter is where it is not given, as a profile would
// have it; "" where it is nothing.
func (p Param) Otherwise() string {
	switch v := p.Default.(type) {
	case nil:
		return ""
	case time.Duration:
		return ShowDuration(v)
	case float64:
		if p.Kind == Number {
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
		return strconv.FormatFloat(v*100, 'f', -1, 64) + "%"
	case int64:
		if p.Kind == Size || p.Kind == Cut {
			return showSize(v)
		}
	case []string:
		return "[" + strings.Join(v, ", ") + "]"
	case []Pattern:
		words := make([]string, len(v))
		for i, pattern := range v {
			words[i] = pattern.String()
		}
		return "[" + strings.Join(words, ", ") + "]"
	}
	return fmt.Sprint(p.Default)
}

// ShowDuration writes a duration as people do: 1h30m, 90s, 250ms.
func ShowDuration(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d >= day && d%day == 0:
		return strconv.FormatInt(int64(d/day), 10) + "d"
	case d > 0 && d < 2*time.Minute && d%time.Second == 0:
		return strconv.FormatInt(int64(d/time.Second), 10) + "s"
	}
	text := d.String()
	if rest, ok := strings.CutSuffix(text, "m0s"); ok {
		text = rest + "m"
	}
	if rest, ok := strings.CutSuffix(text, "h0m"); ok {
		text = rest + "h"
	}
	return text
}

func showSize(n int64) string {
	units := []string{"B", "KB", "MB", "GB"}
	i := 0
	for ; i < len(units)-1 && n >= 1024 && n%1024 == 0; i++ {
		n /= 1024
	}
	return strconv.FormatInt(n, 10) + units[i]
}

// Drawing shows when a fault of this phase strikes, against the point at which
// the world changes.
func (p Phase) Drawing() string {
	switch p {
	case Before:
		return "call ─▶ ╳ ┄┄ act ┄┄ commit ┄┄ reply      nothing has happened"
	case After:
		return "call ─▶ act ─▶ commit ─▶ ╳ ┄┄ reply      the world has changed"
	case Instead:
		return "call ─▶ ╳ ─▶ another's reply             the service is not asked"
	case InReply:
		return "call ─▶ act ─▶ commit ─▶ reply ─╳▶       what is sent is altered; the world is right"
	case InWorld:
		return "call ─▶ act ─▶ commit ─▶ reply           the answer is true, at its instant\n        ╳ somebody else writes ╳"
	case Policy:
		return "call ─╳▶ policy ─▶ ╳ ┄┄ act ┄┄ commit ┄┄ reply   what policy goes by is changed, right before it decides"
	case InTime:
		return "call ─▶ act ─▶ commit ─▶ reply ┄┄ ╳ time ┄┄▶ call      what was good is good no more"
	}
	return string(p)
}

// Notes say what a rule's author should know beside the parameters.
func (f *Fault) Notes() []string {
	var all []string
	if f.Decides {
		all = append(all, "It decides the outcome: of several rules that do, on one call, the first in the file wins.")
	}
	switch f.Live {
	case LiveInstead:
		all = append(all, "With `live: true` it strikes where a real service is called, too: it answers, and nothing leaves.")
	case LiveReply:
		all = append(all, "With `live: true` it strikes reads of a real service, too: what comes back is altered.")
	}
	if f.Lasts {
		all = append(all, "It is a state of the service: a trigger that says no `tries` hits each attempt.")
	}
	if f.Connection {
		all = append(all, "It strikes connections, before any request is known: `call` names all of a service (`stripe *`), and there is no `when`, `per` or `tries`.")
	}
	return all
}
