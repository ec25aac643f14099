// The timeline: only the rows in sight are in the document.

const mark = {committed: 1, struck: 2, lost: 4, damning: 8, evidence: 16, broken: 32, others: 64}
const rowHeight = 30, most = 2000 // rows that are printed

const list = {
  data: null, // as the page has it
  all: [],    // rows, as objects
  shown: [],  // those that the filter keeps, or intents
  at: -1,     // the row that the cursor is on
  shape: 'events',
  bodies: null, // text of frames by row, once asked for
}

function readRows(doc) {
  const two = n => String(n).padStart(2, '0')
  list.data = doc
  list.all = doc.rows.map((r, index) => {
    const t = new Date(doc.start + r[1])
    return {
      index, seq: r[0], kind: doc.kinds[r[2]], service: doc.services[r[3]], what: r[4], status: r[5], words: r[6], marks: r[7],
      intent: r[8], attempt: r[9], rules: r[10].map(i => doc.rules[i]),
      time: two(t.getUTCHours()) + ':' + two(t.getUTCMinutes()) + ':' + two(t.getUTCSeconds()) + '.' + String(t.getUTCMilliseconds()).padStart(3, '0'),
    }
  })
}

// intentsOf puts the attempts at one thing on one line, where its first was.
function intentsOf(rows) {
  const found = new Map(), lines = []
  for (const row of rows) {
    if (!row.intent || row.kind !== 'call') continue
    let line = found.get(row.intent)
    if (!line) {
      line = {...row, attempts: []}
      found.set(row.intent, line)
      lines.push(line)
    }
    line.attempts.push(row)
    line.marks |= row.marks
  }
  return lines
}

function keeps(row, f) {
  if (f.service && row.service !== f.service) return false
  if (f.kind && row.kind !== f.kind) return false
  if (f.fault === '*' ? !row.rules.length : f.fault && !row.rules.includes(f.fault)) return false
  if (f.status === 'lost' ? !(row.marks & mark.lost) : f.status === 'matters' ? !(row.marks & (mark.evidence | mark.struck)) : f.status === 'changed' ? !(row.marks & mark.committed) : f.status && Math.floor(row.status / 100) !== Number(f.status)) return false
  if (!f.text) return true
  row.text ??= ('#' + row.seq + ' ' + row.service + ' ' + row.what + ' ' + (row.status || '') + ' ' + row.words + ' ' + row.kind).toLowerCase()
  return row.text.includes(f.text) || Boolean(list.bodies) && (list.bodies[row.index] || '').includes(f.text)
}

function filters() {
  return {text: $('filter').value.trim().toLowerCase(), service: $('by-service').value, status: $('by-status').value, fault: $('by-fault').value, kind: $('by-kind').value}
}

async function refilter() {
  if (!list.data) return
  if ($('inside').checked && !list.bodies) await readBodies()
  if (!$('inside').checked) list.bodies = null
  const here = list.shown[list.at]?.seq
  const f = filters()
  let rows = list.all.filter(row => keeps(row, f))
  const found = rows.length
  if (list.shape === 'intents') rows = intentsOf(rows)
  list.shown = rows
  list.at = here === undefined ? -1 : rows.findIndex(row => row.seq === here)
  let said = found === list.all.length ? count(found, 'event') : found.toLocaleString('en') + ' of ' + count(list.all.length, 'event')
  if (list.shape === 'intents') said += ', ' + count(rows.length, 'intent') + ', ' + rows.filter(row => row.attempts.length > 1).length.toLocaleString('en') + ' of them tried more than once'
  if (list.data.left) said += '. To keep this page small, the frames of ' + count(list.data.left, 'event') + ' are left out: parity trace has them'
  $('count').textContent = said
  $('list').closest('.grid').classList.toggle('by-intent', list.shape === 'intents')
  $('list').replaceChildren(make('div', {class: 'spacer', role: 'presentation'}))
  if (!rows.length) $('list').append(make('p', {class: 'nothing'}, 'Nothing fits. ' + (list.shape === 'intents' ? 'By intent, only calls are shown. ' : '') + 'Esc in the filter empties it.'))
  $('list').firstChild.style.height = rows.length * rowHeight + 'px'
  $('list').setAttribute('aria-rowcount', rows.length)
  if (list.at < 0) $('list').scrollTop = 0
  drawn.clear()
  draw()
}

// readBodies unpacks every frame, to look for text in it.
async function readBodies() {
  const bodies = []
  for (let part = 0; part * list.data.per_part < list.all.length; part++) {
    $('count').textContent = 'Unpacking bodies, ' + Math.round(100 * part * list.data.per_part / list.all.length) + ' %'
    for (const frame of await block('part-' + part)) bodies.push(frame ? textOf(frame).toLowerCase() : '')
  }
  list.bodies = bodies
}

