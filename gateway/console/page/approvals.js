// The page of approvals: what waits at the left, what is chosen at the right, and
// below it what can be said to it.
import {ask, follow, Refused} from './control.js'
import {count, Exact, long, make, seen, span} from './text.js'
import {callOf, detail} from './detail.js'
import {decisions, form} from './decide.js'

const mostListed = 150
const waits = a => a.state === 'pending' || a.state === 'escalated'
const keyOf = a => `${a.run}/${a.id}`
const pathOf = a => `/v1/runs/${encodeURIComponent(a.run)}/approvals/${encodeURIComponent(a.id)}`

// gist are the first arguments of a call, by which two of one operation are told apart.
function gist(a) {
  const told = [a.request?.path, a.request?.query, a.request?.body].filter(of => of !== null && typeof of === 'object')
    .flatMap(of => Object.entries(of).filter(([, is]) => is === null || typeof is !== 'object' || is instanceof Exact)).slice(0, 3)
  return told.map(([name, is]) => `${seen(name.slice(0, 40))} ${seen(is instanceof Exact ? is.source : String(is).slice(0, 60))}`).join(', ')
}

export const approvals = {title: 'Approvals', path: 'approvals', open}

function open(main, frame) {
  const all = new Map() // by key, in the order in which they came
  const clocks = new Map() // by run
  const ended = new AbortController()
  let chosen = '', asking, moved = false, drawn = '', draft = {}, told = new Set(), drawing = 0, unlisted = true

  const list = make('div', {class: 'listbox', role: 'listbox', tabindex: 0, 'aria-label': 'Approvals'})
  const heading = make('h1', {class: 'title'}, 'Waiting')
  const article = make('article', {class: 'chosen', tabindex: -1, 'aria-live': 'off'})
  const bar = make('footer', {class: 'decide'})
  const back = make('a', {href: '#/approvals', class: 'back'}, '‹ All approvals')
  const layout = make('div', {class: 'approvals'},
    make('section', {class: 'list'}, make('header', {}, heading), list),
    make('section', {class: 'pane'}, back, article, bar))
  main.append(layout)
  list.addEventListener('click', event => {
    const item = event.target.closest('[role=option]')
    if (item) pick(item.dataset.key, true)
  })

  // ordered are those that wait, oldest first, and then those that do not, newest first.
  function ordered() {
    const waiting = [], decided = []
    for (const [key, a] of all) (waits(a) ? waiting : decided).push(key)
    decided.sort((a, b) => Date.parse(all.get(b).decided ?? all.get(b).asked) - Date.parse(all.get(a).decided ?? all.get(a).asked))
    return {waiting, decided, keys: [...waiting, ...decided]}
  }

  function pick(key, said) {
    if (chosen !== key) { asking = undefined; moved = false; draft = {} }
    chosen = key
    layout.classList.toggle('picked', said && key !== '')
    const to = key === '' ? '#/approvals' : '#/approvals/' + key.split('/').map(encodeURIComponent).join('/')
    if (said && location.hash !== to) history.replaceState(null, '', to)
    drawn = ''
    draw()
    article.scrollTop = 0
    document.getElementById('o-' + key)?.scrollIntoView({block: 'nearest'})
  }

  function step(by) {
    const {keys} = ordered(), at = keys.indexOf(chosen)
    const next = keys[Math.min(Math.max(at + by, 0), keys.length - 1)]
    if (next !== undefined && next !== chosen) pick(next, true)
  }

  // left is how long an approval waits yet, in seconds of its run; nothing where that
  // is not known.
  function left(a) {
    const clock = clocks.get(a.run)
    if (!a.lapses || !clock) return undefined
    const gone = clock.frozen || clock.mode === 'stepped' ? 0 : (performance.now() - clock.at) / 1000 * (clock.speed || 1)
    return (Date.parse(a.lapses) - clock.now) / 1000 - gone
  }

  function lapse(a) {
    const seconds = left(a)
    if (seconds === undefined) return ''
    return seconds <= 0 ? 'lapsing' : span(seconds)
  }

  function soon(a) {
    const seconds = left(a), whole = (Date.parse(a.lapses) - Date.parse(a.asked)) / 1000
    return seconds !== undefined && seconds < Math.min(300, whole / 4)
  }

  function tick() {
    for (const node of layout.querySelectorAll('[data-lapses]')) {
      const a = all.get(node.dataset.lapses)
      if (!a) continue
      const says = lapse(a)
      if (node.textContent !== says) node.textContent = says
      node.classList.toggle('soon', soon(a))
    }
  }

  function item(key) {
    const a = all.get(key), call = callOf(a.operation), quiet = !waits(a)
    return make('div', {role: 'option', id: 'o-' + key, class: quiet ? 'item quiet' : 'item', 'aria-selected': String(key === chosen), 'data-key': key},
      make('span', {class: 'what'}, a.live && make('b', {class: 'badge irreversible'}, 'REAL'), a.live && ' ', call.method && make('b', {}, call.method + ' '), make('span', {}, long(call.path, 120))),
      quiet ? make('span', {class: 'state ' + a.state}, a.state) : make('span', {class: 'when', 'data-lapses': key}, lapse(a)),
      make('span', {class: 'gist'}, gist(a)),
      make('span', {class: 'sub'}, make('bdi', {}, seen(a.gate).slice(0, 80)), ' · ', make('bdi', {}, seen(a.identity).slice(0, 80)), ' · ', make('bdi', {}, seen(a.run))))
  }

  function drawList() {
    const {waiting, decided} = ordered()
    const group = (keys, name) => {
      const at = Math.max(0, keys.indexOf(chosen) - mostListed + 20)
      return keys.length > 0 && make('div', {role: 'group', 'aria-label': name}, name === 'Decided' && make('h2', {}, name),
        at > 0 && make('p', {class: 'more'}, `${count(at)} before`),
        keys.slice(at, at + mostListed).map(item), keys.length > at + mostListed && make('p', {class: 'more'}, `and ${count(keys.length - at - mostListed)} more`))
    }
    heading.replaceChildren('Waiting', make('span', {class: 'count'}, count(waiting.length)))
    list.replaceChildren(...[waiting.length === 0 && make('p', {class: 'empty'}, unlisted ? 'Looking …' : 'Nothing waits for a person.'),
      group(waiting, 'Waiting'), group(decided, 'Decided')].filter(Boolean))
    list.setAttribute('aria-activedescendant', chosen && all.has(chosen) ? 'o-' + chosen : '')
    frame.title((waiting.length > 0 ? `(${count(waiting.length)}) ` : '') + 'Approvals · Parity')
    if (chosen === '' && waiting.length > 0) { chosen = waiting[0]; drawn = ''; drawList() }
  }

  function draw() {
    clearTimeout(drawing)
    drawing = 0
    drawList()
    const a = all.get(chosen)
    layout.classList.toggle('bare', !a)
    const now = JSON.stringify([a, moved])
    if (now !== drawn) {
      drawn = now
      article.replaceChildren(...(a ? detail(a, {waits: waits(a), moved, key: chosen}) : [make('p', {class: 'empty'}, unlisted ? '' : 'Choose one at the left. New ones come by themselves.')]))
      drawBar()
    }
    tick()
  }

  function drawBar() {
    const a = all.get(chosen)
    bar.hidden = !a || !waits(a) && a.state !== 'approved'
    if (bar.hidden) return bar.replaceChildren()
    bar.replaceChildren(...(asking ? form(a, asking, frame.who, draft, {send, away}) : decisions(a, frame.who, begin)))
    bar.querySelector('[autofocus]')?.focus()
  }

  function begin(decision) {
    asking = {decision, digest: all.get(chosen).digest, key: chosen}
    drawBar()
  }

  function away() {
    asking = undefined
    drawBar()
    list.focus({preventScroll: true})
  }

  const soonDraw = () => { drawing ||= setTimeout(draw, 40) }

  // take has one approval as it is now. What is shown never changes under a hand that
  // is about to decide without a word.
  function take(a) {
    const key = keyOf(a), was = all.get(key)
    all.set(key, a)
    if (key === chosen && was && was.digest !== a.digest && waits(a)) {
      moved = true
      if (asking) { asking = undefined; frame.toast('What this call is about has moved. Look again.', 'bad') }
    }
    if (key === chosen && !waits(a) && asking && a.state !== 'approved') asking = undefined
    soonDraw()
  }

  async function send(said, text) {
    const {key} = asking, a = all.get(key)
    try {
      const now = await ask('POST', pathOf(a) + '/decision', text)
      const {waiting} = ordered(), next = waiting[waiting.indexOf(key) + 1] ?? waiting.find(one => one !== key) ?? key
      asking = undefined
      draft = {}
      all.set(key, now)
      frame.toast(said, 'good')
      pick(waits(now) || next === key ? key : next, layout.classList.contains('picked'))
      list.focus({preventScroll: true})
    } catch (error) {
      if (!(error instanceof Refused)) throw new Error('The gateway does not answer. Nothing is known to be decided: look before you try again.')
      if (!/^approval-/.test(error.code) && error.status !== 404) throw error
      await again(key, error)
    }
  }

  // again reads an approval anew, since it is no longer what was shown.
  async function again(key, why) {
    const a = all.get(key)
    asking = undefined
    frame.toast(why.code === 'approval-moved' ? 'It has moved since you saw it. Nothing was decided: look again.' : why.message, 'bad')
    try {
      all.set(key, await ask('GET', pathOf(a)))
      moved = why.code === 'approval-moved'
    } catch (error) {
      if (error.status === 404) all.delete(key)
    }
    drawn = ''
    draw()
    list.focus({preventScroll: true})
  }

  async function readClocks() {
    const runs = new Set([...all.values()].filter(waits).map(a => a.run))
    for (const run of [...runs].slice(0, 20)) {
      try {
        const clock = await ask('GET', `/v1/runs/${encodeURIComponent(run)}/clock`)
        clocks.set(run, {...clock, now: Date.parse(clock.now), at: performance.now()})
      } catch { clocks.delete(run) }
      if (ended.signal.aborted) return
    }
    tick()
  }

  const listed = () => { const first = unlisted; unlisted = false; soonDraw(); if (first) readClocks() }
  follow('/v1/approvals', {
    state: word => { if (word === 'live') told = new Set(); frame.state(word) },
    event: (name, data) => {
      if (name === 'approval') { told.add(keyOf(data)); const known = clocks.has(data.run); take(data); if (!known && !unlisted) readClocks() }
      if (name === 'gone') { all.delete(`${data.run}/${data.id}`); soonDraw() }
      if (name === 'listed') { for (const key of all.keys()) if (!told.has(key)) all.delete(key); listed() }
    },
    listed: now => {
      const there = new Set(now.map(keyOf))
      for (const key of all.keys()) if (!there.has(key)) all.delete(key)
      now.forEach(take)
      listed()
    },
  }, ended.signal)
  const ticking = setInterval(tick, 1000), reading = setInterval(readClocks, 10000)
  draw()

  const letters = {a: 'approve', r: 'reject', c: 'change', e: 'escalate', v: 'revoke'}
  return {
    go: ([run, id]) => { if (run && id) pick(`${run}/${id}`, true); else { layout.classList.remove('picked'); draw() } },
    close: () => { ended.abort(); clearInterval(ticking); clearInterval(reading); clearTimeout(drawing); main.replaceChildren() },
    key: event => {
      if (event.key === 'Escape' && asking) { event.preventDefault(); return away() }
      if (event.target.matches?.('input, textarea') || event.ctrlKey) return
      const step1 = {j: 1, ArrowDown: 1, k: -1, ArrowUp: -1}[event.key]
      if (step1 && (event.key.length === 1 || event.target === list)) { event.preventDefault(); return step(step1) }
      const a = all.get(chosen), said = letters[event.key]
      if (said && a && (said === 'revoke' ? a.state === 'approved' : waits(a))) { event.preventDefault(); begin(said) }
    },
  }
}
