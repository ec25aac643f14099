package run

// Unsettled tells whether the latest reply of an intent is still on its way,
// or did not arrive.
func (t *Turn) Unsettled(intent string) bool {
	t.run.replies.Lock()
	defer t.run.replies.Unlock()
	return t.run.unsettled[intent] > 0
}

// Arrived says that an intent's complete success, of event seq, is about to
// reach its client. What was lost before it no longer matters.
func (r *Run) Arrived(intent string, seq uint64) {
	r.replies.Lock()
	defer r.replies.Unlock()
	if r.unsettled[intent] <= seq {
		delete(r.unsettled, intent)
	}
}

// Lost says that it did not reach its client after all.
func (r *Run) Lost(intent string, seq uint64) {
	r.replies.Lock()
	defer r.replies.Unlock()
	if r.unsettled == nil {
		r.unsettled = map[string]uint64{} // not in New: of thousands of runs most lose no reply
	}
	r.unsettled[intent] = max(r.unsettled[intent], seq)
}
