/** The smallest catalog a screen can draw from: an agent and its model. For tests. */
import type { Catalog } from '#lib/spec/catalog'

export const smallCatalog: Catalog = {
  version: '0',
  tools: [],
  providers: [],
  schema: {},
  kinds: [
    {
      kind: 'agent',
      label: 'Agent',
      help: '',
      icon: 'bot',
      family: 'agent',
      place: { at: 'root' },
      in: [{ name: 'model', accepts: 'model', many: false }],
      schema: {},
      initial: {},
    },
    {
      kind: 'model',
      label: 'Model',
      help: '',
      icon: 'brain',
      family: 'model',
      place: { at: 'object', key: 'model' },
      out: 'model',
      in: [],
      schema: {},
      initial: { provider: 'scripted', name: 'demo' },
    },
  ],
}
