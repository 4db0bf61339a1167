/**
 * Marks the columns of figures in the tables of a markdown tree, so that figures are right-aligned and never
 * broken. An alignment that the author wrote is kept.
 */

/** What is needed of a node of the tree that react-markdown renders. */
export interface HtmlNode {
  readonly type: string
  readonly tagName?: string
  properties?: { [name: string]: unknown }
  readonly children?: readonly HtmlNode[]
  readonly value?: string
}

/** A plugin for react-markdown. */
export function figureColumns(): (tree: HtmlNode) => void {
  return (tree) => {
    for (const table of findAll(tree, (tag) => tag === 'table')) markColumns(table)
  }
}

/** `3,734,218.75`, `−12 %`, `$0.04`, `≈ 900`, `12 ms`; a dash means that there is none. */
const figure = /^[≈~<>]?\s?[-+−±]?\s?[$€£¥]?\s?\d[\d.,’' ]*\s?(?:%|‰|[€£¥]|[A-Za-zµ°]{1,3})?$/
const none = /^[-–—]?$/

export function isFigure(text: string): boolean {
  return figure.test(text.trim())
}

function markColumns(table: HtmlNode): void {
  const rows = findAll(table, (tag) => tag === 'tr').map((row) =>
    findAll(row, (tag) => tag === 'td' || tag === 'th'),
  )
  const [head = [], ...body] = rows
  for (const [at, name] of head.entries()) {
    const cells = body.flatMap((row) => row[at] ?? [])
    const texts = cells.map((cell) => textIn(cell).trim())
    const isColumn = texts.some(isFigure) && texts.every((text) => isFigure(text) || none.test(text))
    if (isColumn)
      for (const cell of [name, ...cells]) cell.properties = { ...cell.properties, dataFigure: '' }
  }
}

/** Elements in document order; nothing inside a found element is searched. */
function findAll(node: HtmlNode, isSought: (tag: string) => boolean): HtmlNode[] {
  return (node.children ?? []).flatMap((each) =>
    each.tagName !== undefined && isSought(each.tagName) ? [each] : findAll(each, isSought),
  )
}

function textIn(node: HtmlNode): string {
  return node.value ?? (node.children ?? []).map(textIn).join('')
}
