// What the page can change, where the server allows it. Each action is a command of git ralph, and can be undone.

import { el, foreign, replace } from './dom.js'
import { openDialog } from './dialog.js'

// Which actions a card has, with their keys.
const all = {
  claim: { key: 'c', title: 'Claim', of: (card) => card.kind === 'task' && !card.holder && ['ready', 'blocked'].includes(card.status) },
  unclaim: { key: 'C', title: 'Give back', of: (card) => card.kind === 'task' && card.own },
  'task-done': { key: 'd', title: 'Done', of: (card) => card.kind === 'task' && ['ready', 'claimed'].includes(card.status) },
  'task-accept': { key: 'y', title: 'Accept', of: (card) => card.kind === 'task' && ['done', 'landed'].includes(card.status) },
  'task-reject': { key: 'x', title: 'Reject…', reason: 'Why is it rejected?', of: (card) => card.kind === 'task' && ['done', 'landed'].includes(card.status) },
  'issue-done': { key: 'd', title: 'Close', of: (card) => card.kind === 'issue' && card.status !== 'closed' },
  approve: { key: 'y', title: 'Approve', of: (card) => card.kind === 'item' && card.person },
  disapprove: { key: 'x', title: 'Reject its plan…', reason: 'What is wrong with the plan?', of: (card) => card.kind === 'item' && card.person },
  edit: { key: 'e', title: 'Edit…', of: (card) => ['task', 'issue'].includes(card.kind) },
  'task-cancel': { key: 'X', title: 'Cancel…', sure: true, of: (card) => card.kind === 'task' && ['ready', 'blocked', 'claimed'].includes(card.status) },
}

export class Actions {
  constructor(page) { this.page = page }

  get allowed() { return this.page.about.write && !this.page.where.at }

