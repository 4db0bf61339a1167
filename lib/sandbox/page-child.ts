/** The child process that reads web pages: HTML in, the readable part as Markdown out. Whatever a page does to it, only it breaks. */

import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import TurndownService from 'turndown'
import type { PageSource, ReadPage } from './page-wire'

/** Elements that hold no words for a reader. */
const wordless = 'body title, script, style, noscript, template, svg, canvas, iframe, object, embed'

process.stdin.setEncoding('utf8')
let text = ''
process.stdin.on('data', (chunk) => {
  text += chunk
})
process.stdin.on('end', () => {
  process.stdout.write(JSON.stringify(read(JSON.parse(text))))
})

/** The article where there is one; else all of the page's words. */
function read({ html, url }: ReadPage): PageSource {
  const page = documentOf(html, url)
  const title = titleIn(html)
  const everything = page.body?.innerHTML ?? ''
  // Readability takes the document apart, so it gets one of its own.
  const article = new Readability(documentOf(html, url)).parse()
  const markdown = markdownOf(article?.content ?? '') || markdownOf(everything)
  return { title: article?.title?.trim() || title, markdown }
}

/** The parser takes HTML as it is written, so what authors may leave out is put in. */
function whole(html: string): string {
  return /<body[\s>]/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`
}

function documentOf(html: string, url: string): Document {
  const { document } = parseHTML(whole(html))
  for (const each of document.querySelectorAll(wordless)) each.remove()
  for (const link of document.querySelectorAll('a[href]')) {
    const href = link.getAttribute('href') ?? ''
    // A model has no address bar: links are of use only when they are whole.
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
  turndown.addRule('table', { filter: 'table', replacement: (_content, node) => tableOf(node as Element) }) // cast: the filter lets elements through alone
  // Pictures say nothing to a reader of words but what is written for those who do not see them.
  turndown.addRule('image', {
    filter: 'img',
    replacement: (_content, node) => ('getAttribute' in node ? (node.getAttribute('alt') ?? '') : ''),
  })
  const { document } = parseHTML(whole(html))
  return turndown.turndown(document.body as unknown as HTMLElement).trim() // cast: linkedom's element has what is used of it
}

/** A table of GitHub's Markdown, whose first row is its head; a table within a cell becomes its words. */
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
