/** Where the focus goes between the regions of the builder; each is found by its role, so that none needs to know another. */

const question = 'section[aria-label="Run"] textarea'
const focusable = 'input, textarea, select, button, [tabindex="0"]'

function find(selector: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(selector)
}

/** Into the form of what is chosen, once it stands there. */
export function inspectNow(): void {
  requestAnimationFrame(() => {
    const inspector = find('aside[aria-label="Inspector"]')
    const inForm = inspector?.querySelectorAll<HTMLElement>(`section :is(${focusable})`) ?? []
    const first = [...inForm].find((each) => !each.matches(':disabled') && each.checkVisibility())
    const target = first ?? inspector?.querySelector<HTMLElement>(focusable)
    target?.focus()
  })
}

/** Out of the form: back to the outline, else to the card it is about, else to the canvas. */
export function leaveInspector(): void {
  const place =
    find('[role="tree"][aria-label="Outline of the agent"]') ??
    find('.react-flow__node.selected') ??
    find('.react-flow__node')
  place?.focus()
}

/** Where a question is written; one that stands there already is not sent. */
export function toQuestion(): void {
  find(question)?.focus()
}

/** Runs the question that stands written, or puts the focus where one is written. */
export function askNow(): void {
  const field = find(question)
  if (!(field instanceof HTMLTextAreaElement)) return
  if (field.value.trim() === '') field.focus()
  else field.form?.requestSubmit()
}
