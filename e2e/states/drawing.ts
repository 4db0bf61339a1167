/** The drawing of the recorded run, and the entry paths that its events use. */
import type { GraphDocument, GraphEdge, GraphNode } from '#lib/spec/graph'
import type { JsonObject } from '#lib/spec/json'

function node(id: string, kind: string, at: [x: number, y: number], config: JsonObject): GraphNode {
  return { id, kind, at: { x: at[0], y: at[1] }, config }
}

function wire(from: string, out: string, to: string, port: string): GraphEdge {
  return { from: { node: from, port: out }, to: { node: to, port } }
}

/** Entry path → node id. */
export const origins = {
  agent: 'agent',
  model: 'model',
  'tools/0': 'tables',
  'tools/1': 'columns',
  'tools/2': 'sql',
  'tools/3': 'create',
  'tools/4': 'everything',
  'groups/0': 'extras',
  'policies/0': 'approval',
  'policies/1': 'steps',
  memory: 'memory',
}

export const graph: GraphDocument = {
  version: 1,
  nodes: [
    node('agent', 'agent', [576, 112], {
      name: 'retail-analyst',
      title: 'Retail analyst',
      instructions: 'You answer questions about the retail database. Read the schema first.',
    }),
    node('model', 'model', [240, 0], { provider: 'openai', name: 'gpt-5-mini' }),
    node('tables', 'tool:builtin', [240, 80], { tools: ['schema.list_tables'] }),
    node('columns', 'tool:builtin', [240, 144], { tools: ['schema.list_columns'] }),
    node('sql', 'tool:builtin', [240, 208], { tools: ['sql.execute'] }),
    node('create', 'tool:builtin', [240, 304], { tools: ['files.create'] }),
    node('everything', 'tool:mcp', [0, 400], { server: 'everything', name: 'everything' }),
    node('extras', 'group', [240, 400], { name: 'extras', active: false }),
    node('approval', 'policy:approval', [0, 304], {
      title: 'Ask before writing',
      timeoutSeconds: 900,
      onTimeout: 'deny',
    }),
    node('steps', 'policy:steps', [624, 0], { title: 'At most 10 steps', max: 10 }),
    node('memory', 'memory', [240, 480], {}),
  ],
  edges: [
    wire('model', 'model', 'agent', 'model'),
    wire('tables', 'tool', 'agent', 'tools'),
    wire('columns', 'tool', 'agent', 'tools'),
    wire('sql', 'tool', 'agent', 'tools'),
    wire('create', 'tool', 'agent', 'tools'),
    wire('extras', 'tool', 'agent', 'tools'),
    wire('everything', 'tool', 'extras', 'tools'),
    wire('approval', 'policy', 'create', 'policies'),
    wire('steps', 'policy', 'agent', 'policies'),
    wire('memory', 'memory', 'agent', 'memory'),
  ],
  notes: [
    {
      id: 'note',
      text: 'Read-only copy of the retail database. Refreshed at 02:00, so **today’s orders** are missing.',
      at: [0, 0],
      size: [176, 80],
    },
  ],
  parked: [],
  look: { frames: [{ id: 'frame', title: 'Writes ask first', at: [-16, 280], size: [472, 96] }] },
}
