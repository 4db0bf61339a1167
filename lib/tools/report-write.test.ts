import { expect, it } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import { closedPorts } from '#lib/spec/ports.fixture'
import type { ToolContext } from '#lib/spec/tool'
import { reportWrite } from './report-write'
import { context } from './tools.fixture'

/** A context whose reports are made, and what was written and described. */
function desk() {
  const written: string[] = []
  const described: string[][] = []
  const given: ToolContext = {
    ...context(),
    ports: {
      ...closedPorts,
      reports: { make: async () => ({ ok: true, value: { html: '<p>', pictures: [], warnings: [] } }) },
      files: {
        ...closedPorts.files,
        async write(path, content) {
          written.push(path)
          return { ok: true, value: { created: true, bytes: content.length } }
        },
        describe: (...said) => void described.push(said),
      },
    },
  }
  const run = (args: JsonObject) => reportWrite.run({ title: 'Sales', content: 'Text', ...args }, given)
  return { written, described, run }
}

it('S1-11 a report without a name for its file is an error, and nothing is written', async () => {
  const { written, run } = desk()
  expect(await run({ path: '' })).toMatchObject({ ok: false, code: 'args_schema' })
  for (const path of [' ', 'reports/', './', 'reports/.html', 'reports/..'])
    expect(await run({ path })).toMatchObject({
      ok: false,
      code: 'bad_path',
      message: expect.stringMatching(/names no file/),
    })
  expect(written).toEqual([])
})

it('S1-11 a report gets the ending of a page, and its description', async () => {
  const { written, described, run } = desk()
  await run({ path: 'reports/a', description: 'Sales of 2024.' })
  await run({ path: 'b.htm' })
  expect(written).toEqual(['reports/a.html', 'b.htm'])
  expect(described[0]).toEqual(['reports/a.html', 'Sales of 2024.'])
})

it('S1-11 a report without a description takes that of the report before it away', async () => {
  const { described, run } = desk()
  await run({ path: 'a.html', description: 'Sales of 2024.' })
  await run({ path: 'a.html' })
  expect(described).toEqual([
    ['a.html', 'Sales of 2024.'],
    ['a.html', ''],
  ])
})
