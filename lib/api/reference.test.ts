import path from 'node:path'
import { expect, it } from 'vitest'
import { reference } from './reference'
import { nouns, routes } from './routes'

const file = path.resolve(import.meta.dirname, '../../docs/api.md')

it('docs/api.md is what the table of routes makes today', async () => {
  const how =
    'It is stale. Make it again: npx vitest run --config=e2e/vitest.config.ts lib/api/reference.test.ts -u'
  await expect(reference(nouns), how).toMatchFileSnapshot(file)
})

it('every route has its section', () => {
  const text = reference(nouns)
  for (const { method, path: at } of routes)
    expect(text).toContain(`### \`${method} ${at.replace('...', '')}\`\n`)
})

it('every example of a body is one that its route takes', () => {
  for (const each of routes) {
    if (!('example' in each)) continue
    expect([each.path, each.body.safeParse(each.example).error]).toEqual([each.path, undefined])
  }
})
