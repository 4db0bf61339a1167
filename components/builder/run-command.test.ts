import { describe, expect, test } from 'vitest'
import type { ProviderView } from '#lib/wire/providers'
import { type CommandFacts, runCommand } from './run-command'

const lab: ProviderView = {
  name: 'lab',
  kind: 'openai-compatible',
  label: 'lab',
  baseUrl: 'http://127.0.0.1:11434/v1',
  baseUrlFrom: 'settings',
  key: null,
  idleSeconds: null,
  ready: true,
  test: null,
}
const openai: ProviderView = {
  ...lab,
  name: 'openai',
  kind: 'openai',
  key: { from: 'settings', hint: '', secret: 'OPENAI_API_KEY', allowed: true },
}
const facts: CommandFacts = {
  config: { name: 'calculator', model: { provider: 'scripted', name: 'demo' } },
  program: '/opt/loopwright',
  dataFolder: '/opt/loopwright/data',
  providers: [openai, lab],
  databases: ['sales'],
}
const base = "npx --prefix /opt/loopwright --no-install loopwright run calculator.json 'Your question'"

describe('the command that runs an agent', () => {
  test('names the folder of the program and the exported file', () => {
    expect(runCommand(facts)).toBe(base)
    expect(runCommand({ ...facts, program: "/home/o'neil/my clone" })).toContain(
      "--prefix '/home/o'\\''neil/my clone' --no-install",
    )
    expect(runCommand({ ...facts, program: null })).toBe(base.replace(' --prefix /opt/loopwright', ''))
  })

  test('gives the address of an added endpoint, and the data folder where a key or database is kept there', () => {
    const model = { provider: 'openai-compatible', endpoint: 'lab', name: 'qwen3' }
    expect(runCommand({ ...facts, config: { name: 'calculator', model } })).toBe(
      `${base} --endpoint lab=http://127.0.0.1:11434/v1`,
    )
    const keyed = { name: 'calculator', model: { provider: 'openai', name: 'gpt-5' } }
    expect(runCommand({ ...facts, config: keyed })).toBe(`${base} --data /opt/loopwright/data`)
    const tools = [{ use: 'builtin', tools: ['sql.*'], preset: { 'sql.execute': { database: 'sales' } } }]
    expect(runCommand({ ...facts, config: { ...facts.config, tools } })).toBe(
      `${base} --data /opt/loopwright/data`,
    )
  })
})
