// What happened when: a lane for each task or person, in which a mark is one event or several of the same time.

import { count, el, exactly, few, foreign, number, replace, svg } from './dom.js'
import { get } from './net.js'
import { go, noMatch } from './address.js'
import { List } from './list.js'

const rowHeight = 30 // as in style.css

// timeline makes the view.
export function timeline(page) {
  const axis = el('div', { class: 'axis' })
  const note = el('span', { class: 'quiet' })
  const legend = el('span', { class: 'legend', 'aria-hidden': 'true' })
  const list = new List({ label: 'Lanes, the newest first', height: rowHeight, row: (lane) => row(lane), key: (lane) => lane.id })
  list.element.classList.add('lanes')
  const by = el('select', { id: 'by', onchange: () => { page.kept.delete('timeline'); page.show() } }, el('option', { value: 'task' }, 'task'), el('option', { value: 'person' }, 'person'))
  let data

  function row(lane) {
    const task = by.value === 'task' && lane.id
    const last = lane.marks.at(-1)
    return el(task ? 'a' : 'span', { class: 'lane', href: task && go({ task: lane.id }), 'data-id': lane.id, role: task ? undefined : 'group' },
      el('span', { class: 'lane-name' }, task ? [el('span', { class: 'id', translate: 'no' }, lane.id), foreign('span', {}, few(lane.name ?? ''))] : foreign('span', {}, lane.id || 'nobody is named')),
      svg('svg', { 'aria-hidden': 'true' }, by.value === 'task' ? [spans(lane), marks(lane)] : bars(lane)),
      el('span', { class: 'unseen' }, `${count(lane.events, 'event')}${last ? `, the last: ${about(last)}` : ''}`))
  }

  const along = (bucket) => `${100 * bucket / data.buckets}%`
  const spans = (lane) => (lane.spans ?? []).map((span) => svg('rect', { class: `span ${span.status}`, x: along(span.from), y: 7, width: along(Math.max(0.3, span.until - span.from)), height: 6 }))

  function marks(lane) {
    return lane.marks.map((mark) => {
      const look = data.looks.find((one) => one.events.includes(mark.what))
      return svg('svg', { class: 'mark', x: along(mark.bucket + 0.5), y: 10 }, svg('path', { class: `sign ${look.class}`, d: look.path }, svg('title', {}, about(mark))))
    })
  }

  // bars are how much a person did.
  function bars(lane) {
    const most = Math.max(...lane.marks.map((mark) => mark.count))
    return lane.marks.map((mark) => svg('rect', { class: 'bar', x: along(mark.bucket + 0.1), y: 20 - 20 * mark.count / most, width: along(0.8), height: 20 * mark.count / most }, svg('title', {}, about(mark))))
  }

  return {
    name: 'timeline', title: 'Timeline', key: '3', filters: true, ofPast: true,
    element: el('div', { class: 'view' }, el('h2', { class: 'unseen' }, 'Timeline'), el('div', { class: 'view-tools' }, el('label', { class: 'field' }, 'By ', by), legend, note), axis, list.element),
    read: (place, where) => get('timeline', { ...place, q: where.q, by: by.value }),
    show(now, where) {
      data = now
      replace(note, `${count(data.events, 'event')} in ${count(data.lanes.length + (data.hidden ?? 0), 'lane')}`, data.hidden ? `, the newest ${number(data.lanes.length)} of which are shown` : '')
      replace(legend, by.value === 'task' && data.looks.map((look) => el('span', {}, svg('svg', { class: 'key' }, svg('path', { class: `sign ${look.class}`, d: look.path })), look.title)))
      if (data.events === 0) { replace(axis, el('p', { class: 'quiet' }, where.q ? noMatch() : 'Nothing happened.')); list.set([]); return }
      const most = Math.max(1, ...data.counts)
      replace(axis, el('span', { class: 'lane-name quiet' }, 'All'), el('div', { class: 'axis-time' },
        svg('svg', { viewBox: `0 0 ${data.buckets} 30`, preserveAspectRatio: 'none', role: 'img', 'aria-label': `Events from ${exactly(data.from)} to ${exactly(data.until)}` },
          data.counts.map((n, i) => n > 0 && svg('rect', { class: 'bar', x: i + 0.1, y: 30 - 28 * n / most, width: 0.8, height: 28 * n / most }))),
        ticks(data.ticks)))
      list.set(data.lanes)
    },
    focus() { list.focus(list.active) },
    current() {
      const id = document.activeElement?.closest?.('a.lane')?.dataset.id
      return id && data.lanes.find((one) => one.id === id)
    },
  }
}

const about = (mark) => `${mark.what}${mark.count > 1 ? ` and ${number(mark.count - 1)} more` : ''}, ${exactly(mark.at)}`

// ticks are the marks of an axis of time. In a narrow one only some of them have a text, and at its end only those that have room.
export const ticks = (all) => el('div', { class: 'ticks' }, all.map((tick) => {
  const mark = el('span', {}, el('span', {}, tick.label))
  mark.style.insetInlineStart = `${tick.at * 100}%`
  return mark
}))
