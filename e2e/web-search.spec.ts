/** Web search from its settings to a run, and the personas of calls: on loopback, with a service in SearXNG's format. */
import { expect } from '@playwright/test'
import { startSearchServer } from '../lib/web/search.fixture'
import { begin, call, createAgent, scriptedConfig } from './api'
import { test } from './journey'
import { deepOnly } from './test-depth'

const turns = [
  { calls: [{ name: 'web.search', args: { query: 'long rivers' } }] },
  { text: 'The Nile is long.' },
]
const config = (name: string) =>
  scriptedConfig(name, turns, {
    tools: [{ use: 'builtin', tools: ['web.search'] }],
    policies: [{ use: 'personas', names: { 'web.*': 'Librarian' } }],
  })

interface Run {
  readonly status: string
}

test(
  'a person sets web search up, an agent uses it under its persona, and it is removed again',
  deepOnly,
  async ({ page, baseURL }) => {
    const url = baseURL ?? ''
    const search = await startSearchServer('searxng', () => [
      { title: 'River lengths', url: 'https://example.org/rivers', snippet: 'The Nile is long.' },
    ])
    try {
      await page.goto('/settings#web-search')
      const part = page.getByRole('region', { name: 'Web search' })
      await part.getByRole('button', { name: 'Set up web search' }).click()
      const form = page.getByRole('form', { name: 'Set up web search' })
      await form.getByRole('textbox', { name: 'Address' }).fill(`${search.baseUrl}/`)
      await form.getByRole('button', { name: 'Test' }).click()
      await expect(form.getByRole('status')).toContainText('It found 1 page for “weather”')
      await form.getByRole('button', { name: 'Save' }).click()
      await expect(part.getByRole('listitem', { name: 'SearXNG' })).toContainText(search.baseUrl)

      const agent = await createAgent(url, config('searcher'))
      const run = await begin(url, agent, 'Which river is long?')
      await expect.poll(async () => (await call<Run>(`${url}/api/runs/${run}`)).status).toBe('completed')
      await page.goto(`/runs/${run}`)
      const row = page.getByRole('row', { name: /Librarian/ })
      await expect(row).toContainText('web.search')
      await expect(page.getByText('[1] River lengths').first()).toBeVisible()

      await page.goto('/settings#web-search')
      await part.getByRole('button', { name: 'Remove SearXNG' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await expect(part.getByRole('button', { name: 'Set up web search' })).toBeVisible()
    } finally {
      await search.close()
    }
  },
)
