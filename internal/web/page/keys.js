// The keys of the page. They work wherever nothing is typed.

import { el } from './dom.js'
import { go } from './address.js'
import { nextTheme } from './theme.js'
import { openDialog } from './dialog.js'

export class Keys {
  constructor(page) {
    this.page = page
    document.addEventListener('keydown', (event) => this.#pressed(event))
  }

  // all returns the keys, each with what it does.
  all() {
    const { page } = this
    const views = [...page.views.values()].map((view) => [view.key, view.title, () => { location.hash = go({ view: view.name }) }])
    return [
      ...views,
      ['/', 'Filter', () => (page.view.filters ? document.getElementById('search').focus() : page.toast(`“${page.view.title}” has no filter.`))],
      ['m', 'Go to the view', () => page.view.focus()],
      ['o', 'Go to the task that is open', () => page.task.focus()],
      ['Escape', 'Close the task, or leave the filter', () => this.#escape()],
      ['t', 'Light, dark, or as the system has it', () => page.say(`Theme: ${nextTheme()}`)],
      ...page.actions.keys(),
      ['?', 'These keys', () => this.help()],
    ]
  }

  #escape() {
    const { page } = this
    if (document.activeElement?.id === 'search') page.view.focus()
    else if (page.where.task) page.task.close()
  }

  #pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || document.querySelector('dialog[open]')) return
    const typed = event.target.closest('input:not([type=range]), textarea, select')
    if (typed && event.key !== 'Escape') return
    const found = this.all().find(([key]) => key === event.key)
    if (!found) return
    event.preventDefault()
    found[2]()
  }

  help() {
    const within = [
      ['↑ ↓ j k', 'Move in a list'], ['← →', 'Move between columns'], ['PgUp PgDn', 'Move by a page'], ['Home End', 'To the first, to the last'], ['Enter', 'Open a task'],
      ['+ − 0', 'Zoom the graph, show all of it'], ['← ↑ → ↓', 'Move between tasks of the graph'], ['Tab', 'To the next part of the page'],
    ]
    const rows = [...this.all().map(([key, about]) => [key, about]), ...within]
    openDialog('Keys', el('dl', { class: 'keys' }, rows.map(([keys, about]) => el('div', {}, el('dt', {}, keys.split(' ').map((key) => el('kbd', {}, key))), el('dd', {}, about)))))
  }
}
