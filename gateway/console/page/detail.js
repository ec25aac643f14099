// What is shown of one approval: the call, what it would do, and what came before.
import {count, Exact, instant, limited, long, make, seen, tree, value} from './text.js'

// callOf takes an operation apart: "stripe POST /v1/refunds".
export function callOf(operation) {
  const found = /^([a-z0-9_-]{1,64}) ([A-Z]{3,7}) (.*)$/s.exec(operation)
  return found ? {service: found[1], method: found[2], path: found[3]} : {service: '', method: '', path: operation}
}

const filled = of => of !== undefined && of !== null && (typeof of !== 'object' || of instanceof Exact || Object.keys(of).length > 0)
const part = (title, ...children) => make('section', {class: 'part'}, make('h2', {}, title), ...children)

export function detail(a, {waits, moved, key}) {
  const call = callOf(a.operation), p = a.predicted
  return [
    a.live && real(a, call.service),
    moved && make('p', {class: 'moved', role: 'alert'}, 'What this call is about has moved since you saw it. What stands here is what is so now.'),
    make('header', {class: 'head'},
      make('p', {class: 'eyebrow'}, make('span', {class: 'badge ' + (['read', 'draft', 'reversible', 'irreversible', 'admin'].includes(a.class) ? a.class : '')}, seen(a.class).slice(0, 40)),
        call.service && make('span', {}, call.service), make('span', {}, 'gate ', make('bdi', {}, long(a.gate, 80))), !waits && make('span', {class: 'state ' + a.state}, a.state)),
      make('h1', {class: 'call'}, call.method && make('span', {class: 'method'}, call.method + ' '), make('span', {class: 'path'}, long(call.path, 300))),
      make('p', {class: 'lead'}, make('b', {}, make('bdi', {}, long(a.identity, 120))), ' asks in run ', make('b', {}, make('bdi', {}, seen(a.run))),
        waits && a.approver && [', and ', make('b', {}, make('bdi', {}, long(a.approver, 120))), ' is to answer'], '.'),
      a.because && make('blockquote', {}, long(a.because)),
      make('dl', {class: 'facts'},
        waits && a.lapses && fact('Lapses in', make('span', {'data-lapses': key, title: instant(a.lapses) + ' on the run’s clock'}, instant(a.lapses))),
        fact('Asked', instant(a.asked)), a.decided && fact('Decided', instant(a.decided)), a.expires && fact('Good until', instant(a.expires)),
        fact('Event', value(a.event)), fact('Intent', long(a.intent, 60)))),
    answer(a, waits),
    p && tiles(p),
    part('What it asks', args(a.request ?? {})),
    p ? part('What would change', changes(p.diff ?? [])) : part('What would change', make('p', {class: 'empty'}, 'Nobody has worked out what this call would do.')),
    p && filled(p.body) && make('details', {class: 'part'}, make('summary', {}, 'What the agent would be answered'), tree(p.body)),
    knowing(a, p),
    part('What the agent did before', before(a.before ?? [])),
  ].filter(Boolean)
}

// real says first of all that the call leaves for its real service.
function real(a, service) {
  return make('section', {class: 'real', role: 'note'}, make('p', {}, make('b', {}, 'REAL WRITE. '), `Approved, this call leaves for the real ${seen(service)}, with the real credential. What would change is the fake’s guess.`),
    a.lost && make('p', {}, make('b', {}, 'UNKNOWN. '), `Such a call left before (#${seen(a.lost)}), and nobody knows what came of it: look there first, or it may be done twice.`),
    (a.rests ?? []).map(one => make('p', {class: 'small'}, 'It rests on ', make('code', {}, long('GET ' + one.at, 200)), ' as it was read (', long(one.shows, 120), ').')))
}

const fact = (name, ...what) => make('div', {}, make('dt', {}, name), make('dd', {}, ...what))

// answer is what was said.
function answer(a, waits) {
  if (!a.by && !a.note && !a.set) return undefined
  const kinds = {person: 'by a token of their own', claimed: 'as somebody said; no token of theirs was shown', rehearsed: 'a stand-in, who is nobody'}
  return make('section', {class: 'answer ' + (waits ? '' : a.state)},
    a.by && make('p', {}, make('b', {}, waits ? 'Last said' : a.state[0].toUpperCase() + a.state.slice(1)), ' by ', make('b', {}, make('bdi', {}, long(a.by.name, 100))), make('span', {class: 'small'}, ` — ${kinds[a.by.kind] ?? seen(a.by.kind)}`)),
    a.note && make('p', {class: 'note'}, long(a.note)),
    a.set && [make('h3', {}, 'To be made with'), tree(a.set)])
}

