// Keys, and the start of it all.

$('keys-button').addEventListener('click', () => $('keys').showModal())
$('close').addEventListener('click', closeFrame)
$('before').addEventListener('click', () => step(-1))
$('after').addEventListener('click', () => step(1))

const ready = $('list') ? startList() : Promise.resolve()
if ($('changes')) startWorld().catch(failed)
ready.then(follow).catch(failed)

function failed(error) {
  if ($('count')) $('count').textContent = error.message
  if ($('changes')) $('changes').replaceChildren(make('p', {class: 'why'}, error.message))
}

// follow opens the frame that the address names: what is opened can be shared.
function follow() {
  const named = /^#e(\d+)$/.exec(location.hash)
  if (named) openFrame(Number(named[1]))
}
addEventListener('hashchange', follow)

document.addEventListener('click', event => {
  const link = event.target.closest('a.ref')
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  openFrame(Number(link.hash.slice(2)), $('frame').contains(link) ? undefined : link)
})

if ($('list')) {
  $('list').addEventListener('scroll', () => draw(), {passive: true})
  $('list').addEventListener('focus', () => { if (list.at < 0) move(0) })
  addEventListener('resize', () => draw())
  let waiting = 0
  $('filter').addEventListener('input', () => { clearTimeout(waiting); waiting = setTimeout(refilter, 120) })
  $('filters').addEventListener('change', event => {
    if (event.target.name === 'shape') list.shape = event.target.value
    if (event.target.id !== 'filter') refilter()
  })
  $('filters').addEventListener('submit', event => { event.preventDefault(); $('list').focus() })
  addEventListener('beforeprint', () => draw(true))
  addEventListener('afterprint', () => draw())
}

function toggleShape() {
  list.shape = list.shape === 'events' ? 'intents' : 'events'
  for (const radio of document.getElementsByName('shape')) radio.checked = radio.value === list.shape
  refilter()
}

const moves = {
  j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1),
  n: () => { next(1); refollow() }, p: () => { next(-1); refollow() },
  Home: () => move(0), End: () => move(Infinity), PageDown: () => move(list.at + page()), PageUp: () => move(list.at - page()),
}
const page = () => Math.max(1, Math.floor($('list').clientHeight / rowHeight) - 1)
const refollow = () => { if (!$('frame').hidden && list.at >= 0) openFrame(list.shown[list.at].seq) }

document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || $('keys').open) return
  const target = event.target, typing = target.matches('input[type=search], select, textarea')
  const inList = target === $('list')
  if (event.key === 'Escape') {
    if (target === $('filter') && $('filter').value) { $('filter').value = ''; refilter() } else if (typing) $('list').focus()
    else if (!closeFrame()) return
    event.preventDefault()
    return
  }
  if (typing) {
    if (target === $('filter') && event.key === 'ArrowDown') { event.preventDefault(); $('list').focus() }
    return
  }
  if (event.key === '?') { $('keys').showModal(); event.preventDefault(); return }
  if (event.key === 't') return nextTheme()
  if (!list.data) return
  if (event.key === '/') { $('filter').focus(); $('filter').select(); event.preventDefault(); return }
  if (event.key === 'i') return toggleShape()
  if (event.key === 'Enter' && inList && list.at >= 0) { openFrame(list.shown[list.at].seq, $('list')); event.preventDefault(); return }
  const letter = /^[jknp]$/.test(event.key)
  if (moves[event.key] && (letter || inList)) {
    if (letter && !inList && $('frame').hidden) $('list').focus()
    moves[event.key]()
    event.preventDefault()
  }
})
