import { expect, it } from 'vitest'
import { type DialogueEvent, type DialogueState, emptyDialogue, noRun } from './dialogue-state'
import { reduce } from './reduce'
import {
  builder,
  chat,
  ended,
  give,
  leave,
  listed,
  made,
  play,
  refused,
  run,
  running,
  saved,
  sent,
  started,
  stop,
  table,
  typed,
  uploaded,
  withErrors,
  write,
} from './reduce.fixture'

table('a question', chat, [
  {
    what: 'is sent at once, and the field is empty',
    happens: write('How much?'),
    due: ['show starting', 'start 1 “How much?” in null'],
    state: { draft: '' },
    isBusy: true,
  },
  {
    what: 'is followed once the server has begun its run, in the thread that the server names',
    happens: [...write('How much?'), started(1, 'run_1', 't1')],
    due: ['keep t1 in the address', 'follow run_1', 'refresh t1'],
    state: { thread: { at: 'known', id: 't1' } },
    isBusy: true,
  },
  {
    what: 'after another goes to the same thread',
    happens: [...write('How much?'), started(1, 'run_1', 't1'), ended('run_1'), ...write('And now?')],
    due: ['show starting', 'start 2 “And now?” in t1'],
  },
  { what: 'of blanks is none', happens: write('  \n'), due: [], state: { draft: '  \n' } },
  {
    what: 'is asked once by two quick presses of Enter',
    happens: [...write('How much?'), sent],
    due: [],
    state: { draft: '', question: { key: 1 } as DialogueState['question'] },
  },
  {
    what: 'that is offered is asked and leaves the field alone',
    happens: [typed('mine'), { type: 'asked', input: 'What can you do?' }],
    due: ['show starting', 'start 1 “What can you do?” in null'],
    state: { draft: 'mine' },
  },
  {
    what: 'that is offered and holds only blanks is none',
    happens: [{ type: 'asked', input: ' \n' }],
    due: [],
  },
  {
    what: 'that is offered is not asked while another is on its way',
    happens: [...write('How much?'), { type: 'asked', input: 'What can you do?' }],
    due: [],
  },
  {
    what: 'is asked again in place of its first run, without the files of the next question',
    happens: [
      ...write('How much?'),
      started(1, 'run_1', 't1'),
      ended('run_1'),
      give('a'),
      { type: 'retried', runId: 'run_1', input: 'How much?' },
    ],
    due: ['show starting', 'start 3 “How much?” in t1 replacing run_1'],
    files: ['a uploading'],
  },
  {
    what: 'is not asked again while a run is under way',
    happens: [
      run({ id: 'run_1', isUnderWay: true }),
      { type: 'retried', runId: 'run_0', input: 'How much?' },
    ],
    due: [],
  },
  {
    what: 'goes to the run that is under way',
    happens: [run({ id: 'run_1', threadId: 't1', isUnderWay: true, status: 'running' }), ...write('And?')],
    due: ['send 1 “And?” now in t1'],
    state: { draft: '' },
  },
])

table('a refusal', builder, [
  {
    what: 'returns the question to the field and is shown',
    happens: [...write('How much?'), saved(1), refused(1)],
    due: ['show: The agent has errors.'],
    state: { draft: 'How much?', question: null },
  },
  {
    what: 'puts the question before what was written since',
    happens: [...write('How much?'), saved(1), typed('more'), refused(1)],
    state: { draft: 'How much?\nmore' },
  },
  {
    what: 'returns the message that was held back as well, after its question',
    happens: [...write('How much?'), saved(1), ...write('And then?'), typed('more'), refused(1)],
    state: { draft: 'How much?\nAnd then?\nmore', held: null },
  },
  {
    what: 'does not put an offered question into the field',
    happens: [{ type: 'asked', input: 'What can you do?' }, saved(1), refused(1)],
    state: { draft: '' },
  },
  {
    what: 'keeps the files for the next question',
    happens: [give('a'), made('t1'), uploaded(1), ...write('Read it.'), saved(2), refused(2)],
    files: ['a ready'],
  },
  {
    what: 'leaves the thread of the dialogue as it is',
    happens: [
      ended('run_0'),
      ...write('How much?'),
      saved(1),
      run({ isUnderWay: true }),
      refused(1),
      run({}),
    ],
    state: { thread: { at: 'known', id: 't1' } },
    isBusy: false,
  },
  {
    what: 'of a question that was left is not shown, and returns it to the field',
    happens: [...write('How much?'), saved(1), leave(), typed('other'), refused(1)],
    due: [],
    state: { draft: 'How much?\nother', behind: [] },
  },
])

