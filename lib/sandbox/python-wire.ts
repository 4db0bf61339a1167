/** What the server and a child that runs Python say to each other, as headers of frames, and their limits. */
import { z } from 'zod'
import { type PythonCall, pythonCall } from '#lib/spec/python-call'
import type { ScriptJob } from './walls/wall'

/** A call and its source, in the body of the frame `run`. */
export interface PythonAsk extends PythonCall {
  readonly source: string
}

/** The ask of a job whose arguments are a `PythonCall`. */
export function readAsk({ source, args }: Pick<ScriptJob, 'source' | 'args'>): PythonAsk {
  return { ...pythonCall.parse(args ?? {}), source }
}

export const fromChild = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('out'), from: z.enum(['stdout', 'stderr']) }),
  /** Asks for the tables in the body. */
  z.object({ type: z.literal('table') }),
  z.object({ type: z.literal('file'), path: z.string().max(4_096) }),
  z.object({ type: z.literal('removed'), path: z.string().max(4_096) }),
  z.object({ type: z.literal('done'), exit: z.int().min(0).max(255) }),
])
export type PythonSaid = z.infer<typeof fromChild>
