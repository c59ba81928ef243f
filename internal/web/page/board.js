// The board: a column of cards for each status.

import { el, few, foreign, replace, when } from './dom.js'
import { get } from './net.js'
import { go, noMatch } from './address.js'
import { List } from './list.js'

const rowHeight = 72 // as in style.css

export const statusNames = { ready: 'Ready', blocked: 'Blocked', claimed: 'Claimed', done: 'Done', landed: 'Landed', accepted: 'Accepted today' }

// board makes the view.
export function board(page) {
  const columns = new Map()
  const element = el('div', { class: 'board' })
  const empty = el('p', { class: 'empty', hidden: true })

  function column(status) {
    const count = el('span', { class: 'count' })
    const list = new List({ label: statusNames[status] ?? status, height: rowHeight, row: (card) => cardLink(page, card), key: (card) => `${card.kind} ${card.id}` })
    const section = el('section', { class: `column ${status}`, 'aria-label': statusNames[status] ?? status },
      el('h2', {}, el('span', { class: `dot ${status}`, 'aria-hidden': 'true' }), statusNames[status] ?? status, ' ', count), list.element)
    element.append(section)
    const made = { status, list, count }
    columns.set(status, made)
    return made
  }

  element.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, h: -1, l: 1 }[event.key]
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return
    const all = [...columns.values()]
    const from = all.findIndex(({ list }) => list.element.contains(document.activeElement))
    for (let to = from + step; from >= 0 && to >= 0 && to < all.length; to += step) {
      if (all[to].list.focus(all[to].list.active)) { event.preventDefault(); return }
    }
  })

  return {
    name: 'board', title: 'Board', key: '1', filters: true, ofPast: true, element: el('div', { class: 'view' }, el('h2', { class: 'unseen' }, 'Board'), element, empty),
    read: (place, where) => get('board', { ...place, q: where.q }),
    show(shown, where) {
      let left = 0
      const lists = []
      for (const one of shown.columns) {
        const { list, count } = columns.get(one.status) ?? column(one.status)
        lists.push([list, one.cards])
        replace(count, one.cards.length.toLocaleString())
        left += one.cards.length
      }
      empty.hidden = left > 0
      element.hidden = left === 0
      List.setAll(lists)
      replace(empty, shown.total > 0 ? noMatch() : ['The plan has no task. ', page.actions.allowed ? ['Add one with “New task”, or ', el('kbd', {}, 'a'), '.'] : ['Add one with ', el('code', {}, 'git ralph task add'), '.']])
      if (where.q !== this.q) page.say(where.q ? `${left} of ${shown.total} match` : '')
      this.q = where.q
      this.mark()
    },
    // mark marks the card of the task that is open.
    mark() {
      for (const link of element.querySelectorAll('.card')) link.classList.toggle('open', link.dataset.id === page.where.task)
    },
    focus() {
      const all = [...columns.values()]
      const chosen = all.find(({ list }) => list.items.some((card) => card.id === page.where.task))
      if (chosen) { chosen.list.focus(chosen.list.items.findIndex((card) => card.id === page.where.task)); return }
      if (!all.some(({ list }) => list.focus(list.active))) document.getElementById('main').focus()
    },
    // current returns the card that has the focus.
    current() {
      const id = document.activeElement?.closest?.('.card')?.dataset.id
      return id && [...columns.values()].flatMap(({ list }) => list.items).find((card) => card.id === id)
    },
  }
}

function cardLink(page, card) {
  const link = el('a', { class: `card ${card.status}${page.where.task === card.id ? ' open' : ''}`, href: go({ task: card.id }), 'data-id': card.id },
    el('span', { class: 'card-head' }, el('span', { class: 'id', translate: 'no' }, card.id), ...badges(card)),
    foreign('span', { class: 'name' }, few(card.name)))
  return link
}

// badges are what of a card has to be seen at once.
export function badges(card) {
  return [
    card.kind !== 'task' && el('span', { class: 'badge kind' }, card.kind),
    card.priority && el('span', { class: `badge priority ${['high', 'medium', 'low'].includes(card.priority) ? card.priority : ''}` }, card.priority),
    card.conflict && el('span', { class: 'badge bad' }, 'conflict'),
    card.person && !card.conflict && el('span', { class: 'badge bad' }, 'needs you'),
    card.rejected && el('span', { class: 'badge warn', title: 'Rejected attempts' }, `rejected ×${card.rejected}`),
    card.landing && el('span', { class: 'badge' }, 'landing'),
    card.noAgent && el('span', { class: 'badge', title: 'It is finished without an agent' }, 'no agent'),
    card.item && card.item !== card.id && foreign('span', { class: 'badge item' }, card.item),
    card.waits && el('span', { class: 'badge', title: card.waits.join(', ') }, `waits for ${card.waits.length}`),
    card.holder && foreign('span', { class: 'badge who', title: card.holder }, card.holder),
    card.at && el('span', { class: 'badge' }, when(card.at)),
  ].filter(Boolean)
}
