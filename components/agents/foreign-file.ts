/** Recognises files of other products by their shape, so that a refused import says what was dropped. Pure. */

type Shape = Readonly<Record<string, unknown>>

/** The product whose workflow a text holds; undefined for any other text. */
export function foreignProduct(text: string): string | undefined {
  // Dify exports YAML, which begins with the app or its kind.
  if (/^app:\s*$/m.test(text) && /^kind: app\s*$/m.test(text)) return 'Dify'
  const value = readJson(text)
  if (!isShape(value)) return undefined
  if (value.kind === 'app' && isShape(value.app)) return 'Dify'
  const data = isShape(value.data) ? value.data : value
  const nodes = shapesIn(data.nodes)
  if (nodes.length === 0) return undefined
  if (isShape(value.connections) && nodes.every((each) => typeof each.type === 'string')) return 'n8n'
  const inner = nodes.map((each) => (isShape(each.data) ? each.data : {}))
  if (inner.some((each) => isShape(each.node) && isShape(each.node.template))) return 'Langflow'
  const isFlowise = (each: Shape) => Array.isArray(each.inputParams) || Array.isArray(each.inputAnchors)
  return inner.some(isFlowise) ? 'Flowise' : undefined
}

export function foreignWords(product: string): string {
  return `This is a workflow of ${product}. Loopwright cannot import it. It imports agents that were exported from Loopwright, as JSON.`
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function shapesIn(value: unknown): Shape[] {
  return Array.isArray(value) ? value.filter(isShape) : []
}

function isShape(value: unknown): value is Shape {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
