import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { main } from './main'
import { schemaText } from './schema'
import { testTerminal } from './terminal.fixture'

const published = path.resolve(import.meta.dirname, '../../public/schema/agent-v1.json')

it('the published schema is what the parts make today', () => {
  const how = 'It is stale. Make it anew: npx --no-install loopwright schema > public/schema/agent-v1.json'
  expect(readFileSync(published, 'utf8') === schemaText(), how).toBe(true)
})

it('loopwright schema prints it', async () => {
  const terminal = testTerminal()
  expect(await main(['schema'], terminal)).toBe(0)
  expect(terminal.printed).toBe(schemaText())
})
