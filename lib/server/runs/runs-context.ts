/** What the runs of a server need from the rest of it. */
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
import type { LoopFunctions } from './run-drive'

export interface RunsContext {
  readonly stores: Stores
  readonly catalog: Catalog
  /** Those of the product unless given. */
  readonly parts?: Parts
  readonly engine: LoopFunctions
  assemble(configText: string): Promise<Result<Assembled>>
  /** What the run's tools reach. */
  ports(row: RunRow): ToolPorts
  /** The run's way out to hooks; without it each of them fails. */
  hooks?(runId: string): HookPort
  readonly artifacts: Pick<Artifacts, 'ofRun' | 'given'>
  readonly workspaces: Pick<Workspaces, 'copy' | 'remove'>
  readonly clock: RunDeps['clock']
  /** Runs at work at once; 8 unless said. */
  readonly concurrency?: number
  /** Runs in line; 200 unless said. */
  readonly queue?: number
  /** Calls at work at once, of all runs together; 32 unless said. */
  readonly callsAtOnce?: number
  /** Told of faults of ours; the server's error output unless said. */
  report?(error: unknown, runId: string): void
}
