// Light, dark, or as the system has it.

const $ = id => document.getElementById(id)

const themes = ['auto', 'light', 'dark']

// recall and remember go without where a browser keeps nothing for a file.
function recall() { try { return localStorage.getItem('parity-theme') } catch { return null } }
function remember(theme) { try { localStorage.setItem('parity-theme', theme) } catch { /* it holds until the page is closed */ } }

function setTheme(theme) {
  if (!themes.includes(theme)) theme = 'auto'
  if (theme === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  $('theme').textContent = 'Theme: ' + theme
}

function nextTheme() {
  const now = document.documentElement.dataset.theme || 'auto'
  const theme = themes[(themes.indexOf(now) + 1) % themes.length]
  setTheme(theme)
  remember(theme)
}

setTheme(recall())
$('theme').addEventListener('click', nextTheme)
