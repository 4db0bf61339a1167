/** `${NAME}` in the settings of an MCP server: which secrets are named, and their values put in. */
import type { McpReach } from '#lib/spec/mcp'
import { secretName } from '#lib/wire/secrets'

const reference = /\$\{([^{}]*)\}/g

/** Where a text is in the settings: `args/2`, `env/API_KEY`, `headers/Authorization`, `url`. */
type Place = string

/** The same settings with every text that may name secrets replaced. */
export function mapTexts(reach: McpReach, change: (text: string, at: Place) => string): McpReach {
  if (reach.transport === 'http') {
    return { ...reach, url: change(reach.url, 'url'), headers: mapRecord(reach.headers, 'headers', change) }
  }
  const args = reach.args.map((text, index) => change(text, `args/${index}`))
  return { ...reach, args, env: mapRecord(reach.env, 'env', change) }
}

function mapRecord(
  record: Readonly<Record<string, string>>,
  at: string,
  change: (text: string, at: Place) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, text]) => [key, change(text, `${at}/${key}`)]))
}

/** The names of the secrets, each once. */
export function secretsIn(reach: McpReach): string[] {
  const names = new Set<string>()
  mapTexts(reach, (text) => {
    for (const [, name = ''] of text.matchAll(reference)) names.add(name)
    return text
  })
  return [...names]
}

/** Why the `${…}` of a text cannot be used, in one sentence. */
export function templateFault(text: string): string | undefined {
  for (const [whole, name = ''] of text.matchAll(reference)) {
    if (!secretName.safeParse(name).success)
      return `${whole.slice(0, 100)} names no secret: only \${NAME} is replaced, with an uppercase name as in \${WEATHER_KEY}.`
  }
  return undefined
}

/** The settings with the values of their secrets. A value inside an address is percent-encoded. */
export function fillSecrets(reach: McpReach, values: ReadonlyMap<string, string>): McpReach {
  return mapTexts(reach, (text, at) =>
    text.replace(reference, (whole, name) => {
      const value = values.get(name)
      if (value === undefined) return whole
      return at === 'url' ? encodeURIComponent(value) : value
    }),
  )
}
