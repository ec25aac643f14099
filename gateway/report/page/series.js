// The page of a series has one key, and opens the entry that its address names.

document.addEventListener('keydown', event => {
  if (event.key === 't' && !event.ctrlKey && !event.metaKey && !event.altKey) nextTheme()
})

function reveal() {
  const named = /^#c\d+$/.test(location.hash) && $(location.hash.slice(1))
  if (named) { named.open = true; named.scrollIntoView({block: 'center', inline: 'center'}) }
}
addEventListener('hashchange', reveal)
reveal()
