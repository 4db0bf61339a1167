import { describe, expect, test } from 'vitest'
import type { Artifact } from '#lib/spec/artifact'
import { runEvent } from '#lib/spec/event'
import { closedPorts } from '#lib/spec/ports.fixture'
import type { ToolOutput } from '#lib/spec/tool'
import { calls, collect, createPolicy, createRig, createTool, endOf, of, said, text } from '../rig.fixture'

/** Ports that record what is kept. */
function keeping() {
  const kept: { name: string; mediaType: string; content: string | Uint8Array }[] = []
  const artifacts = {
    keep: async (given: (typeof kept)[number]): Promise<Artifact> => {
      kept.push(given)
      const { name, mediaType, content } = given
      return { id: `art_${kept.length}`, name, path: null, mediaType, bytes: content.length }
    },
  }
  return { kept, ports: { ...closedPorts, artifacts } }
}

describe('a long observation (S1-19, E-45, T52)', () => {
  async function observed(output: ToolOutput, { keeps = true, maxChars = 10_000 } = {}) {
    const { kept, ports } = keeping()
    const { deps, model } = createRig({
      play: [calls('look'), text('ok')],
      tools: [createTool('look', { run: () => output })],
      policies: [
        createPolicy('results', 'policies/0', {
          limitTool: (limits) => void Object.assign(limits, { maxChars }),
        }),
      ],
      ...(keeps && { deps: { ports } }),
    })
    const events = await collect(deps)
    for (const event of events) expect(runEvent.parse(JSON.parse(JSON.stringify(event)))).toEqual(event)
    const told = model.requests[1]?.messages.at(-1)
    return { kept, finished: of(events, 'call.finished')[0], told: told?.role === 'tool' ? told.text : '' }
  }

  test('reaches the model as head and tail of exactly as many characters as allowed, the whole is kept', async () => {
    const whole = `${'é'.repeat(49_999)}!`
    const { kept, finished, told } = await observed(said(whole))
    expect(kept).toEqual([{ name: 'look-call_1_1.txt', mediaType: 'text/plain', content: whole }])
    const [head = '', marker, tail = ''] = told.split('\n')
    expect([...head, ...tail]).toHaveLength(10_000)
    expect(marker).toBe('[… 40000 characters left out; the whole is artifact art_1 …]')
    expect(tail.endsWith('!')).toBe(true)
    expect(finished).toMatchObject({ artifact: 'art_1', status: 'ok', result: { blocks: [{ text: whole }] } })
  })

  test('of ten megabytes goes into no event, and five are kept', async () => {
    const { kept, finished, told } = await observed(said('ü'.repeat(5_000_000)))
    expect(new TextEncoder().encode(String(kept[0]?.content)).length).toBeLessThanOrEqual(5 * 1024 * 1024)
    expect(String(kept[0]?.content)).toMatch(/^ü+$/)
    expect(finished?.result.blocks).toEqual([{ type: 'text', text: told }])
    expect(told).toContain('characters left out; the first 5 MiB are artifact art_1 …]')
    expect(JSON.stringify(finished).length).toBeLessThan(64_000)
  })

  test('of rows that are too heavy for an event, though its text would fit, is kept as well', async () => {
    const { finished } = await observed(said('x'.repeat(300_000)), { maxChars: 1_000_000 })
    expect(finished).toMatchObject({ artifact: 'art_1' })
    expect(finished?.result.blocks).toEqual([{ type: 'text', text: finished?.result.text }])
  })

  test('where nothing is kept is cut behind its head', async () => {
    const { finished, told } = await observed(said('x'.repeat(50_000)), { keeps: false })
    expect(told).toBe(`${'x'.repeat(10_000)}\n... (40000 more characters truncated)`)
    expect(finished).not.toHaveProperty('artifact')
  })

  test('that fits is kept nowhere', async () => {
    const { kept, told } = await observed(said('short'))
    expect([kept, told]).toEqual([[], 'short'])
  })

  test('of an error is cut like any other', async () => {
    const { told, finished } = await observed({ ok: false, message: 'y'.repeat(20_000) })
    expect(told.startsWith('Error: yyy')).toBe(true)
    expect(finished).toMatchObject({ status: 'error', artifact: 'art_1' })
  })

  test('of encoded bytes names them by their length', async () => {
    const bytes = btoa(
      String.fromCharCode(...Array.from({ length: 6_000 }, (_, index) => (index * 89) % 256)),
    )
    const { told } = await observed({ ok: true, blocks: [{ type: 'json', value: { png: bytes } }] })
    expect(told).toBe('{"png":"[… 8000 characters of base64 left out]"}')
  })

  test('that cannot be kept is told as where nothing is', async () => {
    const reported: unknown[] = []
    const artifacts = { keep: () => Promise.reject(new Error('disk full')) }
    const { deps, model } = createRig({
      play: [calls('look'), text('ok')],
      tools: [createTool('look', { run: () => said('x'.repeat(20_000)) })],
      deps: { ports: { ...closedPorts, artifacts }, report: (error) => reported.push(error) },
    })
    expect(endOf(await collect(deps)).status).toBe('completed')
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ text: expect.stringContaining('truncated') })
    expect(reported).toHaveLength(1)
  })
})
