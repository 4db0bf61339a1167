/** What the worker does for a large drawing; the messages to and from it are plain data. */
import { compile } from '#lib/graph/compile'
import { layout } from '#lib/graph/layout'
import { routesOf } from '#lib/graph/routes'

const functions = { layout, compile, routes: routesOf }
export type Jobs = typeof functions
/** Typed by job, so that the compiler relates the arguments of a job to its result. */
const jobs: { readonly [J in keyof Jobs]: (...args: Parameters<Jobs[J]>) => ReturnType<Jobs[J]> } = functions

export interface JobRequest<J extends keyof Jobs = keyof Jobs> {
  readonly id: number
  readonly job: J
  readonly args: Parameters<Jobs[J]>
}

export interface JobAnswer {
  readonly id: number
  readonly result: ReturnType<Jobs[keyof Jobs]>
}

export function perform<J extends keyof Jobs>({ job, args }: JobRequest<J>): ReturnType<Jobs[J]> {
  return jobs[job](...args)
}
