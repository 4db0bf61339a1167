import { describe, expect, it } from 'vitest'
import type { Artifact } from '#lib/spec/artifact'
import type { ChartAnswer, ChartRequest } from '#lib/spec/chart'
import type { JsonObject } from '#lib/spec/json'
import { closedPorts } from '#lib/spec/ports.fixture'
import type { ToolContext } from '#lib/spec/tool'
import { chartRender } from './chart-render'
import { context } from './tools.fixture'

const drawn: ChartAnswer = {
  ok: true,
  value: {
    svg: '<svg/>',
    png: Buffer.from('png'),
    width: 600,
    height: 400,
    marks: 12,
    tables: [{ name: 'sales', rows: 12, columns: ['Month', 'Revenue'] }],
    warnings: ['Something is odd.'],
  },
}

/** A context whose charts answer so, what was asked, written and kept, and the files that there are. */
function desk(answer: ChartAnswer, has: readonly string[] = [], refuses = '') {
  const asked: ChartRequest[] = []
  const written: string[] = []
  const there = new Map<string, string | Uint8Array>(has.map((path) => [path, 'old']))
  const created: Artifact[] = []
  const given: ToolContext = {
    ...context(),
    created: (artifact) => created.push(artifact),
    ports: {
      ...closedPorts,
      charts: {
        async draw(request) {
          asked.push(request)
          return answer
        },
      },
      files: {
        ...closedPorts.files,
        async read(path) {
          const content = there.get(path)
          return content === undefined
            ? { ok: false, code: 'not_found', message: 'There is none.' }
            : { ok: true, value: Buffer.from(content) }
        },
        async write(path, content) {
          await new Promise((resolve) => setImmediate(resolve))
          if (path === refuses) return { ok: false, code: 'quota', message: 'The workspace is full.' }
          written.push(path)
          const created = !there.has(path)
          there.set(path, content)
          return { ok: true, value: { created, bytes: content.length } }
        },
        async remove(path) {
          there.delete(path)
          return { ok: true, value: { path, kind: 'file', bytes: 3 } }
        },
        async keep(path) {
          const name = path.split('/').at(-1) ?? path
          const mediaType = path.endsWith('.png') ? 'image/png' : 'image/svg+xml'
          const size = path.endsWith('.png') ? { picture: { width: 600, height: 400 } } : {}
          return { ok: true, value: { id: `artifact_${path}`, name, path, mediaType, bytes: 3, ...size } }
        },
      },
    },
  }
  return { asked, written, created, there, run: (args: JsonObject) => chartRender.run(args, given) }
}

const spec = { mark: 'bar' }
const data = [{ name: 'sales', path: 'sales.xlsx', sheet: '2024' }]

describe('chart.render', () => {
  it('writes both files, shows the PNG to models that see pictures, and says what it drew from', async () => {
    const { run, asked, written, created } = desk(drawn)
    const output = await run({ spec, data, path: 'charts/revenue' })
    expect(asked[0]).toMatchObject({ spec, data, scale: 2 })
    expect(written).toEqual(['charts/revenue.svg', 'charts/revenue.png'])
    expect(created.map((each) => each.path)).toEqual(written)
    expect(output).toEqual({
      ok: true,
      blocks: [
        {
          type: 'text',
          text: [
            'Drew charts/revenue.png (600 × 400 pixels) and charts/revenue.svg, with 12 marks.',
            'Data "sales" (sales.xlsx): 12 rows, columns Month, Revenue.',
            'Warnings:',
            '- Something is odd.',
          ].join('\n'),
        },
        { type: 'image', artifact: 'artifact_charts/revenue.png', picture: expect.anything() },
      ],
    })
  })

  it('leaves nothing of a chart whose second file cannot be written, and what it replaced is back', async () => {
    const whole = desk(drawn, [], 'a.png')
    const full = { ok: false, code: 'quota', message: 'The workspace is full.' }
    expect(await whole.run({ spec, path: 'a' })).toEqual(full)
    expect([...whole.there.keys()]).toEqual([])
    const again = desk(drawn, ['a.svg'], 'a.png')
    expect(await again.run({ spec, path: 'a' })).toEqual(full)
    expect(String(again.there.get('a.svg'))).toBe('old')
  })

  it('draws nothing for a path that names no file', async () => {
    const { run, asked } = desk(drawn)
    for (const path of [' ', 'charts/', 'x/.png', '.svg', 'charts/.'])
      expect(await run({ spec, path })).toMatchObject({
        ok: false,
        code: 'bad_path',
        message: `"${path}" names no file. Give a path such as "charts/revenue".`,
      })
    expect(asked).toEqual([])
  })

  it('writes two charts of one name in turn, so that their files do not mix', async () => {
    const { run, written } = desk(drawn)
    await Promise.all([run({ spec, path: 'a' }), run({ spec, path: 'a' })])
    expect(written).toEqual(['a.svg', 'a.png', 'a.svg', 'a.png'])
  })

  it('takes a path with an ending as well', async () => {
    const { run, written } = desk(drawn)
    await run({ spec, path: 'a.PNG' })
    expect(written).toEqual(['a.svg', 'a.png'])
  })

  it('gives a refusal as it is and writes nothing', async () => {
    const { run, written } = desk({ ok: false, code: 'refused', message: 'spec.data.url is refused: no.' })
    expect(await run({ spec })).toEqual({
      ok: false,
      code: 'refused',
      message: 'spec.data.url is refused: no.',
    })
    expect(written).toEqual([])
  })

  it('takes no name twice', async () => {
    const { run, asked } = desk(drawn)
    expect(await run({ spec, data: [...data, ...data] })).toMatchObject({ ok: false, code: 'spec' })
    expect(asked).toEqual([])
  })
})
