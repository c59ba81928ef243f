// How many tasks there were, by status, over time; the same as a table.

import { el, exactly, number, replace, svg } from './dom.js'
import { get } from './net.js'
import { ticks } from './timeline.js'

const height = 300
const layers = ['pending', 'done', 'accepted'] // from below

// burndown makes the view.
export function burndown() {
  const content = el('div', { class: 'page-text' })
  return {
    name: 'burndown', title: 'Burndown', key: '4', ofPast: true, element: el('div', { class: 'view scrolled', tabindex: 0, role: 'region', 'aria-label': 'Burndown' }, content),
    read: (place) => get('burndown', place),
    show({ points, ticks: marks }) {
      if (points.length === 0) { replace(content, el('p', { class: 'empty' }, 'No task was ever added.')); return }
      const now = points.at(-1)
      replace(content, el('h2', {}, 'Burndown'), el('p', {}, `${number(now.pending)} pending, ${number(now.done)} done, ${number(now.accepted)} accepted`),
        chart(points, marks), legend(), table(points))
    },
    focus() { this.element.focus() },
  }
}

function chart(points, marks) {
  const most = Math.max(1, ...points.map((point) => point.pending + point.done + point.accepted))
  const step = niceStep(most)
  const top = Math.ceil(most / step) * step
  const y = (value) => height * (1 - value / top)
  const below = points.map(() => 0)
  const shapes = layers.map((name) => {
    const floor = steps(below, y)
    points.forEach((point, i) => { below[i] += point[name] })
    const line = steps(below, y)
    return [svg('path', { class: `area ${name}`, d: `M${line.join('L')}L${floor.reverse().join('L')}Z` }), svg('path', { class: `curve ${name}`, d: `M${line.join('L')}` })]
  })
  const lines = []
  const labels = []
  for (let value = 0; value <= top; value += step) {
    lines.push(svg('line', { class: 'grid', x1: 0, x2: points.length - 1, y1: y(value), y2: y(value) }))
    const label = el('span', {}, number(value))
    label.style.insetBlockStart = `${100 * (1 - value / top)}%`
    labels.push(label)
  }
  return el('div', { class: 'burndown' }, el('div', { class: 'scale', 'aria-hidden': 'true' }, labels), el('div', { class: 'chart' },
    svg('svg', { viewBox: `0 0 ${points.length - 1} ${height}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': `Tasks from ${exactly(points[0].at)} to ${exactly(points.at(-1).at)}; the table below has the numbers` }, lines, shapes),
    ticks(marks)))
}

// steps returns the points of a count, which changes at a moment.
const steps = (values, y) => values.flatMap((value, i) => [...(i > 0 && values[i - 1] !== value ? [`${i} ${y(values[i - 1])}`] : []), `${i} ${y(value)}`])

// niceStep returns a round distance of at most six lines.
function niceStep(most) {
  for (let unit = 1; ; unit *= 10) {
    for (const factor of [1, 2, 5]) {
      if (most / (unit * factor) <= 6) return unit * factor
    }
  }
}

const legend = () => el('p', { class: 'legend' }, layers.map((name) => el('span', {}, el('span', { class: `key ${name}`, 'aria-hidden': 'true' }), name)))

// table has the counts of at most thirteen times, without those at which nothing had changed.
function table(points) {
  const every = Math.max(1, Math.ceil((points.length - 1) / 12))
  const same = (a, b) => b && layers.every((name) => a[name] === b[name])
  const rows = points.filter((_, i) => (points.length - 1 - i) % every === 0).filter((point, i, all) => !same(point, all[i - 1])).reverse()
  return el('div', { class: 'table' }, el('table', {}, el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'From'), layers.map((name) => el('th', { scope: 'col', class: 'number' }, name)))),
    el('tbody', {}, rows.map((point) => el('tr', {}, el('td', {}, exactly(point.at)), layers.map((name) => el('td', { class: 'number' }, number(point[name]))))))))
}
