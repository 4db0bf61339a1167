/** Places a floating panel at a point of the screen so that all of it is visible. */

const edge = 8

export function placeAt(panel: HTMLElement, at: { readonly x: number; readonly y: number }): void {
  const { offsetWidth: width, offsetHeight: height } = panel
  const { clientWidth, clientHeight } = document.documentElement
  const left = at.x + width + edge > clientWidth && at.x - width >= edge ? at.x - width : at.x
  const top = at.y + height + edge > clientHeight && at.y - height >= edge ? at.y - height : at.y
  panel.style.left = `${Math.max(edge, Math.min(left, clientWidth - width - edge))}px`
  panel.style.top = `${Math.max(edge, Math.min(top, clientHeight - height - edge))}px`
}
