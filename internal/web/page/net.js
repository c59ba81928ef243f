// Requests to the server, and the stream that says when something changed.

import { forget, token } from './token.js'

// A Failure is an error that the server reported, or that there was no reply: then its status is 0.
export class Failure extends Error {
  constructor(status, text, hint = '') {
    super(text)
    this.status = status
    this.hint = hint
  }
}

async function request(path, options = {}) {
  let reply
  try {
    reply = await fetch(path, { ...options, headers: { Authorization: `Bearer ${token}`, ...options.headers }, cache: 'no-store', redirect: 'error' })
  } catch (error) {
    if (error.name === 'AbortError') throw error
    throw new Failure(0, 'The server cannot be reached.', 'Where the server was ended, start git ralph web again.')
  }
  if (reply.status === 401) forget()
  if (reply.ok) return reply
  const text = await reply.text()
  let failure = { error: text.trim() || reply.statusText }
  try { failure = JSON.parse(text) } catch { /* it is plain text */ }
  throw new Failure(reply.status, failure.error, failure.hint)
}

// parameters makes a query of those values that are not empty.
const parameters = (values) => new URLSearchParams(Object.entries(values).filter(([, value]) => value))

// get reads a view.
export async function get(name, values = {}, signal) {
  return (await request(`/data/${name}?${parameters(values)}`, { signal })).json()
}

// act does an action.
export async function act(action) {
  return (await request('/data/act', { method: 'POST', body: JSON.stringify(action), headers: { 'Content-Type': 'application/json' } })).json()
}

// Times in milliseconds.
const silence = 40_000 // without a sign of life; the server gives one every 15 s
const firstWait = 250
const longestWait = 10_000
const tick = 5_000

const pause = (time, signal) => new Promise((resolve) => {
  const timer = setTimeout(resolve, time)
  signal.addEventListener('abort', () => { clearTimeout(timer); resolve() })
})

// A Stream follows a worktree, or all, until it is closed. It connects again whenever the connection is lost, at once where the computer has slept
// or the tab is shown again. The first event of each connection has the current version.
export class Stream {
  constructor(what, onVersion, onState) {
    this.what = what
    this.onVersion = onVersion
    this.onState = onState
    this.closed = new AbortController()
    this.wake = new AbortController()
    this.last = Date.now()
    this.ticked = Date.now()
    this.timer = setInterval(() => this.#check(), tick)
    for (const name of ['online', 'pageshow']) addEventListener(name, () => this.#stale(), { signal: this.closed.signal })
    document.addEventListener('visibilitychange', () => this.#stale(), { signal: this.closed.signal })
    document.addEventListener('resume', () => this.again(), { signal: this.closed.signal })
    this.#run()
  }

  close() {
    clearInterval(this.timer)
    this.closed.abort()
    this.wake.abort()
  }

  // again gives up the connection, and connects without waiting.
  again() {
    this.wake.abort()
  }

  #check() {
    const slept = Date.now() - this.ticked > 4 * tick
    this.ticked = Date.now()
    if (slept || Date.now() - this.last > silence) this.again()
  }

  #stale() {
    if (document.visibilityState === 'visible' && (this.waiting || Date.now() - this.last > silence / 2)) this.again()
  }

  async #run() {
    for (let wait = firstWait; !this.closed.signal.aborted;) {
      this.wake = new AbortController()
      try {
        this.last = Date.now()
        await this.#read(() => { wait = firstWait })
      } catch (error) {
        if (this.closed.signal.aborted) return
        if (error.status === 401) { this.onState('refused'); return }
      }
      if (this.closed.signal.aborted) return
      this.onState('lost')
      if (this.wake.signal.aborted) { this.wake = new AbortController(); wait = firstWait }
      this.waiting = true
      await pause(wait * (0.75 + Math.random() / 2), this.wake.signal)
      this.waiting = false
      wait = Math.min(wait * 2, longestWait)
    }
  }

  async #read(onOpen) {
    const reply = await request(`/data/live?${parameters(this.what)}`, { signal: this.wake.signal })
    const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader()
    onOpen()
    for (let rest = ''; ;) {
      const { value, done } = await reader.read()
      if (done) return
      this.last = Date.now()
      this.onState('live')
      const events = (rest + value).split('\n\n')
      rest = events.pop()
      for (const event of events) {
        const data = event.split('\n').find((line) => line.startsWith('data: '))
        if (data) this.onVersion(JSON.parse(data.slice(6)).version)
      }
    }
  }
}
