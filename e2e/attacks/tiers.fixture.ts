/** The walls under which the running server is attacked: what its PATH holds, and which walls it must not use then. */
import fs from 'node:fs'
import path from 'node:path'
import type { SandboxView } from '#lib/wire/sandbox'

export interface Tier {
  readonly name: string
  /** The PATH of the server; its own where absent. */
  readonly search?: (place: string) => string
  readonly env?: Readonly<Record<string, string>>
  /** Whether bubblewrap has to be what is used. Where it does not hold, nothing of the tier is run. */
  readonly isBubblewrap: boolean
  readonly takesBombs?: true
  /** The calls are refused: no wall is strong enough. */
  readonly isRefused?: true
}

/** A folder with a program called bwrap in it, and nothing else. */
const stub = (name: string, script: string) => (place: string) => {
  const folder = path.join(place, name)
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, 'bwrap'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return folder
}

/** Runs the command after `--` as it is, in the folder and with the variables that the arguments name. */
const passOn =
  'while [ "$1" != -- ]; do case "$1" in --bind) [ "$3" = /workspace ] && cd "$2";; --setenv) export "$2=$3";; esac; shift; done; shift; exec "$@"'
const lie = 'echo "namespace: user user:[1]"; echo "namespace: pid pid:[1]"; exit 0'
const nowhere = (place: string) => path.join(place, 'nowhere')

export const tiers: readonly Tier[] = [
  { name: 'with bubblewrap', isBubblewrap: true, takesBombs: true },
  { name: 'without bubblewrap', search: nowhere, isBubblewrap: false, takesBombs: true },
  { name: 'with a bubblewrap that fails', search: stub('fails', 'exit 1'), isBubblewrap: false },
  { name: 'with a bubblewrap that does nothing', search: stub('idle', 'exit 0'), isBubblewrap: false },
  { name: 'with a bubblewrap that lies', search: stub('lies', lie), isBubblewrap: false },
  {
    name: 'with a bubblewrap that confines nothing',
    search: stub('passes-on', passOn),
    isBubblewrap: false,
  },
  {
    name: 'without bubblewrap, where it is demanded',
    search: nowhere,
    env: { LOOPWRIGHT_SANDBOX: 'system' },
    isBubblewrap: false,
    isRefused: true,
  },
]

export const usedFor = ({ kinds }: SandboxView, kind: string): string | null =>
  kinds.find((each) => each.kind === kind)?.used ?? null

/** Whether a wall is bubblewrap, for programs or around QuickJS. */
export const isOfBubblewrap = (id: string | null): boolean => id?.includes('bubblewrap') ?? false
