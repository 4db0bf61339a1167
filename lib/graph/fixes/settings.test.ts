/** Fixes of a part with several wrong settings. */
import { expect, test } from 'vitest'
import { catalog } from '../catalog.fixture'
import { check } from '../check'
import { drawing, node } from '../drawings.fixture'
import { fixesFor } from '../fixes'

test('a wrong setting that can be set right and one after it that cannot each offer a fix', () => {
  const part = node('h', 'tool:code', { name: 'sum', parameters: 7, source: 7 })
  const graph = drawing([node('a', 'agent', { name: 'a' }), part], [['h', 'a']])
  const found = check(graph, catalog).filter(({ code }) => code === 'config_invalid')
  const labels = found.map((each) => fixesFor(each, graph, catalog).map(({ label }) => label))
  expect(labels).toEqual([['Back to the default'], ['Switch it off']])
})
