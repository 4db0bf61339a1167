/** The command that runs an exported agent in a shell on the server's machine. Pure. */
import { isObject, type JsonObject } from '#lib/spec/json'
import type { ProviderList } from '#lib/wire/providers'

export interface CommandFacts {
  readonly config: JsonObject
  /** The folder of the program; null if it is not known. */
  readonly program: string | null
  /** The folder of the server's data. */
  readonly dataFolder: string
  readonly providers: ProviderList['items']
  /** The databases that a person has registered. */
  readonly databases: readonly string[]
}

/** Runs in the folder of the exported file; works as it is, whatever the names contain. */
export function runCommand({ config, program, dataFolder, providers, databases }: CommandFacts): string {
  const { name, model } = config
  const { provider, endpoint } = isObject(model) ? model : {}
  const at = providers.find((each) => each.name === (typeof endpoint === 'string' ? endpoint : provider))
  const isAdded = at !== undefined && at.name !== at.kind && at.baseUrl !== null
  const needsData =
    at?.key?.from === 'settings' || databasesIn(config).some((each) => databases.includes(each))
  return [
    'npx',
    ...(program === null ? [] : ['--prefix', quote(program)]),
    '--no-install loopwright run',
    quote(`${typeof name === 'string' ? name : 'agent'}.json`),
    quote('Your question'),
    ...(isAdded ? ['--endpoint', quote(`${at.name}=${at.baseUrl}`)] : []),
    ...(needsData ? ['--data', quote(dataFolder)] : []),
  ].join(' ')
}

/** One word for a POSIX shell. */
function quote(text: string): string {
  return /^[\w@%+:,./=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

function databasesIn({ tools }: JsonObject): string[] {
  const presets = (Array.isArray(tools) ? tools : []).flatMap((each) =>
    isObject(each) && isObject(each.preset) ? Object.values(each.preset) : [],
  )
  return presets.flatMap((each) =>
    isObject(each) && typeof each.database === 'string' ? [each.database] : [],
  )
}
