/** Puts the focus on what stands on the canvas, by its id there, so that keys go on from it; it may lie outside of what is drawn. */
export function focusCard(id: string): void {
  requestAnimationFrame(() =>
    document
      .querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`)
      ?.focus({ preventScroll: true }),
  )
}
