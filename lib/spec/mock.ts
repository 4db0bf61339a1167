/** A mock: what answers the calls of a tool in place of the tool, in runs of an agent's draft. */
import { z } from 'zod'
import { type JsonObject, tryParseJson } from './json'
import type { Block } from './message'

/** The longest result of a mock, in characters. */
export const maxMockChars = 262_144
/** The longest wait before a mock answers, in milliseconds. */
export const maxMockDelayMs = 600_000

const fixedAnswer = z
  .strictObject({
    kind: z.literal('fixed'),
    text: z.string().max(maxMockChars),
    format: z.enum(['text', 'json']).default('text'),
  })
  .refine(({ text, format }) => format === 'text' || tryParseJson(text) !== undefined, {
    path: ['text'],
    message: 'The result is not valid JSON',
  })

export const mockAnswer = z.discriminatedUnion('kind', [
  fixedAnswer,
  /** The call's arguments, as JSON. */
  z.strictObject({ kind: z.literal('echo') }),
  /** What an equal call of this run returned. */
  z.strictObject({ kind: z.literal('recorded'), runId: z.string().min(1).max(64) }),
])
export type MockAnswer = z.infer<typeof mockAnswer>

export const mock = z.strictObject({
  answer: mockAnswer,
  /** The wait before the answer; it counts toward the time limit of the call. */
  delayMs: z.int().min(0).max(maxMockDelayMs).optional(),
  failure: z
    .strictObject({
      code: z.string().regex(/^[a-z0-9_]{1,64}$/, 'lowercase letters, digits and underscores, at most 64'),
      message: z.string().min(1).max(4_096),
      /** Only the first tries of a run fail; absent when every try does. */
      times: z.int().min(1).max(1_000).optional(),
      /** Whether the failure may pass, so that the call is tried again where the agent retries. */
      mayPass: z.boolean().default(true),
    })
    .optional(),
})
export type Mock = z.infer<typeof mock>

/** What a mock does, in one word. */
export const mockKind = z.enum(['fixed', 'echo', 'recorded', 'delayed', 'failing'])
export type MockKind = z.infer<typeof mockKind>

export function kindOfMock({ answer, delayMs = 0, failure }: Mock): MockKind {
  if (failure !== undefined) return 'failing'
  return delayMs > 0 ? 'delayed' : answer.kind
}

/** A tool whose calls a mock answers, by the name that the model calls. */
export const mockedTool = z.strictObject({ tool: z.string(), kind: mockKind })
export type MockedTool = z.infer<typeof mockedTool>

/** The mocks of a run, by the name that the model calls. */
export type MockSet = Readonly<Record<string, Mock>>

export function mockedTools(mocks: MockSet): MockedTool[] {
  return Object.entries(mocks).map(([tool, each]) => ({ tool, kind: kindOfMock(each) }))
}

/** A finished call of another run, from which a mock of the kind `recorded` answers. */
export interface RecordedCall {
  readonly name: string
  readonly args: JsonObject
  readonly result:
    | { readonly ok: true; readonly blocks: readonly Block[] }
    | { readonly ok: false; readonly code: string; readonly message: string }
}

/** The calls of a run as mocks need them; undefined when there is no such run. */
export type RecordedCalls = (runId: string) => readonly RecordedCall[] | undefined

/** The mocks of a run, and where they find the calls of other runs. */
export interface MockDeps {
  readonly set: MockSet
  readonly recorded: RecordedCalls
}
