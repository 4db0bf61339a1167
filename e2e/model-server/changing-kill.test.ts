/** Tools that come and go, and a run inside a call, over the wires of the services and through kills of the server. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isDeep } from '#e2e/test-depth'
import { bundleFixture } from '#lib/server/runs/bundle.fixture'
import { changingTurns } from '#lib/server/runs/changing.fixture'
import { expectWhole, wholeRun } from '#lib/server/runs/changing-lives.fixture'
import type { Wire } from './behaviour'
import { startModelServer } from './model-server'
import { formats, playing } from './speech'

let program: Awaited<ReturnType<typeof bundleFixture>>
beforeAll(async () => {
  program = await bundleFixture('runs/changing-kill')
})
afterAll(() => program.remove())

const services: Readonly<Record<Wire, { provider: string; endpoint: string }>> = {
  anthropic: { provider: 'anthropic', endpoint: 'anthropic' },
  responses: { provider: 'openai-responses', endpoint: 'openai' },
  openai: { provider: 'openai', endpoint: 'openai' },
}
const kills = ['"extra.switch"', '"tools.changed"', '"parent"', '"run.finished"']
/** Each kill is a start of the server, so each wire gets every second one in a run that is not deep. */
const killsOver = (wire: Wire) =>
  isDeep ? kills : kills.filter((_, index) => index % 2 === (wire === 'anthropic' ? 0 : 1))
const all = (Object.keys(services) as Wire[]).flatMap((wire) => formats.map((format) => ({ wire, format })))
const cases = isDeep ? all : all.filter(({ format, wire }) => format === 'native' && wire === 'anthropic')

it.each(cases)(
  'tools change and a run stands inside a call over the wire $wire, in the format $format, through kills @deep',
  async ({ wire, format }) => {
    const server = await startModelServer({
      behaviour: playing(changingTurns.map((turn) => () => ({ ...turn }))),
      service: 'openai',
    })
    const baseUrl = wire === 'anthropic' ? server.anthropicUrl : server.openaiUrl
    try {
      const model = { ...services[wire], baseUrl }
      expectWhole(await wholeRun({ file: program.file, format, model, kills: killsOver(wire) }))
      expect(server.requests.map(({ refusal }) => refusal)).toEqual(server.requests.map(() => undefined))
      expect(new Set(server.requests.map((each) => each.wire))).toEqual(new Set([wire]))
    } finally {
      await server.close()
    }
  },
  120_000,
)
