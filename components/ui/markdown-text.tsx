'use client'
/**
 * One block of markdown as elements; loaded on first use. Nothing in it is inserted as HTML, runs code or
 * loads anything when it is shown.
 */
import { createContext, isValidElement, type ReactNode, useContext } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { figureColumns } from './figure-columns'
import styles from './markdown.module.css'
import { MarkdownCode } from './markdown-code'

export function MarkdownText({ text }: { text: string }) {
  return (
    <ReactMarkdown
      remarkPlugins={remarkPlugins}
      rehypePlugins={rehypePlugins}
      components={components}
      urlTransform={safeAddress}
    >
      {text}
    </ReactMarkdown>
  )
}

const remarkPlugins = [remarkGfm]
const rehypePlugins = [figureColumns]

/** Only full web and mail addresses: a link can neither run code nor lead into this server. */
function safeAddress(address: string): string | undefined {
  return /^(https?:\/\/|mailto:)/i.test(address) ? address : undefined
}

const LinkContext = createContext(false)

/** A link inside a link is shown as text, as in an image with a link. */
function Outward({ href, children }: { href: string | undefined; children?: ReactNode }) {
  const isInside = useContext(LinkContext)
  if (isInside || href === undefined) return <span title={href}>{children}</span>
  return (
    <LinkContext.Provider value={true}>
      <a href={href} target="_blank" rel="noreferrer noopener" title={href}>
        {children}
      </a>
    </LinkContext.Provider>
  )
}

function Heading({ level, children }: { level: number; children?: ReactNode }) {
  return (
    <p className={styles.heading} role="heading" aria-level={Math.min(6, level + 2)} data-level={level}>
      {children}
    </p>
  )
}

const components: Components = {
  a: ({ href, children }) => <Outward href={href}>{children}</Outward>,
  // Loading a picture would let its server know that somebody reads this text.
  img: ({ src, alt }) => (
    <Outward href={typeof src === 'string' ? src : undefined}>{alt || 'picture'}</Outward>
  ),
  h1: ({ children }) => <Heading level={1}>{children}</Heading>,
  h2: ({ children }) => <Heading level={2}>{children}</Heading>,
  h3: ({ children }) => <Heading level={3}>{children}</Heading>,
  h4: ({ children }) => <Heading level={4}>{children}</Heading>,
  h5: ({ children }) => <Heading level={5}>{children}</Heading>,
  h6: ({ children }) => <Heading level={6}>{children}</Heading>,
  input: ({ checked }) => (
    <span role="img" aria-label={checked === true ? 'done' : 'not done'}>
      {checked === true ? '☑' : '☐'}
    </span>
  ),
  table: ({ children }) => (
    <div className={styles.tableBox} tabIndex={0} role="region" aria-label="Table">
      <table>{children}</table>
    </div>
  ),
  pre: ({ children }) => <MarkdownCode text={codeIn(children)} language={languageOf(children)} />,
}

function codeIn(children: ReactNode): string {
  return textIn(children).replace(/\n$/, '')
}

function textIn(node: ReactNode): string {
  if (typeof node === 'string') return node
  if (Array.isArray(node)) return node.map(textIn).join('')
  if (isValidElement<{ children?: ReactNode }>(node)) return textIn(node.props.children)
  return ''
}

function languageOf(node: ReactNode): string {
  if (!isValidElement<{ className?: string }>(node)) return ''
  return /language-(\S+)/.exec(node.props.className ?? '')?.[1] ?? ''
}
