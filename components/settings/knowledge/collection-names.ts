/** What a new collection is called by agents and by people, made from the name that a person types. Pure. */
import { collectionName } from '#lib/spec/recall'
import { freeName, slugOf } from '#lib/spec/slug'

/** The name that agents use. A name without any letter or digit of one, as in Chinese, becomes `collection`. */
export function agentsNameOf(typed: string, taken: ReadonlySet<string>): string {
  const isName = collectionName.safeParse(typed).success
  return freeName(isName ? typed : slugOf(typed) || 'collection', taken)
}

/** Words that are lost in the agents' name begin the description, where people find them. */
export function describedAs(typed: string, name: string, description: string): string {
  const isKept = typed.toLowerCase().replace(/[\s_-]+/g, '-') === name.replaceAll('_', '-')
  if (isKept) return description
  return description === '' ? typed : `${typed}: ${description}`
}