table('saving what is drawn', builder, [
  {
    what: 'comes before the run',
    happens: write('How much?'),
    due: ['show starting', 'save'],
    isBusy: true,
  },
  {
    what: 'lets the run start',
    happens: [...write('How much?'), saved(1)],
    due: ['start 1 “How much?” in null'],
  },
  {
    what: 'that fails returns the question, and what was shown before is shown again',
    happens: [...write('How much?'), { type: 'saveFailed', key: 1 }],
    due: ['show again'],
    state: { draft: 'How much?', question: null },
  },
  {
    what: 'that fails returns the message that was held back too, though the run before it ended well',
    happens: [
      ended('run_0'),
      ...write('How much?'),
      run({ isUnderWay: true }),
      ...write('And then?'),
      { type: 'saveFailed', key: 1 },
      ended('run_0'),
    ],
    due: [],
    state: { draft: 'How much?\nAnd then?', held: null },
  },
  {
    what: 'that ends after Stop starts nothing',
    happens: [...write('How much?'), stop, saved(1)],
    due: [],
    state: { draft: 'How much?', question: null },
  },
  {
    what: 'that ends after the dialogue was left starts nothing, and the question is back in the field',
    happens: [...write('How much?'), leave(), saved(1)],
    due: [],
    state: { draft: 'How much?', question: null },
  },
  {
    what: 'that fails for a question given up starts and shows nothing',
    happens: [...write('How much?'), stop, ...write(''), { type: 'saveFailed', key: 1 }],
    due: [],
  },
])

table('Stop', builder, [
  {
    what: 'while the drawing is saved shows again what was shown before',
    happens: [...write('How much?'), stop],
    due: ['show again'],
    state: { draft: 'How much?', question: null },
  },
  {
    what: 'while the server is asked cancels the run when it has begun',
    happens: [...write('How much?'), saved(1), stop, started(1, 'run_1', 't1')],
    due: ['keep t1 in the address', 'follow run_1', 'cancel run_1', 'refresh t1'],
  },
  {
    what: 'holds when the dialogue is left before the run has begun',
    happens: [...write('How much?'), saved(1), stop, leave(), started(1, 'run_1', 't1')],
    due: ['cancel run_1', 'refresh t1'],
  },
  {
    what: 'without a question on its way changes nothing',
    happens: [stop],
    due: [],
    state: emptyDialogue,
  },
])

table('leaving', chat, [
  {
    what: 'lets go of the run',
    happens: [...write('How much?'), started(1, 'run_1', 't1'), leave()],
    due: ['unfollow'],
    state: { thread: { at: 'none' }, question: null, run: noRun },
    isBusy: false,
  },
  {
    what: 'while a question is on its way follows its run no more, and the lists tell of it',
    happens: [...write('How much?'), leave('t9'), started(1, 'run_1', 't1')],
    due: ['refresh t1'],
    state: { thread: { at: 'known', id: 't9' }, question: null, behind: [] },
    isBusy: false,
  },
  {
    what: 'lets the next question go to the new thread at once',
    happens: [...write('first'), leave(), ...write('second')],
    due: ['show starting', 'start 2 “second” in null'],
  },
  {
    what: 'keeps a late answer from taking the place of the next question',
    happens: [...write('first'), leave(), ...write('second'), started(1, 'run_1', 't1')],
    due: ['refresh t1'],
    state: { thread: { at: 'none' }, question: { key: 2, runId: null } as DialogueState['question'] },
  },
  {
    what: 'takes the files away',
    happens: [give('a'), made('t1'), uploaded(1), leave()],
    files: [],
  },
  {
    what: 'keeps a late upload from coming back',
    happens: [give('a'), made('t1'), leave(), uploaded(1)],
    files: [],
  },
  { what: 'keeps what is written', happens: [typed('draft'), leave('t2')], state: { draft: 'draft' } },
  {
    what: 'does not go on with a thread that was being made for files',
    happens: [give('a'), leave(), made('t1')],
    due: ['refresh t1'],
    state: { thread: { at: 'none' } },
  },
  {
    what: 'has files of the next dialogue make a thread of their own',
    happens: [give('a'), leave(), give('b')],
    due: ['make thread for visit 1'],
  },
  {
    what: 'says nothing of a thread that could not be made for files left behind',
    happens: [give('a'), leave(), give('b'), { type: 'threadRefused', visit: 0, reason: 'No.' }],
    due: [],
    files: ['b waiting'],
  },
])

