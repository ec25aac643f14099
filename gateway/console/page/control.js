// The control port, as this page asks it. The token is here and nowhere else: no
// cookie, no storage, so that it ends with the tab.
import {parse} from './text.js'

let token = ''
let lost = () => {}

// whenLost says what to do once the token is good for nothing.
export const whenLost = does => { lost = does }
export const signedIn = () => token !== ''

// Refused is what the control port did not do, and why.
export class Refused extends Error {
  constructor(status, code, detail) { super(detail); this.status = status; this.code = code }
}

async function send(method, path, body, more) {
  const headers = {Accept: 'application/json', ...more?.headers}
  if (token) headers.Authorization = 'Bearer ' + token
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const reply = await fetch(path, {method, headers, body, cache: 'no-store', credentials: 'omit', redirect: 'error', signal: more?.signal})
  if (reply.ok) return reply
  const text = await reply.text()
  let told = {}
  try { told = JSON.parse(text) } catch { /* it is no problem of ours */ }
  if (reply.status === 401 && token) { token = ''; lost() }
  throw new Refused(reply.status, told.code ?? '', told.detail ?? `the gateway answered ${reply.status}`)
}

// ask makes one call. A body is JSON text, so that a number is sent as it was written.
export async function ask(method, path, body) {
  return parse(await (await send(method, path, body)).text())
}

// signIn changes a code, which is good once, for a token.
export async function signIn(code) {
  token = ''
  const got = await ask('POST', '/v1/console/tokens', JSON.stringify({code}))
  token = got.token
  return {name: got.name ?? '', proved: got.proved === true}
}

const pause = (ms, signal) => new Promise(done => {
  const timer = setTimeout(done, ms)
  signal?.addEventListener('abort', () => { clearTimeout(timer); done() }, {once: true})
})

// follow tells of approvals as they come, until the signal ends it: to.event for
// each of the stream, to.listed for all of them where there is no stream, and
// to.state for how it goes: live, polling or away.
export async function follow(path, to, signal) {
  let streams = true
  for (let failures = 0; !signal.aborted && token;) {
    try {
      if (streams) {
        const reply = await send('GET', path, undefined, {headers: {Accept: 'text/event-stream'}, signal})
        streams = reply.headers.get('Content-Type')?.startsWith('text/event-stream') && reply.body !== null
        if (streams) {
          to.state('live')
          failures = 0
          await events(reply.body, to.event)
        } else await reply.body?.cancel()
      } else {
        to.listed((await ask('GET', path)).approvals)
        to.state('polling')
        failures = 0
      }
    } catch (error) {
      if (signal.aborted || !token) return
      if (error instanceof Refused && error.status === 406) streams = false
      failures++
      if (failures > 1) to.state('away')
    }
    await pause(streams ? Math.min(15000, 250 * 2 ** Math.min(failures, 6)) : 2000, signal)
  }
}

// events reads server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
// EventSource cannot show a token.
async function events(body, take) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const {value, done} = await reader.read()
    if (done) return
    rest += value
    for (let end; (end = rest.indexOf('\n\n')) >= 0; rest = rest.slice(end + 2)) {
      let name = 'message', data = ''
      for (const line of rest.slice(0, end).split('\n')) {
        if (line.startsWith('event: ')) name = line.slice(7)
        if (line.startsWith('data: ')) data += line.slice(6)
      }
      if (name === 'problem') throw new Refused(500, 'problem', data)
      if (data) take(name, parse(data))
    }
  }
}
