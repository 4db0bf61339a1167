import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readPage } from './page'
import { readerWall } from './reader-wall'

const forever = new AbortController().signal
const url = 'https://example.com/news/1'
const words = 'Prices of apples rose by four percent in October, the office of statistics says. '.repeat(12)

/** Child processes of this one that read pages. */
function readers(): number {
  const pids = fs.readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean)
  return pids.filter((pid) => {
    try {
      return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('page-child')
    } catch {
      return false
    }
  }).length
}

describe('a page', () => {
  test('gives its article as Markdown: headings, links made whole, tables, no scripts', async () => {
    const html = `<!doctype html><html><head><title>Apples</title><script>alert(1)</script></head><body>
      <nav><a href="/home">Home</a></nav>
      <article><h1>Apples</h1><h2>Prices</h2><p>${words}</p><p>More at <a href="../about">the office</a>.</p>
      <table><thead><tr><th>Year</th><th>Price</th></tr></thead><tbody><tr><td>2024</td><td>1.20</td></tr></tbody></table>
      <p>${words}</p></article></body></html>`
    const page = await readPage({ html, url }, forever)
    expect(page?.title).toBe('Apples')
    expect(page?.markdown).toContain('## Prices')
    expect(page?.markdown).toContain('[the office](https://example.com/about)')
    expect(page?.markdown).toContain('| 2024 | 1.20 |')
    expect(page?.markdown).not.toContain('alert')
  })

  test('without an article gives all its words', async () => {
    const page = await readPage({ html: '<title>Short</title><p>Only this.</p>', url }, forever)
    expect(page).toEqual({ title: 'Short', markdown: 'Only this.', wall: (await readerWall())?.facts })
  })

  test('that is empty or no HTML is read all the same', async () => {
    expect(await readPage({ html: '', url }, forever)).toMatchObject({ title: '', markdown: '' })
    expect((await readPage({ html: 'plain words', url }, forever))?.markdown).toContain('plain words')
  })

  test('T27 that is nested without end breaks its own process and nothing else', async () => {
    const page = await readPage({ html: '<div>'.repeat(20_000), url }, forever, 2_000)
    expect(page === undefined || typeof page.markdown === 'string').toBe(true)
    expect(await readPage({ html: '<p>still here</p>', url }, forever)).toMatchObject({
      markdown: 'still here',
    })
  })

  test.runIf(process.platform === 'linux')(
    'T53 is one of four at most that are read at the same time',
    async () => {
      const html = '<div>'.repeat(20_000)
      const going = Array.from({ length: 6 }, () => readPage({ html, url }, forever, 700))
      await new Promise((resolve) => setTimeout(resolve, 300))
      expect(readers()).toBe(4)
      await Promise.all(going)
      expect(readers()).toBe(0)
    },
  )

  test('that no turn comes for is not read', async () => {
    const stop = new AbortController()
    const html = '<div>'.repeat(20_000)
    const going = Array.from({ length: 4 }, () => readPage({ html, url }, forever, 300))
    const waiting = readPage({ html, url }, stop.signal)
    stop.abort()
    expect(await waiting).toBeUndefined()
    await Promise.all(going)
  })

  test('is not read on when the call is stopped', async () => {
    const stop = new AbortController()
    const going = readPage({ html: '<p>x</p>'.repeat(100_000), url }, stop.signal)
    stop.abort()
    expect(await going).toBeUndefined()
  })
})
