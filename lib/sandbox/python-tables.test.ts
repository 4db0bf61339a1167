/** `load_table` in Python, behind each wall that this machine and its packages have. */
import path from 'node:path'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { isDeep } from '#e2e/test-depth'
import { lackOfPyodide, runPythonBehind, testPackages } from './python.fixture'
import { openPlace, type Place } from './scripts.fixture'
import { pythonWalls } from './walls/python'
import { salesWorkbook } from './workbook.fixture'

vi.setConfig({ testTimeout: 60_000 })

const home = openPlace()
const walls = pythonWalls({
  temporary: home.temporary,
  hidden: [home.top],
  installed: testPackages,
  wheels: path.join(home.top, 'wheels'),
})
afterAll(() => {
  for (const wall of walls) wall.close()
  home.remove()
})

/** Pyodide takes seconds to start, so it is tested only in a deep run. */
const tested = await Promise.all(
  walls.map(async (wall) => {
    const isPyodide = wall.facts.id === 'deno-pyodide'
    const lack = isPyodide ? (isDeep ? lackOfPyodide() : 'not run: only in npm run test:deep') : undefined
    const test = lack === undefined ? await wall.test() : undefined
    const why = lack ?? (test?.holds === false ? `not run: ${test.reason}` : '')
    return { wall, runs: test?.holds === true, why }
  }),
)

const look = `
import json
told = {}
first = load_table('in/sales.xlsx')
told['sheets'], told['sheet'], told['columns'] = first.sheets, first.sheet, first.columns
told['types'] = first.types
told['python'] = [[type(value).__name__ for value in row.values()] for row in first]
told['rows'] = [[str(value) for value in row.values()] for row in first]
told['csv'] = {name: load_table('in/sales.xlsx', name).csv() for name in first.sheets}
told['sum'] = sum(row['amount'] or 0 for row in first) - sum(row['cost'] for row in load_table('in/sales.xlsx', 'Costs'))
try:
    load_table('in/sales.xlsx', 'Nope')
except ValueError as error:
    told['unknown'] = str(error)
try:
    load_table('in/broken.xlsx')
except ValueError as error:
    told['broken'] = str(error)
told['plain'] = load_table('in/plain.csv')
told
`

describe.each(tested)('Tables in Python behind $wall.facts.name $why', ({ wall, runs }) => {
  let place: Place
  beforeEach(() => {
    place = openPlace()
    return () => place.remove()
  })

  it.runIf(runs)(
    'S1-07 load_table gives every sheet of a workbook with typed values, hidden ones by name, and as CSV',
    async () => {
      place.put('in/sales.xlsx', salesWorkbook())
      place.put('in/broken.xlsx', salesWorkbook().subarray(0, 500))
      place.put('in/plain.csv', 'Stadt;n\nKöln;1,5\n')
      const { answer, result } = await runPythonBehind(wall, place, look, { args: { mode: 'script' } })
      expect(result, JSON.stringify(answer)).toEqual({
        sheets: ['Sales', 'Costs', 'Margins'],
        sheet: 'Sales',
        columns: ['day', 'at', 'clock', 'amount', 'count', 'paid', 'note'],
        types: {
          day: 'date',
          at: 'datetime',
          clock: 'time',
          amount: 'number',
          count: 'integer',
          paid: 'boolean',
          note: 'text',
        },
        python: [
          ['date', 'datetime', 'time', 'float', 'int', 'bool', 'str'],
          ['date', 'NoneType', 'NoneType', 'NoneType', 'int', 'bool', 'NoneType'],
        ],
        rows: [
          ['2024-03-01', '2024-03-01 14:30:00', '09:00:00', '12.5', '3', 'True', 'Köln, "Süd"'],
          ['2024-03-02', 'None', 'None', 'None', '4', 'False', 'None'],
        ],
        csv: {
          Sales:
            'day,at,clock,amount,count,paid,note\n2024-03-01,2024-03-01T14:30:00,09:00:00,12.5,3,true,"Köln, ""Süd"""\n2024-03-02,,,,4,false,\n',
          Costs: 'cost\n7\n',
          Margins: 'margin\n0.4\n',
        },
        sum: 5.5,
        unknown: "in/sales.xlsx: there is no sheet 'Nope', only 'Sales', 'Costs', 'Margins'.",
        broken: expect.stringMatching(/^in\/broken\.xlsx: The file is damaged/),
        plain: [{ Stadt: 'Köln', n: 1.5 }],
      })
    },
  )
})
