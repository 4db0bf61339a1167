import { describe, expect, test } from 'vitest'
import { foreignProduct } from './foreign-file'

const n8n = {
  name: 'My workflow',
  nodes: [
    { parameters: {}, type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, position: [0, 0], name: 'Start' },
  ],
  connections: { Start: { main: [[]] } },
}
const flowise = {
  nodes: [
    {
      id: 'chatOpenAI_0',
      type: 'customNode',
      data: { name: 'chatOpenAI', inputParams: [], inputAnchors: [] },
    },
  ],
  edges: [],
}
const langflow = {
  name: 'Flow',
  last_tested_version: '1.5.0',
  data: {
    nodes: [{ id: 'ChatInput-1', type: 'genericNode', data: { type: 'ChatInput', node: { template: {} } } }],
    edges: [],
  },
}
const dify = "app:\n  description: ''\n  mode: agent-chat\n  name: Helper\nkind: app\nversion: 0.3.0\n"

describe('files of other products', () => {
  test.each([
    ['n8n', JSON.stringify(n8n)],
    ['Flowise', JSON.stringify(flowise)],
    ['Langflow', JSON.stringify(langflow)],
    ['Dify', dify],
    ['Dify', JSON.stringify({ app: { mode: 'workflow' }, kind: 'app', version: '0.3.0' })],
  ])('of %s are named', (product, text) => {
    expect(foreignProduct(text)).toBe(product)
  })

  test.each([
    '',
    '{"name": "a"',
    '[]',
    'null',
    '{"name":"a","tools":[{"use":"builtin","tools":["math.*"]}]}',
    '{"name":"a","canvas":{"nodes":[]}}',
    '{"nodes":[{"id":"a","kind":"agent","config":{}}],"edges":[]}',
  ])('no other text is one: %s', (text) => {
    expect(foreignProduct(text)).toBeUndefined()
  })
})
