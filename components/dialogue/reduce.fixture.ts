/**
 * Plays events through a dialogue, for tables of tests: the effects due at the end, and the state by then.
 */
import { describe, expect, it } from 'vitest'
import { ApiError } from '#components/data/client'
import type { Artifact } from '#lib/spec/artifact'
import {
  type DialogueDue,
  type DialogueEvent,
  type DialogueState,
  emptyDialogue,
  type FollowedRun,
  isBusy,
  noRun,
  type Rules,
} from './dialogue-state'
import { reduce } from './reduce'

export const chat: Rules = { canAsk: true, savesFirst: false }
export const builder: Rules = { canAsk: true, savesFirst: true }
export const withErrors: Rules = { ...builder, canAsk: false }

export const refusal = new ApiError({ code: 'conflict', message: 'The agent has errors.', status: 409 })

export const typed = (text: string): DialogueEvent => ({ type: 'typed', text })
export const sent: DialogueEvent = { type: 'sent' }
export const sentAfter: DialogueEvent = { type: 'sent', how: 'after' }
/** Types and sends. */
export const write = (text: string): DialogueEvent[] => [typed(text), sent]
export const file = (name: string, bytes = 5) => new File([new Uint8Array(bytes)], name)
export const artifact = (id: string): Artifact => ({
  id,
  name: `${id}.txt`,
  path: null,
  mediaType: 'text/plain',
  bytes: 5,
})
export const give = (...names: string[]): DialogueEvent => ({
  type: 'filesGiven',
  files: names.map((name) => file(name)),
})
export const uploaded = (key: number): DialogueEvent => ({
  type: 'fileUploaded',
  key,
  artifact: artifact(`file_${key}`),
})
export const made = (id: string, visit = 0): DialogueEvent => ({ type: 'threadMade', visit, id })
export const saved = (key: number): DialogueEvent => ({ type: 'saved', key })
export const started = (key: number, runId: string, threadId: string): DialogueEvent => ({
  type: 'runStarted',
  key,
  runId,
  threadId,
})
export const refused = (key: number): DialogueEvent => ({ type: 'runRefused', key, error: refusal })
export const run = (more: Partial<FollowedRun>): DialogueEvent => ({
  type: 'runChanged',
  run: { ...noRun, ...more },
})
export const ended = (
  id: string,
  status: FollowedRun['status'] = 'completed',
  threadId = 't1',
): DialogueEvent => run({ id, threadId, status })
export const leave = (threadId: string | null = null): DialogueEvent => ({ type: 'left', threadId })
export const stop: DialogueEvent = { type: 'stopped' }
export const listed = (threadId: string, ...runs: [id: string, isOver: boolean][]): DialogueEvent => ({
  type: 'runsListed',
  threadId,
  runs: runs.map(([id, isOver]) => ({ id, isOver, isBehind: false, input: `question of ${id}` })),
})
/** The list of a thread whose last runs wait for it. */
export const listedBehind = (followed: string, isOver: boolean, ...behind: string[]): DialogueEvent => ({
  type: 'runsListed',
  threadId: 't1',
  runs: [
    { id: followed, isOver, isBehind: false, input: 'How much?' },
    ...behind.map((id) => ({ id, isOver: false, isBehind: true, input: `question of ${id}` })),
  ],
})
export const taken = (key: number, as: 'steered' | 'behind' | 'begun', runId = 'run_2'): DialogueEvent => ({
  type: 'messageTaken',
  key,
  runId,
  threadId: 't1',
  as,
})

/** The effect as one line of text. */
export function line(due: DialogueDue): string {
  switch (due.do) {
    case 'makeThread':
      return `make thread for visit ${due.visit}`
    case 'upload':
      return `upload ${due.file.name} to ${due.threadId}`
    case 'save':
      return 'save'
    case 'start': {
      const { key, input, files, replaces } = due.question
      const more = [...files.map(({ id }) => `with ${id}`), ...(replaces ? [`replacing ${replaces}`] : [])]
      return [`start ${key} “${input}” in ${due.threadId}`, ...more].join(' ')
    }
    case 'sendLate': {
      const { key, input, how, files } = due.message
      return [
        `send ${key} “${input}” ${how} in ${due.threadId}`,
        ...files.map(({ id }) => `with ${id}`),
      ].join(' ')
    }
    case 'withdraw':
      return `withdraw ${due.run.id}${due.edits ? ' to edit it' : ''}`
    case 'cancel':
      return `cancel ${due.runId}`
    case 'showStarting':
      return 'show starting'
    case 'showAgain':
      return 'show again'
    case 'showRefusal':
      return `show: ${due.error.message}`
    case 'follow':
      return `follow ${due.runId}`
    case 'unfollow':
      return 'unfollow'
    case 'keepThread':
      return `keep ${due.id} in the address`
    case 'refresh':
      return `refresh ${due.threadId}`
  }
}

/** Applies the events in order; returns the last state, and the effects due after the last event. */
export function play(
  rules: Rules,
  happenings: readonly DialogueEvent[],
): { state: DialogueState; due: string[] } {
  return happenings.reduce<{ state: DialogueState; due: string[] }>(
    ({ state }, happening) => {
      const next = reduce(state, happening, rules)
      return { state: next.state, due: next.due.map(line) }
    },
    { state: emptyDialogue, due: [] },
  )
}

export interface Row {
  readonly what: string
  readonly happens: readonly DialogueEvent[]
  /** The effects due after the last event. */
  readonly due?: readonly string[]
  readonly state?: Partial<DialogueState>
  /** The files as names with their states. */
  readonly files?: readonly string[]
  readonly isBusy?: boolean
}

export function table(name: string, rules: Rules, rows: readonly Row[]): void {
  describe(name, () => {
    it.each(rows)('$what', ({ happens, due, state, files, isBusy: busy }) => {
      const last = play(rules, happens)
      if (due !== undefined) expect(last.due).toEqual(due)
      if (state !== undefined) expect(last.state).toMatchObject(state)
      if (files !== undefined)
        expect(last.state.files.map((each) => `${each.file.name} ${each.state}`)).toEqual(files)
      if (busy !== undefined) expect(isBusy(last.state)).toBe(busy)
    })
  })
}

export const running = run({ id: 'run_1', threadId: 't1', isUnderWay: true, status: 'running' })
