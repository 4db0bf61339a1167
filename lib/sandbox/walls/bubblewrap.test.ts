import fs from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { openPlace, runShell } from '../scripts.fixture'
import { createBubblewrap } from './bubblewrap'
import { cpuIn } from './bubblewrap-run'
import { remediesFor } from './remedies'
import { systemScript } from './shell'

vi.setConfig({ testTimeout: 60_000 })

const place = openPlace()
afterAll(() => place.remove())
const context = { temporary: place.temporary, hidden: [place.top], installed: '', wheels: '' }
const wallWith = (search: string | undefined) =>
  createBubblewrap(context, { program: systemScript, ...(search !== undefined && { search }) })

/** A folder with a program called bwrap in it. */
function stub(name: string, script: string): string {
  const folder = path.join(place.top, name)
  fs.mkdirSync(folder)
  fs.writeFileSync(path.join(folder, 'bwrap'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return folder
}

/** Runs the command after \`--\`, in the folder and with the variables that the arguments name. */
const passOn =
  'while [ "$1" != -- ]; do case "$1" in --bind) [ "$3" = /workspace ] && cd "$2";; --setenv) export "$2=$3";; esac; shift; done; shift; exec "$@"'
const lie = 'echo "namespace: user user:[1]"; echo "namespace: pid pid:[1]"; exit 0'

describe.runIf(process.platform === 'linux')('bubblewrap as a wall', () => {
  it('T8 does not hold where it is not installed, and says how to install it', async () => {
    const test = await wallWith('/nowhere').test()
    expect(test).toMatchObject({ holds: false, reason: 'bubblewrap is not installed.' })
    expect(test.holds === false && test.remedies.join(' ')).toContain('apt install bubblewrap')
  })

  it.each([
    ['fails', 'echo "bwrap: setting up uid map: Permission denied" >&2; exit 1', 'Permission denied'],
    ['does nothing', 'exit 0', 'does not run a program'],
    ['prints what it should and does nothing', lie, 'does not run a program'],
    ['runs the command as it is', passOn, 'does not confine'],
  ])('T8 does not hold where the program %s', async (name, script, reason) => {
    const test = await wallWith(stub(name.replaceAll(' ', '-'), script)).test()
    expect(test).toMatchObject({ holds: false, reason: expect.stringContaining(reason) })
    expect(test.holds === false && test.remedies.length).toBeGreaterThan(0)
  })

  it('leaves nothing of its tests behind', () => {
    expect(fs.existsSync(place.temporary) ? fs.readdirSync(place.temporary) : []).toEqual([])
  })

  it('S1-07 reports output as it comes, processor time and peak memory', async ({ skip }) => {
    const wall = wallWith(undefined)
    const test = await wall.test()
    if (!test.holds) return skip(test.reason)
    const script =
      'echo one; sleep 0.2; echo two >&2; i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done; exit 7'
    const { answer, pieces } = await runShell(place, wall, script)
    expect(answer).toMatchObject({
      ok: true,
      exitCode: 7,
      output: { stdout: 'one\n', stderr: 'two\n', dropped: 0 },
    })
    expect(pieces).toEqual([
      { text: 'one\n', from: 'stdout' },
      { text: 'two\n', from: 'stderr' },
    ])
    expect(answer.usage?.cpuSeconds).toBeGreaterThan(0.02)
    expect(answer.usage?.peakMemoryBytes).toBeGreaterThan(500_000)
  })
})

describe('processor time in what a shell reports', () => {
  it.each([
    ['0m0.000s 0m0.000s\n0m1.250s 0m0.250s\n', 1.5],
    ['0m0,00s 0m0,00s\n2m0,50s 0m0,00s\n', 120.5],
    ['', undefined],
    ['nonsense', undefined],
    ['0m1.000s', undefined],
  ])('%j is %s', (report, seconds) => {
    expect(cpuIn(report)).toBe(seconds)
  })
})

describe('the way to a wall that holds', () => {
  const machine = (settings: Record<string, string>, isContainer = false) => ({
    platform: 'linux' as const,
    isContainer,
    setting: (name: string) => settings[name],
  })

  it.each([
    [
      'on Ubuntu 24.04 is a profile of AppArmor',
      machine({ 'kernel.apparmor_restrict_unprivileged_userns': '1' }),
      '/etc/apparmor.d/bwrap',
    ],
    [
      'on an older Debian is a setting of the kernel',
      machine({ 'kernel.unprivileged_userns_clone': '0' }),
      'unprivileged_userns_clone=1',
    ],
    [
      'where no user namespaces are allowed is another',
      machine({ 'user.max_user_namespaces': '0' }),
      'max_user_namespaces=',
    ],
    ['in a container are flags of the container', machine({}, true), 'seccomp=unconfined'],
    ['elsewhere is to look at the error', machine({}), 'in a terminal'],
  ])('%s', (_, facts, words) => {
    expect(remediesFor('broken', facts).join('\n')).toContain(words)
  })

  it('on another system is Linux', () => {
    const mac = { ...machine({}), platform: 'darwin' as const }
    expect(remediesFor('missing', mac).join('\n')).toContain('Linux')
  })
})
