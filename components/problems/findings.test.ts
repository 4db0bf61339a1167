import { expect, test } from 'vitest'
import { ApiError } from '#components/data/client'
import { catalog } from '#lib/graph/catalog.fixture'
import { compile } from '#lib/graph/compile'
import { drawing, node } from '#lib/graph/drawings.fixture'
import type { Diagnostic } from '#lib/spec/errors'
import type { AgentView } from '#lib/wire/agents'
import { compiledByServer, findingsOf } from './findings'

const graph = drawing([node('a', 'agent', { name: 'a' })])
const drawn: Diagnostic[] = [{ severity: 'info', code: 'model_missing', message: 'No model.', node: 'a' }]
const viewWith = (diagnostics: Diagnostic[]): AgentView => ({
  id: 'x',
  name: 'a',
  graph,
  config: null,
  diagnostics,
  origins: {},
  revision: 1,
})
const saved = { at: 'saved' } as const

test('what the server lacks stands beside what the drawing says, while its node stands', () => {
  const lack: Diagnostic = { severity: 'warning', code: 'key_missing', message: 'No key.', node: 'a' }
  const gone: Diagnostic = { ...lack, node: 'deleted' }
  const view = viewWith([...drawn, lack, gone])
  expect(findingsOf({ drawn, view, save: saved, graph, catalog })).toEqual([...drawn, lack])
})

test('a name that is taken is a problem of the agent', () => {
  const error = new ApiError({
    code: 'name_taken',
    message: 'The name a is taken by another agent; a-2 is free.',
    status: 409,
  })
  const [first] = findingsOf({ drawn, view: null, save: { at: 'failed', error }, graph, catalog })
  expect(first).toMatchObject({ severity: 'error', code: 'name_taken', node: 'a', path: 'name' })
})

test('with nothing to add the list stays the same object', () => {
  expect(findingsOf({ drawn, view: viewWith(drawn), save: saved, graph, catalog })).toBe(drawn)
})

test('the drawing as the server compiled it is what the browser would compile', () => {
  const { config, diagnostics, origins } = compile(graph, catalog)
  const lack: Diagnostic = { severity: 'warning', code: 'secret_missing', message: 'No secret.', node: 'a' }
  const view = { ...viewWith([...diagnostics, lack]), config, origins }
  expect(compiledByServer(view)).toEqual(compile(graph, catalog))
})

test('a drawing with a setting that only the server refuses is compiled by the browser', () => {
  const refused: Diagnostic = { severity: 'error', code: 'invalid_value', message: 'No pattern.', node: 'a' }
  expect(compiledByServer(viewWith([refused]))).toBeUndefined()
})
