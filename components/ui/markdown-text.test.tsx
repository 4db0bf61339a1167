import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { MarkdownText } from './markdown-text'

const html = (text: string) => renderToStaticMarkup(<MarkdownText text={text} />)

/** The addresses that end up in the page. */
const addresses = (text: string) => [...html(text).matchAll(/(?:href|src)="([^"]*)"/g)].map((each) => each[1])

describe('markdown', () => {
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    'a <svg/onload=alert(1)> b',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<style>*{display:none}</style>',
    '| a |\n| - |\n| <img src=x onerror=alert(1)> |',
  ])('shows HTML as the words it is: %s', (text) => {
    const out = html(text)
    expect(out).not.toMatch(/<(script|img|svg|iframe|style)/)
    expect(out).not.toMatch(/<[^>]*\son\w+=/)
    expect(addresses(text)).toEqual([])
    expect(out).toContain('&lt;')
  })

  it.each([
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](java\nscript:alert(1))',
    '[x](&#106;avascript:alert(1))',
    '[x](\u0001javascript:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](vbscript:msgbox(1))',
    '[x](/api/runs)',
    '[x](//evil.example)',
    '![x](javascript:alert(1))',
    '![x](data:image/svg+xml,<svg/onload=alert(1)>)',
    '[x]: javascript:alert(1)\n\n[x]',
    '<javascript:alert(1)>',
  ])('leads nowhere from %s', (text) => {
    expect(addresses(text)).toEqual([])
  })

  it('opens links elsewhere, and tells nobody where from', () => {
    expect(html('[site](https://example.com/a "t")')).toContain(
      '<a href="https://example.com/a" target="_blank" rel="noreferrer noopener"',
    )
  })

  it('names a picture instead of fetching it', () => {
    const out = html('![a cat](https://example.com/cat.png)')
    expect(out).not.toContain('<img')
    expect(out).toContain('href="https://example.com/cat.png"')
    expect(out).toContain('a cat')
  })

  it('makes one link of a picture that is one', () => {
    expect(addresses('[![alt](https://a.example/x.png)](https://b.example)')).toEqual(['https://b.example'])
  })

  it('draws tables and lists of tasks', () => {
    expect(html('| a | b |\n| - | -: |\n| 1 | 2 |')).toMatch(/<th[^>]*>a<\/th>/)
    const tasks = html('- [x] done\n- [ ] open')
    expect(tasks).toContain('aria-label="done"')
    expect(tasks).not.toContain('<input')
  })
})

describe('tables', () => {
  it('mark the columns of figures with their heads, and keep other columns as they are', () => {
    const out = html(
      '| Country | Revenue | When |\n| - | - | - |\n| Norway | 3,734.5 | May |\n| Chile | – | June |',
    )
    expect([...out.matchAll(/<t[hd] data-figure="">([^<]*)</g)].map((each) => each[1])).toEqual([
      'Revenue',
      '3,734.5',
      '–',
    ])
  })
})
