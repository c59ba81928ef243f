// What happened when: a lane for each task or person, in which a mark is one event or several of the same time.

import { el, exactly, foreign, number, replace, svg } from './dom.js'
import { get } from './net.js'
import { go } from './address.js'
import { List } from './list.js'

const rowHeight = 30 // as in style.css

// timeline makes the view.
export function timeline(page) {
  const axis = el('div', { class: 'axis' })
  const note = el('span', { class: 'quiet' })
  const list = new List({ label: 'Lanes, the newest first', height: rowHeight, row: (lane) => row(lane), key: (lane) => lane.id })
  list.element.classList.add('lanes')
  const by = el('select', { id: 'by', onchange: () => { page.kept.delete('timeline'); page.show() } }, el('option', { value: 'task' }, 'task'), el('option', { value: 'person' }, 'person'))
  let data

  function row(lane) {
    const task = by.value === 'task' && lane.id
    const bars = svg('svg', { viewBox: `0 0 ${data.buckets} 20`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      (lane.spans ?? []).map((span) => svg('rect', { class: `span ${span.status}`, x: span.from, y: 7, width: Math.max(0.3, span.until - span.from), height: 6 })),
      lane.marks.map((mark) => svg('rect', { class: `mark ${mark.what}`, x: mark.bucket + 0.1, y: 3, width: 0.8, height: 14 }, svg('title', {}, about(mark)))))
    const last = lane.marks.at(-1)
    return el(task ? 'a' : 'span', { class: 'lane', href: task && go({ task: lane.id }), 'data-id': lane.id, role: task ? undefined : 'group' },
      el('span', { class: 'lane-name' }, task ? [el('span', { class: 'id', translate: 'no' }, lane.id), ' ', foreign('span', {}, lane.name ?? '')] : foreign('span', {}, lane.id || 'nobody is named')),
      bars, el('span', { class: 'unseen' }, `${number(lane.events)} events${last ? `, the last: ${about(last)}` : ''}`))
  }

  return {
    name: 'timeline', title: 'Timeline', key: '3',
    element: el('div', { class: 'view' }, el('h2', { class: 'unseen' }, 'Timeline'), el('div', { class: 'view-tools' }, el('label', { class: 'field' }, 'By ', by), legend(), note), axis, list.element),
    read: (place, where) => get('timeline', { ...place, q: where.q, by: by.value }),
    show(now) {
      data = now
      replace(note, `${number(data.events)} events in ${number(data.lanes.length)} lanes`, data.hidden ? `, and ${number(data.hidden)} older ones` : '')
      if (data.events === 0) { replace(axis, el('p', { class: 'quiet' }, 'Nothing happened.')); list.set([]); return }
      const most = Math.max(1, ...data.counts)
      replace(axis, el('span', { class: 'lane-name quiet' }, 'All'), el('div', { class: 'axis-time' },
        svg('svg', { viewBox: `0 0 ${data.buckets} 30`, preserveAspectRatio: 'none', role: 'img', 'aria-label': `Events from ${exactly(data.from)} to ${exactly(data.until)}` },
          data.counts.map((count, i) => count > 0 && svg('rect', { class: 'count-bar', x: i + 0.1, y: 30 - 28 * count / most, width: 0.8, height: 28 * count / most }))),
        ticks(data.ticks)))
      list.set(data.lanes)
    },
    focus() { list.focus(list.active) },
    current() {
      const id = document.activeElement?.closest?.('a.lane')?.dataset.id
      const lane = id && data.lanes.find((one) => one.id === id)
      return lane && { ...lane, kind: 'task' }
    },
  }
}

const about = (mark) => `${mark.what}${mark.count > 1 ? ` and ${number(mark.count - 1)} more` : ''}, ${exactly(mark.at)}`

const legend = () => el('span', { class: 'legend', 'aria-hidden': 'true' }, ['added', 'edited', 'done', 'accepted', 'rejected'].map((what) => el('span', {}, el('span', { class: `key ${what}` }), what)))

// ticks are the marks of an axis of time.
export const ticks = (all) => el('div', { class: 'ticks' }, all.map((tick) => {
  const mark = el('span', {}, tick.label)
  mark.style.insetInlineStart = `${tick.at * 100}%`
  return mark
}))
