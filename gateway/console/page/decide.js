// What can be said to an approval, and by whom.
import {make, parse, seen} from './text.js'

const kinds = {
  approve: {title: 'Approve', key: 'a', asks: 'Let this call through, once', done: 'Approved.', digest: true},
  reject: {title: 'Reject', key: 'r', asks: 'Refuse this call', done: 'Rejected.'},
  change: {title: 'Change', key: 'c', asks: 'Let it through as changed', done: 'Changed.', digest: true},
  escalate: {title: 'Escalate', key: 'e', asks: 'Let somebody else decide', done: 'Escalated.'},
  revoke: {title: 'Revoke', key: 'v', asks: 'Take back what was approved', done: 'Revoked.'},
}
const longestEdited = 4000

// decisions are the buttons.
export function decisions(a, who, begin) {
  const may = a.state === 'approved' ? ['revoke'] : ['approve', 'reject', 'change', 'escalate']
  return [
    make('div', {class: 'buttons'}, may.map(one => make('button', {type: 'button', class: one, on: {click: () => begin(one)}}, kinds[one].title, ' ', make('kbd', {}, kinds[one].key)))),
    acting(who),
  ]
}

// acting says in whose name.
function acting(who) {
  if (who.proved) return make('p', {class: 'acting'}, 'acting as ', make('b', {}, make('bdi', {}, seen(who.name))))
  const name = make('input', {type: 'text', id: 'acting', maxlength: 100, autocomplete: 'off', spellcheck: 'false', placeholder: 'your name', size: 14, on: {input: () => { who.name = name.value.trim() }}})
  name.value = who.name
  return make('p', {class: 'acting'}, make('label', {for: 'acting'}, 'acting as '), name)
}

// form asks for what goes with a decision. draft keeps what was typed, should the
// form have to be opened again.
export function form(a, asking, who, draft, {send, away}) {
  const kind = kinds[asking.decision], body = a.request?.body
  const problem = make('p', {class: 'problem', role: 'alert', hidden: true})
  const note = make('textarea', {id: 'note', rows: 1, maxlength: 10000, placeholder: 'a note, if you like', autofocus: asking.decision !== 'change', on: {input: () => { draft.note = note.value }}})
  note.value = draft.note ?? ''
  const set = make('textarea', {id: 'set', class: 'set', rows: 6, spellcheck: 'false', autofocus: true, on: {input: () => { draft.set = set.value }}})
  set.value = draft.set ?? editable(body)
  const to = make('input', {id: 'to', type: 'text', maxlength: 64, placeholder: 'the next one', spellcheck: 'false', autocomplete: 'off'})
  const confirm = make('button', {type: 'submit', class: asking.decision}, kind.title)

  const problemIs = text => { problem.textContent = text; problem.hidden = text === '' }
  const submit = async event => {
    event?.preventDefault()
    if (confirm.disabled) return
    problemIs('')
    try {
      const said = {decision: asking.decision}
      if (!who.proved) {
        if (!who.name) { document.getElementById('acting')?.focus(); throw new Error('Say who you are: it is written down with what you decide.') }
        said.by = who.name
      }
      if (kind.digest) said.digest = asking.digest
      if (note.value.trim()) said.note = note.value.trim()
      if (asking.decision === 'escalate' && to.value.trim()) said.to = to.value.trim()
      if (asking.decision === 'change') said.set = edited(set.value, body)
      confirm.disabled = true
      await send(kind.done, JSON.stringify(said))
    } catch (error) {
      problemIs(error.message)
    } finally {
      confirm.disabled = false
    }
  }
  const keys = event => {
    if (event.key !== 'Enter' || event.isComposing || event.shiftKey || event.target === set && !event.ctrlKey && !event.metaKey || event.target.type === 'button') return
    event.preventDefault()
    submit()
  }
  return [make('form', {class: 'form', on: {submit, keydown: keys}},
    make('h2', {}, kind.asks),
    asking.decision === 'change' && [make('label', {for: 'set'}, 'Fields of the body. What you leave as it is, or leave out, stays as it is.'), set],
    asking.decision === 'escalate' && make('p', {class: 'to'}, make('label', {for: 'to'}, 'to '), to),
    make('label', {for: 'note', class: 'hide'}, 'Note'), note, problem,
    make('div', {class: 'buttons'}, confirm, make('button', {type: 'button', class: 'plain', on: {click: away}}, 'Let it be ', make('kbd', {}, 'Esc')), acting(who)))]
}

const object = of => of !== null && typeof of === 'object' && !Array.isArray(of)

// editable is a body as it can be edited.
function editable(body) {
  const text = object(body) ? JSON.stringify(body, null, 2) : '{}'
  return text.length > longestEdited ? '{}' : text
}

// edited are the fields that were changed.
function edited(text, body) {
  let all
  try { all = parse(text) } catch (error) { throw new Error('This is no JSON: ' + error.message) }
  if (!object(all)) throw new Error('Write an object: {"amount": 500}')
  const changed = Object.entries(all).filter(([name, is]) => !object(body) || !Object.hasOwn(body, name) || JSON.stringify(body[name]) !== JSON.stringify(is))
  if (changed.length === 0) throw new Error('Nothing is changed yet: edit a value, or approve it as it is.')
  return Object.fromEntries(changed)
}