function textOf(value) {
  if (typeof value === 'string') return value + '\n'
  if (value && typeof value === 'object') return Object.values(value).map(textOf).join('')
  return ''
}

const drawn = new Map() // rows in the document, by place

function draw(everything) {
  const box = $('list')
  let from = Math.max(0, Math.floor(box.scrollTop / rowHeight) - 10)
  let to = Math.min(list.shown.length, Math.ceil((box.scrollTop + box.clientHeight) / rowHeight) + 10)
  document.querySelector('.unprinted')?.remove()
  if (everything) {
    [from, to] = [0, Math.min(list.shown.length, most)]
    if (to < list.shown.length) box.before(make('p', {class: 'unprinted small'}, 'The first ' + to.toLocaleString('en') + ' are printed: a filter makes it fewer.'))
  }
  for (const [place, element] of drawn) {
    if (place < from || place >= to) { element.remove(); drawn.delete(place) }
  }
  const fresh = document.createDocumentFragment()
  for (let place = from; place < to; place++) {
    if (drawn.has(place)) continue
    const element = line(list.shown[place], place)
    drawn.set(place, element)
    fresh.append(element)
  }
  box.append(fresh)
}

function statusOf(row) {
  if (row.status) return make('span', {class: 'status s' + Math.floor(row.status / 100) + 'xx'}, String(row.status))
  return row.kind === 'call' || row.kind === 'webhook' ? make('span', {class: 'status snone'}, '–') : ''
}

function line(row, place) {
  const element = make('div', {class: 'row', role: 'row', id: 'row-' + place, 'aria-rowindex': place + 1, 'aria-selected': String(place === list.at)})
  element.style.top = place * rowHeight + 'px'
  for (const [name, bit] of Object.entries(mark)) if (row.marks & bit) element.classList.add(name)
  const cell = (name, ...what) => make('span', {class: name, role: 'gridcell'}, ...what)
  element.append(cell('seq', '#' + row.seq), cell('time', row.time), cell('service', row.service), cell('what', row.what))
  element.title = row.words
  if (row.attempts) {
    const tries = row.attempts.slice(0, 6).map(a => make('span', {class: 'try'}, '#' + a.seq + ' ', statusOf(a)))
    element.append(cell('tries', ...tries, row.attempts.length > 6 ? '+' + (row.attempts.length - 6) : ''))
    element.append(cell('words', (row.attempts.length > 1 ? row.attempts.length + ' attempts. ' : '') + row.attempts[row.attempts.length - 1].words))
  } else {
    element.append(cell('', statusOf(row)), cell('words', row.words))
  }
  element.addEventListener('click', () => { move(place); openFrame(row.seq, $('list')) })
  return element
}

// move puts the cursor on a row, and the row in sight.
function move(place) {
  if (!list.shown.length) return
  place = Math.max(0, Math.min(list.shown.length - 1, place))
  drawn.get(list.at)?.setAttribute('aria-selected', 'false')
  list.at = place
  const box = $('list'), top = place * rowHeight
  if (top < box.scrollTop) box.scrollTop = top
  else if (top + rowHeight > box.scrollTop + box.clientHeight) box.scrollTop = top + rowHeight - box.clientHeight
  draw()
  drawn.get(place)?.setAttribute('aria-selected', 'true')
  box.setAttribute('aria-activedescendant', 'row-' + place)
}

// next finds the nearest row, on or back, that a fault or a verdict marks.
function next(step) {
  let place = list.at + step
  while (place >= 0 && place < list.shown.length && !(list.shown[place].marks & (mark.struck | mark.evidence | mark.broken))) place += step
  if (place >= 0 && place < list.shown.length) move(place)
}

function options(id, first, values) {
  $(id).replaceChildren(make('option', {value: ''}, first), ...values.map(v => Array.isArray(v) ? make('option', {value: v[0]}, v[1]) : make('option', {value: v}, v)))
  $(id).hidden = values.length < 2
}

async function startList() {
  readRows(await block('rows'))
  const doc = list.data, used = name => [...new Set(list.all.map(row => row[name]))].filter(Boolean).sort()
  options('by-service', 'All services', used('service'))
  options('by-status', 'Any status', [['matters', 'Faults and evidence'], ['changed', 'Changed something'], ['2', '2xx'], ['3', '3xx'], ['4', '4xx'], ['5', '5xx'], ['lost', 'Reply lost or cut']])
  options('by-fault', 'Any fault', doc.rules.length ? [['*', 'Any that struck'], ...doc.rules.toSorted()] : [])
  options('by-kind', 'All kinds', used('kind'))
  await refilter()
}
