// An oracle that judges with ajv, for the documents that kin-openapi cannot
// load and for OpenAPI 3.1. It answers questions, one line of JSON each, until
// there are no more. Its argument is the folder node_modules.
import fs from 'node:fs'
import readline from 'node:readline'
import { createRequire } from 'node:module'

const require = createRequire(process.argv[2] + '/')
const pick = (module) => module.default ?? module
const Draft7 = pick(require('ajv'))
const Draft2020 = pick(require('ajv/dist/2020'))
const formats = pick(require('ajv-formats'))

let doc, ajv, compiled

const own = (object, name) => object && Object.prototype.hasOwnProperty.call(object, name) ? object[name] : undefined
const escape = (name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))

function find(pointer) {
  let at = doc
  for (const token of pointer.slice(2).split('/')) {
    at = own(at, decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~'))
  }
  return at
}

// follow gives what stands at a pointer, references followed, and where it is.
function follow(node, pointer) {
  for (let hops = 0; node && typeof node.$ref === 'string' && hops < 64; hops++) {
    pointer = node.$ref
    if (!pointer.startsWith('#/')) return [undefined, pointer]
    node = find(pointer)
  }
  return [node, pointer]
}

// translate says in JSON Schema what OpenAPI 3.0 says otherwise. What is taken
// from required are the fields that the other direction has.
function translate(node, absent) {
  if (Array.isArray(node)) return node.map((item) => translate(item, absent))
  if (!node || typeof node !== 'object') return node
  const out = {}
  for (const [name, value] of Object.entries(node)) {
    if (name === 'discriminator' || name === 'example' || name === 'examples' || name === 'default') continue
    out[name] = name === 'enum' ? value : translate(value, absent)
  }
  if (node.nullable === true) {
    if (typeof node.type === 'string') out.type = [node.type, 'null']
    if (Array.isArray(node.enum)) out.enum = [...node.enum, null]
    delete out.nullable
  }
  for (const [bound, strict] of [['minimum', 'exclusiveMinimum'], ['maximum', 'exclusiveMaximum']]) {
    if (node[strict] === true && typeof node[bound] === 'number') {
      out[strict] = node[bound]
      delete out[bound]
    } else if (typeof node[strict] === 'boolean') delete out[strict]
  }
  if (Array.isArray(node.required) && node.properties && typeof node.properties === 'object') {
    out.required = node.required.filter((name) => {
      const property = own(node.properties, name)
      return !(property && follow(property, '')[0]?.[absent] === true) && !(property && property[absent] === true)
    })
  } else if (typeof node.required === 'boolean') delete out.required
  return out
}

function open(file) {
  ajv = compiled = doc = undefined
  doc = JSON.parse(fs.readFileSync(file, 'utf8'))
  const Ajv = String(doc.openapi).startsWith('3.0') ? Draft7 : Draft2020
  ajv = {}
  compiled = new Map()
  for (const [side, absent] of [['request', 'readOnly'], ['reply', 'writeOnly']]) {
    const one = new Ajv({ strict: false, logger: false, unicodeRegExp: false, inlineRefs: false })
    formats(one)
    one.addSchema(translate(doc, absent), 'corpus:doc', undefined, false)
    ajv[side] = one
  }
  return { Version: String(doc.openapi) }
}

function judge(side, pointer, value) {
  const key = side + pointer
  let check = compiled.get(key)
  if (!check) {
    try {
      check = ajv[side].compile({ $ref: 'corpus:doc' + pointer })
    } catch (error) {
      return { Verdict: 'unjudged', Why: 'ajv: ' + String(error.message).slice(0, 200) }
    }
    compiled.set(key, check)
  }
  if (check(value)) return { Verdict: 'valid' }
  const error = check.errors.at(-1)
  return { Verdict: 'invalid', Why: `${error.keyword}: ${error.message} at ${error.instancePath}` }
}

const essence = (kind) => String(kind ?? '').split(';')[0].trim().toLowerCase()
const isJSON = (kind) => ['application/json', 'text/json'].includes(essence(kind)) || essence(kind).endsWith('+json')

function described(content, kind) {
  kind = essence(kind)
  for (const pattern of [kind, kind.split('/')[0] + '/*', '*/*', '*']) {
    for (const name of Object.keys(content)) if (essence(name) === pattern) return name
  }
}

function operation(q) {
  const at = '#/paths/' + escape(q.Path)
  const [item, where] = follow(find(at), at)
  return [item, item && item[q.Method.toLowerCase()], where + '/' + q.Method.toLowerCase()]
}

function reply(q) {
  const [, op, at] = operation(q)
  if (!op) return { Verdict: 'unjudged', Why: 'the oracle finds no such operation' }
  const family = `${Math.floor(q.Status / 100)}XX`
  const responses = op.responses ?? {}
  const name = Object.keys(responses).find((code) => code === String(q.Status)) ??
    Object.keys(responses).find((code) => code.toUpperCase() === family) ??
    Object.keys(responses).find((code) => code.toLowerCase() === 'default')
  if (name === undefined) return { Verdict: 'invalid', Why: `status ${q.Status} is not described` }
  const [response, where] = follow(responses[name], `${at}/responses/${escape(name)}`)
  if (!response) return { Verdict: 'unjudged', Why: 'a broken reference' }
  for (const [header, described] of Object.entries(response.headers ?? {})) {
    if (follow(described, '')[0]?.required === true && !(q.Headers ?? []).includes(header.toLowerCase())) {
      return { Verdict: 'invalid', Why: 'required header is missing' }
    }
  }
  const content = response.content ?? {}
  if (Object.keys(content).length === 0 || q.Method === 'HEAD' || [204, 304].includes(q.Status)) return { Verdict: 'valid', Blank: true }
  const media = described(content, q.Type)
  if (media === undefined) {
    if (!q.Type && !q.Body) return { Verdict: 'invalid', Why: 'there is no body, and one is described' }
    return { Verdict: 'invalid', Why: `content type ${q.Type} is not described` }
  }
  if (!content[media].schema || !isJSON(q.Type)) return { Verdict: 'valid', Blank: true }
  let value
  try {
    value = JSON.parse(q.Body)
  } catch (error) {
    return { Verdict: 'invalid', Why: 'the body is no JSON: ' + error.message }
  }
  return judge('reply', `${where}/content/${escape(media)}/schema`, value)
}

function readings(pointer, given) {
  if (!given.Text || typeof given.Value !== 'string') return judge('request', pointer, given.Value)
  const values = [given.Value, [given.Value], given.Value.split(',')]
  try {
    values.push(JSON.parse(given.Value), [JSON.parse(given.Value)])
  } catch { /* it is text and no more */ }
  const answers = values.map((value) => judge('request', pointer, value))
  return answers.find((a) => a.Verdict !== 'invalid') ?? answers[0]
}

function request(q) {
  const [item, op, at] = operation(q)
  if (!op) return { Verdict: 'unjudged', Why: 'the oracle finds no such operation' }
  const given = new Map((q.Values ?? []).map((v) => [v.In + ' ' + v.Name, v]))
  const known = new Set()
  const lists = [[op.parameters ?? [], at], [item.parameters ?? [], at.slice(0, at.lastIndexOf('/'))]]
  for (const [list, owner] of lists) {
    for (const [i, entry] of list.entries()) {
      const [p, where] = follow(entry, `${owner}/parameters/${i}`)
      const key = p && p.in + ' ' + p.name
      if (!p || known.has(key)) continue
      known.add(key)
      if (!given.has(key)) {
        if (p.required === true) return { Verdict: 'invalid', Why: `required ${p.in} parameter is missing` }
        continue
      }
      const media = Object.keys(p.content ?? {})[0]
      if (!p.schema && !media) continue
      const answer = readings(p.schema ? where + '/schema' : `${where}/content/${escape(media)}/schema`, given.get(key))
      if (answer.Verdict !== 'valid') return answer
    }
  }
  const [body, where] = follow(op.requestBody, at + '/requestBody')
  if (!body) return { Verdict: 'valid' }
  if (q.Content === undefined) {
    return body.required === true ? { Verdict: 'invalid', Why: 'required body is missing' } : { Verdict: 'valid' }
  }
  const media = described(body.content ?? {}, q.Type)
  if (media === undefined) return { Verdict: 'invalid', Why: `content type ${q.Type} is not taken` }
  if (!body.content[media].schema) return { Verdict: 'valid', Blank: true }
  return judge('request', `${where}/content/${escape(media)}/schema`, q.Content)
}

const tasks = {
  open: (q) => open(q.File),
  end: () => ({ Peak: process.memoryUsage.rss() }),
  reply,
  request
}

for await (const line of readline.createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  let answer
  try {
    const q = JSON.parse(line)
    answer = tasks[q.Do](q)
  } catch (error) {
    answer = { Verdict: 'unjudged', Why: 'ajv: ' + String(error.message).slice(0, 200), Broken: String(error.message).slice(0, 200) }
  }
  process.stdout.write(JSON.stringify(answer) + '\n')
}
