// The pane of one task, issue or item: what it is, what it waits for, and what happened to it.

import { dollars, el, exactly, foreign, lasting, replace, short, when } from './dom.js'
import { Failure, get } from './net.js'
import { go } from './address.js'
import { badges } from './board.js'
import { used } from './runs.js'

// prose are the fields that are read as text, in this order; state are those that other parts of the pane show.
const prose = ['desc', 'notes', 'accept', 'reject']
const proseNames = { desc: 'Description', notes: 'Notes', accept: 'Done when', reject: 'Why it was rejected' }
const longest = 200 // characters of a name that are a heading; all of a longer one is a text below it
const shownElsewhere = ['t', 'id', 'name', 's', 'deps', 'priority', 'blocked_by', 'conflict', ...prose]

export class TaskPane {
  constructor(page, element) {
    this.page = page
    this.element = element
    this.id = ''
    this.calls = 0
  }

  // show reads and shows a task, unless it shows it in a version that is known; "" closes the pane.
  async show(id, place, version) {
    for (const link of this.element.querySelectorAll('a[data-task]')) link.href = go({ task: link.dataset.task }) // the view may be another one
    const what = version && JSON.stringify({ id, version, ...place })
    if (id && what && what === this.what) return
    this.what = what
    const call = ++this.calls
    const other = id !== this.id
    this.id = id
    if (!id) { this.element.hidden = true; this.task = undefined; this.text = ''; replace(this.element); return }
    let task, failure
    try {
      task = (await get('task', { ...place, id })).view
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      failure = error
      this.what = ''
    }
    if (call !== this.calls || id !== this.page.where.task) return // another one was chosen meanwhile, or a newer version is on its way
    const text = JSON.stringify([this.page.actions.allowed, task ?? failure.message])
    this.element.hidden = false
    if (text === this.text) return // nothing of it has changed: what the user reads or selects stays
    this.text = text
    this.task = task
    const focused = this.element.contains(document.activeElement) && document.activeElement.textContent
    const top = other ? 0 : this.element.scrollTop
    replace(this.element, this.#head(id), task ? this.#body(task) : el('p', { class: 'empty' }, failure.message))
    this.element.scrollTop = top
    if (focused) ([...this.element.querySelectorAll('a, button')].find((one) => one.textContent === focused) ?? this.element).focus()
    this.page.view.mark?.()
  }

  focus() { if (!this.element.hidden) this.element.focus() }

  close() {
    const id = this.page.where.task
    location.hash = go({ task: '' })
    requestAnimationFrame(() => (document.querySelector(`a[data-id="${CSS.escape(id)}"]`) ?? document.getElementById('main')).focus())
  }

  #head(id) {
    return el('div', { class: 'pane-head' }, el('code', { class: 'id', translate: 'no' }, id),
      el('button', { type: 'button', 'aria-label': 'Close the task', title: 'Key Escape', onclick: () => this.close() }, '×'))
  }

  #body(task) {
    return [
      foreign('h2', {}, headingOf(task.name)),
      el('p', { class: 'badges' }, el('span', { class: `badge status ${task.status}` }, task.state || task.status), badges({ ...task, waits: null, at: null })),
      this.page.actions.buttons(task),
      task.conflicts && section('A merge left a conflict', this.page.actions.conflict(task)),
      task.name.length > longest && section('Whole name', foreign('p', { class: 'prose' }, task.name)),
      prose.map((name) => this.#prose(task, name)),
      this.#links('Waits for', task.waitsFor), this.#links('Needed by', task.neededBy), this.#links('Decomposed into', task.into),
      this.#links('Its place was taken by', task.successor && [task.successor]),
      this.#claim(task.claim), this.#fields(task), this.#attempts(task.attempts), this.#agents(task), this.#events(task.events),
    ]
  }

