// Unpacking. A block is base64 of gzip of JSON, in a script element that no
// browser runs.

const blocks = new Map()

function block(name) {
  if (!blocks.has(name)) blocks.set(name, unpack($('packed-' + name)))
  return blocks.get(name)
}

async function unpack(element) {
  if (!element) return null
  if (!window.DecompressionStream) throw new Error('This browser cannot unpack what is in this page (it lacks DecompressionStream).')
  const text = atob(element.textContent)
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Response(stream).json()
}

// make builds an element. What traffic says only ever comes in as text.
function make(tag, props, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(props || {})) {
    if (value === undefined || value === false) continue
    if (name === 'class') element.className = value
    else if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
    else element.setAttribute(name, value)
  }
  element.append(...children.filter(child => child !== undefined && child !== null && child !== ''))
  return element
}

const count = (n, noun) => n.toLocaleString('en') + ' ' + noun + (n === 1 ? '' : 's')

// indented lays JSON out over lines, by its signs alone, so that it works on one
// that is cut and alters no number. What is no JSON stays as it is.
function indented(text) {
  if (!/^\s*[[{]/.test(text)) return text
  let out = '', depth = 0, quoted = false
  const line = () => '\n' + '  '.repeat(Math.min(depth, 40))
  for (let i = 0; i < text.length; i++) {
    const c = text[i]
    if (quoted) {
      out += c
      if (c === '\\' && i + 1 < text.length) out += text[++i]
      else if (c === '"') quoted = false
      continue
    }
    switch (c) {
      case '"': quoted = true; out += c; break
      case '{': case '[': {
        const rest = /^\s*[}\]]/.exec(text.slice(i + 1, i + 40))
        if (rest) { out += c + rest[0].trim(); i += rest[0].length; break }
        depth++; out += c + line(); break
      }
      case '}': case ']': depth = Math.max(0, depth - 1); out += line() + c; break
      case ',': out += c + line(); break
      case ':': out += ': '; break
      case ' ': case '\n': case '\t': case '\r': break
      default: out += c
    }
  }
  return out
}

// named shows a record by what people would call it, with its id small beside.
function named(record) {
  if (!record.title) return [make('b', {}, record.id)]
  return [make('b', {}, record.title), ' ', make('span', {class: 'small'}, record.id), ' ']
}
