/** The functions of the loop, as the server calls them. */
import type { RunDeps } from '#lib/agent/deps'
import type { PictureData } from '#lib/agent/request/pictures'
import type { Rerequest } from '#lib/agent/request/rerequest'
import type { ResumeReason, RunEvent } from '#lib/spec/event'
import type { Picture } from '#lib/spec/picture'
import type { RunState } from '#lib/spec/state'
import type { Folding } from './run-history'

export interface LoopFunctions extends Folding {
  run(
    state: RunState,
    deps: RunDeps,
    signal: AbortSignal,
    resumed: ResumeReason | 'decided',
  ): AsyncGenerator<RunEvent, void>
  /** Encodes the last model request of a step again; undefined when it sent none. */
  request(state: RunState, deps: RunDeps, step: number, pictures: PictureData): Rerequest | undefined
  /** The pictures that this request shows. */
  requestPictures(state: RunState, deps: RunDeps, step: number): readonly Picture[]
}
