import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isDeep } from '#e2e/test-depth'
import type { ChartData } from '#lib/spec/chart'
import type { JsonObject } from '#lib/spec/json'
import { drawChart } from './charts'
import { ink } from './ink.fixture'
import { readersBehind } from './reader-tier.fixture'
import { createWorkspace } from './workspace'

let folder = ''
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-charts-'))
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const put = (name: string, content: string | Uint8Array) => fs.writeFileSync(path.join(folder, name), content)

function draw(
  spec: JsonObject,
  data: readonly ChartData[] = [],
  surroundings?: Parameters<typeof drawChart>[2],
) {
  const request = { spec, data, scale: 1, files: createWorkspace(folder) }
  return drawChart(request, new AbortController().signal, surroundings)
}

async function drawn(...given: Parameters<typeof draw>) {
  const answer = await draw(...given)
  if (!answer.ok) throw new Error(answer.message)
  return answer.value
}

async function refused(...given: Parameters<typeof draw>) {
  const answer = await draw(...given)
  if (answer.ok) throw new Error('the chart was drawn')
  return answer
}

/** A chart of words alone. */
const words = (text: string): JsonObject => ({
  data: { values: [{ text }] },
  width: 300,
  height: 60,
  mark: { type: 'text', fontSize: 20, color: '#000000' },
  encoding: { text: { field: 'text' } },
})

const bars = {
  mark: 'bar',
  encoding: { x: { field: 'Month', type: 'ordinal' }, y: { field: 'Revenue', type: 'quantitative' } },
}

