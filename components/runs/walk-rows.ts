/** Moves the focus from run to run in the table; the focused element is the link to the run. */

export function walkRows(by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('[data-run-link]')]
  const at = links.findIndex((each) => each.matches(':focus'))
  const next = at < 0 ? links[by > 0 ? 0 : links.length - 1] : links[at + by]
  next?.focus()
  next?.closest('tr')?.scrollIntoView({ block: 'nearest' })
}
