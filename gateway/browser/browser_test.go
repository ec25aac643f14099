package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"
)

// A wait that a page's going breaks off goes on in the next page: a reload took 2.5 s
// on a busy machine, and the wait for what it shows was an error.
func TestAWaitOutlivesThePageItBeganIn(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n := asked.Add(1)
		if n > 1 {
			time.Sleep(200 * time.Millisecond) // the first page is still there when the wait begins
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<link rel=icon href='data:,'><p id=n>%d</p>", n)
	}))
	t.Cleanup(server.Close)
	b := Start(t)
	b.Open(server.URL)
	for n := 1; n < 4; n++ {
		b.Until(fmt.Sprintf(`document.querySelector('#n').textContent === '%d'`, n))
		b.Eval(`location.reload()`)
	}
	b.Until(`document.querySelector('#n').textContent === '4'`)
}
