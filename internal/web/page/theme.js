// Light and dark: as the system has it, unless the user chose one here.

import { el, replace } from './dom.js'

const key = 'git-ralph-theme'
const themes = ['system', 'light', 'dark']
const chosen = () => (themes.includes(localStorage.getItem(key)) ? localStorage.getItem(key) : 'system')

export function showTheme() {
  const theme = chosen()
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

// nextTheme chooses the next theme, and returns its name.
export function nextTheme() {
  const theme = themes[(themes.indexOf(chosen()) + 1) % themes.length]
  localStorage.setItem(key, theme)
  showTheme()
  const button = document.getElementById('theme')
  if (button) replace(button, label())
  return theme
}

const label = () => ['Theme', el('span', { class: 'wide' }, `: ${chosen()}`)]

export const themeButton = () => el('button', { type: 'button', id: 'theme', title: 'Key t', onclick: nextTheme }, label())
