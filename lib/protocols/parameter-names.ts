/**
 * Parameter names on the wire. Some services accept only `[A-Za-z0-9_.-]{1,64}` as a key, so a tool with other
 * names is sent with aliases, which are turned back in every call.
 */
import { isObject, type JsonObject, type JsonSchema, tryParseJson } from '#lib/spec/json'

export interface ParameterNames {
  /** The schema with aliases as keys; each parameter's own name is its title. */
  readonly schema: JsonSchema
  /** Arguments with the parameters' own names. Text that is not a JSON object stays as it is. */
  toOwn(raw: string): string
  /** Arguments under the aliases, as the model wrote them. */
  toWire(args: JsonObject): JsonObject
}

const legal = /^[A-Za-z0-9_.-]{1,64}$/

/** Undefined for a tool whose parameters need no alias. */
export function parameterNames(schema: JsonSchema): ParameterNames | undefined {
  const { properties = {}, required, ...rest } = schema
  const names = Object.keys(properties)
  if (names.every((name) => legal.test(name))) return undefined
  const aliases = new Map<string, string>()
  const owners = new Map<string, string>()
  const legalNames = new Set(names.filter((name) => legal.test(name)))
  for (const [index, name] of names.entries()) {
    const alias = legalNames.has(name) ? name : freeAlias(index + 1, legalNames)
    aliases.set(name, alias)
    owners.set(alias, name)
  }
  const aliasOf = (name: string) => aliases.get(name) ?? name
  const rename = (args: JsonObject, nameOf: (key: string) => string) =>
    Object.fromEntries(Object.entries(args).map(([key, value]) => [nameOf(key), value]))
  return {
    schema: {
      ...rest,
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [
          aliasOf(name),
          legalNames.has(name) ? each : { title: name, ...each },
        ]),
      ),
      ...(required !== undefined && { required: required.map(aliasOf) }),
    },
    toOwn: (raw) => {
      const args = tryParseJson(raw)
      return isObject(args) ? JSON.stringify(rename(args, (key) => owners.get(key) ?? key)) : raw
    },
    toWire: (args) => rename(args, aliasOf),
  }
}

/** By the place of the parameter, so that an alias never depends on the other names but those it would clash with. */
function freeAlias(number: number, taken: ReadonlySet<string>): string {
  let alias = `parameter_${number}`
  while (taken.has(alias)) alias += '_'
  return alias
}
