/** A call that a model wrote in its words but did not make. Pure. */
import { textOf } from '#lib/spec/message'
import type { RunState } from '#lib/spec/state'

/** Characters of an answer that are searched: a call is written at its beginning or not at all. */
const searched = 20_000

/**
 * The tool, as the answer writes it, if a completed run was offered tools, called none, and wrote a call of
 * one or named exactly one. Undefined where the question names it too, since the answer then only talks
 * about it.
 */
export function unmadeCallOf(state: RunState): string | undefined {
  const offered = state.tools?.offered ?? []
  if (state.status !== 'completed' || offered.length === 0) return undefined
  if (state.steps.some(({ calls }) => calls.length > 0)) return undefined
  const said = textOf(state.steps.at(-1)?.parts ?? []).slice(0, searched)
  const written = offered.flatMap(({ name }) => {
    const found = namesOf(name).flatMap((each) => writtenAs(said, each) ?? [])
    return found.slice(0, 1)
  })
  const call = written.find(({ isCall }) => isCall)
  if (call !== undefined) return call.name
  const [only, ...others] = written
  if (only === undefined || others.length > 0) return undefined
  return writtenAs(state.start.input, only.name) === undefined ? only.name : undefined
}

/** Its own name, and the alias for providers that allow only letters, digits, `_` and `-`. */
function namesOf(name: string): readonly string[] {
  const alias = name.replace(/[^A-Za-z0-9_-]/g, '_')
  return alias === name ? [name] : [name, alias]
}

/** How the text writes the name; a name that is also a plain word counts only as a call. */
function writtenAs(text: string, name: string): { name: string; isCall: boolean } | undefined {
  const exact = name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const whole = `(?<![\\w.-])${exact}(?![\\w-]|\\.\\w)`
  const isCall = new RegExp(
    `${whole}\\s*\\(|"(?:name|tool|function|action)"\\s*:\\s*"${exact}"|Action:\\s*${exact}\\b`,
  )
  if (isCall.test(text)) return { name, isCall: true }
  const isPlainWord = /^[A-Za-z]+$/.test(name)
  return !isPlainWord && new RegExp(whole).test(text) ? { name, isCall: false } : undefined
}
