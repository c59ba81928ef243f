// A list of which only the rows are made that can be seen, so that ten thousand are as fast as ten. Arrow keys move in it; Tab leaves it.

import { el } from './dom.js'

const beyond = 4 // rows that are made above and below those that can be seen

export class List {
  // row makes the link of an item; its parameters are the item and its index. Keys are unique.
  constructor({ label, height, row, key }) {
    Object.assign(this, { height, row, key, items: [], active: 0, rows: new Map() })
    this.inner = el('ul', { role: 'list', 'aria-label': label })
    this.element = el('div', { class: 'list' }, this.inner)
    this.element.addEventListener('scroll', () => this.#later(), { passive: true })
    this.element.addEventListener('keydown', (event) => this.#keydown(event))
    this.element.addEventListener('focusin', (event) => this.#focused(event))
    new ResizeObserver(() => this.#later()).observe(this.element)
  }

  set(items) { List.setAll([[this, items]]) }

  // setAll sets the items of several lists. All of them are measured before anything is made of one: what is measured after that has the browser
  // lay out the page once more, and the next list again.
  static setAll(all) {
    const focused = all.map(([list, items]) => list.#put(items))
    const windows = all.map(([list]) => list.#window())
    all.forEach(([list, items], i) => {
      list.#drawIn(windows[i])
      if (focused[i] && items.length > 0) list.focus(list.active, false)
    })
  }

  // #put takes items in the place of those that there were, whose rows go. It reports whether one of these had the focus.
  #put(items) {
    const focused = this.element.contains(document.activeElement)
    const before = this.items[this.active] && this.key(this.items[this.active])
    this.items = items
    const still = before === undefined ? -1 : items.findIndex((item) => this.key(item) === before)
    this.active = still >= 0 ? still : Math.max(0, Math.min(this.active, items.length - 1))
    for (const row of this.rows.values()) row.remove()
    this.rows.clear()
    this.inner.style.height = `${items.length * this.height}px`
    return focused
  }

  #later() {
    this.frame ??= requestAnimationFrame(() => { this.frame = undefined; this.draw() })
  }

  draw() { this.#drawIn(this.#window()) }

  // #window returns the index of the first row to be made, and that after the last one.
  #window() {
    const { scrollTop, clientHeight } = this.element
    const first = Math.max(0, Math.floor(scrollTop / this.height) - beyond)
    return [first, Math.min(this.items.length, Math.ceil((scrollTop + clientHeight) / this.height) + beyond)]
  }

  #drawIn([first, last]) {
    for (const [index, row] of this.rows) {
      if ((index < first || index >= last) && index !== this.active) {
        row.remove()
        this.rows.delete(index)
      }
    }
    for (let index = first; index < last; index++) this.#make(index)
    if (this.active < this.items.length) this.#make(this.active)
  }

  // Rows stay in the order of the list, which is that of Tab and of screen readers.
  #make(index) {
    if (this.rows.has(index)) return
    const link = this.row(this.items[index], index)
    link.tabIndex = index === this.active ? 0 : -1
    const row = el('li', { 'aria-setsize': this.items.length, 'aria-posinset': index + 1 }, link)
    row.dataset.index = index
    row.style.transform = `translateY(${index * this.height}px)`
    const next = [...this.inner.children].find((other) => Number(other.dataset.index) > index)
    this.inner.insertBefore(row, next ?? null)
    this.rows.set(index, row)
  }

  #focused(event) {
    const row = event.target.closest('li')
    if (row) this.#activate(Number(row.dataset.index))
  }

  #activate(index) {
    const old = this.rows.get(this.active)?.firstChild
    if (old) old.tabIndex = -1
    this.active = index
    const now = this.rows.get(index)?.firstChild
    if (now) now.tabIndex = 0
  }

  // focus moves the focus to a row, and shows it.
  focus(index, scroll = true) {
    if (this.items.length === 0) return false
    index = Math.max(0, Math.min(index, this.items.length - 1))
    if (scroll) this.#show(index)
    this.#make(index)
    this.#activate(index)
    this.rows.get(index).firstChild.focus({ preventScroll: true })
    this.draw()
    return true
  }

  #show(index) {
    const top = index * this.height
    const { scrollTop, clientHeight } = this.element
    if (top < scrollTop) this.element.scrollTop = top
    else if (top + this.height > scrollTop + clientHeight) this.element.scrollTop = top + this.height - clientHeight
  }

  #keydown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.height) - 1)
    const to = {
      ArrowDown: this.active + 1, ArrowUp: this.active - 1, j: this.active + 1, k: this.active - 1,
      PageDown: this.active + page, PageUp: this.active - page, Home: 0, End: this.items.length - 1,
    }[event.key]
    if (to === undefined) return
    event.preventDefault()
    this.focus(to)
  }
}
