// Package slack plays Slack: its Web API, the uploads of files.slack.com, the
// incoming webhooks of hooks.slack.com, and the events that it sends.
//
//	POST /api/chat.postMessage ─▶ who? ─▶ how often? ─▶ which scope? ─▶ handler ─▶ {"ok": true, …}
//	                                │          │             │             │
//	                        invalid_auth  429 ratelimited  missing_scope  channel_not_found
//	                                        each but the second a 200 with "ok": false
//
//	message ─▶ timeline of its channel          ─▶ history, newest first
//	        └▶ thread of its parent (thread_ts) ─▶ replies, oldest first
//	        └▶ index, a lag later               ─▶ search
//	        └▶ delivery                         ─▶ the app's own endpoint
//
// One world is one workspace. A message is known by its channel and its ts,
// which is its time in microseconds and no two messages of a channel share.
package slack
