/**
 * Moves the focus between the regions of the builder; each region is found by its role, so that none depends
 * on another.
 */

const question = 'section[aria-label="Run"] textarea'
const focusable = 'input, textarea, select, button, [tabindex="0"]'

function find(selector: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(selector)
}

/** Focuses the form of the selected part once it is rendered. */
export function inspectNow(): void {
  requestAnimationFrame(() => {
    const inspector = find('aside[aria-label="Inspector"]')
    const inForm = inspector?.querySelectorAll<HTMLElement>(`section :is(${focusable})`) ?? []
    const first = [...inForm].find((each) => !each.matches(':disabled') && each.checkVisibility())
    const target = first ?? inspector?.querySelector<HTMLElement>(focusable)
    target?.focus()
  })
}

/** Focuses the first answer to a call that waits, once it is rendered. */
export function reviewNow(): void {
  requestAnimationFrame(() => {
    find('aside[aria-label="Inspector"] [aria-label$="waits for you"] button')?.focus()
  })
}

/** Leaves the form: to the outline, or else to the form's card, or else to the canvas. */
export function leaveInspector(): void {
  const place =
    find('[role="tree"][aria-label="Outline of the agent"]') ??
    find('.react-flow__node.selected') ??
    find('.react-flow__node')
  place?.focus()
}

/** Focuses the question field, without sending a question that is already there. */
export function toQuestion(): void {
  find(question)?.focus()
}

/** Runs the typed question, or focuses the question field when it is empty. */
export function askNow(): void {
  const field = find(question)
  if (!(field instanceof HTMLTextAreaElement)) return
  if (field.value.trim() === '') field.focus()
  else field.form?.requestSubmit()
}
