/** The tools of an agent's draft, tried by hand and mocked, on the wire. */
import { z } from 'zod'
import { artifact } from '#lib/spec/artifact'
import { callWait } from '#lib/spec/event'
import { inputQuestion, inputReply } from '#lib/spec/input'
import { jsonObject } from '#lib/spec/json'
import { block } from '#lib/spec/message'
import { mock } from '#lib/spec/mock'
import { effect, risk } from '#lib/spec/tool'
import { keptMock, keptTry } from '#lib/spec/trial'
import { walledKinds } from '#lib/spec/walls'

/** A tool as the draft has it: its entry's settings apply. */
export const trialTool = z.strictObject({
  /** The name that the model calls. */
  name: z.string(),
  /** The tool's own name, which policies match; another than `name` if its entry renamed it. */
  scopeName: z.string(),
  /** The entry that offers it: `tools/0`; `agent` for the tools of skills, which cannot be mocked. */
  entry: z.string(),
  /** The toolkit it comes from: `builtin`. */
  source: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  /** Arguments that the entry sets: a try has them too. */
  preset: jsonObject,
  risk,
  effect,
  timeoutSeconds: z.number(),
  /** The kind of foreign code that it runs. */
  walled: z.enum(walledKinds).optional(),
  /** What the entry shows the model as an example of a call; null if it shows none. */
  example: z.string().nullable(),
  /** Why the model is not offered the tool; absent if it is. */
  withheld: z.string().optional(),
  mock: keptMock.optional(),
  /** How many tries are kept. */
  tries: z.int().nonnegative(),
})
export type TrialTool = z.infer<typeof trialTool>

const toolMock = z.strictObject({ tool: z.string(), ...keptMock.shape })

/** The mocks of a draft, those of tools that it no longer has included. */
export const mockList = z.strictObject({ items: z.array(toolMock) })
export type MockList = z.infer<typeof mockList>

export const trialToolList = z.strictObject({
  items: z.array(trialTool),
  /** What toolkits do not offer now, such as the tools of a server that cannot be reached, and why. */
  unavailable: z.array(z.strictObject({ name: z.string(), entry: z.string(), reason: z.string() })),
  /** Mocks of tools that the draft no longer has. */
  lost: z.array(toolMock),
  /** The thread whose workspace all tries share; null before the first. */
  threadId: z.string().nullable(),
})
export type TrialToolList = z.infer<typeof trialToolList>

/** The thread whose workspace all tries of an agent share. */
export const trialThread = z.strictObject({ threadId: z.string() })

export const tryList = z.strictObject({ items: z.array(keptTry) })
export type TryList = z.infer<typeof tryList>

export const beginTry = z.strictObject({
  args: jsonObject.default({}),
  /** Needed for a tool that may change something: a person has agreed to this call. */
  confirmed: z.boolean().default(false),
})
export type BeginTry = z.input<typeof beginTry>

/** What is sent while a tool is tried: any number of the others, then `done`. */
export const tryEvent = z.discriminatedUnion('type', [
  /** `text` is appended to earlier output, `blocks` replace it. */
  z.strictObject({ type: z.literal('progress'), text: z.string() }),
  z.strictObject({ type: z.literal('shown'), blocks: z.array(block) }),
  z.strictObject({ type: z.literal('wait'), wait: callWait.nullable() }),
  z.strictObject({ type: z.literal('file'), artifact }),
  /** The tool, or another one inside its call, asks a person: the reply is sent with these two ids. */
  z.strictObject({
    type: z.literal('asks'),
    tryId: z.string(),
    questionId: z.string(),
    tool: z.string(),
    input: inputQuestion,
  }),
  z.strictObject({ type: z.literal('answered'), questionId: z.string() }),
  z.strictObject({
    type: z.literal('done'),
    /** The try as it is kept, with its whole result. */
    tried: keptTry,
    metadata: jsonObject.optional(),
    /** The arguments or the result were too long to keep. */
    cut: z.array(z.enum(['args', 'result'])),
  }),
])
export type TryEvent = z.infer<typeof tryEvent>

/** A reply to a question of a tool that is tried. */
export const replyInTry = inputReply.extend({
  tryId: z.string().min(1).max(64),
  questionId: z.string().min(1).max(600),
  action: inputReply.shape.action.default('answer'),
})
export type ReplyInTry = z.input<typeof replyInTry>
export type SaidInTry = z.output<typeof replyInTry>

export const saveMock = z.strictObject({ mock, on: z.boolean().default(true) })
export type SaveMock = z.input<typeof saveMock>
