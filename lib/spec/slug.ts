/** Names of lower-case letters, digits and hyphens, made from what a person types. */

const longest = 64

/** `Revenue report` → `revenue-report`; empty when no letter or digit of a name is left. */
export function slugOf(title: string): string {
  return title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mark}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longest)
    .replace(/^-+|-+$/g, '')
}

/** `name`, or `name` with the first number that makes it unique. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  const stem = name.replace(/-\d+$/, '').slice(0, 58)
  let n = 2
  while (taken.has(`${stem}-${n}`)) n++
  return `${stem}-${n}`
}