table('an agent that cannot be asked', withErrors, [
  {
    what: 'leaves the question in the field',
    happens: write('How much?'),
    due: [],
    state: { draft: 'How much?' },
  },
  { what: 'is not asked what is offered', happens: [{ type: 'asked', input: 'What?' }], due: [] },
  {
    what: 'takes no message',
    happens: [running, ...write('And?')],
    state: { draft: 'And?', late: [] },
  },
])

const want = (id: string): DialogueEvent => ({ type: 'threadWanted', id })
const read = (id: string, lastRunId: string | null): DialogueEvent => ({ type: 'threadRead', id, lastRunId })

table('an earlier thread', builder, [
  {
    what: 'is shown by its last run',
    happens: [want('t2'), read('t2', 'run_2')],
    due: ['unfollow', 'follow run_2'],
    state: { thread: { at: 'known', id: 't2' }, opening: null },
  },
  {
    what: 'without a run takes the next question',
    happens: [want('t2'), read('t2', null), ...write('How much?'), saved(1)],
    due: ['start 1 “How much?” in t2'],
  },
  {
    what: 'that is read late does not take the place of the one asked for last',
    happens: [want('t1'), want('t2'), read('t2', 'run_2'), read('t1', 'run_1')],
    due: [],
    state: { thread: { at: 'known', id: 't2' } },
  },
  {
    what: 'that is read late does not take the place of a question',
    happens: [want('t1'), ...write('How much?'), read('t1', 'run_1')],
    due: [],
    state: { thread: { at: 'none' } },
  },
  {
    what: 'that is read late does not take the place of a new thread',
    happens: [want('t1'), leave(), read('t1', 'run_1')],
    due: [],
  },
])

table('a list of runs', chat, [
  {
    what: 'has its open run followed, as after a reload',
    happens: [leave('t1'), listed('t1', ['run_1', true], ['run_2', false])],
    due: ['follow run_2'],
  },
  {
    what: 'without an open run changes nothing',
    happens: [leave('t1'), listed('t1', ['run_1', true])],
    due: [],
  },
  {
    what: 'of another thread changes nothing',
    happens: [leave('t1'), listed('t2', ['run_1', false])],
    due: [],
  },
  {
    what: 'that is older than the run followed does not take it away',
    happens: [
      leave('t1'),
      run({ id: 'run_2', threadId: 't1', isUnderWay: true }),
      listed('t1', ['run_1', false]),
    ],
    due: [],
  },
  {
    what: 'does not take the place of a question on its way',
    happens: [leave('t1'), ...write('And now?'), listed('t1', ['run_1', false])],
    due: [],
  },
  {
    what: 'leaves a run alone that is followed already',
    happens: [
      leave('t1'),
      run({ id: 'run_1', threadId: 't1', isUnderWay: true }),
      listed('t1', ['run_1', false]),
    ],
    due: [],
  },
])

it('what was chosen for a question goes along with it', () => {
  const overrides = { model: { provider: 'openai', name: 'gpt-5-mini' } }
  const { state } = reduce({ ...emptyDialogue, draft: 'How much?' }, sent, { ...builder, overrides })
  const { due } = reduce(state, saved(1), builder)
  expect(due).toMatchObject([{ do: 'start', question: { overrides } }])
})

it('an answer to a question that nobody knows any more changes nothing', () => {
  expect(play(chat, [started(7, 'run_1', 't1')])).toEqual({ state: emptyDialogue, due: [] })
})
