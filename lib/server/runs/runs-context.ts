/** What the runs of a server need from the rest of the server. */
import type { Originals } from '#lib/agent/call/originals'
import type { RunDeps } from '#lib/agent/deps'
import type { Catalog } from '#lib/spec/catalog'
import type { Parts } from '#lib/spec/config'
import type { Result } from '#lib/spec/errors'
import type { HookPort } from '#lib/spec/hook'
import type { RunRow, Stores } from '#lib/spec/store'
import type { ToolPorts } from '#lib/spec/tool'
import type { Assembled } from '../agents/assemble'
import type { Artifacts } from '../files/artifacts'
import type { Workspaces } from '../files/thread-files'
import type { LoopFunctions } from './loop-functions'
import type { RunIndexing } from './run-indexing'

export interface RunsContext {
  readonly stores: Stores
  readonly catalog: Catalog
  /** Default: the parts of the product. */
  readonly parts?: Parts
  readonly engine: LoopFunctions
  assemble(configText: string): Promise<Result<Assembled>>
  /** The ports that the run's tools use, in this folder of its workspace: all but those of other agents. */
  ports(row: RunRow, folder?: readonly string[]): Omit<ToolPorts, 'agents'>
  /** The port through which the run calls hooks; without it every hook fails. */
  hooks?(runId: string): HookPort
  /** Where the run keeps arguments that contain secrets; without it, they are kept while the run is at work. */
  originals?(runId: string): Originals
  readonly artifacts: Pick<Artifacts, 'ofRun' | 'given'>
  readonly workspaces: Pick<Workspaces, 'copy' | 'remove'>
  readonly clock: RunDeps['clock']
  /** How far the index of older runs is; without it every run counts as indexed. */
  readonly indexing?: Pick<RunIndexing, 'progress'>
  /** Runs at work at once; default 8. */
  readonly concurrency?: number
  /** Runs in the queue; default 200. */
  readonly queue?: number
  /** Calls at work at once, for all runs together; default 32. */
  readonly callsAtOnce?: number
  /** Called when what a run recorded in memory is on disk. */
  remembered?(): void
  /** Called with one line for each finished step; absent when steps are not logged. */
  logStep?(line: string): void
  /** Called with faults of the server; the default logs them with `console.error`. */
  report?(error: unknown, runId: string): void
}
