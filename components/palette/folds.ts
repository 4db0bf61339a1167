/** Which sections of the palette are folded, as one short text: `Files:folded`, one line each. */

export function readFolds(text: string | null): ReadonlyMap<string, boolean> {
  const lines = text === null || text === '' ? [] : text.split('\n')
  return new Map(
    lines.map((line) => {
      const colon = line.lastIndexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1) === 'folded'] as const
    }),
  )
}

export function writeFolds(folds: ReadonlyMap<string, boolean>): string {
  return [...folds].map(([label, isFolded]) => `${label}:${isFolded ? 'folded' : 'open'}`).join('\n')
}
