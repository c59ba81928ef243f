// Who works now, and the runs of agents with what they took.

import { count, dollars, el, foreign, lasting, number, replace, when } from './dom.js'
import { get } from './net.js'
import { go } from './address.js'

// runs makes the view.
export function runs() {
  const content = el('div', { class: 'page-text' })
  return {
    name: 'runs', title: 'Runs', key: '5', element: el('div', { class: 'view scrolled', tabindex: 0, role: 'region', 'aria-label': 'Runs and workers' }, content),
    read: (place) => get('runs', place),
    show(shown) {
      const text = JSON.stringify(shown)
      if (text === this.text) return
      this.text = text
      replace(content, el('h2', {}, 'At work now'), workers(shown.workers), el('h2', {}, 'Runs'), totals(shown.usage), allRuns(shown.runs),
        shown.older > 0 && el('p', { class: 'quiet' }, `${number(shown.older)} older runs are not shown.`))
    },
    focus() { this.element.focus() },
  }
}

const task = (one) => one.id && el('a', { href: go({ task: one.id }) }, el('span', { class: 'id', translate: 'no' }, one.id), ' ', foreign('span', {}, one.task ?? one.name ?? ''))

function workers(all) {
  if (all.length === 0) return el('p', { class: 'quiet' }, 'Nobody works in the worktrees of this repository.')
  return table(['Worker', 'Does', 'Task', 'Since', 'Tokens', 'Cost'], all.map((one) => [
    foreign('span', { title: one.worktree }, one.name), [one.stage, one.tool && [' · ', foreign('span', {}, one.tool)], !one.id && one.state].filter(Boolean), task(one),
    one.began && when(one.began), one.tokens && number(one.tokens), one.cost && dollars(one.cost),
  ]))
}

// called returns the name of an agent's program, where it is a path.
const called = (agent) => (agent ?? '').replace(/^\S*[/\\]/, '')

const totals = (usage) => (usage.iterations > 0 ? el('p', {}, used(usage)) : el('p', { class: 'quiet' }, 'No agent was started yet.'))

// used says what agents took. Tokens and costs are known where the agent reports them.
export const used = (usage) => [count(usage.iterations, 'iteration'), took(usage)].filter(Boolean).join(', ')

const took = (usage) => [usage.seconds > 0 && lasting(usage.seconds), usage.tokens > 0 && `${number(usage.tokens)} tokens`, usage.cost > 0 && dollars(usage.cost)].filter(Boolean).join(', ')

function allRuns(all) {
  return all.map((run) => el('details', { class: 'run', open: run.active },
    el('summary', {}, when(run.began), ' · ', foreign('span', { title: run.agent }, called(run.agent) || 'team'), ' · ', run.active ? el('strong', { class: 'claimed' }, 'under way') : foreign('span', {}, run.text || run.why || 'ended'),
      el('span', { class: 'quiet' }, took(run.usage) && ` · ${took(run.usage)}`)),
    run.iterations
      ? table(['#', 'Worker', 'Stage', 'Task', 'Result', 'Took', 'Commits', 'Tokens', 'Cost'], run.iterations.map((one) => [
        one.number, one.worker && foreign('span', {}, one.worker), one.stage, task(one), foreign('span', {}, one.text || one.result || 'under way'), one.seconds && lasting(one.seconds),
        one.commits, one.tokens && number(one.tokens), one.cost && dollars(one.cost)]))
      : el('p', { class: 'quiet' }, 'No agent was started.')))
}

const numbers = ['#', 'Took', 'Commits', 'Tokens', 'Cost']

// table leaves out columns that are empty.
function table(head, rows) {
  const columns = head.map((name, i) => [name, i]).filter(([, i]) => rows.some((cells) => cells[i] || cells[i] === 0))
  const kind = (name) => ({ class: numbers.includes(name) ? 'number' : undefined })
  return el('div', { class: 'table' }, el('table', {}, el('thead', {}, el('tr', {}, columns.map(([name]) => el('th', { scope: 'col', ...kind(name) }, name)))),
    el('tbody', {}, rows.map((cells) => el('tr', {}, columns.map(([name, i]) => el('td', kind(name), cells[i] || '')))))))
}
