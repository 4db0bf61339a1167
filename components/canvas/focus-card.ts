/**
 * Focuses an item on the canvas by its id there, so that keys work on it; it may be outside the visible area.
 */
export function focusCard(id: string): void {
  requestAnimationFrame(() =>
    document
      .querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`)
      ?.focus({ preventScroll: true }),
  )
}
