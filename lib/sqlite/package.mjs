/** Which of the two installed versions of better-sqlite3 this Node can load. */

/**
 * Version 13 needs Node-API 10, which Node has since 22.14 and never had in its line 20; loading it without ends the
 * process. Version 12 is for those; on Node 24.19 and newer it ends the process when a statement is garbage collected.
 * (https://github.com/WiseLibs/better-sqlite3/issues/1514)
 * @param {string | undefined} nodeApi the newest Node-API that a Node has
 * @returns {'better-sqlite3' | 'better-sqlite3-12'}
 */
export function sqlitePackageFor(nodeApi) {
  return Number(nodeApi) >= 10 ? 'better-sqlite3' : 'better-sqlite3-12'
}

/** The name under which the version for this Node is installed. */
export const sqlitePackage = sqlitePackageFor(process.versions.napi)
