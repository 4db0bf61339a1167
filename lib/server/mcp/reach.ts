/** Checks how an MCP server is reached, beyond its schema: everything that could not be sent or started as written. */
import path from 'node:path'
import type { Result } from '#lib/spec/errors'
import { type McpAddress, type McpProgram, type McpReach, mcpReach } from '#lib/spec/mcp'
import { visible } from '#lib/spec/visible'
import { badPorts } from '#lib/web/bad-ports'
import { mapTexts, templateFault } from './templates'

/** The settings, or one sentence on what is wrong with them. */
export function readReach(value: unknown): Result<McpReach, string> {
  const read = mcpReach.safeParse(value)
  if (!read.success) {
    const { path: at = [], message = '' } = read.error.issues[0] ?? {}
    const place = visible(at.join('/').slice(0, 100))
    return { ok: false, error: place === '' ? `${message}.` : `"${place}" is not valid: ${message}.` }
  }
  const fault = reachFault(read.data)
  return fault === undefined ? { ok: true, value: read.data } : { ok: false, error: fault }
}

/** What is wrong with settings that have the right form, in one sentence. */
export function reachFault(reach: McpReach): string | undefined {
  let fault = reach.transport === 'stdio' ? programFault(reach) : addressFault(reach)
  mapTexts(reach, (text) => {
    fault ??= templateFault(text)
    return text
  })
  return fault
}

const mostTexts = 200

function programFault({ command, args, env, read, write }: McpProgram): string | undefined {
  if (
    [command, ...args, ...Object.entries(env).flat(), ...read, ...write].some((text) => text.includes('\0'))
  )
    return 'The command contains a character with the number 0, which no program can be given.'
  if (command.includes('${'))
    return 'The command itself cannot name a secret; its arguments and variables can.'
  const names = Object.keys(env)
  if (names.length > mostTexts)
    return `There are ${names.length} variables; at most ${mostTexts} are allowed.`
  const name = names.find((each) => !/^[A-Za-z_][A-Za-z0-9_.-]*$/.test(each))
  if (name !== undefined)
    return `"${visible(name.slice(0, 60))}" is not the name of a variable: use letters, digits and _.`
  const folder = [...read, ...write].find((each) => !path.isAbsolute(each))
  if (folder !== undefined)
    return `"${visible(folder.slice(0, 200))}" must be an absolute path, as in /home/me/notes.`
  return undefined
}

/** Headers that the connection sets itself. */
const ownHeaders =
  /^(host|connection|content-length|content-type|transfer-encoding|accept|keep-alive|upgrade|te|trailer|mcp-.*)$/i

function addressFault({ url, headers }: McpAddress): string | undefined {
  const { origin } = URL.canParse(url) ? new URL(url) : { origin: '' }
  if (!/^https?:\/\//.test(origin)) return 'The address must begin with http:// or https://.'
  const { username, password, port, hostname } = new URL(url)
  if (username !== '' || password !== '')
    return 'The address must not contain a name or a password; send them in a header.'
  if (/[${}]|%24|%7b/i.test(hostname)) return 'The host of the address cannot name a secret.'
  if (badPorts.has(Number(port)))
    return `No request is sent to port ${port}, because it is reserved for another protocol.`
  if (Object.keys(headers).length > mostTexts)
    return `There are too many headers; at most ${mostTexts} are allowed.`
  for (const [name, value] of Object.entries(headers)) {
    const shown = visible(name.slice(0, 60))
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return `"${shown}" is not the name of a header.`
    if (ownHeaders.test(name)) return `The header ${shown} is set by the connection itself.`
    if (!isHeaderValue(value))
      return `The header ${shown} has a value that cannot be sent: it has line breaks or other characters than Latin ones.`
  }
  return undefined
}

export function isHeaderValue(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
}
