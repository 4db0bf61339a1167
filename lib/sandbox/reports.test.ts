import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isDeep } from '#e2e/test-depth'
import { makeReport } from './reports'
import { createWorkspace } from './workspace'

let folder = ''
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-reports-'))
  fs.writeFileSync(path.join(folder, 'my chart.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  fs.writeFileSync(path.join(folder, 'dot.png'), Buffer.from('89504e470d0a1a0a0000', 'hex'))
  fs.writeFileSync(path.join(folder, 'notes.txt'), 'notes')
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

function make(markdown: string, timeoutMs?: number) {
  const request = { title: 'A & B', markdown, files: createWorkspace(folder) }
  return makeReport(request, new AbortController().signal, timeoutMs)
}

async function made(markdown: string) {
  const answer = await make(markdown)
  if (!answer.ok) throw new Error(answer.message)
  const body = answer.value.html.split('<main>')[1]?.split('</main>')[0] ?? ''
  return { ...answer.value, body }
}

describe('a report', { timeout: 30_000 }, () => {
  test('has headings, tables, lists, code and footnotes, and its title once', async () => {
    const { body, html, warnings } = await made(
      '## Revenue\n\n| Month | EUR |\n|---|--:|\n| Jan | 3 |\n\n- [x] checked\n\n```sql\nselect 1 < 2\n```\n\nSee[^1].\n\n[^1]: A note.',
    )
    expect(html).toMatch(/^<!doctype html>.*<title>A &amp; B<\/title>/s)
    expect(body).toContain('<h1>A &amp; B</h1>')
    expect(body).toContain('<td align="right">3</td>')
    expect(body).toMatch(/<input type="checkbox" checked disabled>/)
    expect(body).toContain('select 1 &#x3C; 2')
    expect(body).toMatch(/href="#user-content-fn-1".*A note\./s)
    expect(warnings).toEqual([])
    expect((await made('# Own title\n\nText')).body.match(/<h1>/g)).toHaveLength(1)
  })

  test('holds pictures of the workspace in itself, each file once', async () => {
    const { body, pictures } = await made('![A](my%20chart.svg) ![B](dot.png) ![C](<my chart.svg>)')
    expect(pictures).toEqual(['my chart.svg', 'dot.png'])
    expect(body.match(/src="data:image\/svg\+xml;base64,/g)).toHaveLength(2)
    expect(body).toContain('src="data:image/png;base64,iVBORw0KGgoAAA=="')
    expect(body).not.toMatch(/picture-[0-9a-f]/)
  })

  test('counts a picture as often as it is shown', async () => {
    const dot = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(1.2 * 2 ** 20)])
    fs.writeFileSync(path.join(folder, 'large.png'), dot)
    expect((await made('![A](large.png) ![B](large.png)')).pictures).toEqual(['large.png'])
    expect(await make('![A](large.png) ![B](large.png) ![C](large.png)')).toMatchObject({
      ok: false,
      code: 'too_large',
      message: expect.stringContaining('each counts as often as it is shown'),
    })
  })

  test.each([
    ['gone.png', 'picture', /names the picture "gone.png", which cannot be read: .*/],
    ['../../etc/passwd', 'picture', /cannot be read/],
    ['notes.txt', 'picture', /"notes.txt" is no picture/],
  ])('is not made with the picture %s, and says why', async (src, code, words) => {
    expect(await make(`![x](${src})`)).toMatchObject({
      ok: false,
      code,
      message: expect.stringMatching(words),
    })
  })

  test('T32 runs nothing and loads nothing, whatever the text holds', async () => {
    const { body, html, warnings } = await made(
      [
        '<script>alert(1)</script>',
        'a <img src=x onerror=alert(1)> <b>b</b>',
        '<iframe src="https://x.test/"></iframe>',
        '[a](javascript:alert(1)) [b](data:text/html,x) [c](https://x.test/?"onclick=alert(1)) [d](file:///etc/passwd)',
        '![r](https://x.test/p.png) ![s](//x.test/p.png) ![t](data:image/svg+xml,<svg onload=alert(1)>) ![u](javascript:x)',
        '[e]: javascript:alert(1)\n\n[e]',
        '<style>*{background:url(https://x.test/)}</style>',
        'https://auto.test',
      ].join('\n\n'),
    )
    expect(body).not.toMatch(/<(script|img|iframe|style|b|svg|meta|base)\b/i)
    expect(body).not.toMatch(/<[^>]*(javascript:|data:|file:|\son\w+=)/i)
    expect(body).not.toMatch(/<[^>]*\ssrc=/)
    expect(body).toContain('&#x3C;script>alert(1)')
    const links = [...body.matchAll(/<a [^>]*>/g)].map(([tag]) => tag).filter((tag) => tag.includes('href='))
    expect(links).toHaveLength(2)
    for (const tag of links) expect(tag).toMatch(/href="https:.* rel="noopener noreferrer" target="_blank"/)
    expect(warnings.join(' ')).toMatch(/HTML in the text.*The picture "https:\/\/x.test\/p.png" is not shown/)
    expect(html).toMatch(
      /Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'sha256-/,
    )
  })

  test.runIf(isDeep)(
    'of markdown that is nested without end is read or refused in its time @deep',
    async () => {
      for (const markdown of ['>'.repeat(20_000), '['.repeat(20_000), '*a **b '.repeat(5_000)]) {
        const answer = await make(markdown, 3_000)
        if (!answer.ok) expect(['timeout', 'memory', 'too_large']).toContain(answer.code)
      }
    },
  )
})
