// The frame of the console: who is here, which page is shown, and its keys. A page is
// a module that gives {title, path, open(main, rest, said)}, where open gives {go(rest),
// key(event), close()}; it is one more line in pages.
import {make} from './text.js'
import {signIn, signedIn, whenLost} from './control.js'
import {approvals} from './approvals.js'

const pages = [approvals]
const $ = id => document.getElementById(id)
let shown, open, who = {name: '', proved: false}

// toast says something in passing.
let fading = 0
function toast(text, kind = '') {
  clearTimeout(fading)
  $('toast').className = 'toast on ' + kind
  $('toast').textContent = text
  fading = setTimeout(() => { $('toast').className = 'toast' }, kind === 'bad' ? 9000 : 4000)
}

// state says how the page hears of what is new.
function state(word) {
  const says = {live: 'live', polling: 'looking every 2 s', away: 'the gateway does not answer', '': ''}
  $('link').className = 'link ' + word
  $('link').textContent = says[word] ?? ''
}

// door is what is shown to whoever has no token.
function door(why) {
  open?.close()
  open = shown = undefined
  state('')
  $('nav').replaceChildren()
  document.title = 'Parity'
  $('main').replaceChildren(make('section', {class: 'door'},
    make('h1', {}, 'Decide what agents may do'),
    make('p', {class: 'lead'}, why),
    make('p', {}, 'On the machine of the gateway, type'),
    make('pre', {}, make('code', {}, 'parity console')),
    make('p', {class: 'small'}, 'It opens this page with a code that is good once, for a minute. The page keeps what it gets for it in its memory alone: no cookie, nothing stored. A reload, or a closed tab, ends it.')))
}

function route() {
  if (!signedIn()) return
  const [, name, ...rest] = location.hash.split('/')
  const page = pages.find(page => page.path === name) ?? pages[0]
  if (page !== shown) {
    open?.close()
    shown = page
    $('nav').replaceChildren(...pages.map(one => make('a', {href: '#/' + one.path, 'aria-current': one === page && 'page'}, one.title)))
    $('main').replaceChildren()
    open = page.open($('main'), {who, toast, state, title: text => { document.title = text }})
  }
  open.go(rest.map(part => { try { return decodeURIComponent(part) } catch { return '' } }))
}

// enter takes the code out of the address, before anything else is done with it.
async function enter() {
  const code = /^#code=([A-Za-z0-9_-]+)$/.exec(location.hash)?.[1]
  if (!code) return route()
  history.replaceState(null, '', location.pathname)
  try {
    const got = await signIn(code)
    who.name = got.name
    who.proved = got.proved
    open?.close()
    shown = open = undefined
    history.replaceState(null, '', '#/' + pages[0].path)
    route()
  } catch (error) {
    door(error.code === 'unknown-code' ? 'This code was used already, or is older than a minute.' : 'The gateway did not take the code: ' + error.message)
  }
}

whenLost(() => door('What this page showed the gateway is good no longer.'))
$('help-button').addEventListener('click', () => $('help').showModal())
document.addEventListener('keydown', event => {
  if (event.isComposing || event.altKey || event.metaKey || $('help').open) return
  if (event.key === '?' && !event.ctrlKey && !event.target.matches?.('input, textarea')) {
    event.preventDefault()
    $('help').showModal()
  } else open?.key(event)
})
addEventListener('hashchange', enter)
if (!location.hash.startsWith('#code=')) door('This page needs to know who you are.')
enter()
