/**
 * The child process that reads web pages: takes HTML and returns the readable part as Markdown. A hostile
 * page can break only this process.
 */

import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import TurndownService from 'turndown'
import type { PageSource, ReadPage } from './page-wire'

/** Elements without text for a reader. */
const wordless = 'body title, script, style, noscript, template, svg, canvas, iframe, object, embed'

process.stdin.setEncoding('utf8')
let text = ''
process.stdin.on('data', (chunk) => {
  text += chunk
})
process.stdin.on('end', () => {
  process.stdout.write(JSON.stringify(read(JSON.parse(text))))
})

/** The main article if there is one, otherwise the whole text of the page. */
function read({ html, url, isWhole }: ReadPage): PageSource {
  const page = documentOf(html, url)
  const title = titleIn(html)
  const everything = page.body?.innerHTML ?? ''
  if (isWhole) return { title, markdown: markdownOf(everything) }
  // Readability changes the document that it reads, so it gets a copy of its own.
  const article = new Readability(documentOf(html, url)).parse()
  const markdown = markdownOf(article?.content ?? '') || markdownOf(everything)
  return { title: article?.title?.trim() || title, markdown }
}

/** The parser does not add tags that HTML lets authors omit, so they are added here. */
function whole(html: string): string {
  return /<body[\s>]/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`
}

function documentOf(html: string, url: string): Document {
  const { document } = parseHTML(whole(html))
  for (const each of document.querySelectorAll(wordless)) each.remove()
  for (const link of document.querySelectorAll('a[href]')) {
    const href = link.getAttribute('href') ?? ''
    // A model has no address bar, so only absolute links are useful to it.
    if (URL.canParse(href, url)) link.setAttribute('href', new URL(href, url).href)
  }
  return document
}

function titleIn(html: string): string {
  const { document } = parseHTML(whole(html))
  return document.querySelector('title')?.textContent?.trim() ?? ''
}

function markdownOf(html: string): string {
  if (html.trim() === '') return ''
  const turndown = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
  })
  turndown.addRule('table', { filter: 'table', replacement: (_content, node) => tableOf(node as Element) }) // cast: the filter passes elements only
  // An image is replaced by its alternative text, if it has one.
  turndown.addRule('image', {
    filter: 'img',
    replacement: (_content, node) => ('getAttribute' in node ? (node.getAttribute('alt') ?? '') : ''),
  })
  const { document } = parseHTML(whole(html))
  return turndown.turndown(document.body as unknown as HTMLElement).trim() // cast: linkedom's element has the members used here
}

/** A table in GitHub's Markdown with the first row as its head; a table inside a cell becomes plain text. */
function tableOf(table: Element): string {
  const rows = [...table.querySelectorAll('tr')]
    .filter((row) => row.closest('table') === table)
    .map((row) => [...row.children].map((cell) => (cell.textContent ?? '').replace(/\s+/g, ' ').trim()))
    .filter((row) => row.some((cell) => cell !== ''))
  const [head] = rows
  if (head === undefined) return ''
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return `\n\n${[line(head), line(head.map(() => '---')), ...rows.slice(1).map(line)].join('\n')}\n\n`
}
