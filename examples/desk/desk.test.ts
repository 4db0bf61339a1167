/** The support desk, run from the command line: a person decides before money is given back. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { main } from '#lib/cli/main'
import { testTerminal } from '#lib/cli/terminal.fixture'
import { type EventOf, type EventType, type RunEvent, runEvent } from '#lib/spec/event'

let place = ''
beforeEach(() => {
  place = mkdtempSync(path.join(os.tmpdir(), 'loopwright-desk-'))
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

async function play(name: string, ...options: string[]) {
  const terminal = testTerminal({ folder: place })
  const file = path.join(import.meta.dirname, `${name}.json`)
  const places = ['--data', path.join(place, 'data'), '--workspace', path.join(place, 'workspace')]
  const code = await main(
    ['run', file, 'My teapot arrived broken.', '--json', ...places, ...options],
    terminal,
  )
  const lines = terminal.printed.trimEnd().split('\n')
  return { code, events: lines.map((line) => runEvent.parse(JSON.parse(line))) }
}

function all<T extends EventType>(events: readonly RunEvent[], type: T): EventOf<T>[] {
  return events.filter((each): each is EventOf<T> => each.type === type)
}

const ends = (events: readonly RunEvent[]) =>
  all(events, 'call.finished').map(({ name, status, persona }) => `${persona}: ${name} ${status}`)
const refunds = () => path.join(place, 'workspace', 'refunds.csv')

describe('the support desk', { timeout: 30_000 }, () => {
  test('gives money back once a person has agreed', async () => {
    const { code, events } = await play('support-desk', '--yes')
    expect([code, ends(events)]).toEqual([0, ['Clerk: find_order ok', 'Cashier: refund_order ok']])
    expect(
      all(events, 'approval.requested').map(({ tool, args, persona }) => [tool, args.amount, persona]),
    ).toEqual([['refund_order', 39.5, 'Cashier']])
    expect(readFileSync(refunds(), 'utf8')).toContain('A-1001,39.5,')
  })

  test('gives nothing back when nobody agrees', async () => {
    const { events } = await play('support-desk', '--non-interactive')
    expect(ends(events)).toEqual(['Clerk: find_order ok', 'Cashier: refund_order denied'])
    expect(existsSync(refunds())).toBe(false)
  })

  test('that errs recovers from a wrong number, a missing reason and too much money', async () => {
    const { code, events } = await play('support-desk-errs', '--yes')
    expect([code, ends(events)]).toEqual([
      0,
      [
        'Clerk: find_order error',
        'Clerk: find_order ok',
        'Cashier: refund_order error',
        'Cashier: refund_order error',
        'Cashier: refund_order ok',
      ],
    ])
    expect(readFileSync(refunds(), 'utf8')).toContain('A-1001,39.5,')
  })
})