  // tools are the buttons of the page's head.
  tools() {
    if (!this.page.about.write) return el('span', { class: 'quiet', title: 'git ralph web --write lets the page change the plan' }, 'read-only')
    return [
      el('button', { type: 'button', class: 'main', title: 'Key n', onclick: () => this.#form() }, 'New task'),
      el('button', { type: 'button', title: 'Key z', onclick: () => this.page.do({ do: 'undo' }) }, 'Undo'),
      el('button', { type: 'button', title: 'Key Z', onclick: () => this.page.do({ do: 'redo' }) }, 'Redo'),
    ]
  }

  // buttons are those of a task, in its pane.
  buttons(task) {
    if (!this.allowed || !task.inPlan) return null
    const buttons = Object.entries(all).filter(([, one]) => one.of(task)).map(([name, one]) => el('button', { type: 'button', title: `Key ${one.key}`, onclick: () => this.#begin(name, task) }, one.title))
    return buttons.length > 0 && el('div', { class: 'actions', role: 'group', 'aria-label': 'Actions' }, buttons)
  }

  // keys are those of the task that has the focus, or is open.
  keys() {
    if (!this.page.about.write) return []
    const names = new Map()
    for (const [name, one] of Object.entries(all)) names.set(one.key, [...(names.get(one.key) ?? []), name])
    return [
      ...[...names].map(([key, actions]) => [key, actions.map((name) => all[name].title.replace('…', '')).join(', or '), () => this.#byKey(actions)]),
      ['a', 'New task', () => this.#form()], ['A', 'New issue', () => this.#form(undefined, 'issue')],
      ['u', 'Undo', () => this.page.do({ do: 'undo' })], ['U', 'Redo', () => this.page.do({ do: 'redo' })],
    ]
  }

  #byKey(names) {
    const card = this.page.view.current?.() ?? this.page.task.task
    const name = card && names.find((one) => all[one].of(card))
    if (name && this.allowed) this.#begin(name, card)
    else this.page.toast(card ? 'That cannot be done to it now.' : 'Choose a task first.', true)
  }

  #begin(name, card) {
    const { reason, sure, title } = all[name]
    if (name === 'edit') this.#edit(card)
    else if (reason) this.#ask(reason, card, title, (text) => this.page.do({ do: name, id: card.id, reason: text }))
    else if (sure) this.#open(`Take ${card.id} out of the plan?`, [about(card)], 'Cancel the task', () => this.page.do({ do: name, id: card.id }))
    else this.page.do({ do: name, id: card.id })
  }

  #ask(question, card, title, then) {
    const text = el('textarea', { name: 'reason', rows: 4, required: true, dir: 'auto', 'aria-label': question })
    this.#open(question, [about(card), text], title.replace('…', ''), () => then(text.value))
    text.focus()
  }

  // #open shows a form. It stays open where the action failed, so that nothing typed is lost.
  #open(title, content, button, then) {
    const submit = el('button', { class: 'main' }, button)
    const refusal = el('p', { class: 'refusal', role: 'alert' })
    const form = el('form', { class: 'form', onsubmit: async (event) => {
      event.preventDefault()
      submit.disabled = true
      replace(refusal)
      const done = await then()
      submit.disabled = false
      if (done !== null) dialog.close()
    } }, content, el('div', { class: 'actions' }, refusal, submit))
    const dialog = openDialog(title, form)
    return dialog
  }

  async #edit(card) {
    if (this.page.task.task?.id !== card.id) {
      const { get } = await import('./net.js')
      card = (await get('task', { ...this.page.place, id: card.id })).view
    } else card = this.page.task.task
    this.#form(card, card.kind)
  }

  // #form asks for the fields of a task or an issue, and sends those that were changed.
  #form(record, kind = 'task') {
    if (!this.allowed) return
    const before = Object.fromEntries((record?.fields ?? []).map((field) => [field.name, field.value]))
    const inputs = fieldsOf(kind).map(({ name, title, make, read, write }) => {
      const input = make()
      input.value = write(before[name] ?? (name === 'name' && record ? record.name : undefined))
      return { name, title, input, read, was: input.value }
    })
    const labels = inputs.map(({ title, input }) => el('label', {}, el('span', {}, title), input))
    this.#open(record ? `Edit ${record.id}` : `New ${kind}`, labels, record ? 'Change' : 'Add', () => {
      const changed = inputs.filter(({ input, was }) => input.value !== was)
      if (changed.length === 0) return undefined
      const fields = Object.fromEntries(changed.map(({ name, input, read }) => [name, read(input.value)]))
      return this.page.do(record ? { do: `${kind}-edit`, id: record.id, fields } : { do: `${kind}-add`, fields })
    })
    inputs[0].input.focus()
  }
}

// about says which task a question is about.
const about = (card) => el('p', { class: 'about' }, el('span', { class: 'id quiet', translate: 'no' }, card.id), ' ', foreign('bdi', {}, card.name ?? ''))

const text = { read: (value) => (value === '' ? null : value), write: (value) => value ?? '' }
const list = { read: (value) => value.split(/[\s,]+/).filter(Boolean), write: (value) => (value ?? []).join(' ') }
const line = (required) => () => el('input', { type: 'text', dir: 'auto', required, autocomplete: 'off' })
const lines = (rows, required) => () => el('textarea', { rows, dir: 'auto', required })
const priorities = () => el('select', {}, ['', 'high', 'medium', 'low'].map((value) => el('option', { value }, value || 'none')))

function fieldsOf(kind) {
  const shared = [
    { name: 'priority', title: 'Priority', make: priorities, ...text },
    { name: 'labels', title: 'Labels, with spaces between them', make: line(false), ...list },
  ]
  if (kind === 'issue') return [{ name: 'desc', title: 'What was found', make: lines(5, true), ...text }, ...shared]
  return [
    { name: 'name', title: 'What to do, in a few words', make: line(true), ...text },
    { name: 'notes', title: 'How to do it', make: lines(5), ...text },
    { name: 'accept', title: 'How to verify it', make: lines(3), ...text },
    { name: 'deps', title: 'Ids that it waits for, with spaces between them', make: line(false), ...list },
    ...shared,
  ]
}
