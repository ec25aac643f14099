package chance_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"parity/fakes/chance"

	"pgregory.net/rapid"
)

func Example() {
	seed := chance.Seed(7)
	rule, intent := "lose-a-big-refund", "refund ch_1"
	fmt.Println(chance.Draw(seed, rule, intent, "1") < 0.3)
	fmt.Println(chance.Draw(seed, rule, intent, "1") < 0.3, "again")
	fmt.Println("ch_" + chance.ID(seed, 24, "stripe.charges", intent))
	// Output:
	// false
	// false again
	// ch_gSP12E7NPZrIAyHpYyZWzPuC
}

// What these give is written in journals and ids: a change here breaks every
// replay of an older one.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, got, want string }{
		{"draw", fmt.Sprint(chance.Draw(7, "rule", "intent", "1")), "0.10154240104512824"},
		{"draw without parts", fmt.Sprint(chance.Draw(0)), "0.6368367333898479"},
		{"id", chance.ID(7, 24, "stripe.charges", "intent"), "6iLszeO8kGjdgd2U6ko9roMu"},
		{"id of two blocks", chance.ID(1, 40, "x"), "qqnMZVHcl7fOR1XdGGcXEc9VJSdHZbQf7sRGJyx2"},
		{"pick", fmt.Sprint(chance.Pick(7, 1000, "a")), "588"},
		{"with", fmt.Sprint(uint64(chance.Seed(7).With("epoch", "2"))), "8270196731556498153"},
		{"hash", chance.Hash("a", "b"), "527f4a4f6cda7d9560d3ee9530fb830b20c736b08a63c02e2f41839f64da1b61"},
	} {
		if test.got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, test.got, test.want)
		}
	}
}

func TestEveryPartCounts(t *testing.T) {
	t.Parallel()
	lists := [][]string{
		{}, {""}, {"", ""}, {"ab", "c"}, {"a", "bc"}, {"abc"}, {"c", "ab"}, {"ab", "c", ""}, {"\x00"}, {strings.Repeat("x", 2000)},
	}
	seen := map[string]string{}
	for _, parts := range lists {
		for name, got := range map[string]string{
			"hash": chance.Hash(parts...),
			"id":   chance.ID(1, 30, parts...),
			"id 2": chance.ID(2, 30, parts...),
			"draw": fmt.Sprint(chance.Draw(1, parts...)),
			"with": fmt.Sprint(chance.Draw(chance.Seed(1).With(parts...))),
		} {
			who := fmt.Sprintf("%s of %q", name, parts)
			if other, twice := seen[got]; twice {
				t.Errorf("%s and %s are both %s", who, other, got)
			}
			seen[got] = who
		}
	}
}

// The chi-squared statistic of 64 cells has a mean of 63 and a deviation of
// 11; 120 is beyond five of those, and the draws never change.
func TestEvenlySpread(t *testing.T) {
	t.Parallel()
	const n, cells = 64_000, 64
	draws, picks := make([]int, cells), make([]int, cells)
	letters := map[rune]int{}
	for i := range n {
		part := strconv.Itoa(i)
		draws[int(chance.Draw(3, part)*cells)]++
		picks[chance.Pick(3, cells, part)]++
		for _, letter := range chance.ID(3, 10, part) {
			letters[letter]++
		}
	}
	if x := chiSquared(draws, n); x > 120 {
		t.Errorf("draws are uneven: chi-squared %.1f", x)
	}
	if x := chiSquared(picks, n); x > 120 {
		t.Errorf("picks are uneven: chi-squared %.1f", x)
	}
	counts := make([]int, 0, 62)
	for _, count := range letters {
		counts = append(counts, count)
	}
	if x := chiSquared(counts, 10*n); len(counts) != 62 || x > 120 {
		t.Errorf("letters are uneven: %d of them, chi-squared %.1f", len(counts), x)
	}
}

func chiSquared(counts []int, n int) float64 {
	want := float64(n) / float64(len(counts))
	sum := 0.0
	for _, count := range counts {
		sum += math.Pow(float64(count)-want, 2) / want
	}
	return sum
}

func TestProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		seed := chance.Seed(rapid.Uint64().Draw(t, "seed"))
		parts := rapid.SliceOfN(rapid.String(), 0, 5).Draw(t, "parts")
		n := rapid.IntRange(-1, 200).Draw(t, "n")
		if d := chance.Draw(seed, parts...); d < 0 || d >= 1 || d != chance.Draw(seed, parts...) {
			t.Fatalf("draw %v", d)
		}
		id := chance.ID(seed, n, parts...)
		if len(id) != max(n, 0) || strings.Trim(id, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") != "" {
			t.Fatalf("id %q of %d", id, n)
		}
		if longer := chance.ID(seed, n+1, parts...); !strings.HasPrefix(longer, id) {
			t.Fatalf("%q is not the start of %q", id, longer)
		}
		if n > 0 {
			if p := chance.Pick(seed, n, parts...); p < 0 || p >= n {
				t.Fatalf("pick %d of %d", p, n)
			}
		}
	})
}

func BenchmarkDraw(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		chance.Draw(7, "ambiguous-success", "lose-a-big-refund", "support-bot", "refund ch_1", "2")
	}
}

func BenchmarkID(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		chance.ID(7, 24, "stripe.charges", "support-bot", "refund ch_1", "2")
	}
}
