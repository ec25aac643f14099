// One frame: what was asked, what was answered, what the client saw, and what
// changed.

const open = {seq: 0, from: null}

function rowOf(seq) {
  let low = 0, high = list.all.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1, at = list.all[middle].seq
    if (at === seq) return list.all[middle]
    if (at < seq) low = middle + 1
    else high = middle - 1
  }
  return null
}

async function openFrame(seq, from) {
  await ready
  const row = rowOf(seq)
  if (!row) return
  if (from) open.from = from
  open.seq = seq
  const place = list.shown.findIndex(r => r.seq === seq || r.attempts?.some(a => a.seq === seq))
  if (place >= 0) move(place)
  $('frame').hidden = false
  $('frame-title').textContent = '#' + seq + '  ' + [row.service, row.what].filter(Boolean).join(' ')
  $('frame-body').setAttribute('aria-label', $('frame-title').textContent)
  $('frame-body').focus({preventScroll: true})
  if (location.hash !== '#e' + seq) history.replaceState(null, '', '#e' + seq)
  const part = await block('part-' + Math.floor(row.index / list.data.per_part))
  if (open.seq !== seq) return // another was opened meanwhile
  const frame = part[row.index % list.data.per_part]
  $('frame-body').replaceChildren(...(frame ? frameOf(frame, row) : [make('p', {class: 'why'}, 'This frame is left out to keep the page small. The trace has it: parity trace -o json')]))
  $('frame-body').scrollTop = 0
}

function closeFrame() {
  if ($('frame').hidden) return false
  $('frame').hidden = true
  open.seq = 0
  history.replaceState(null, '', location.pathname + location.search)
  const back = open.from && document.contains(open.from) ? open.from : $('list')
  back.focus({preventScroll: back === $('list')})
  return true
}

// step opens the frame after, or before, in what the timeline shows.
function step(by) {
  if (list.at + by < 0 || list.at + by >= list.shown.length) return
  move(list.at + by)
  if (!$('frame').hidden) openFrame(list.shown[list.at].seq)
}

function part(name, ...children) {
  return make('section', {class: 'part'}, make('h3', {}, name), ...children)
}

function bodyOf(body, noun) {
  if (!body) return undefined
  const said = body.cut ? 'The first 4 KB of ' + body.size.toLocaleString('en') + ' bytes' : count(body.size, 'byte')
  return make('div', {class: 'body'}, make('pre', {tabindex: '0', 'aria-label': noun}, indented(body.text)), make('p', {class: 'small'}, said + (body.cut ? '; the rest is left out' : '')))
}

function messageOf(name, message) {
  return part(name,
    make('p', {class: 'line'}, message.line),
    message.header ? make('pre', {class: 'header'}, message.header.trimEnd()) : undefined,
    bodyOf(message.body, name + ' body') || make('p', {class: 'small'}, 'No body'))
}

function fieldsOf(fields, more, link) {
  const rows = fields.map(f => make('tr', {},
    make('th', {scope: 'row'}, f.pointer || '/'), make('td', {class: 'was'}, f.was || '—'), make('td', {class: 'is'}, f.is || '—'),
    link ? make('td', {}, reference(f.by)) : ''))
  return make('div', {class: 'scroll'}, make('table', {class: 'fields'},
    make('thead', {}, make('tr', {}, ...['Field', 'Was', 'Is', ...link ? ['By'] : []].map(h => make('th', {scope: 'col'}, h)))),
    make('tbody', {}, ...rows)), more ? make('p', {class: 'small'}, 'and ' + count(more, 'more field')) : '')
}

function reference(seq) {
  return rowOf(seq) ? make('a', {class: 'ref', href: '#e' + seq}, '#' + seq) : '#' + seq
}

const did = {create: 'created', update: 'changed', delete: 'deleted'}

function deltaOf(d) {
  return make('div', {class: 'delta'},
    make('p', {class: 'line'}, make('span', {class: 'op ' + d.op}, did[d.op] || d.op), ' ' + d.collection + ' ', ...named(d)),
    d.fields ? fieldsOf(d.fields, d.more) : bodyOf(d.record, 'Record'))
}

// worldOf shows what an event changed; a service's bookkeeping is only counted.
function worldOf(frame) {
  const all = frame.delta || [], shown = all.filter(d => !d.hidden), books = all.length - shown.length
  const out = shown.map(deltaOf)
  if (!out.length) out.push(make('p', {class: 'small'}, 'Unchanged'))
  if (frame.more) out.push(make('p', {class: 'small'}, 'and ' + count(frame.more, 'more record')))
  if (books) out.push(make('p', {class: 'small'}, count(books, 'record') + " of the service's own bookkeeping changed too: " + all.filter(d => d.hidden).map(d => d.collection).join(', ')))
  return out
}

function frameOf(frame, row) {
  const out = [make('p', {class: 'happened'}, statusOf(row), ' ', row.words)]
  out.push(make('dl', {class: 'facts'}, ...frame.head.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)])))
  const siblings = row.intent ? list.all.filter(r => r.intent === row.intent && r.kind === row.kind) : []
  if (siblings.length > 1) out.push(part('Attempts at the same intent', make('p', {}, ...siblings.slice(0, 40).flatMap(r => [r === row ? make('b', {}, '#' + r.seq) : reference(r.seq), ' ', statusOf(r), '  ']))))
  if (frame.request) out.push(messageOf('Request', frame.request))
  if (frame.violations) out.push(part('Breaks the contract', make('ul', {}, ...frame.violations.map(v => make('li', {}, v)))))
  if (frame.strikes) {
    out.push(part('Faults', make('ul', {class: 'strikes'}, ...frame.strikes.map(s =>
      make('li', {class: s.fired ? 'fired' : 'quiet'}, make('b', {}, s.rule), ' ' + s.fault + ': ' + s.words)))))
  }
  if (frame.fake) out.push(messageOf('What the service said, before a rule said otherwise', frame.fake))
  if (frame.reply) out.push(messageOf('Reply', frame.reply))
  if (frame.wire) out.push(part('What the client saw on the wire', make('ul', {class: row.marks & mark.lost ? 'lost' : ''}, ...frame.wire.map(w => make('li', {}, w)))))
  out.push(part('World', ...worldOf(frame)))
  return out
}
