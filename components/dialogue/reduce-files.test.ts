import { expect } from 'vitest'
import { maxUploadBytes } from '#lib/wire/artifacts'
import {
  artifact,
  chat,
  ended,
  file,
  give,
  leave,
  made,
  refused,
  run,
  sent,
  started,
  table,
  uploaded,
  write,
} from './reduce.fixture'

table('files', chat, [
  {
    what: 'without a thread make one, once',
    happens: [give('a', 'b')],
    due: ['make thread for visit 0'],
    files: ['a waiting', 'b waiting'],
  },
  { what: 'given while it is made wait for it', happens: [give('a'), give('b')], due: [] },
  {
    what: 'are uploaded when it is made',
    happens: [give('a'), give('b'), made('t1')],
    due: ['keep t1 in the address', 'refresh t1', 'upload a to t1', 'upload b to t1'],
    files: ['a uploading', 'b uploading'],
  },
  {
    what: 'go to the thread of the dialogue',
    happens: [leave('t1'), give('a')],
    due: ['upload a to t1'],
  },
  {
    what: 'on their way keep a question in the field',
    happens: [give('a'), made('t1'), ...write('Read it.')],
    due: [],
    state: { draft: 'Read it.' },
  },
  {
    what: 'on their way keep an offered question back as well',
    happens: [give('a'), { type: 'asked', input: 'What can you do?' }],
    due: [],
  },
  {
    what: 'go along with the question',
    happens: [give('a'), made('t1'), uploaded(1), ...write('Read it.')],
    due: ['show starting', 'start 2 “Read it.” in t1 with file_1'],
    files: ['a ready'],
  },
  {
    what: 'are gone from the field once the run has begun, but for those given since',
    happens: [give('a'), made('t1'), uploaded(1), ...write('Read it.'), give('b'), started(2, 'run_1', 't1')],
    due: ['follow run_1', 'refresh t1'],
    state: { filesOf: new Map([['run_1', [artifact('file_1')]]]) },
    files: ['b uploading'],
  },
  {
    what: 'given while the first question is on its way wait for its thread',
    happens: [...write('first'), give('late')],
    due: [],
    files: ['late waiting'],
  },
  {
    what: 'given right after a question go to its thread',
    happens: [...write('first'), give('late'), started(1, 'run_1', 't1')],
    due: ['keep t1 in the address', 'follow run_1', 'refresh t1', 'upload late to t1'],
  },
  {
    what: 'given right after a question make a thread when it is refused',
    happens: [...write('first'), give('late'), refused(1)],
    due: ['show: The agent has errors.', 'make thread for visit 0'],
  },
  {
    what: 'wait for the thread of a run that was found under way, until it tells it',
    happens: [run({ id: 'run_1', threadId: undefined, isUnderWay: true }), give('a')],
    due: [],
  },
  {
    what: 'go to the thread that such a run tells, though it is over by then',
    happens: [run({ id: 'run_1', threadId: undefined, isUnderWay: true }), give('a'), ended('run_1')],
    due: ['keep t1 in the address', 'refresh t1', 'upload a to t1'],
  },
  {
    what: 'make a thread when such a run cannot be read',
    happens: [run({ id: 'run_1', threadId: undefined, isUnderWay: true }), give('a'), run({ id: 'run_1' })],
    due: ['make thread for visit 0'],
  },
  {
    what: 'say why when their thread cannot be made, and the next file tries again',
    happens: [give('a'), { type: 'threadRefused', visit: 0, reason: 'No room.' }, give('b')],
    due: ['make thread for visit 0'],
    files: ['a failed', 'b waiting'],
  },
  {
    what: 'that fail keep the question back until they are removed',
    happens: [
      leave('t1'),
      give('a'),
      { type: 'fileRefused', key: 1, reason: 'No.' },
      ...write('Read it.'),
      { type: 'fileRemoved', key: 1 },
      sent,
    ],
    due: ['show starting', 'start 2 “Read it.” in t1'],
  },
  {
    what: 'that are too large are not uploaded and make no thread',
    happens: [{ type: 'filesGiven', files: [file('large', maxUploadBytes + 1)] }],
    due: [],
    files: ['large failed'],
  },
  {
    what: 'more than 20 are not taken',
    happens: [leave('t1'), give(...Array.from({ length: 19 }, (_, at) => `${at}`)), give('19', '20')],
    due: ['upload 19 to t1'],
    state: {
      files: expect.arrayContaining([
        expect.objectContaining({
          key: 21,
          state: 'failed',
          reason: 'Not attached. A question can have at most 20 files.',
        }),
      ]),
    },
  },
])

table('a thread that is being made', chat, [
  {
    what: 'is waited for by a question whose files were removed',
    happens: [give('a'), { type: 'fileRemoved', key: 1 }, ...write('Never mind.')],
    due: ['show starting'],
    isBusy: true,
  },
  {
    what: 'gets that question when it is made',
    happens: [give('a'), { type: 'fileRemoved', key: 1 }, ...write('Never mind.'), made('t1')],
    due: ['keep t1 in the address', 'refresh t1', 'start 2 “Never mind.” in t1'],
  },
  {
    what: 'does without it when it cannot be made',
    happens: [
      give('a'),
      { type: 'fileRemoved', key: 1 },
      ...write('Never mind.'),
      { type: 'threadRefused', visit: 0, reason: 'No.' },
    ],
    due: ['start 2 “Never mind.” in null'],
  },
  {
    what: 'gives that question back when it is left or stopped',
    happens: [give('a'), { type: 'fileRemoved', key: 1 }, ...write('Never mind.'), leave()],
    due: ['unfollow'],
    state: { draft: 'Never mind.', question: null },
  },
])