  #prose(task, name) {
    const value = task.fields.find((field) => field.name === name)?.value
    return typeof value === 'string' && value !== '' && value !== task.name && section(proseNames[name], foreign('p', { class: 'prose' }, value))
  }

  #links(title, links) {
    return links?.length > 0 && section(title, el('ul', { class: 'links' }, links.map((link) => el('li', {},
      linkTo(link.id, {}, el('span', { class: `dot ${link.status ?? ''}`, 'aria-hidden': 'true' }),
        el('span', { class: 'link-text' }, el('span', { class: 'id', translate: 'no' }, link.id), ' ', link.status && [el('span', { class: 'quiet' }, link.status), ' '], foreign('span', {}, link.name ?? '')))))))
  }

  #claim(claim) {
    return claim && section('Claim', facts([
      ['By', claim.by && foreign('span', {}, claim.by)], ['Role', claim.role], ['Machine', claim.host && foreign('span', {}, claim.host)],
      ['Branch', claim.branch && foreign('code', {}, claim.branch.replace('refs/heads/', ''))],
      ['Since', claim.at && when(claim.at)], ['Good for', claim.lease && lasting(claim.lease)], ['Returned', claim.feedback && foreign('span', {}, claim.feedback)],
      ['Unreadable', claim.bad],
    ]))
  }

  #fields(task) {
    const rest = task.fields.filter((field) => !shownElsewhere.includes(field.name) && field.value !== '' && field.value !== null)
    return rest.length > 0 && section('Fields', facts(rest.map(({ name, value }) => [name, shownField(name, value)])))
  }

  #attempts(attempts) {
    return attempts?.length > 0 && section('Attempts', el('ol', { class: 'attempts' }, attempts.map(({ done, outcomes }) => el('li', {},
      done ? ['done ', when(done.at), by(done)] : 'not recorded as done',
      (outcomes ?? []).map((outcome) => el('div', {}, el('strong', { class: outcome.event }, outcome.event), ' ', when(outcome.at), by(outcome),
        outcome.reason && foreign('p', { class: 'prose' }, outcome.reason)))))))
  }

  #agents(task) {
    if (!task.iterations) return null
    const { usage } = task
    return section('Agents', el('p', { class: 'quiet' }, used(usage)),
      el('ul', { class: 'plain' }, task.iterations.map((one) => el('li', {}, when(one.began), ' ', one.stage, one.worker && [' · ', foreign('span', {}, one.worker)], ' · ',
        foreign('span', {}, one.text || one.result || 'under way'), one.cost ? ` · ${dollars(one.cost)}` : ''))))
  }

  #events(events) {
    if (!events) return null
    return section('History', el('ol', { class: 'events' }, events.toReversed().map((event) => el('li', {},
      el('div', { class: 'event-head' }, el('strong', { class: event.event }, event.event), ' ', when(event.at), by(event), ' ',
        el('code', { class: 'quiet', title: event.commit, translate: 'no' }, short(event.commit)), event.branch && [' ', foreign('span', { class: 'quiet' }, event.branch)]),
      event.reason && foreign('p', { class: 'prose' }, event.reason),
      (event.changes ?? []).map(changed),
      event.receipts && el('ul', { class: 'receipts', 'aria-label': 'Evidence' }, event.receipts.map(receipt))))))
  }
}

const headingOf = (name) => (name.length > longest ? `${[...name].slice(0, longest).join('')}…` : name)

const section = (title, ...content) => el('section', {}, el('h3', {}, title), ...content)

const facts = (rows) => el('dl', { class: 'facts' }, rows.filter(([, value]) => value).map(([name, value]) => [foreign('dt', {}, name), el('dd', {}, value)]))

const linkTo = (id, attributes, ...content) => el('a', { ...attributes, href: go({ task: id }), 'data-task': id }, content)

const by = (event) => event.by && [' by ', foreign('span', {}, event.by)]

function shownField(name, value) {
  if (typeof value !== 'string') return shownValue(value)
  if (name === 'created_at') return when(value)
  if (['parent', 'supersedes'].includes(name)) return linkTo(value, { class: 'id foreign', translate: 'no' }, value)
  return shownValue(value)
}

function shownValue(value) {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return el('ul', { class: 'plain' }, value.map((one) => foreign('li', {}, one)))
  return foreign('span', {}, typeof value === 'string' ? value : JSON.stringify(value))
}

// changed shows what an event did to a field: prose with its words that went and came.
function changed(change) {
  let content
  if (change.words) {
    content = el('p', { class: 'prose foreign', dir: 'auto' }, change.words.map(({ op, text }) => ({ delete: () => el('del', {}, text), insert: () => el('ins', {}, text) }[op] ?? (() => text))()))
  } else if (change.added || change.removed) {
    content = el('p', {}, (change.removed ?? []).map((one) => [foreign('del', {}, one), ' ']), (change.added ?? []).map((one) => [foreign('ins', {}, one), ' ']))
  } else {
    const shown = (value) => (typeof value === 'string' ? value : JSON.stringify(value))
    content = el('p', {}, change.before !== undefined && [foreign('del', {}, shown(change.before)), ' '], change.after !== undefined && foreign('ins', {}, shown(change.after)))
  }
  return el('div', { class: 'change' }, foreign('span', { class: 'quiet' }, change.field), content)
}

function receipt(one) {
  const good = one.exit === 0 && !one.altered
  return el('li', {}, el('span', { class: good ? 'accepted' : 'rejected' }, one.altered ? 'altered' : good ? 'passed' : `exit ${one.exit}`), ' ', foreign('code', {}, one.check),
    el('span', { class: 'quiet', title: one.at && exactly(one.at) }, ` ${lasting(one.seconds)}, on ${short(one.commit)}`), one.by && [el('span', { class: 'quiet' }, ' by '), foreign('span', { class: 'quiet' }, one.by)])
}
