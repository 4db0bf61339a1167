'use client'
/** Where the focus goes when what had it is gone. */
import { useLayoutEffect } from 'react'

/**
 * Returns the focus when the component is gone, to the element that had it before. A layout effect comes
 * before the effects with which the component takes the focus.
 */
export function useReturnedFocus(): void {
  useLayoutEffect(() => {
    const trail = focusTrail()
    return () => returnFocusSoon(trail)
  }, [])
}

/** Once what is being removed is gone; React may remove the opener in the same commit. */
export function returnFocusSoon(trail: readonly Element[]): void {
  queueMicrotask(() => {
    if (!hasFocus()) returnFocus(trail)
    const [opener] = trail
    if (opener !== undefined && opener === document.activeElement) standInFor(opener, trail)
  })
}

/** Milliseconds. */
const answerTime = 10_000

/** What was confirmed may remove the opener a moment later, once the server has answered. */
function standInFor(opener: Element, trail: readonly Element[]): void {
  const observer = new MutationObserver(() => {
    if (opener.isConnected) return
    stop()
    if (!hasFocus()) returnFocus(trail)
  })
  const stop = () => {
    observer.disconnect()
    clearTimeout(timer)
    document.removeEventListener('focusin', stop)
  }
  const timer = setTimeout(stop, answerTime)
  observer.observe(document.body, { childList: true, subtree: true })
  document.addEventListener('focusin', stop)
}

/** The focused element and everything around it, innermost first; empty if nothing has the focus. */
export function focusTrail(): readonly Element[] {
  const trail: Element[] = []
  for (let at = document.activeElement; at !== null && at !== document.body; at = at.parentElement)
    trail.push(at)
  return trail
}

/**
 * Focuses the first element of the trail that is still on the page and can take the focus. If the element
 * itself is gone, the first control in what was around it is taken, and at last the page's main region.
 */
function returnFocus(trail: readonly Element[]): void {
  const [own, ...around] = trail
  if (own instanceof HTMLElement && canTake(own)) own.focus()
  for (const each of around) {
    if (hasFocus()) return
    if (each.isConnected && !each.matches('main, html')) firstControl(each)?.focus()
  }
  if (!hasFocus()) focusMain()
}

function hasFocus(): boolean {
  const { activeElement, body } = document
  return activeElement !== null && activeElement !== body
}

const controls = 'a[href], button, input, select, textarea, [tabindex="0"]'

function firstControl(place: Element): HTMLElement | undefined {
  return [...place.querySelectorAll<HTMLElement>(controls)].find(canTake)
}

function canTake(element: HTMLElement): boolean {
  return (
    element.isConnected &&
    !element.matches(':disabled') &&
    element.checkVisibility({ visibilityProperty: true })
  )
}

/** The main region takes the focus without a ring, so that the keys of the page work on. */
function focusMain(): void {
  const main = document.querySelector('main')
  if (main === null) return
  if (!main.hasAttribute('tabindex')) main.setAttribute('tabindex', '-1')
  main.focus({ preventScroll: true })
}
