// All worktrees together: how each one is, and the records in which their plans differ, a row each, with a column for each worktree.

import { count, el, foreign, number, replace } from './dom.js'
import { get } from './net.js'
import { address, go } from './address.js'

const counted = ['Ready', 'Blocked', 'Claimed', 'Done']

// worktrees makes the view.
export function worktrees(page) {
  const content = el('div', { class: 'page-text' })
  const element = el('div', { class: 'view scrolled', tabindex: 0, role: 'region', 'aria-label': 'Worktrees' }, content)
  const value = (tree) => (tree.own ? '' : tree.root) // of a worktree in the address
  let chosen = '0 0' // the cell that Tab goes to, by row and column

  const cells = () => [...content.querySelectorAll('td a[data-cell]')]

  function choose(link, focus = true) {
    for (const one of cells()) one.tabIndex = one === link ? 0 : -1
    chosen = link.dataset.cell
    if (focus) link.focus()
  }

  // Arrow keys move between cells; Tab leaves the table.
  content.addEventListener('keydown', (event) => {
    const at = event.target.closest('a[data-cell]')
    const [down, right] = { ArrowDown: [1, 0], j: [1, 0], ArrowUp: [-1, 0], k: [-1, 0], ArrowRight: [0, 1], l: [0, 1], ArrowLeft: [0, -1], h: [0, -1] }[event.key] ?? []
    if (!at || down === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const [row, column] = at.dataset.cell.split(' ').map(Number)
    const to = cells().find((one) => one.dataset.cell === `${row + down} ${column + right}`)
    if (to) choose(to)
  })
  content.addEventListener('focusin', (event) => {
    const link = event.target.closest('a[data-cell]')
    if (link) choose(link, false)
  })

  const atWork = (one) => one.runs > 0 || one.workers?.length > 0

  function tree(one, working) {
    const work = [one.runs > 0 && count(one.runs, 'run'), ...(one.workers ?? []).map((worker) => foreign('span', {}, [worker.name, worker.id].filter(Boolean).join(' · ')))].filter(Boolean)
    return [
      el('a', { href: go({ view: 'board', worktree: value(one), at: '', task: '' }), title: one.root }, foreign('span', {}, one.name)), one.branch && foreign('code', {}, one.branch),
      ...counted.map((status) => (one.failure ? '' : number(one.counts[status.toLowerCase()] ?? 0))),
      ...(working ? [el('ul', { class: 'plain' }, work.map((text) => el('li', {}, text)))] : []),
      one.failure ? foreign('span', { class: 'rejected' }, one.failure) : one.uncommitted ? el('span', { class: 'badge warn' }, 'not committed') : 'committed',
    ]
  }

  function cell(row, one, tree, at) {
    if (one.status === 'unknown') return el('span', { class: 'quiet' }, 'unknown')
    if (!one.status) return el('span', { class: 'quiet' }, 'absent')
    const texts = new Set(row.cells.map((other) => other.text).filter(Boolean)).size
    const text = texts > 1 && el('span', { class: 'quiet', title: 'Cells of a row with one letter have the same text' }, ` text ${letter(one)}`)
    return el('a', { href: go({ worktree: value(tree), task: row.id, at: '' }), 'data-cell': at, 'data-id': row.id, tabindex: -1, 'aria-label': `${row.id} in ${tree.name}: ${one.status}${texts > 1 ? `, text ${letter(one)}` : ''}` },
      el('span', { class: `dot ${one.status}`, 'aria-hidden': 'true' }), ` ${one.status}`, text)
  }

  return {
    name: 'worktrees', title: 'Worktrees', key: '6', element, all: true,
    read: () => get('worktrees'),
    show(shown) {
      const text = JSON.stringify([shown, address().worktree])
      if (text === this.text) return
      this.text = text
      const focused = content.contains(document.activeElement)
      const { worktrees: trees, rows } = shown
      const working = trees.some(atWork)
      replace(content, el('h2', {}, 'Worktrees'),
        table(['Worktree', 'Branch', ...counted, ...(working ? ['At work now'] : []), 'Plan'], trees.map((one) => tree(one, working))),
        shown.hidden > 0 && el('p', { class: 'quiet' }, `${count(shown.hidden, 'further worktree')} not read.`),
        el('h2', {}, 'In what the plans differ'),
        rows.length === 0 ? el('p', { class: 'quiet' }, trees.length > 1 ? 'In nothing.' : 'There is one worktree.')
          : table(['', ...trees.map((one) => foreign('span', {}, one.name))], rows.map((row, i) => [
            [el('span', { class: 'id', translate: 'no' }, row.id), ' ', row.kind !== 'task' && el('span', { class: 'badge' }, row.kind), ' ', foreign('span', {}, row.name)],
            ...row.cells.map((one, j) => cell(row, one, trees[j], `${i} ${j}`))]), 'differences'),
        shown.more > 0 && el('p', { class: 'quiet' }, `${count(shown.more, 'further record')} ${shown.more === 1 ? 'differs' : 'differ'}.`))
      const all = cells()
      const still = all.find((one) => one.dataset.cell === chosen) ?? all[0]
      if (still) choose(still, false)
      if (focused) this.focus()
    },
    // mark marks the cell of the task that is open.
    mark() {
      for (const link of cells()) {
        const open = link.dataset.id === page.where.task && link.getAttribute('href') === go({ task: page.where.task })
        link.classList.toggle('open', open)
      }
    },
    focus() { (cells().find((one) => one.tabIndex === 0) ?? element).focus() },
  }
}

const letter = (cell) => String.fromCharCode(64 + cell.text)

function table(head, rows, name = '') {
  const kind = (i) => (counted.includes(head[i]) ? { class: 'number' } : {})
  return el('div', { class: `table ${name}` }, el('table', {}, el('thead', {}, el('tr', {}, head.map((one, i) => (one === '' ? el('td', {}) : el('th', { scope: 'col', ...kind(i) }, one))))),
    el('tbody', {}, rows.map((row) => el('tr', {}, row.map((one, i) => el(i === 0 ? 'th' : 'td', i === 0 ? { scope: 'row' } : kind(i), one || '')))))))
}