describe('a chart', { timeout: 30_000 }, () => {
  test('of a sheet of a workbook has a mark for each of its rows', async () => {
    const rows = [
      ['Month', 'Revenue'],
      ['Jan', 3],
      ['Feb', 7.5],
    ]
    put(
      'book.xlsx',
      await writeXlsx({
        sheets: [
          { name: 'Notes', rows: [['a'], ['b']] },
          { name: 'Sales', rows },
        ],
      }),
    )
    const chart = await drawn(bars, [{ name: 'sales', path: 'book.xlsx', sheet: 'Sales' }])
    expect(chart.marks).toBe(2)
    expect(chart.tables).toEqual([{ name: 'sales', rows: 2, columns: ['Month', 'Revenue'] }])
    expect(chart.warnings).toEqual([])
    expect(chart.svg).toMatch(/^<svg[^>]*>.*Jan.*Feb/s)
    const picture = ink(chart.png)
    expect([picture.width, picture.height]).toEqual([chart.width, chart.height])
    expect(picture.dark).toBeGreaterThan(1_000)
  })

  test('of CSV and of JSON side by side, each by its name', async () => {
    put('a.csv', 'Month;Revenue\n2024-01-01;1,5\n2024-02-01;2,5\n')
    put('b.json', JSON.stringify([{ Month: '2024-01-01', Revenue: 4 }]))
    const layer = ['a', 'b'].map((name) => ({ data: { name }, mark: 'point', encoding: bars.encoding }))
    const chart = await drawn({ layer }, [
      { name: 'a', path: 'a.csv' },
      { name: 'b', path: 'b.json' },
    ])
    expect(chart.marks).toBe(3)
    expect(chart.tables.map(({ name, rows }) => [name, rows])).toEqual([
      ['a', 2],
      ['b', 1],
    ])
  })

  test('says which characters no font has', async () => {
    const { warnings } = await drawn(words('한국어 x'))
    expect(warnings).toEqual([
      'No font here has "한", "국", "어", so the PNG shows ? for them; the SVG has them.',
    ])
  })

  test.runIf(isDeep)('draws days as they are, wherever the server stands @deep', async () => {
    const spec = {
      data: { values: [{ day: '2024-03-01' }, { day: '2024-03-02' }] },
      mark: 'point',
      encoding: {
        x: { field: 'day', type: 'temporal', axis: { format: '%Y-%m-%d %H:%M', values: ['2024-03-01'] } },
      },
    }
    expect((await drawn(spec)).svg).toContain('2024-03-01 00:00')
  })

  test.runIf(isDeep)('tells what Vega-Lite warns of @deep', async () => {
    const { warnings } = await drawn({
      ...words('x'),
      mark: { type: 'text', tooltip: true },
      encoding: { text: { field: 'text' }, foo: { field: 'text' } },
    })
    expect(warnings.join()).toContain('foo')
  })

  test.each<[string, JsonObject, string]>([
    [
      'reaches for the server',
      { calculate: "datum.constructor.constructor('return process.env')()", as: 'x' },
      'spec',
    ],
    ['reaches for the prototype', { calculate: "[].map.constructor('return 1')()", as: 'x' }, 'spec'],
    ['asks for a program', { calculate: "require('fs')", as: 'x' }, 'spec'],
  ])('T2 an expression that %s ends in a refusal', async (_, transform, code) => {
    expect(await refused({ ...words('x'), transform: [transform] })).toMatchObject({ ok: false, code })
  })

  test('T53 an expression that never ends is given up after its time, and the next chart is drawn', async () => {
    const loops = { calculate: `test(/^(a+)+$/, '${'a'.repeat(60)}!')`, as: 'x' }
    const answer = await refused({ ...words('x'), transform: [loops] }, [], { timeoutMs: 1_000 })
    expect(answer.code).toBe('timeout')
    expect((await drawn(words('x'))).marks).toBe(1)
  })

  test.runIf(isDeep)(
    'T53 rows that are made without end take no more than the memory of their process @deep',
    async () => {
      const spec = { ...words('x'), transform: [{ calculate: 'sequence(1e9)', as: 'x' }] }
      expect(['memory', 'spec', 'timeout']).toContain((await refused(spec, [], { timeoutMs: 10_000 })).code)
    },
  )

  test('T52 of more rows than the limit is refused before it is drawn', async () => {
    put('many.csv', `Month,Revenue\n${'a,1\n'.repeat(100_001)}`)
    const { code, message } = await refused(bars, [{ name: 'many', path: 'many.csv' }])
    expect([code, message]).toEqual(['too_large', expect.stringContaining('100,001 rows; at most 100,000')])
  })

  test('T52 of more rows than the limit together is refused as well, where they are JSON', async () => {
    const rows = JSON.stringify(Array.from({ length: 50_001 }, () => 1))
    put('half.json', rows)
    const data = ['a', 'b'].map((name) => ({ name, path: 'half.json' }))
    expect(await refused(bars, data)).toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('With the data "b" the chart would have 100,002 rows'),
    })
  })

  test('T52 of more JSON than the limit is refused before it is read, however many files it is in', async () => {
    put('big.json', Buffer.alloc(11 * 2 ** 20, ' '))
    const read: string[] = []
    const { open } = createWorkspace(folder)
    const files = {
      async open(name: string) {
        const opened = await open(name)
        if (opened.ok) opened.value.content.on('data', () => read.push(name))
        return opened
      },
    }
    put('more.json', Buffer.alloc(11 * 2 ** 20, ' '))
    const data = ['big', 'more'].map((name) => ({ name, path: `${name}.json` }))
    const answer = await drawChart({ spec: bars, data, scale: 1, files }, new AbortController().signal)
    expect(answer).toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('With "more.json" the chart would have more than 20 MiB of JSON'),
    })
    expect(new Set(read)).toEqual(new Set(['big.json']))
  })

  test('of more marks than the limit is refused', async () => {
    const spec = {
      data: { sequence: { start: 0, stop: 25_000, as: 'n' } },
      mark: 'point',
      encoding: { x: { field: 'n', type: 'quantitative' } },
    }
    expect((await refused(spec)).message).toContain('25,0')
  })

  test.runIf(isDeep)('of too many pixels is refused, in one side and in both @deep', async () => {
    expect(
      (await refused({ ...words('x'), width: { step: 9_000 }, encoding: { x: { field: 'text' } } })).message,
    ).toContain('at most 4000 a side')
    const request = {
      spec: { ...words('x'), width: 3_900, height: 3_900 },
      data: [],
      scale: 2,
      files: createWorkspace(folder),
    }
    expect(await drawChart(request, new AbortController().signal)).toMatchObject({ code: 'too_large' })
  })

  test('without a row says that it would be empty', async () => {
    expect(await refused({ ...bars, data: { values: [] } })).toMatchObject({ code: 'empty' })
  })

  test.each([
    ['a missing file', { name: 'x', path: 'gone.csv' }, 'gone.csv'],
    ['a file outside', { name: 'x', path: '../../etc/passwd' }, '..'],
    ['a missing sheet', { name: 'x', path: 'book.xlsx', sheet: 'Salez' }, 'Salez'],
    ['JSON that is none', { name: 'x', path: 'bad.json' }, 'not valid JSON'],
    ['JSON without a list', { name: 'x', path: 'object.json' }, 'holds no list'],
  ])('with %s says so', async (_, data, words) => {
    put('bad.json', '{')
    put('object.json', '{}')
    const answer = await refused(bars, [data])
    expect([answer.code, answer.message]).toEqual(['data', expect.stringContaining(words)])
  })

  test('T1 is drawn behind Node’s own permissions where bubblewrap is not', async () => {
    const undo = readersBehind('node')
    expect(await drawn(words('销售 x'))).toMatchObject({ marks: 1, wall: { id: 'readers-node' } })
    undo()
  })

  test('stops when it is told to', async () => {
    const abort = new AbortController()
    const request = { spec: words('x'), data: [], scale: 1, files: createWorkspace(folder) }
    const drawing = drawChart(request, abort.signal)
    abort.abort()
    expect(await drawing).toMatchObject({ ok: false, code: 'aborted' })
  })
})
