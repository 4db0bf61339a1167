/** Finds what is wrong with the layout of a page: controls on top of each other, and what leaves the window. */
import { expect, type Page } from '@playwright/test'

/** Px by which edges may meet, because of rings and hairlines. */
const slack = 2

/** Expects that no two controls overlap and that nothing is wider than the window. */
export async function expectTidy(page: Page, name: string): Promise<void> {
  await expect.poll(() => page.evaluate(faultsOf, slack), name).toEqual([])
}

/** Expects that the element is in view as a whole. */
export async function expectInView(page: Page, selector: string, name: string): Promise<void> {
  await expect(page.locator(selector), name).toBeInViewport({ ratio: 1 })
}

/** The controls that are lower or narrower than a thumb needs. */
export function smallTargets(page: Page, least: number): Promise<string[]> {
  return page.evaluate((px) => {
    const controls = [...document.querySelectorAll<HTMLElement>('button, input, select, [role="tab"]')]
    return controls
      .filter((each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((each) => each.closest('.react-flow, [role="treegrid"], table') === null)
      .map((each) => {
        // A checkbox is touched on its label, a field in its box.
        const target = each.closest('label') ?? (each instanceof HTMLInputElement ? each.parentElement : each)
        const { width, height } = (target ?? each).getBoundingClientRect()
        const name = each.getAttribute('aria-label') ?? each.textContent?.trim()
        return { name, width: Math.round(width), height: Math.round(height) }
      })
      .filter(({ width, height }) => height > 0 && (height < px || width < px))
      .map(({ name, width, height }) => `${name}: ${width} × ${height}`)
  }, least)
}

/** Runs in the page. */
function faultsOf(slack: number): string[] {
  const isShown = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const nameOf = (element: Element) =>
    `${element.tagName.toLowerCase()} “${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}”`

  /** The part of an element that the boxes around it let through. */
  const seenPart = (element: Element): DOMRect | null => {
    let { left, top, right, bottom } = element.getBoundingClientRect()
    for (let at = element.parentElement; at !== null && at !== document.body; at = at.parentElement) {
      if (getComputedStyle(at).overflow === 'visible') continue
      const box = at.getBoundingClientRect()
      left = Math.max(left, box.left)
      top = Math.max(top, box.top)
      right = Math.min(right, box.right)
      bottom = Math.min(bottom, box.bottom)
    }
    return right - left > slack && bottom - top > slack
      ? new DOMRect(left, top, right - left, bottom - top)
      : null
  }
  /** What lies under a dialog, a menu or a popover is covered on purpose. */
  const layerOf = (element: Element) =>
    element.closest('dialog[open], [popover], [role="menu"], [role="dialog"], aside[aria-label="Runs"]')
  // The drawing has its own layout, which a person moves.
  const inDrawing = (element: Element) => element.closest('.react-flow__viewport') !== null

  const controls = [
    ...document.querySelectorAll(
      'a[href], button, input, select, textarea, [role="tab"], [role="slider"], [role="treegrid"]',
    ),
  ]
    .filter((each) => isShown(each) && !inDrawing(each))
    .flatMap((element) => {
      const part = seenPart(element)
      return part === null ? [] : [{ element, part, layer: layerOf(element) }]
    })
  const faults: string[] = []
  for (const [index, a] of controls.entries()) {
    for (const b of controls.slice(index + 1)) {
      if (a.layer !== b.layer || a.element.contains(b.element) || b.element.contains(a.element)) continue
      const wide = Math.min(a.part.right, b.part.right) - Math.max(a.part.left, b.part.left)
      const high = Math.min(a.part.bottom, b.part.bottom) - Math.max(a.part.top, b.part.top)
      if (wide > slack && high > slack) faults.push(`${nameOf(a.element)} overlaps ${nameOf(b.element)}`)
    }
    if (a.part.left < -slack || a.part.right > window.innerWidth + slack)
      faults.push(`${nameOf(a.element)} leaves the window`)
  }
  const page = document.scrollingElement
  if (page !== null && page.scrollWidth > window.innerWidth) faults.push('the page scrolls sideways')
  for (const each of document.querySelectorAll('main, main > *, header')) {
    const { right } = each.getBoundingClientRect()
    if (isShown(each) && right > window.innerWidth + slack) faults.push(`${nameOf(each)} is too wide`)
  }
  return faults
}
