'use client'
/** The MCP server of an entry: one of those in Settings, with what keeps it from being used. */
import Link from 'next/link'
import { useMcpServers } from '#components/data/mcp'
import { Property, Select } from '#components/ui/field'
import shared from '#components/ui/shared.module.css'
import type { ControlProps } from './change'
import styles from './form.module.css'

export function McpServerField({ id, label, hint, error, value, onChange }: ControlProps) {
  const servers = useMcpServers()
  const items = servers.data?.items ?? []
  const chosen = typeof value === 'string' ? value : ''
  const known = items.find((each) => each.name === chosen)
  const isStrange = chosen !== '' && known === undefined
  const options = [
    ...(chosen === '' ? [{ value: '', label: items.length > 0 ? 'choose one' : 'none added yet' }] : []),
    ...(isStrange
      ? [{ value: chosen, label: servers.isSuccess ? `${chosen} (not in Settings)` : chosen }]
      : []),
    ...items.map(({ name }) => ({ value: name, label: name })),
  ]
  const canAdd = servers.isSuccess && (items.length === 0 || isStrange)
  return (
    <>
      <Property label={label} htmlFor={id} error={error} hint={hint}>
        <Select
          id={id}
          value={chosen}
          onChange={(next) => onChange(next === '' ? undefined : next)}
          options={options}
        />
      </Property>
      {known?.problem !== undefined && (
        <p className={styles.aside} role="status">
          {known.problem}
        </p>
      )}
      <p className={styles.aside}>
        <Link className={shared.link} href="/settings#mcp">
          {canAdd ? 'Add an MCP server in Settings' : 'MCP servers in Settings'}
        </Link>
      </p>
    </>
  )
}
