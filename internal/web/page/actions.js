// What the page can change, where the server allows it. Each action is a command of git ralph, and can be undone. Which there are, and
// their keys, the server says: they are those of the terminal board.

import { el, foreign, replace } from './dom.js'
import { openDialog } from './dialog.js'
import { get } from './net.js'

export class Actions {
  constructor(page) {
    this.page = page
    this.all = page.about.actions
  }

  get allowed() { return this.page.about.write && !this.page.at }

  #named(name, kind = '') { return this.all.find((one) => one.name === name && (!kind || one.record === kind)) }

  #button(one, card) {
    const title = one.asks ? `${one.title}…` : one.title
    return el('button', { type: 'button', title: `Key ${one.key}`, onclick: () => this.#begin(one, card) }, title)
  }

  // tools are the buttons of the page's head.
  tools() {
    if (!this.page.about.write) return el('span', { class: 'quiet', title: 'git ralph web --write lets the page change the plan' }, 'read-only')
    const add = this.#named('task-add')
    return [
      el('button', { type: 'button', class: 'main', title: `Key ${add.key}`, onclick: () => this.#begin(add) }, add.title),
      this.#button(this.#named('undo')), this.#button(this.#named('redo')),
    ]
  }

  // buttons are those of a task, in its pane.
  buttons(task) {
    if (!this.allowed) return null
    const buttons = (task.actions ?? []).filter((name) => name !== 'resolve').map((name) => this.#button(this.#named(name, task.kind), task)) // the conflict itself has the choices
    return buttons.length > 0 && el('div', { class: 'actions', role: 'group', 'aria-label': 'Actions' }, buttons)
  }

  // keys are those of the task that has the focus, or is open.
  keys() {
    if (!this.page.about.write) return []
    const keys = new Map()
    for (const { key, about } of this.all) keys.set(key, new Set([...(keys.get(key) ?? []), about]))
    return [...[...keys].map(([key, about]) => [key, [...about].join('; '), () => this.#byKey(key)]), ['f', 'edit, as e does', () => this.#byKey('e')]]
  }

  #byKey(key) {
    const open = this.page.task.task
    const left = open?.actions?.some((name) => this.#named(name).key === key) && !open.inPlan // the cards are those of the plan
    const card = left ? open : this.page.view.current?.() ?? open
    const ofKey = this.all.filter((one) => one.key === key)
    const found = ofKey.filter((one) => !one.record || one.record === card?.kind)
    if (found.length === 0) this.page.toast(card ? `${key} does nothing to ${card.id}: it is ${card.kind === 'task' ? 'a' : 'an'} ${card.kind}` : 'Choose a task first.', true)
    else if (!this.allowed && !['undo', 'restore'].includes(found[0].name)) this.page.toast('This is the plan as it was: nothing can be changed in it.', true)
    else if (found.length > 1) this.#choose('Which one?', found.map((one) => [one.title, () => this.#begin(one, card)]))
    else this.#begin(found[0], card)
  }

  #begin(one, card) {
    const action = { do: one.name, ...(one.record && { id: card.id }) }
    const title = one.record ? `${one.title} · ${card.id}` : one.title
    const act = (values) => this.page.do({ ...action, ...values })
    if (one.name === 'undo' && this.page.at) this.#open('Take back what this commit did?', [], 'Undo it', () => act({ commit: this.page.at }))
    else if (one.asks === 'fields') one.record ? this.#edit(card) : this.#form(undefined, one.name.replace('-add', ''))
    else if (one.asks === 'text' || one.asks === 'parts' || one.asks === 'replacement') this.#ask(one.question, one.record && card, one.title, (text) => act({ text }))
    else if (one.asks === 'choice') this.#offerChoices(one, card, title, act)
    else if (one.asks === 'sure') this.#open(one.question, [about(card)], `${one.title} ${card.id}`, () => act())
    else if (one.asks === 'conflict') this.#settle(card, act)
    else act()
  }

  // #offerChoices asks for one of an action's choices. To choose what is so already changes nothing.
  async #offerChoices(one, card, title, act) {
    const known = this.page.view.name === 'board' ? card : await this.#whole(card) // cards of other views say less
    if (!known) return
    const now = known.kind === 'item' ? known.state : known.priority ?? ''
    this.#choose(title, one.choices.map(({ title, value, key }) => (value === now
      ? [`${title} (as it is now)`, () => this.page.toast(`${one.result} ${card.id}: ${title}, as it was`), key]
      : [title, () => act({ choice: value }), key])), one.question !== one.title && one.question)
  }

  // #settle asks what is to be of the conflicts that a merge recorded.
  async #settle(card, act) {
    const whole = await this.#whole(card)
    if (!whole) return
    const { conflicts } = whole
    if (!conflicts) { this.page.toast(`${card.id} has no conflict`, true); return }
    this.#choose(`Conflicts of ${card.id}`, conflicts.flatMap((one) => settlings(one).map(([text, settle]) => [`${one.removed ? '' : `${one.field}: `}${text}`, () => this.#take(card, settle, act)])),
      'A merge could not decide. What is to stay?')
  }

