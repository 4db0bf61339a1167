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
  // A number of up to two digits is one that was added here; a longer one, such as a year, belongs to the name.
  const stem = name
    .replace(/-\d{1,2}$/, '')
    .slice(0, 58)
    .replace(/[-_]+$/, '')
  let n = 2
  while (taken.has(`${stem}-${n}`)) n++
  return `${stem}-${n}`
}
