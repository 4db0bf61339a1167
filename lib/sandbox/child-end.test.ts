/** What ended a child, and that nothing of it stays. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { exitFault, exitOf, killGroup } from './child-end'

it.each([
  ['SIGXCPU', 'timeout'],
  [128 + 24, 'timeout'],
  ['SIGABRT', 'memory'],
  ['SIGKILL', 'memory'],
  [128 + 5, 'memory'],
  [0, 'broken'],
  [1, 'broken'],
  [128, 'broken'],
  [null, 'broken'],
] as const)('an exit with %s tells that the child was ended by: %s', (exit, why) => {
  expect(exitFault(exit)).toBe(why)
})

it.runIf(process.platform !== 'win32')(
  'a killed group leaves nothing of what its child has started',
  async () => {
    const child = spawn('/bin/sh', ['-c', 'sleep 60 & echo $!; wait'], { detached: true })
    const exit = exitOf(child)
    const [line] = (await once(child.stdout, 'data')) as [Buffer] // cast: the one argument of the event
    const grandchild = Number(String(line))
    expect(process.kill(grandchild, 0)).toBe(true)
    killGroup(child)
    // Its pipe closes only when the grandchild, which has it open too, has ended.
    expect(await exit).toBe('SIGKILL')
    killGroup(child)
  },
)

it('a program that does not exist has no exit', async () => {
  const child = spawn('/no/such/program', { detached: true })
  const exit = exitOf(child)
  killGroup(child)
  expect(await exit).toBeNull()
})
