// What comes from agents is shown here, as text: nodes and textContent, nothing else.

// make builds an element. Attributes are this page's own; children are nodes, or
// texts, or nothing.
export function make(tag, attributes, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name === 'on') for (const [event, does] of Object.entries(value)) element.addEventListener(event, does)
    else if (value === true) element.setAttribute(name, '')
    else if (value !== undefined && value !== null && value !== false) element.setAttribute(name, String(value))
  }
  element.append(...children.flat(Infinity).filter(child => child !== undefined && child !== null && child !== false))
  return element
}

// unseen are characters that cannot be seen, or that turn round what stands about
// them: a reviewer would read something else than what is sent.
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]|[\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu
const longest = 600

const named = char => '⟨U+' + char.codePointAt(0).toString(16).toUpperCase().padStart(4, '0') + '⟩'

// seen is a text with what cannot be seen in it told by its number.
export const seen = text => String(text).replace(unseen, named)

// long is a text as nodes; of a very long one the beginning, and a button for the rest.
export function long(text, most = longest) {
  text = String(text)
  const all = () => pieces(text)
  if (text.length <= most + 100) return all()
  const holder = make('span', {}, pieces(text.slice(0, most)))
  const rest = make('button', {type: 'button', class: 'rest', on: {click: () => holder.replaceChildren(...all())}}, `… show all ${count(text.length)} characters`)
  holder.append(rest)
  return [holder]
}

// pieces are a text, what cannot be seen in it marked.
function pieces(text) {
  const nodes = []
  let from = 0
  for (const found of text.matchAll(unseen)) {
    nodes.push(text.slice(from, found.index), make('mark', {class: 'unseen', title: 'a character that cannot be seen'}, named(found[0])))
    from = found.index + found[0].length
    if (nodes.length > 2000) return [...nodes, seen(text.slice(from))]
  }
  return [...nodes, text.slice(from)]
}

export const count = n => Number(n).toLocaleString('en-GB')
export const some = (n, one, many = one + 's') => `${count(n)} ${n === 1 ? one : many}`

// Exact is a number that JavaScript would round, or write otherwise.
export class Exact {
  constructor(source) { this.source = source }
  toJSON() { return JSON.rawJSON ? JSON.rawJSON(this.source) : this.source }
}

// parse reads JSON. A number that would not be written again as it came keeps its
// digits, where the browser tells them.
export const parse = text => JSON.parse(text, (key, value, context) =>
  typeof value === 'number' && context?.source !== undefined && String(value) !== context.source ? new Exact(context.source) : value)

// value is one value of JSON, in a word.
export function value(of, most) {
  if (of === null || of === undefined) return make('span', {class: 'v none'}, of === null ? 'null' : 'not there')
  if (of instanceof Exact) return make('span', {class: 'v number'}, of.source)
  switch (typeof of) {
    case 'string': return of === '' ? make('span', {class: 'v none'}, 'empty text') : make('span', {class: 'v text', dir: 'ltr'}, long(of, most))
    case 'number': return make('span', {class: 'v number'}, String(of))
    case 'boolean': return make('span', {class: 'v word'}, String(of))
  }
  if (Array.isArray(of) && of.length === 0) return make('span', {class: 'v none'}, 'empty list')
  if (!Array.isArray(of) && Object.keys(of).length === 0) return make('span', {class: 'v none'}, 'empty')
  return make('span', {class: 'v text'}, long(JSON.stringify(of), most))
}

const mostRows = 200, deepest = 8

// tree is a value as a table of its parts, one a line, deeper ones further in.
export function tree(of, most = mostRows) {
  const rows = []
  const walk = (name, of, depth) => {
    const deep = of !== null && typeof of === 'object' && !(of instanceof Exact) && depth < deepest
    const parts = deep ? Object.entries(of) : []
    rows.push(() => make('tr', {}, make('th', {scope: 'row', class: `d${Math.min(depth, deepest)}`}, long(name, 120)),
      make('td', {}, parts.length ? make('span', {class: 'v none'}, Array.isArray(of) ? some(parts.length, 'item') : some(parts.length, 'field')) : value(of))))
    for (const [key, part] of parts) walk(Array.isArray(of) ? `${Number(key) + 1}.` : key, part, depth + 1)
  }
  const parts = of !== null && typeof of === 'object' && !(of instanceof Exact) ? Object.entries(of) : [['', of]]
  for (const [key, part] of parts) walk(Array.isArray(of) ? `${Number(key) + 1}.` : key, part, 0)
  const body = make('tbody', {})
  limited(body, rows, most, 'line', 2)
  return make('table', {class: 'tree'}, body)
}

// limited fills a list with what makes its items: the first of many, and a button
// for the rest.
export function limited(list, makers, most, what, columns) {
  const shown = makers.length > most + 20 ? makers.slice(0, most) : makers
  list.append(...shown.map(one => one()))
  if (shown.length === makers.length) return list
  const more = make('button', {type: 'button', class: 'rest', on: {click: () => { holder.remove(); list.append(...makers.slice(most).map(one => one())) }}},
    `show ${some(makers.length - most, 'more ' + what)}`)
  const holder = columns ? make('tr', {}, make('td', {colspan: columns}, more)) : make('li', {}, more)
  list.append(holder)
  return list
}

// span tells a time in seconds by its two largest units.
export function span(seconds) {
  const s = Math.max(0, Math.floor(seconds))
  const [d, h, m] = [Math.floor(s / 86400), Math.floor(s / 3600) % 24, Math.floor(s / 60) % 60]
  if (d) return `${d} d ${h} h`
  if (h) return `${h} h ${String(m).padStart(2, '0')} min`
  if (m) return `${m} min ${String(s % 60).padStart(2, '0')} s`
  return `${s} s`
}

// instant tells when something is, in UTC, as the run's clock has it.
export function instant(text) {
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) return seen(text)
  return at.toLocaleString('en-GB', {timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit'})
}
