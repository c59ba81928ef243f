// The address says what is shown, so that it can be kept, sent and reloaded: #view=board&task=t-1a2b&q=words&worktree=…&at=…

import { el } from './dom.js'

const names = ['view', 'task', 'q', 'worktree', 'at']

// address returns what the address says; "" for what it does not.
export function address() {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const where = Object.fromEntries(names.map((name) => [name, fragment.get(name) ?? '']))
  where.view ||= 'board'
  return where
}

// go returns the address of another place: the present one, with changes.
export function go(changes) {
  const where = { ...address(), ...changes }
  if (where.view === 'board') where.view = ''
  return `#${new URLSearchParams(names.filter((name) => where[name]).map((name) => [name, where[name]]))}`
}

// noMatch says that the filter leaves nothing, and leads to all.
export const noMatch = () => ['Nothing matches the filter. ', el('a', { href: go({ q: '' }) }, 'Show all')]
