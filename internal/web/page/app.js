// The page: what the address says is shown, and shown again whenever it or the plan changes.

import { el, replace, when } from './dom.js'
import { act, Failure, get, Stream } from './net.js'
import { fromOtherTab, takeFromURL, token } from './token.js'
import { address, go } from './address.js'
import { showTheme, themeButton } from './theme.js'
import { Keys } from './keys.js'
import { board } from './board.js'
import { graph } from './graph.js'
import { timeline } from './timeline.js'
import { burndown } from './burndown.js'
import { runs } from './runs.js'
import { worktrees } from './worktrees.js'
import { TaskPane } from './task.js'
import { Actions } from './actions.js'
import { Past } from './past.js'

const at = (id) => document.getElementById(id)

class Page {
  constructor(about) {
    this.about = about
    this.where = address()
    this.views = new Map([board, graph, timeline, burndown, runs, worktrees].map((make) => make(this)).map((view) => [view.name, view]))
    this.actions = new Actions(this)
    this.task = new TaskPane(this, at('task'))
    this.past = new Past(this, at('past'))
    this.keys = new Keys(this)
    this.version = ''
    this.kept = new Map() // what each view shows
    this.filled = new Set() // views that show something
    this.#layOut()
    addEventListener('hashchange', () => this.#moved())
    this.#follow()
    this.show()
  }

  get view() { return this.views.get(this.where.view) ?? this.views.get('board') }

  // at is the older plan that is shown; "" for the present one, which some views are always of.
  get at() { return this.view.ofPast ? this.where.at : '' }

  // place is what every request says of the plan that it is about.
  get place() { return { worktree: this.where.worktree, at: this.at } }

  #layOut() {
    const own = this.about.worktrees.find((tree) => tree.own) ?? this.about.worktrees[0]
    const title = own?.name ?? 'git ralph'
    replace(at('title'), el('bdi', {}, title))
    document.title = `${title} · git ralph`
    replace(at('views'), [...this.views.values()].map((view) => el('a', { href: go({ view: view.name }), 'data-view': view.name, title: `Key ${view.key}` }, view.title)))
    if (this.about.worktrees.length > 1) {
      at('worktrees').hidden = false
      replace(at('worktree'), this.about.worktrees.map((tree) => el('option', { value: tree.own ? '' : tree.root }, `${tree.name}${tree.branch ? ` (${tree.branch})` : ''}`)))
      at('worktree').addEventListener('change', (event) => { location.hash = go({ worktree: event.target.value, at: '' }) })
    }
    replace(at('tools'), this.actions.tools(), themeButton(), el('button', { type: 'button', onclick: () => this.keys.help(), title: 'Key ?' }, 'Keys'))
    at('skip').addEventListener('click', () => this.view.focus())
    at('search').addEventListener('input', () => {
      history.replaceState(null, '', go({ q: at('search').value }))
      this.#moved()
    })
  }

