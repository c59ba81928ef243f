// Dialogs: the browser's own, which keep the focus and end with Escape.

import { el } from './dom.js'

// openDialog shows a dialog with a title, and returns it. It is gone when it is closed.
export function openDialog(title, ...content) {
  const heading = el('h2', { id: 'dialog-title' }, title)
  const dialog = el('dialog', { 'aria-labelledby': 'dialog-title', onclose: () => dialog.remove() },
    el('div', { class: 'dialog-head' }, heading, el('button', { type: 'button', 'aria-label': 'Close', onclick: () => dialog.close() }, '×')),
    ...content)
  document.body.append(dialog)
  dialog.showModal()
  return dialog
}
