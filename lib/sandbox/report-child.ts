/**
 * The child process that reads the markdown of a report: takes the text, and says its HTML. Markup in the text stays
 * text, and only links to pages and pictures of the workspace are left.
 */
import { toHtml } from 'hast-util-to-html'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { toHast } from 'mdast-util-to-hast'
import { gfm } from 'micromark-extension-gfm'
import type { ReportAsk, ReportSaid } from './report-wire'

type Markdown = ReturnType<typeof fromMarkdown>
type Html = ReturnType<typeof toHast>
type HtmlElement = Extract<Html, { type: 'element' }>

function read({ markdown, mark }: ReportAsk): ReportSaid {
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  const warnings = new Set<string>()
  asText(tree, warnings)
  const first = tree.children[0]
  const heading = first?.type === 'heading' && first.depth === 1 ? wordsIn(first) : null
  const html = toHast(tree)
  const pictures: string[] = []
  visit(html, (node) => {
    if (node.tagName === 'a') keepLink(node, warnings)
    if (node.tagName === 'img') keepPicture(node, { mark, pictures, warnings })
  })
  return { html: toHtml(html), heading, pictures, warnings: [...warnings] }
}

/** Turns markup in the markdown into words, at any depth. */
function asText(tree: Markdown, warnings: Set<string>): void {
  const open: { type: string; children?: readonly unknown[] }[] = [tree]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'html') {
      node.type = 'text'
      warnings.add('HTML in the text is shown as it is written: reports are made of markdown alone.')
    }
    // Cast: the children of a node of markdown are nodes.
    for (const child of node.children ?? []) open.push(child as typeof node)
  }
}

function wordsIn(node: object): string {
  let words = ''
  const open: object[] = [node]
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if ('value' in each && typeof each.value === 'string') words += each.value
    // Cast: the children of a node are nodes.
    if ('children' in each && Array.isArray(each.children))
      open.push(...(each.children as object[]).reverse())
  }
  return words.trim()
}

function visit(tree: Html, take: (node: HtmlElement) => void): void {
  const open: Html[] = [tree]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'element') take(node)
    if ('children' in node) open.push(...[...node.children].reverse())
  }
}

function keepLink(node: HtmlElement, warnings: Set<string>): void {
  const href = String(node.properties.href ?? '')
  if (href.startsWith('#')) return
  if (/^(https?|mailto):/i.test(href)) {
    node.properties.rel = ['noopener', 'noreferrer']
    node.properties.target = '_blank'
    return
  }
  delete node.properties.href
  warnings.add(`The link to "${shorten(href)}" leads nowhere: links lead to http, https and mailto.`)
}

interface Found {
  readonly mark: string
  readonly pictures: string[]
  readonly warnings: Set<string>
}

function keepPicture(node: HtmlElement, { mark, pictures, warnings }: Found): void {
  const src = String(node.properties.src ?? '')
  if (!/^[a-z][a-z0-9+.-]*:|^\/\//i.test(src)) {
    node.properties.src = `${mark}${pictures.length}`
    pictures.push(src)
    return
  }
  warnings.add(
    `The picture "${shorten(src)}" is not shown: reports load nothing. Put it into the workspace and give its path.`,
  )
  const alt = String(node.properties.alt ?? '')
  node.tagName = 'span'
  node.properties = { className: ['missing'] }
  node.children = [{ type: 'text', value: alt === '' ? shorten(src) : alt }]
}

function shorten(address: string): string {
  return address.length > 120 ? `${address.slice(0, 120)}…` : address
}

async function main(): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  process.stdout.write(JSON.stringify(read(JSON.parse(Buffer.concat(chunks).toString('utf8')))))
}

await main()
