import { expect, it } from 'vitest'
import type { DialogueEvent } from './dialogue-state'
import { reduce } from './reduce'
import {
  builder,
  chat,
  ended,
  give,
  leave,
  listed,
  listedBehind,
  made,
  play,
  refusal,
  refused,
  running,
  saved,
  sentAfter,
  started,
  table,
  taken,
  typed,
  uploaded,
  withErrors,
  write,
} from './reduce.fixture'

/** A run of thread t1 is under way. */
const inThread: DialogueEvent[] = [running]
const refusedMessage = (key: number): DialogueEvent => ({ type: 'messageRefused', key, error: refusal })
const removed = (id: string, edits: boolean): DialogueEvent => ({ type: 'waitingRemoved', id, edits })
const withdrawn = (id: string, edits: boolean, isGone = true, visit = 0): DialogueEvent => ({
  type: 'withdrawn',
  run: { id, input: `question of ${id}` },
  edits,
  visit,
  isGone,
})
const waitingFor = (...ids: string[]) => ids.map((id) => ({ id, input: `question of ${id}` }))
const message = (key: number, input: string, how: 'now' | 'after') =>
  ({ key, input, how, files: [], fileKeys: [] }) as const

table('a message while a run is under way (E-37)', chat, [
  {
    what: 'goes to the run at once',
    happens: [...inThread, ...write('Only Europe')],
    due: ['send 1 “Only Europe” now in t1'],
    state: { draft: '', late: [message(1, 'Only Europe', 'now')] },
  },
  {
    what: 'goes behind the run where the person says so',
    happens: [...inThread, typed('And then?'), sentAfter],
    due: ['send 1 “And then?” after in t1'],
    state: { draft: '', late: [message(1, 'And then?', 'after')] },
  },
  {
    what: 'leaves the field to the next one, and both go in their order',
    happens: [...inThread, ...write('one'), ...write('two')],
    due: ['send 2 “two” now in t1'],
    state: { late: [message(1, 'one', 'now'), message(2, 'two', 'now')] },
  },
  {
    what: 'is held back while the question before it is on its way',
    happens: [...write('How much?'), ...write('And then?')],
    due: [],
    state: { draft: '', held: { input: 'And then?', how: 'now' } },
  },
  {
    what: 'that is held back goes once that question has begun',
    happens: [...write('How much?'), typed('And then?'), sentAfter, started(1, 'run_1', 't1')],
    due: ['keep t1 in the address', 'follow run_1', 'refresh t1', 'send 2 “And then?” after in t1'],
    state: { held: null, draft: '' },
  },
  {
    what: 'that is held back is one: the next stays in the field',
    happens: [...write('How much?'), ...write('one'), ...write('two')],
    due: [],
    state: { draft: 'two', held: { input: 'one', how: 'now' } },
  },
  {
    what: 'that is held back returns to the field when the question is refused',
    happens: [...write('How much?'), ...write('And then?'), refused(1)],
    state: { draft: 'How much?\nAnd then?', held: null },
  },
  {
    what: 'that is held back is taken back into the field',
    happens: [...write('How much?'), ...write('And then?'), typed('since'), { type: 'heldTakenBack' }],
    state: { draft: 'And then?\nsince', held: null },
  },
  {
    what: 'with a file waits for the end of the run, and takes the file along',
    happens: [...inThread, made('t1'), give('a'), uploaded(1), ...write('Read it')],
    due: ['send 2 “Read it” after in t1 with file_1'],
  },
])

const sentNow: DialogueEvent[] = [...inThread, ...write('Only Europe')]
const queued: DialogueEvent[] = [...inThread, typed('And then?'), sentAfter]
table('the answer to a message (E-37)', chat, [
  {
    what: 'that the run has it: nothing waits any more',
    happens: [...sentNow, taken(1, 'steered')],
    due: ['refresh t1'],
    state: { late: [], waiting: [] },
  },
  {
    what: 'that it waits: it is listed',
    happens: [...queued, taken(1, 'behind')],
    due: ['refresh t1'],
    state: { late: [], waiting: [{ id: 'run_2', input: 'And then?' }] },
  },
  {
    what: 'that it has begun, since the run had ended: it is followed',
    happens: [...sentNow, ended('run_1'), taken(1, 'begun')],
    due: ['follow run_2', 'refresh t1'],
    state: { late: [] },
  },
  {
    what: 'that it has begun, after the dialogue was left: nothing is followed',
    happens: [...sentNow, leave(), taken(1, 'begun')],
    due: ['refresh t1'],
    state: { late: [] },
  },
  {
    what: 'that it is refused: the words return to the field, with the reason',
    happens: [...sentNow, typed('since'), refusedMessage(1)],
    due: [],
    state: { draft: 'Only Europe\nsince', late: [], problem: 'The agent has errors.' },
  },
  {
    what: 'that it was refused is forgotten with the next key',
    happens: [...sentNow, refusedMessage(1), typed('Only Asia')],
    state: { draft: 'Only Asia', problem: null },
  },
])

table('runs that wait for the thread (E-37)', chat, [
  {
    what: 'are those that the server lists',
    happens: [...inThread, listedBehind('run_1', false, 'run_2', 'run_3')],
    due: [],
    state: { waiting: waitingFor('run_2', 'run_3') },
  },
  {
    what: 'are not followed before they begin',
    happens: [...inThread, ended('run_1'), listedBehind('run_1', true, 'run_2')],
    due: [],
  },
  {
    what: 'are followed once they have begun',
    happens: [
      ...inThread,
      listedBehind('run_1', false, 'run_2'),
      ended('run_1'),
      listed('t1', ['run_1', true], ['run_2', false]),
    ],
    due: ['follow run_2'],
    state: { waiting: [] },
  },
  {
    what: 'are deleted',
    happens: [...inThread, listedBehind('run_1', false, 'run_2'), removed('run_2', false)],
    due: ['withdraw run_2'],
  },
  {
    what: 'return to the field to be edited, before what was written since',
    happens: [
      ...inThread,
      listedBehind('run_1', false, 'run_2', 'run_3'),
      removed('run_2', true),
      typed('since'),
      withdrawn('run_2', true),
    ],
    due: ['refresh t1'],
    state: { draft: 'question of run_2\nsince', waiting: waitingFor('run_3') },
  },
  {
    what: 'that have begun meanwhile do not return to the field',
    happens: [
      ...inThread,
      listedBehind('run_1', false, 'run_2'),
      removed('run_2', true),
      withdrawn('run_2', true, false),
    ],
    due: ['refresh t1'],
    state: { draft: '', waiting: [] },
  },
  {
    what: 'do not return to the field of another dialogue',
    happens: [
      ...inThread,
      listedBehind('run_1', false, 'run_2'),
      removed('run_2', true),
      leave('t2'),
      withdrawn('run_2', true),
    ],
    due: [],
    state: { draft: '', waiting: [] },
  },
])

it('a message stays in the field while the drawing has errors', () => {
  const { state } = play(builder, [running, typed('And then?')])
  expect(reduce(state, sentAfter, withErrors)).toMatchObject({ state: { draft: 'And then?' }, due: [] })
})

it('a question of the builder takes along what was held back once the drawing is saved', () => {
  const { due } = play(builder, [
    ...write('How much?'),
    ...write('And then?'),
    saved(1),
    started(1, 'run_1', 't1'),
  ])
  expect(due).toContain('send 2 “And then?” now in t1')
})