// tiles are what would happen, in four numbers.
function tiles(p) {
  const tile = (n, what, kind) => make('li', {class: kind}, make('b', {}, n), ' ', what)
  const n = (p.diff ?? []).length
  return make('ul', {class: 'tiles'},
    tile(value(p.status), 'is answered', p.status >= 400 ? 'warn' : ''), tile(count(n), n === 1 ? 'record changes' : 'records change'),
    tile(value(p.webhooks), p.webhooks === 1 ? 'webhook is sent' : 'webhooks are sent'), tile(value(p.outbox), p.outbox === 1 ? 'message is sent' : 'messages are sent'))
}

function args(request) {
  const groups = [['For the account', request.account && {account: request.account}], ['In the path', request.path], ['In the query', request.query], ['In the body', request.body]].filter(([, of]) => filled(of))
  if (groups.length === 0) return make('p', {class: 'empty'}, 'Nothing beside the call itself.')
  return make('div', {}, groups.map(([name, of]) => [make('h3', {}, name), tree(of)]))
}

const signs = {create: '+', update: '~', delete: '−'}, words = {create: 'is made', update: 'changes', delete: 'is deleted'}

// changes are the records, field by field: by sign and word as well as by colour.
function changes(diff) {
  if (diff.length === 0) return make('p', {class: 'empty'}, 'No record would change.')
  return limited(make('ul', {class: 'diff'}), diff.map(one => () => {
    const op = signs[one.op] ? one.op : 'update'
    return make('li', {class: op}, make('h3', {}, make('span', {class: 'sign', 'aria-hidden': 'true'}, signs[op]), make('span', {class: 'record'}, long(one.record, 200)), make('span', {class: 'word'}, words[op])), fields(one))
  }), 50, 'record')
}

function fields(one) {
  const rows = [...whole('−', one.before ?? {}), ...whole('+', one.after ?? {}),
    ...Object.entries(one.fields ?? {}).map(([name, both]) => () => row('~', name, make('span', {class: 'was'}, value(both?.[0], 300)), make('span', {class: 'arrow', role: 'img', 'aria-label': 'becomes'}, ' → '), make('span', {class: 'is'}, value(both?.[1], 300)))),
  ]
  const body = make('tbody', {})
  limited(body, rows, 60, 'field', 3)
  return make('table', {}, body)
}

// whole is a record that comes or goes: what is in it, and then the names of what is
// empty, which is most of many.
function whole(sign, record) {
  const all = Object.entries(record), empty = all.filter(([, is]) => is === null).map(([name]) => name)
  const told = empty.length > 3 ? all.filter(([, is]) => is !== null) : all
  return [...told.map(([name, is]) => () => row(sign, name, value(is, 300))),
    ...(empty.length > 3 ? [() => row(sign, `${count(empty.length)} that are null`, make('span', {class: 'v none'}, long(empty.join(', '), 300)))] : [])]
}

const row = (sign, name, ...what) => make('tr', {}, make('td', {class: 'sign', 'aria-hidden': 'true'}, sign), make('th', {scope: 'row'}, long(name, 120)), make('td', {}, ...what))

// knowing is what makes the prediction less sure, or the call less harmless.
function knowing(a, p) {
  const titles = {schema: 'contract', permission: 'permission', dependency: 'dependency'}
  const items = [
    ...(p?.signals ?? []).map(one => () => make('li', {class: 'signal'}, make('b', {}, titles[one.kind] ?? seen(one.kind)), ' ', long(one.text, 400))),
    ...(p?.differences ?? []).map(one => () => make('li', {}, make('b', {}, 'known difference'), ' ', make('code', {}, long(one, 120)))),
    ...(a.bound ?? []).map(one => () => make('li', {}, make('b', {}, 'rests on'), ' ', make('code', {}, long(one.record, 160)), ' at version ', value(one.version))),
    ...(p ? [() => make('li', {}, make('b', {}, 'fidelity'), ' ', long(p.fidelity, 120))] : []),
  ]
  if (items.length === 0) return undefined
  return part('Worth knowing', limited(make('ul', {class: 'knowing'}), items, 40, 'line'))
}

function before(calls) {
  if (calls.length === 0) return make('p', {class: 'empty'}, 'Nothing: it is the first call.')
  return limited(make('ol', {class: 'before'}), calls.map(one => () => make('li', {},
    make('span', {class: 'seq'}, '#', value(one.event)), make('span', {class: 'made'}, long(one.call, 200)), make('span', {class: one.status >= 400 ? 'status bad' : 'status'}, value(one.status)))), 40, 'call')
}

