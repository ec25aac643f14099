package slack

import (
	"fmt"
	"hash/fnv"
	"maps"
	"strconv"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// A stamp is a message's time in microseconds, as text: 1700000001.000409.
func stamp(micro int64) string { return fmt.Sprintf("%010d.%06d", micro/1e6, micro%1e6) }

// isStamp tells whether a text is one. Clients also send whole seconds.
func isStamp(text string) bool {
	whole, fraction, _ := strings.Cut(text, ".")
	if whole == "" || len(whole) > 10 || len(fraction) > 6 {
		return false
	}
	return strings.Trim(whole+fraction, "0123456789") == ""
}

// micros reads a stamp.
func micros(text string) int64 {
	whole, fraction, _ := strings.Cut(text, ".")
	n, err := strconv.ParseInt(whole+(fraction + "000000")[:6], 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// nextStamp gives a channel's next ts: the instant, or a microsecond after the
// newest, so that ts are unique in a channel, and in order.
func (c *call) nextStamp(channel string) string {
	micro := c.Now.UnixMicro()
	if micro%1e6 == 0 { // a clock that ticks in seconds
		h := fnv.New32a()
		h.Write([]byte(channel + strconv.FormatInt(micro, 10)))
		micro += 100 + int64(h.Sum32()%899)
	}
	if tip, ok := c.Tx.Get(tipsCollection, channel); ok {
		micro = max(micro, cast.Int(tip.Value()["last"])+1)
	}
	c.tip(channel, micro)
	return stamp(micro)
}

// tip remembers the newest ts of a channel. One that is older than the newest
// came out of order: its channel is sorted when it is read.
func (c *call) tip(channel string, micro int64) {
	value := map[string]any{"id": channel, "last": micro}
	if old, ok := c.Tx.Get(tipsCollection, channel); ok {
		value = maps.Clone(old.Value())
		last, _ := value["last"].(int64)
		if micro <= last {
			value["mixed"] = true
		}
		value["last"] = max(micro, last)
	}
	c.put(tipsCollection, channel, value)
}

// mixed tells whether a channel's messages came out of order.
func (c *call) mixed(channel string) bool {
	tip, ok := c.Tx.Get(tipsCollection, channel)
	return ok && tip.Value()["mixed"] == true
}

func tsOf(record *world.Record) string { return asText(record.Value()["ts"]) }
