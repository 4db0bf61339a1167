/** Checks the skills of a drawing: no skill is wired to the agent twice. */
import type { Diagnostic } from '#lib/spec/errors'
import type { Drawing } from './drawing'
import { kindOf } from './kinds'

export function checkSkills({ lists, catalog, paths }: Drawing): Diagnostic[] {
  const known = new Set<unknown>()
  const skills = [...lists.values()].flat().filter(({ kind }) => kindOf(catalog, kind)?.out === 'skill')
  return skills.flatMap(({ id, config: { name } }): Diagnostic[] => {
    const isTwice = typeof name === 'string' && known.has(name)
    known.add(name)
    if (!isTwice) return []
    const message = `The skill “${name}” is wired to the agent already. Delete one of the two.`
    return [{ severity: 'error', code: 'skill_twice', message, node: id, path: `${paths.get(id)}/name` }]
  })
}