  #moved() {
    const before = this.where
    this.where = address()
    if (before.worktree !== this.where.worktree) this.past.forget()
    if (before.worktree !== this.where.worktree || this.followed !== Boolean(this.view.all)) this.#follow()
    this.show()
  }

  // #follow has changes of the worktree shown, or of all of them. Hidden pages have none: a browser has few connections for all of its tabs.
  #follow() {
    this.stream?.close()
    this.stream = undefined
    this.newest = undefined // until the stream says it
    this.followed = Boolean(this.view.all) // all worktrees, or the one that is shown
    const begin = () => {
      if (document.visibilityState === 'hidden' || this.stream) return
      this.stream = new Stream(this.followed ? { all: 1 } : { worktree: this.where.worktree }, (version) => {
        this.newest = version
        if (version !== this.version || this.missing) this.show()
      }, (state) => this.#live(state))
    }
    this.visible?.abort()
    this.visible = new AbortController()
    let leaving
    document.addEventListener('visibilitychange', () => {
      clearTimeout(leaving)
      if (document.visibilityState === 'visible') { begin(); return }
      leaving = setTimeout(() => { this.stream?.close(); this.stream = undefined }, 30_000)
    }, { signal: this.visible.signal })
    begin()
  }

  #live(state) {
    if (this.state === state) return
    this.state = state
    const [text, about] = {
      live: ['Live', 'Changes are shown as they happen'], lost: ['Connecting…', 'The connection was lost; it is tried again'],
      refused: ['Ended', 'The server was started again, with another token'],
    }[state]
    at('live').className = `connection ${state}`
    at('live').title = about
    replace(at('live'), text)
    if (state === 'refused') askForToken()
  }

  // show reads and shows what the address says. While that is under way, further calls are one more.
  async show() {
    if (this.showing) { this.again = true; return }
    this.showing = true
    try {
      do {
        this.again = false
        await this.#showOnce()
      } while (this.again)
    } finally {
      this.showing = false
    }
  }

  async #showOnce() {
    const { view, where } = this
    for (const link of at('views').children) {
      if (link.dataset.view === view.name) link.setAttribute('aria-current', 'page')
      else link.removeAttribute('aria-current')
      link.href = go({ view: link.dataset.view })
    }
    if (document.activeElement !== at('search')) at('search').value = where.q
    at('worktree').value = where.worktree
    const seen = this.filled.has(view)
    if (seen) this.#put(view)
    document.body.classList.toggle('unfiltered', !view.filters)
    document.body.classList.toggle('present', !view.ofPast)
    try {
      const what = JSON.stringify({ ...where, task: view.ofTask?.() ? where.task : '' })
      const kept = this.kept.get(view.name)
      const known = kept?.what === what && this.state === 'live' && (!this.newest || kept.shown.version === this.newest) // the stream has it shown again where it is old
      this.task.show(where.task, this.place, this.state === 'live' && this.newest) // the view does not wait for it: it may take longer, as it has a history
      const shown = known ? kept.shown : await view.read(this.place, where)
      if (address().view !== where.view) { this.again = true; return }
      this.missing = false
      this.#put(view)
      if (!known) view.show(shown.view, where)
      this.filled.add(view)
      this.past.show(shown)
      replace(at('wrong'), shown.filter ?? '')
      at('search').setAttribute('aria-invalid', Boolean(shown.filter))
      this.#banner(null, shown)
      this.kept.set(view.name, { what, shown: { ...shown, view: null } })
      this.version = shown.version
      view.mark?.()
      document.documentElement.dataset.complete = shown.complete
      document.documentElement.dataset.filter = where.q
      at('main').dataset.shown = view.name
    } catch (error) {
      this.kept.delete(view.name)
      if (!(error instanceof Failure)) throw error
      if (error.status === 401) { askForToken(); return }
      this.missing = true
      if (seen) this.#banner(error)
      else this.#sayMissing(view, error)
    }
  }

  #put(view) {
    if (at('main').firstChild === view.element) return
    replace(at('main'), view.element)
    at('main').setAttribute('aria-label', view.title)
  }

  // #sayMissing says why there is nothing to see of a view that was never seen.
  #sayMissing(view, error) {
    at('banner').hidden = true
    const lost = error.status === 0
    replace(at('main'), el('div', { class: 'empty', role: 'status' }, el('h2', {}, lost ? 'The connection is lost' : error.message),
      lost && el('p', {}, `“${view.title}” is shown as soon as it is back.`), error.hint && el('p', {}, error.hint)))
    at('main').setAttribute('aria-label', view.title)
    delete at('main').dataset.shown
  }

  // #banner shows why there is nothing to see, or that what is seen is old.
  #banner(error, shown) {
    const banner = at('banner')
    banner.hidden = !error && !shown.commit && !shown.warnings
    if (error) replace(banner, el('strong', {}, error.message), error.hint && el('div', {}, error.hint))
    else if (shown.commit) {
      replace(banner, 'The plan as it was ', when(shown.moment), ', at commit ', el('code', {}, shown.commit.slice(0, 10)), '. ', el('a', { href: go({ at: '' }) }, 'Back to now'))
    } else if (shown.warnings) replace(banner, shown.warnings.join(' · '))
  }

  // say has a screen reader say what has happened.
  say(text) { replace(at('said'), text) }

  // toast shows a text for a while; where it is why a dialog's action was refused, it is shown in the dialog, which covers all else.
  toast(text, bad = false) {
    const refusal = bad && document.querySelector('dialog[open] .refusal')
    if (refusal) { replace(refusal, text); return }
    const toast = at('toast')
    toast.hidden = false
    toast.className = bad ? 'toast bad' : 'toast'
    replace(toast, text)
    clearTimeout(this.toasting)
    this.toasting = setTimeout(() => { toast.hidden = true }, bad ? 12_000 : 5_000)
  }

  // do does an action, and shows what became of it.
  async do(action) {
    try {
      const done = await act({ worktree: this.where.worktree, ...action })
      const text = done.said ?? [done.error, done.hint, ...(done.warnings ?? [])].filter(Boolean).join(' · ')
      if (done.exit !== 0 && done.flags) return await this.actions.offer(done, text, (flag) => this.do({ ...action, allowed: [...(action.allowed ?? []), flag] }))
      if (done.exit !== 0) { this.toast(text || `It ended with ${done.exit}.`, true); return null }
      this.toast(text)
      this.show()
      return done
    } catch (error) {
      this.failed(error)
      return null
    }
  }

  // failed shows why the server did not do something.
  failed(error) {
    if (!(error instanceof Failure)) throw error
    this.toast([error.message, error.hint].filter(Boolean).join(' · '), true)
  }
}

// askForToken shows how to get to the data.
function askForToken() {
  document.body.classList.add('closed')
  replace(at('main'), el('div', { class: 'empty' },
    el('h2', {}, 'This page needs the address that git ralph web printed'),
    el('p', {}, 'Its end is the token of this start, without which the server shows nothing. Open that address, or paste it here.'),
    el('form', { onsubmit: (event) => {
      event.preventDefault()
      const pasted = new FormData(event.target).get('url')
      const fragment = new URLSearchParams(pasted.includes('#') ? pasted.split('#')[1] : `token=${pasted.trim()}`)
      location.hash = `#${fragment}`
      location.reload()
    } }, el('label', { class: 'field' }, 'Address or token ', el('input', { name: 'url', type: 'text', autocomplete: 'off', required: true })), el('button', {}, 'Open'))))
  at('task').hidden = true
}

async function start() {
  showTheme()
  takeFromURL()
  addEventListener('hashchange', takeFromURL)
  if (!token) await fromOtherTab()
  if (!token) { askForToken(); return }
  try {
    new Page(await get('about'))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.status === 401) { askForToken(); return }
    replace(at('main'), el('div', { class: 'empty' }, el('h2', {}, error.message), el('p', {}, error.hint)))
  }
}

start()
