/** Compares two texts line by line. */

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Above this many cells no table of common lines is built: the whole middle counts as replaced. */
const mostCells = 1_000_000

/** Lines of `before` and `after` in reading order; removed lines come before the lines that replace them. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [before.split('\n'), after.split('\n')]
  const shorter = Math.min(a.length, b.length)
  let head = 0
  while (head < shorter && a[head] === b[head]) head += 1
  let tail = 0
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1
  return [
    ...lineDiffs('same', a.slice(0, head)),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...lineDiffs('same', a.slice(a.length - tail)),
  ]
}

function lineDiffs(kind: DiffLine['kind'], lines: readonly string[]): DiffLine[] {
  return lines.map((text) => ({ kind, text }))
}

function middle(a: readonly string[], b: readonly string[]): DiffLine[] {
  const width = b.length + 1
  if ((a.length + 1) * width > mostCells) return [...lineDiffs('removed', a), ...lineDiffs('added', b)]
  const lengths = commonLengths(a, b)
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    const [left = '', right = ''] = [a[i], b[j]]
    if (left === right) {
      lines.push({ kind: 'same', text: left })
      i += 1
      j += 1
    } else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) {
      lines.push({ kind: 'removed', text: left })
      i += 1
    } else {
      lines.push({ kind: 'added', text: right })
      j += 1
    }
  }
  return [...lines, ...lineDiffs('removed', a.slice(i)), ...lineDiffs('added', b.slice(j))]
}

/** Cell (i, j): the length of the longest common subsequence of the lines from i and from j. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint32Array {
  const width = b.length + 1
  const lengths = new Uint32Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const [right = 0, down = 0] = [lengths[i * width + j + 1], lengths[(i + 1) * width + j]]
      const both = (lengths[(i + 1) * width + j + 1] ?? 0) + 1
      lengths[i * width + j] = a[i] === b[j] ? both : Math.max(right, down)
    }
  }
  return lengths
}
