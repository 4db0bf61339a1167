/**
 * Moves the focus between the regions of the builder; each region is found by its role, so that none depends
 * on another.
 */
import { flushSync } from 'react-dom'

const question = 'section[aria-label="Run"] textarea'
const focusable = 'input, textarea, select, button, [tabindex="0"]'

function find(selector: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(selector)
}

/** Focuses the form of the selected part once its code is loaded and it is rendered. */
export function inspectNow(): void {
  requestAnimationFrame(() => {
    if (isInspectorComing()) return inspectNow()
    const inspector = find('aside[aria-label="Inspector"]')
    const inForm = inspector?.querySelectorAll<HTMLElement>(`section :is(${focusable})`) ?? []
    const first = [...inForm].find((each) => !each.matches(':disabled') && each.checkVisibility())
    const target = first ?? inspector?.querySelector<HTMLElement>(focusable)
    target?.focus()
  })
}

/** Focuses the first answer to a call that waits, once its code is loaded and it is rendered. */
export function reviewNow(): void {
  requestAnimationFrame(() => {
    if (isInspectorComing()) return reviewNow()
    find('aside[aria-label="Inspector"] [aria-label$="waits for you"] button')?.focus()
  })
}

function isInspectorComing(): boolean {
  return find('aside[aria-label="Inspector"] [data-coming]') !== null
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

/** The node whose card has the focus; undefined when the focus is elsewhere or inside a card. */
export function focusedCard(): string | undefined {
  const active = document.activeElement
  return active instanceof HTMLElement && active.matches('.react-flow__node-card')
    ? active.dataset.id
    : undefined
}

export type Region = (typeof regions)[number]['name']

/** In the order of the page, each with what takes the focus in it, best first. */
const regions = [
  {
    name: 'parts',
    root: 'aside[aria-label="Parts"], section[aria-label="Outline"]',
    stops: ['[role="tree"]', 'input', '[data-stop][tabindex="0"]', 'button'],
  },
  {
    name: 'canvas',
    root: '[data-canvas]',
    stops: ['.react-flow__node.selected', '.react-flow__node', '.react-flow__pane'],
  },
  {
    name: 'inspector',
    root: 'aside[aria-label="Inspector"]',
    stops: [`section :is(${focusable})`, focusable],
  },
  {
    name: 'trace',
    root: 'section[aria-label="Trace"]',
    stops: ['[role="treegrid"]', '[role="tab"][aria-selected="true"]', 'button'],
  },
  { name: 'question', root: 'section[aria-label="Run"]', stops: ['textarea', 'button'] },
] as const

/** Focuses the next region that is on the page; `show` brings one into view that shares its space. */
export function walkRegions(step: 1 | -1, show: (region: Region) => void): void {
  const at = regions.findIndex(({ root }) => document.activeElement?.closest(root) != null)
  const tries = regions.map((_, index) => {
    const from = at < 0 && step > 0 ? -1 : Math.max(at, 0)
    return regions[(from + step * (index + 1) + regions.length * 2) % regions.length]
  })
  for (const region of tries) {
    if (region === undefined) continue
    flushSync(() => show(region.name))
    const target = firstStop(region)
    if (target === undefined) continue
    target.focus()
    return
  }
}

function firstStop({ root, stops }: (typeof regions)[number]): HTMLElement | undefined {
  const roots = [...document.querySelectorAll<HTMLElement>(root)].filter((each) => each.checkVisibility())
  for (const stop of stops) {
    const found = roots
      .flatMap((each) => [...each.querySelectorAll<HTMLElement>(stop)])
      .find((each) => each.checkVisibility() && !each.matches(':disabled'))
    if (found !== undefined) return found
  }
  return undefined
}
