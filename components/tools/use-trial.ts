'use client'
/** One try of a tool as it happens, and how it is stopped. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useReducer, useRef } from 'react'
import { ApiError } from '#components/data/client'
import { trialKeys, tryTool } from '#components/data/trials'
import type { Artifact } from '#lib/spec/artifact'
import type { CallWait } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import type { Block } from '#lib/spec/message'
import type { KeptTry } from '#lib/spec/trial'
import type { TryEvent } from '#lib/wire/trials'

export interface TrialState {
  readonly phase: 'idle' | 'running' | 'over'
  readonly startedAt: number
  readonly text: string
  readonly blocks: readonly Block[] | null
  readonly wait: CallWait | null
  readonly files: readonly Artifact[]
  /** Questions of the tool that wait for a person. */
  readonly questions: readonly TryQuestion[]
  readonly done: Extract<TryEvent, { type: 'done' }> | null
  /** An earlier try that is looked at. */
  readonly past: KeptTry | null
  readonly error: unknown
}

export type TryQuestion = Extract<TryEvent, { type: 'asks' }>

type Action =
  | { readonly do: 'begin'; readonly at: number }
  | { readonly do: 'event'; readonly event: TryEvent }
  | { readonly do: 'show'; readonly past: KeptTry | null }
  | { readonly do: 'end'; readonly error: unknown }

const idle: TrialState = {
  ...{ phase: 'idle', startedAt: 0, text: '', blocks: null, wait: null },
  ...{ files: [], questions: [], done: null, past: null, error: null },
}

export function reduceTrial(state: TrialState, action: Action): TrialState {
  switch (action.do) {
    case 'begin':
      return { ...idle, phase: 'running', startedAt: action.at }
    case 'show':
      return { ...idle, past: action.past }
    case 'end':
      return { ...state, phase: 'over', wait: null, questions: [], error: action.error }
    case 'event':
      return withEvent(state, action.event)
  }
  return action satisfies never
}

function withEvent(state: TrialState, event: TryEvent): TrialState {
  switch (event.type) {
    case 'progress':
      return { ...state, text: state.text + event.text, blocks: null }
    case 'shown':
      return { ...state, text: '', blocks: event.blocks }
    case 'wait':
      return { ...state, wait: event.wait }
    case 'file':
      return { ...state, files: [...state.files, event.artifact] }
    case 'asks':
      return { ...state, questions: [...state.questions, event] }
    case 'answered':
      return without(state, event.questionId)
    case 'done':
      return { ...state, questions: [], done: event }
  }
  return event satisfies never
}

function without(state: TrialState, questionId: string): TrialState {
  return { ...state, questions: state.questions.filter((each) => each.questionId !== questionId) }
}

export interface Trial {
  readonly state: TrialState
  run(args: JsonObject, confirmed: boolean): void
  stop(): void
  show(past: KeptTry | null): void
}

export function useTrial(agentId: string, tool: string): Trial {
  const queries = useQueryClient()
  const [state, dispatch] = useReducer(reduceTrial, idle)
  const atWork = useRef<AbortController | null>(null)
  // Whoever leaves the page stops the tool: nobody would see what it does.
  useEffect(() => () => atWork.current?.abort(), [])

  const run = useCallback(
    (args: JsonObject, confirmed: boolean) => {
      atWork.current?.abort()
      const controller = new AbortController()
      atWork.current = controller
      dispatch({ do: 'begin', at: Date.now() })
      const follow = async () => {
        let error: unknown = null
        let hasEnded = false
        try {
          for await (const event of tryTool({ agentId, tool }, { args, confirmed }, controller.signal)) {
            if (event.type === 'done') hasEnded = true
            if (atWork.current === controller) dispatch({ do: 'event', event })
          }
          if (!hasEnded) error = lost
        } catch (thrown) {
          error = controller.signal.aborted ? stopped : thrown instanceof ApiError ? thrown : lost
        }
        if (atWork.current !== controller) return
        dispatch({ do: 'end', error })
        void queries.invalidateQueries({ queryKey: trialKeys.tries(agentId, tool) })
        // The first try makes the workspace, and the list has its thread.
        void queries.invalidateQueries({ queryKey: trialKeys.tools(agentId), exact: true })
        void queries.invalidateQueries({ queryKey: ['threads', 'files'] })
      }
      void follow()
    },
    [agentId, tool, queries],
  )
  return {
    state,
    run,
    stop: () => atWork.current?.abort(),
    show: (past) => dispatch({ do: 'show', past }),
  }
}

/** The end of a try that a person stopped. */
export const stopped = { message: 'Stopped. What the tool had done by then may remain.' }

const lost = {
  message: 'The connection was lost before the tool ended, so it was stopped. Try again.',
}
