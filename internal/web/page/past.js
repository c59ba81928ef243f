// The slider to older plans: the plan at each commit that changed it.

import { briefly, el, exactly, replace, short } from './dom.js'
import { get } from './net.js'
import { go } from './address.js'

const settle = 80 // milliseconds that the slider has to rest before a plan is read

export class Past {
  constructor(page, element) {
    this.page = page
    this.output = el('output', { for: 'moment', class: 'quiet' })
    this.slider = el('input', { type: 'range', id: 'moment', min: 0, max: 1, value: 1, 'aria-label': 'Plan at an older commit', oninput: () => this.#moved(), onfocus: () => this.#load(), onpointerdown: () => this.#load() })
    replace(element, el('label', { for: 'moment' }, 'Past'), this.slider, this.output)
    this.show({})
  }

  // forget is for another worktree, which has another history.
  forget() { this.moments = this.newest = undefined }

  show({ commit, version }) {
    if (version && version !== this.version) {
      this.version = version
      if (this.moments) this.#load(true)
    }
    this.commit = commit
    this.#place()
  }

  // #load reads the moments, again where there are more of them. Until then those that are known stay.
  async #load(again = false) {
    if ((this.moments && !again) || this.loading) return
    this.loading = true
    try {
      const all = (await get('moments', { worktree: this.page.where.worktree })).view
      this.moments = all.filter((one) => !one.now) // what the present plan is like already is no older one
      this.newest = all.find((one) => one.now)?.commit
    } catch { /* the view says why */ } finally {
      this.loading = false
    }
    this.#place()
  }

  #place() {
    const moments = this.moments ?? []
    const at = this.commit && this.commit !== this.newest ? moments.findIndex((one) => this.commit.startsWith(one.commit) || one.commit.startsWith(this.commit)) : Math.max(1, moments.length)
    this.slider.max = Math.max(1, moments.length)
    if (this.timer) return // the user moves it
    this.slider.value = at < 0 ? 0 : at
    this.#say(at < 0 ? undefined : moments[at])
  }

  #say(moment) {
    const text = moment ? `${exactly(moment.at)} · ${short(moment.commit)}` : this.commit ? short(this.commit) : 'now'
    replace(this.output, moment ? [el('span', { class: 'wide' }, text), el('span', { class: 'narrow', title: text }, briefly(moment.at))] : text)
    this.slider.setAttribute('aria-valuetext', text)
  }

  #moved() {
    const moment = this.moments?.[Number(this.slider.value)]
    this.#say(moment)
    clearTimeout(this.timer)
    this.timer = setTimeout(() => { this.timer = undefined; location.hash = go({ at: moment?.commit ?? '' }) }, settle)
  }
}
