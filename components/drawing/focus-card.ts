/**
 * Focuses an item on the canvas by its id there, so that keys work on it; it may be outside the visible area.
 * A new card is hidden until it has been measured, so this tries again for some frames.
 */
export function focusCard(id: string, frames = 30): void {
  requestAnimationFrame(() => {
    const card = document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`)
    card?.focus({ preventScroll: true })
    if (frames > 1 && (card === null || document.activeElement !== card)) focusCard(id, frames - 1)
  })
}
