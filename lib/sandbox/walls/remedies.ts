/** Why bubblewrap does not work on a machine, and what a person can do about it, from what the machine says. */
import { existsSync, readFileSync } from 'node:fs'
import type { WallTest } from '#lib/spec/walls'
import { bubblewrapIn } from '../os-sandbox'

/** What the machine says about itself; separate, so that tests can say it in its place. */
export interface MachineFacts {
  readonly platform: NodeJS.Platform
  readonly isContainer: boolean
  /** `kernel.apparmor_restrict_unprivileged_userns` and the like: `1`; undefined where there is no such setting. */
  setting(name: string): string | undefined
}

export const thisMachine: MachineFacts = {
  platform: process.platform,
  isContainer: existsSync('/.dockerenv') || existsSync('/run/.containerenv'),
  setting: (name) => {
    try {
      return readFileSync(`/proc/sys/${name.replaceAll('.', '/')}`, 'utf8').trim()
    } catch {
      return undefined
    }
  },
}

/** The result of a test where bubblewrap is missing or confines nothing. */
export function noBubblewrap(): WallTest {
  const isThere = bubblewrapIn(process.env.PATH ?? '') !== undefined
  return {
    holds: false,
    reason: isThere
      ? 'bubblewrap is installed, but it does not run a program or does not confine it on this machine.'
      : 'bubblewrap is not installed.',
    remedies: remediesFor(isThere ? 'broken' : 'missing'),
  }
}

const install =
  'Install it: `sudo apt install bubblewrap` on Debian and Ubuntu, `sudo dnf install bubblewrap` on Fedora.'

export function remediesFor(
  fault: 'missing' | 'broken' | 'leaky',
  machine: MachineFacts = thisMachine,
): readonly string[] {
  if (machine.platform !== 'linux') {
    return ['Run the server on Linux, or in a Linux container or virtual machine, to use this wall.']
  }
  if (fault === 'leaky') {
    return ['Replace the `bwrap` program by the one of your distribution, then test again.']
  }
  const steps = fault === 'missing' ? [install] : []
  if (machine.setting('kernel.apparmor_restrict_unprivileged_userns') === '1') {
    steps.push(
      'Ubuntu 24.04 and later keep programs from making user namespaces. Allow it for bubblewrap alone with a profile: write `abi <abi/4.0>, include <tunables/global> profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }` to `/etc/apparmor.d/bwrap`, one statement a line, and run `sudo apparmor_parser -r /etc/apparmor.d/bwrap`.',
    )
  }
  if (machine.setting('kernel.unprivileged_userns_clone') === '0')
    steps.push('Allow user namespaces: `sudo sysctl -w kernel.unprivileged_userns_clone=1`.')
  if (machine.setting('user.max_user_namespaces') === '0')
    steps.push('Allow user namespaces: `sudo sysctl -w user.max_user_namespaces=15000`.')
  if (machine.isContainer) {
    steps.push(
      'Containers keep programs from making namespaces. Start this one with `--security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined`, which takes the container’s own limits on the server away.',
    )
  }
  if (steps.length > 0) return steps
  return ['Run `bwrap --unshare-all --ro-bind / / true` in a terminal to see why it fails.']
}
