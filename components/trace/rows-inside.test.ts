import { describe, expect, it } from 'vitest'
import type { EventBody } from '#lib/spec/event'
import { placeOf } from './row'
import { rowsOf } from './rows'
import {
  type Asked,
  answered,
  begin,
  callFinished,
  callStarted,
  record,
  requested,
  runFinished,
  stepFinished,
  stepStarted,
} from './run.fixture'

const none: ReadonlySet<string> = new Set()
const nest: Asked = { id: 'call_1_1', name: 'agent.ask' }
const look: Asked = { id: 'call_1_1', name: 'time.now' }

/** The same events, as those of a run inside this call. */
function inside(parent: string, ...bodies: readonly EventBody[]): EventBody[] {
  return bodies.map((body) => Object.assign({}, body, { parent, step: 1 }))
}

function nested(...last: readonly EventBody[]) {
  return record(
    begin,
    stepStarted,
    requested,
    answered({ calls: [nest] }),
    callStarted(nest, 'tools/0'),
    ...inside('call_1_1', { ...begin, input: 'What time is it?' } as EventBody),
    ...inside('call_1_1', { type: 'step.started', maxSteps: 3 }, requested, answered({ calls: [look] })),
    ...inside('call_1_1', callStarted(look, 'tools/0'), callFinished(look, 'tools/0', { text: 'noon' })),
    ...inside('call_1_1', stepFinished),
    ...last,
  ).state
}

const outline = (state: ReturnType<typeof nested>, folded = none) =>
  rowsOf(state, folded)
    .filter(({ step, kind }) => step === 1 && kind !== 'thought')
    .map(({ depth, kind, title }) => `${'  '.repeat(depth)}${kind}: ${title}`)

const end = [
  ...inside('call_1_1', runFinished('completed', 'It is noon.')),
  callFinished(nest, 'tools/0', { text: 'It is noon.' }),
  stepFinished,
]

describe('a run inside a call', () => {
  it('unfolds below its call: its steps, its calls and its answer', () => {
    expect(outline(nested(...end))).toEqual([
      'step: Step 1',
      '  call: agent.ask',
      '    notice: Run of retail-analyst',
      '      step: Step 1',
      '        call: time.now',
      '          observation: noon',
      '      answer: It is noon.',
      '    observation: It is noon.',
    ])
  })

  it('can be folded, as can each of its steps', () => {
    expect(outline(nested(...end), new Set(['call_1_1-inside']))).toEqual([
      'step: Step 1',
      '  call: agent.ask',
      '    notice: Run of retail-analyst',
      '    observation: It is noon.',
    ])
    expect(outline(nested(...end), new Set(['call_1_1/step-1']))).toContain('      step: Step 1')
    expect(outline(nested(...end), new Set(['call_1_1/step-1']))).not.toContain('        call: time.now')
  })

  it('has ids of its own, and knows the step of its own run', () => {
    const rows = rowsOf(nested(...end), none)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
    const own = rows.filter(({ parent }) => parent !== undefined)
    expect(own.every(({ step, parent }) => step === 1 && parent === 'call_1_1')).toBe(true)
    const places = own.map((each) => [each.title, placeOf(each)])
    expect(places).toContainEqual(['time.now', { step: 1, parent: 'call_1_1' }])
    expect(places).toContainEqual(['Run of retail-analyst', null])
  })

  it('shows that it is at work', () => {
    const head = rowsOf(nested(), none).find(({ id }) => id === 'call_1_1-inside')
    expect(head).toMatchObject({ tone: 'working', ms: null, detail: '1 step: What time is it?' })
  })
})
