/** Fixes of a part with several wrong settings. */
import { expect, test } from 'vitest'
import { catalog } from '../catalog.fixture'
import { check } from '../check'
import { drawing, node } from '../drawings.fixture'
import { fixesFor } from '../fixes'

test('of a wrong setting that can be set right and one that cannot, each offers its fix', () => {
  const part = node('h', 'tool:code', { name: 7, source: 'return 1', timeoutSeconds: 0 })
  const graph = drawing([node('a', 'agent', { name: 'a' }), part], [['h', 'a']])
  const found = check(graph, catalog).filter(({ code }) => code === 'config_invalid')
  const labels = found.map((each) => fixesFor(each, graph, catalog).map(({ label }) => label))
  expect(labels.filter((each) => each.includes('Switch it off'))).toHaveLength(1)
  expect(labels.every((each) => each.length > 0)).toBe(true)
  expect(labels).toHaveLength(2)
})
