/**
 * The reason of a ruling, in the words of the screen. Stored reasons of the policy `skills` begin with its id,
 * in old runs too, and never change; on screen the policy has a label.
 */

const byId = /^skills (denies|allows only) /

export function reasonWords(reason: string): string {
  return reason.replace(byId, (_, verb) =>
    verb === 'denies' ? 'Blocked by “Allow or deny tools”: ' : 'Blocked by “Allow or deny tools”: only ',
  )
}
