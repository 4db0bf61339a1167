'use client'
/** The skill of an entry: one of those in Settings, in the version that is there now. */
import Link from 'next/link'
import { useSkills } from '#components/data/skills'
import { useGraph } from '#components/drawing/graph-context'
import { Property, Select } from '#components/ui/field'
import shared from '#components/ui/shared.module.css'
import { patchConfig } from '#lib/graph/edit'
import { visible } from '#lib/spec/visible'
import type { ControlProps } from './change'
import styles from './form.module.css'
import { useFormNode } from './form-context'

export function SkillField({ id, label, hint, error, value }: ControlProps) {
  const edit = useGraph((state) => state.edit)
  const node = useFormNode()?.node
  const skills = useSkills()
  const items = skills.data?.items ?? []
  const chosen = typeof value === 'string' ? value : ''
  const known = items.find(({ name }) => name === chosen)
  const isStrange = chosen !== '' && known === undefined
  const choose = (name: string) => {
    const found = items.find((each) => each.name === name)
    if (found === undefined || node === undefined) return
    edit((graph, catalog) => patchConfig(graph, node.id, { name, hash: found.hash }, catalog))
  }
  const canAdd = skills.isSuccess && (items.length === 0 || isStrange)
  return (
    <>
      <Property label={label} htmlFor={id} error={chosen === '' ? undefined : error} hint={hint}>
        <Select
          id={id}
          value={chosen}
          onChange={choose}
          options={[
            ...(chosen === ''
              ? [{ value: '', label: items.length > 0 ? 'choose one' : 'none imported yet' }]
              : []),
            ...(isStrange
              ? [{ value: chosen, label: skills.isSuccess ? `${chosen} (not here)` : chosen }]
              : []),
            ...items.map(({ name }) => ({ value: name, label: name })),
          ]}
        />
      </Property>
      {known !== undefined && <p className={styles.aside}>{visible(known.description)}</p>}
      <p className={styles.aside}>
        <Link className={shared.link} href="/settings#skills">
          {canAdd ? 'Import a skill in Settings' : 'Skills in Settings'}
        </Link>
      </p>
    </>
  )
}
