/** Builds what the engine needs, for the server and for the command line. */
import type { RunDeps } from '#lib/agent/deps'
import type { Assembled } from '../agents/assemble'
import { sha256 } from './run-config'

/** The dependencies of the loop, from an assembled config. */
export function depsOf(
  { ports, clock }: Pick<RunDeps, 'ports' | 'clock'>,
  assembled: Assembled,
  onDisk: () => Promise<void>,
): RunDeps {
  const { config: _config, lister, ...parts } = assembled
  return {
    ...parts,
    ...(lister && { toolsNow: lister(ports) }),
    ports,
    clock,
    hash: sha256,
    committed: onDisk,
  }
}
