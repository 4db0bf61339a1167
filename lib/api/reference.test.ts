import path from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { providers } from '#lib/models'
import { kindsOf } from '#lib/server/providers/homes'
import { reference } from './reference'
import { nouns, routes } from './routes'
import type { RouteRow } from './row'

const file = path.resolve(import.meta.dirname, '../../docs/api.md')

it('docs/api.md is what the table of routes makes today', async () => {
  const how =
    'It is stale. Make it again: npx vitest run --config=e2e/vitest.config.ts lib/api/reference.test.ts -u'
  await expect(reference(nouns, kindsOf(providers)), how).toMatchFileSnapshot(file)
})

it('every route has its section', () => {
  const text = reference(nouns, kindsOf(providers))
  for (const { method, path: at } of routes)
    expect(text).toContain(`### \`${method} ${at.replace('...', '')}\`\n`)
})

it('every example of a body is one that its route takes', () => {
  const rows: readonly RouteRow[] = routes
  for (const { path: at, body, example } of rows) {
    if (example === undefined) continue
    const schema = body === undefined || 'kind' in body ? z.never() : body
    expect([at, schema.safeParse(example).error]).toEqual([at, undefined])
  }
})

it('every link within the page leads to one of its headings', () => {
  const text = reference(nouns, kindsOf(providers))
  // As the sites that show Markdown name them: in small letters, without signs, with hyphens for spaces.
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^a-z0-9_ -]/g, '')
      .replaceAll(' ', '-'),
  )
  const links = [...text.matchAll(/\]\(#([^)]*)\)/g)].map(([, at]) => at)
  expect(links.length).toBeGreaterThan(100)
  expect(links.filter((at = '') => !headings.includes(at))).toEqual([])
})
