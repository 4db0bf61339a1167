import { describe, expect, it } from 'vitest'
import { connectFault, type PostgresError, queryFault } from './postgres-faults'

const place = {
  host: 'db.internal.example',
  port: 5432,
  database: 'sales',
  user: 'agent_reader',
  password: 'a-long-password',
  statementSeconds: 60,
}
const named = /db\.internal\.example|agent_reader|a-long-password|5432/

describe('S2-15 a fault of PostgreSQL as a model reads it', () => {
  it.each<[PostgresError, string]>([
    [{ code: 'ECONNREFUSED', message: 'connect ECONNREFUSED 10.0.0.1:5432' }, 'does not accept connections'],
    [{ code: 'ENOTFOUND', message: 'getaddrinfo ENOTFOUND db.internal.example' }, 'no host called'],
    [
      { code: '28P01', message: 'password authentication failed for user "agent_reader"' },
      'refused the sign-in',
    ],
    [
      { code: '28000', message: 'no pg_hba.conf entry for host "10.0.0.9", user "agent_reader"' },
      'refused the sign-in',
    ],
    [{ code: '3D000', message: 'database "sales" does not exist' }, 'has no database "sales"'],
    [
      { code: 'DEPTH_ZERO_SELF_SIGNED_CERT', message: 'self-signed certificate' },
      'certificate of db.internal.example',
    ],
    [{ message: 'The server does not support SSL connections' }, 'offers no encryption'],
    [{ message: 'timeout expired' }, 'cannot be reached'],
    [{ message: 'connection to db.internal.example as agent_reader broke' }, 'failed: connection'],
  ])('names no host and no role when there is no connection: %j', (error, detail) => {
    const fault = connectFault(error, place)
    expect(fault.message).not.toMatch(named)
    expect(fault.detail).toContain(detail)
  })

  it.each<[PostgresError, object]>([
    [
      { code: '42501', message: 'permission denied for table orders' },
      { code: 'sql_error', message: 'permission denied for table orders' },
    ],
    [
      { code: '42704', message: 'role "agent_reader" does not exist' },
      { message: 'role [hidden] does not exist' },
    ],
    [
      {
        code: '08001',
        message: 'could not connect to server "far"',
        detail: 'host=db.internal.example user=agent_reader',
      },
      { code: 'unavailable' },
    ],
    [
      {
        code: 'HV00N',
        message: 'could not connect: host=10.1.1.1 user=agent_reader password=a-long-password',
      },
      { message: 'could not connect: host=[hidden] user=[hidden] password=[hidden]' },
    ],
    [
      { code: '23505', message: 'duplicate key', detail: 'Key (id)=(1) already exists.' },
      { message: 'duplicate key. Key (id)=(1) already exists' },
    ],
    [{ code: '22P02', message: 'invalid input', detail: 'row of somebody' }, { message: 'invalid input' }],
    [{ code: '57014', message: 'canceling statement due to statement timeout' }, { code: 'timeout' }],
    [
      { code: '25006', message: 'cannot execute DELETE in a read-only transaction' },
      { code: 'not_one_read' },
    ],
    [
      { message: 'Connection terminated unexpectedly' },
      { code: 'unavailable', message: 'The connection to the database was lost.' },
    ],
  ])('%j', (error, expected) => {
    const failure = queryFault(error, 'select 1', place)
    expect(failure).toMatchObject(expected)
    expect(failure.message).not.toMatch(named)
  })

  it('says where the mistake is, counted in the units of the statement, and which name is unknown', () => {
    const sql = 'select \'😀\', c . "nme" from customers c'
    expect(
      queryFault({ code: '42703', message: 'column c.nme does not exist', position: '13' }, sql, place),
    ).toMatchObject({
      offset: 13,
      unknown: { kind: 'column', name: 'c . "nme"' },
    })
  })
})
