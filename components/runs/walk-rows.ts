/** The focus in the table of runs: from run to run, and which run has it. A run is focused at its link or its box. */

export function walkRows(by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('[data-run-link]')]
  const at = links.findIndex((each) => each.matches(':focus'))
  const next = at < 0 ? links[by > 0 ? 0 : links.length - 1] : links[at + by]
  next?.focus()
  next?.closest('tr')?.scrollIntoView({ block: 'nearest' })
}

export function focusedRun(): string | undefined {
  return document.activeElement?.closest<HTMLElement>('tr[data-run]')?.dataset.run
}
