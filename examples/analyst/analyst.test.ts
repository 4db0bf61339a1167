/** The analyst's examples, run from the command line on a workbook, in each tier of Python that this machine has. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isDeep } from '#e2e/test-depth'
import { main } from '#lib/cli/main'
import { testTerminal } from '#lib/cli/terminal.fixture'
import { ink } from '#lib/sandbox/ink.fixture'
import { osSandbox } from '#lib/sandbox/os-sandbox'
import { lackOfPyodide, testPackages } from '#lib/sandbox/python.fixture'
import { readerWall } from '#lib/sandbox/reader-wall'
import { type EventOf, type EventType, type RunEvent, runEvent } from '#lib/spec/event'

let place = ''
const usualPath = process.env.PATH
beforeEach(() => {
  place = mkdtempSync(path.join(os.tmpdir(), 'loopwright-analyst-'))
  mkdirSync(path.join(place, 'workspace', 'uploads'), { recursive: true })
  mkdirSync(path.join(place, 'data'))
  copyFileSync(
    path.join(import.meta.dirname, 'sales.xlsx'),
    path.join(place, 'workspace', 'uploads', 'sales.xlsx'),
  )
})
afterEach(() => {
  process.env.PATH = usualPath
  rmSync(place, { recursive: true, force: true })
})

async function play(name: string): Promise<RunEvent[]> {
  const terminal = testTerminal({ folder: import.meta.dirname })
  const places = ['--data', path.join(place, 'data'), '--workspace', path.join(place, 'workspace')]
  const question = 'Which region brought the most revenue?'
  const code = await main(['run', `${name}.json`, question, '--json', ...places], terminal)
  expect([code, terminal.said]).toEqual([0, ''])
  const lines = terminal.printed.trimEnd().split('\n')
  return lines.map((line) => runEvent.parse(JSON.parse(line)))
}

function all<T extends EventType>(events: readonly RunEvent[], type: T): EventOf<T>[] {
  return events.filter((each): each is EventOf<T> => each.type === type)
}

const ends = (events: readonly RunEvent[]) =>
  all(events, 'call.finished').map(({ name, status, code }) =>
    [name, status, ...(code ? [code] : [])].join(' '),
  )

function expectReport(events: readonly RunEvent[]): void {
  expect(all(events, 'run.finished')[0]).toMatchObject({
    status: 'completed',
    answer: expect.stringContaining('600,100 of 1,431,540 euros'),
  })
  const results = all(events, 'call.finished')
  // The figures of the report are those of the workbook.
  const python = results.find(({ name, status }) => name === 'python.run' && status === 'ok')
  expect(python?.result.text).toContain('1431540')
  const query = results.find(({ name, status }) => name === 'json.query' && status === 'ok')
  expect(query?.result.blocks[0]).toEqual({
    type: 'json',
    value: { region: 'North', revenue: 600_100, growth: 52.8 },
  })
  const chart = results.find(({ name, status }) => name === 'chart.render' && status === 'ok')
  expect(chart?.result.text).toMatch(
    /Data "totals" \(totals\.csv\): 36 rows, columns Month, Region, Revenue\./,
  )
  expect(chart?.result.text).not.toContain('Warnings')
  const file = (name: string) => readFileSync(path.join(place, 'workspace', name))
  expect(ink(file('charts/revenue.png')).drawn).toBeGreaterThan(5_000)
  const html = file('report.html').toString('utf8')
  expect(html).toContain('<td align="right">600,100</td>')
  expect(html).toContain(`src="data:image/svg+xml;base64,${file('charts/revenue.svg').toString('base64')}"`)
}

const bubblewrap = await osSandbox()

describe('the examples of the analyst', { timeout: isDeep ? 120_000 : 40_000 }, () => {
  test.skipIf(bubblewrap === undefined)(
    'analyst goes from a workbook to a chart and a report, with the Python of this machine',
    async () => {
      const events = await play('analyst')
      expect(ends(events)).toEqual([
        'workspace.view ok',
        'python.run ok',
        'json.query ok',
        'chart.render ok',
        'report.write ok',
      ])
      expectReport(events)
      const wall = all(events, 'call.finished').find((each) => each.name === 'python.run')
      expect(JSON.stringify(wall)).toContain('bubblewrap')
    },
  )

  test.skipIf(bubblewrap === undefined || !isDeep)(
    'analyst-errs recovers from each of its errors @deep',
    async () => {
      const events = await play('analyst-errs')
      expect(ends(events)).toEqual([
        'python.run error python_error',
        'workspace.view ok',
        'python.run ok',
        'json.query error expression',
        'json.query ok',
        'chart.render error refused',
        'chart.render error spec',
        'chart.render ok',
        'report.write error picture',
        'report.write ok',
      ])
      expectReport(events)
      const words = all(events, 'call.finished').map(({ result }) => result.text)
      expect(words[0]).toContain("KeyError: 'Turnover'")
      expect(words[3]).toMatch(/at character 30/)
      expect(words[5]).toContain('spec.data.url is refused')
      expect(words[6]).toContain('Did you mean "Revenue"?')
      expect(words[8]).toContain('charts/turnover.svg')
    },
  )

  const lack = isDeep ? lackOfPyodide() : 'not run: only in npm run test:deep'
  test.skipIf(lack !== undefined)(
    `analyst does the same with Pyodide in Deno, without any Python of this machine ${lack ?? ''} @deep`,
    async () => {
      process.env.PATH = place
      symlinkSync(testPackages, path.join(place, 'data', 'walls'))
      const events = await play('analyst')
      expectReport(events)
      const wall = all(events, 'call.finished').find((each) => each.name === 'python.run')
      expect(JSON.stringify(wall)).toContain('deno-pyodide')
      // The readers, too: of the workbook, of the JSON, of the chart and of the report.
      expect((await readerWall())?.id).toBe('deno')
    },
  )
})
