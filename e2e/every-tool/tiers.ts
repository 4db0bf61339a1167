/** The tiers of walls in which every tool is tried, and the wall that each kind of code has in them. */
import type { WalledKind } from '../../lib/spec/walls'
import type { ToolCase } from './cases'

export interface ToolTier {
  readonly name: string
  /** Whether its server finds bubblewrap. */
  readonly hasBubblewrap: boolean
  /** Whether Deno and Pyodide are in its data folder. */
  readonly hasPackages: boolean
  /** The id of each wall; null where code of this kind is not run. A tool without a kind is the same in every tier. */
  readonly walls: Readonly<Record<WalledKind, string | null>>
}

export const tiers: readonly ToolTier[] = [
  {
    name: 'with bubblewrap',
    hasBubblewrap: true,
    hasPackages: true,
    walls: {
      javascript: 'quickjs-bubblewrap',
      shell: 'bubblewrap',
      python: 'bubblewrap',
      readers: 'readers-bubblewrap',
    },
  },
  {
    name: 'without bubblewrap, with Deno and Pyodide',
    hasBubblewrap: false,
    hasPackages: true,
    walls: {
      javascript: 'quickjs',
      shell: 'deno-just-bash',
      python: 'deno-pyodide',
      readers: 'readers-deno',
    },
  },
  {
    name: 'with neither',
    hasBubblewrap: false,
    hasPackages: false,
    walls: { javascript: 'quickjs', shell: 'just-bash', python: null, readers: 'readers-node' },
  },
]

/** What is said of Python where it is not run: that, what is missing, and how to get it. */
const noPython =
  /Python code is not run: no wall holds on this machine\. Deno and Pyodide are not installed\. Install with `loopwright walls install` or under Settings → Sandbox\./

/** How a call ends in a tier, and what its result says. */
export function endIn({ walls }: ToolTier, { kind, sees }: ToolCase) {
  const isRun = kind === undefined || walls[kind] !== null
  return isRun ? { status: 'ok', code: null, sees } : { status: 'error', code: 'unavailable', sees: noPython }
}