  #take(card, settle, act) {
    if (settle.keep !== undefined || settle.take > 0) act({ settle })
    else this.#ask(`What is to be in ${settle.field}`, card, 'Settle', (text) => act({ text, settle }))
  }

  // conflict shows what a merge could not decide, and where the plan can be changed, lets it be settled.
  conflict(task) {
    const act = (values) => this.page.do({ do: 'resolve', id: task.id, ...values })
    return task.conflicts?.map((one) => {
      const choices = settlings(one)
      return [el('p', {}, one.removed ? 'One side removed it, the other changed it.' : ['Two sides gave ', foreign('strong', {}, one.field), ' different values.']),
        this.allowed ? el('div', { class: 'choices', role: 'group', 'aria-label': one.removed ? 'Conflict' : `Conflict of ${one.field}` }, choices.map(([text, settle]) => el('button', { type: 'button', dir: 'auto', onclick: () => this.#take(task, settle, act) }, text)))
          : !one.removed && el('ul', { class: 'plain' }, one.candidates.map((value) => foreign('li', {}, textOf(value))))]
    })
  }

  // #choose asks for one of several. As on the board, arrow keys move between them, and each may have a key.
  #choose(title, choices, question) {
    const buttons = choices.map(([text, then, key]) => el('button', { type: 'button', dir: 'auto', 'aria-keyshortcuts': key, onclick: () => { dialog.close(); then() } }, text))
    const dialog = openDialog(title, question && el('p', { class: 'about' }, question), el('div', { class: 'choices' }, buttons))
    dialog.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const ofKey = choices.findIndex(([, , key]) => key === event.key)
      const step = { ArrowDown: 1, ArrowUp: buttons.length - 1 }[event.key]
      if (ofKey >= 0) buttons[ofKey].click()
      else if (step) buttons[(buttons.indexOf(document.activeElement) + step) % buttons.length].focus()
      else return
      event.preventDefault()
    })
    buttons[0].focus()
    return dialog
  }

  // offer shows why a command refused, and with which flags it could be done. It returns what became of that, null where the user does not want it.
  offer(done, text, again) {
    return new Promise((resolve) => {
      const flags = el('div', { class: 'choices' }, done.flags.map((flag) => el('button', { type: 'button', onclick: () => { resolve(again(flag)); dialog.close() } }, `Do it with ${flag}`)))
      const dialog = openDialog('It was refused', el('p', { dir: 'auto' }, text), flags)
      dialog.addEventListener('close', () => resolve(null))
    })
  }

  // #whole returns all about a card; nothing where it cannot be read, which it says.
  async #whole(card) {
    if (this.page.task.task?.id === card.id) return this.page.task.task
    try {
      return (await get('task', { ...this.page.place, id: card.id })).view
    } catch (error) {
      this.page.failed(error)
      return undefined
    }
  }

  #ask(question, card, title, then) {
    const text = el('textarea', { name: 'text', rows: 4, required: true, dir: 'auto', 'aria-label': question })
    this.#open(question, [card && about(card), text], title, () => then(text.value))
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
    } }, content, el('div', { class: 'actions' }, refusal, submit, el('button', { type: 'button', onclick: () => dialog.close() }, 'Back')))
    const dialog = openDialog(title, form)
    return dialog
  }

  async #edit(card) {
    const whole = await this.#whole(card)
    if (whole) this.#form(whole, card.kind)
  }

  // #form asks for the fields of a task or an issue, and sends those that were changed.
  #form(record, kind = 'task') {
    if (!this.allowed) return
    const before = Object.fromEntries((record?.fields ?? []).map((field) => [field.name, field.value]))
    const inputs = fieldsOf(kind).map(({ name, title, make, read, write }) => {
      const input = make()
      input.value = write(before[name] ?? (name === 'name' ? before.desc : undefined))
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

function textOf(value) {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ')
  return value === null ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value)
}

// settlings are the ways to settle a conflict, each with its text.
const settlings = ({ field, removed, candidates }) => (removed
  ? [['Keep it', { field, keep: true }], ['Remove it', { field, keep: false }]]
  : [...candidates.map((value, i) => [textOf(value), { field, take: i + 1 }]), ['Another value…', { field }]])

// about says which task a question is about.
const about = (card) => el('p', { class: 'about' }, el('span', { class: 'id quiet', translate: 'no' }, card.id), ' ', foreign('bdi', {}, card.name ?? ''))

const text = { read: (value) => (value === '' ? null : value), write: (value) => value ?? '' }
const list = { read: (value) => value.split(/[\s,]+/).filter(Boolean), write: (value) => (value ?? []).join(' ') }
const line = (required) => () => el('input', { type: 'text', dir: 'auto', required, autocomplete: 'off' })
const lines = (rows, required) => () => el('textarea', { rows, dir: 'auto', required })
const oneOf = (...values) => () => el('select', {}, ['', ...values].map((value) => el('option', { value }, value || 'none')))
const priorities = oneOf('high', 'medium', 'low')
const sizes = oneOf('XS', 'S', 'M', 'L', 'XL')

function fieldsOf(kind) {
  const shared = [
    { name: 'priority', title: 'Priority', make: priorities, ...text },
    { name: 'labels', title: 'Labels, with spaces between them', make: line(false), ...list },
  ]
  if (kind === 'issue') return [{ name: 'desc', title: 'What was found', make: lines(5, true), ...text }, ...shared]
  if (kind === 'item') {
    return [
      { name: 'name', title: 'What is wanted, in a few words', make: line(true), ...text }, { name: 'desc', title: 'Description', make: lines(5), ...text },
      { name: 'estimate', title: 'Size', make: sizes, ...text }, { name: 'blocked_by', title: 'Ids of items that it waits for, with spaces between them', make: line(false), ...list },
      shared[1],
    ]
  }
  return [
    { name: 'name', title: 'What to do, in a few words', make: line(true), ...text },
    { name: 'notes', title: 'How to do it', make: lines(5), ...text },
    { name: 'accept', title: 'How to verify it', make: lines(3), ...text },
    { name: 'deps', title: 'Ids that it waits for, with spaces between them', make: line(false), ...list },
    ...shared,
  ]
}
