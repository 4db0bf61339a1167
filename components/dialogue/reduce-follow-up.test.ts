import { expect, it } from 'vitest'
import type { DialogueState } from './dialogue-state'
import { reduce } from './reduce'
import {
  builder,
  ended,
  leave,
  play,
  refused,
  run,
  running,
  saved,
  table,
  typed,
  withErrors,
  write,
} from './reduce.fixture'

table('a follow-up', builder, [
  {
    what: 'waits while a run is under way',
    happens: [running, ...write('And then?')],
    due: [],
    state: { draft: '', followUp: 'And then?' },
  },
  {
    what: 'is one: the next stays in the field',
    happens: [running, ...write('And then?'), ...write('And then?!')],
    due: [],
    state: { draft: 'And then?!', followUp: 'And then?' },
  },
  {
    what: 'waits while the question before it is on its way',
    happens: [...write('How much?'), ...write('And then?')],
    state: { followUp: 'And then?' },
  },
  {
    what: 'goes when the run ends well',
    happens: [running, ...write('And then?'), ended('run_1')],
    due: ['refresh t1', 'show starting', 'save'],
    state: { followUp: null, question: { input: 'And then?' } as DialogueState['question'] },
  },
  ...(['max_steps', 'budget'] as const).map((status) => ({
    what: `goes when the run ends with ${status}`,
    happens: [running, ...write('And then?'), ended('run_1', status)],
    due: ['refresh t1', 'show starting', 'save'],
  })),
  ...(['failed', 'cancelled', 'interrupted'] as const).map((status) => ({
    what: `comes back when the run is ${status}, and takes nothing away that was written since`,
    happens: [running, ...write('And then?'), typed('since'), ended('run_1', status)],
    due: ['refresh t1'],
    state: { draft: 'And then?\nsince', followUp: null },
  })),
  {
    what: 'comes back when its run is refused',
    happens: [running, ...write('And then?'), ended('run_1'), saved(1), refused(1)],
    due: ['show: The agent has errors.'],
    state: { draft: 'And then?' },
  },
  {
    what: 'comes back when the connection is lost for good',
    happens: [running, ...write('And then?'), run({ id: 'run_1', threadId: 't1', status: 'running' })],
    state: { draft: 'And then?', followUp: null },
  },
  {
    what: 'is taken back into the field',
    happens: [running, ...write('And then?'), typed('since'), { type: 'followUpTakenBack' }],
    state: { draft: 'And then?\nsince', followUp: null },
  },
  {
    what: 'comes back when the dialogue is left',
    happens: [running, ...write('And then?'), typed('since'), leave()],
    due: ['unfollow'],
    state: { draft: 'And then?\nsince', followUp: null },
  },
])

it('a follow-up comes back when the drawing has errors by the time the run ends', () => {
  const { state } = play(builder, [running, ...write('And then?')])
  expect(reduce(state, ended('run_1'), withErrors).state).toMatchObject({
    draft: 'And then?',
    followUp: null,
  })
})
