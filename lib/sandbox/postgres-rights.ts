/** Which rights of a role are too many for a connection that an agent uses. */

/** What `rightsSql` finds. */
export interface RoleRights {
  readonly role: string
  readonly isSuperuser: boolean
  /** Of the predefined roles that reach files or programs of the server, those that it is a member of. */
  readonly serverRoles: readonly string[]
}

/** The roles that a member could switch to count as its own. */
export const rightsSql = `
  select session_user::text as role,
    exists (select 1 from pg_catalog.pg_roles s where s.rolsuper and pg_catalog.pg_has_role(session_user, s.oid, 'MEMBER')) as is_superuser,
    array(select s.rolname::text from pg_catalog.pg_roles s
      where s.rolname in ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program')
        and pg_catalog.pg_has_role(session_user, s.oid, 'MEMBER') order by 1) as server_roles`

interface RightsFault {
  /** The end of a sentence, for a model. */
  readonly message: string
  /** For a person: what is too much, and how to make a proper role. */
  readonly detail: string
}

/** Why a role may not be used; undefined when it may. */
export function rightsFault(
  { role, isSuperuser, serverRoles }: RoleRights,
  { database, mode }: { database: string; mode: 'read' | 'write' },
): RightsFault | undefined {
  if (!isSuperuser && serverRoles.length === 0) return undefined
  const held = isSuperuser
    ? 'is a superuser, or may become one'
    : `is a member of ${serverRoles.join(' and ')}`
  const example = mode === 'read' ? 'agent_reader' : 'agent_writer'
  const grants = mode === 'read' ? 'SELECT' : 'SELECT, INSERT, UPDATE, DELETE'
  const statements = [
    `CREATE ROLE ${example} LOGIN PASSWORD '…';`,
    `GRANT CONNECT ON DATABASE ${quoted(database)} TO ${example};`,
    `GRANT USAGE ON SCHEMA public TO ${example};`,
    `GRANT ${grants} ON ALL TABLES IN SCHEMA public TO ${example};`,
  ]
  return {
    message: 'its role has more rights than an agent may have',
    detail: `The role "${role}" ${held}, so it could read or change files of the server and is refused. Make a role for agents, and enter it here:\n${statements.join('\n')}`,
  }
}

function quoted(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`
}
