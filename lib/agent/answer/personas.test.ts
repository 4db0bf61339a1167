import { describe, expect, test } from 'vitest'
import type { ModelRequest } from '#lib/spec/model'
import type { PersonaRules } from '#lib/spec/persona'
import {
  type Beat,
  calls,
  collect,
  createRig,
  createTool,
  endOf,
  fresh,
  limiting,
  of,
  replay,
  type Turn,
  text,
  typesOf,
} from '../rig.fixture'

const own = [calls('sql.execute', 'look', 'stranger'), text('Done.')]
const tools = [createTool('sql.execute'), createTool('look')]
const generated: PersonaRules = { names: [], generate: true }

function rig(
  personas: PersonaRules,
  answer: Turn = text('{"sql.execute": "Ada", "look": "Sherlock", "nobody": "X"}'),
) {
  const play = (request: ModelRequest): Turn =>
    request.purpose === undefined ? (own[request.step - 1] ?? text('over')) : answer
  const made = createRig({ play, tools, policies: [limiting({ personas })] })
  return { ...made, asked: () => made.model.requests.filter(({ purpose }) => purpose === 'Personas') }
}

const personasOf = (events: Parameters<typeof replay>[0]) =>
  of(events, 'call.finished').map(({ name, persona }) => [name, persona])

describe('S1-23 personas', () => {
  test('that are fixed stand on the events of a call, by name or pattern, and a tool without one has none', async () => {
    const { deps, asked } = rig({ names: [['sql.*', 'Data desk']], generate: false })
    const events = await collect(deps)
    expect(personasOf(events)).toEqual([
      ['sql.execute', 'Data desk'],
      ['look', undefined],
      ['stranger', undefined],
    ])
    expect(of(events, 'call.started')[0]?.persona).toBe('Data desk')
    expect([...replay(events).calls.values()].map(({ persona }) => persona)).toEqual([
      'Data desk',
      undefined,
      undefined,
    ])
    expect([asked().length, typesOf(events).includes('personas.assigned')]).toEqual([0, false])
  })

  test('are given by the model before the first step, with its usage; long names and unknown tools are left out', async () => {
    const { deps, asked } = rig(generated)
    const events = await collect(deps)
    expect(typesOf(events).slice(0, 3)).toEqual(['run.started', 'personas.assigned', 'step.started'])
    expect(of(events, 'personas.assigned')).toMatchObject([
      { names: { 'sql.execute': 'Ada' }, usage: { input: 10, output: 5 } },
    ])
    expect(personasOf(events)).toEqual([
      ['sql.execute', 'Ada'],
      ['look', undefined],
      ['stranger', undefined],
    ])
    expect(endOf(events)).toMatchObject({ status: 'completed', usage: { input: 30, output: 15 } })
    expect(asked()[0]?.messages).toMatchObject([
      { text: expect.stringMatching(/Task: How much\?[\s\S]*- look: does look/) },
    ])
  })

  test('are read from a fenced answer, and the fixed ones count first', async () => {
    const answer = text('```json\n{"sql.execute": "Ada", "look": "Eve"}\n```')
    const { deps } = rig({ names: [['sql.*', 'Desk']], generate: true }, answer)
    expect(personasOf(await collect(deps)).slice(0, 2)).toEqual([
      ['sql.execute', 'Desk'],
      ['look', 'Eve'],
    ])
  })

  test.each<[string, Turn]>([
    ['garbage', text('I would call them Bob.')],
    ['a list', text('["Ada"]')],
    ['numbers', text('{"look": 7}')],
    ['nothing', text('')],
    ['a refusal', [{ type: 'fault', fault: { code: 'auth', message: 'No key.' } }]],
    ['silence', ['hang' as Beat]],
  ])('that fail with %s leave the run as it is', async (_, answer) => {
    const { deps } = rig(generated, answer)
    const events = await collect(deps)
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'Done.' })
    expect(personasOf(events).every(([, persona]) => persona === undefined)).toBe(true)
    expect(of(events, 'personas.assigned')).toHaveLength(1)
  })

  test('are asked for again in the next run, and not again after a crash', async () => {
    const { deps, asked } = rig(generated)
    const events = await collect(deps)
    const until = typesOf(events).indexOf('step.started')
    const crashed = rig(generated)
    await collect(crashed.deps, { state: replay(events.slice(0, until)), resumed: 'crash' })
    expect([asked().length, crashed.asked().length]).toEqual([1, 0])
    await collect(deps, { state: fresh() })
    expect(asked().length).toBe(2)
  })

  test('do not keep a person from cancelling', async () => {
    const { deps } = rig(generated, ['hang'])
    const events = await collect(deps, {
      on: (event, controller) => {
        if (event.type === 'run.started') setImmediate(() => controller.abort('cancel'))
      },
    })
    expect(endOf(events).status).toBe('cancelled')
    expect(typesOf(events)).not.toContain('step.started')
  })

  test('are asked for at their own temperature', async () => {
    const { events, asked } = await named([text('{"look": "Eve"}')])
    expect(personasOf(events)[1]).toEqual(['look', 'Eve'])
    expect(asked).toEqual({ cool: 1, plain: 0, own: 0 })
  })

  test('are asked for without a temperature where the model refuses that', async () => {
    const { events, asked } = await named([
      refused('Unsupported value: Temperature.'),
      text('{"look": "Eve"}'),
    ])
    expect(personasOf(events)[1]).toEqual(['look', 'Eve'])
    expect(of(events, 'personas.assigned')[0]).toMatchObject({ usage: { input: 10, output: 5 } })
    expect(asked).toEqual({ cool: 1, plain: 1, own: 0 })
  })

  test('are not asked for again when a request is refused for something else', async () => {
    const { events, asked } = await named([refused('No such model.'), text('{"look": "Eve"}')])
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'Done.' })
    expect(of(events, 'personas.assigned')[0]).toMatchObject({ names: {}, error: { code: 'bad_request' } })
    expect(asked).toEqual({ cool: 1, plain: 0, own: 0 })
  })
})

const refused = (message: string): Turn => [{ type: 'fault', fault: { code: 'bad_request', message } }]

/** A run whose model for names gives these answers, at its low temperature and without one. */
async function named(answers: readonly Turn[]) {
  const { deps, asked } = rig(generated)
  const [cool, plain] = answers.map((answer) => createRig({ play: () => answer }).model)
  if (cool === undefined) throw new Error('There is no answer.')
  const events = await collect({ ...deps, namingModel: { cool, plain: plain ?? cool } })
  const count = { cool: cool.requests.length, plain: plain?.requests.length ?? 0, own: asked().length }
  return { events, asked: count }
}
