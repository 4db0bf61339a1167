'use client'
/** The collections of an entry: those of Settings, to be ticked, and any others that its config names. */
import Link from 'next/link'
import { useCollections } from '#components/data/recall'
import { Property } from '#components/ui/field'
import shared from '#components/ui/shared.module.css'
import type { ControlProps } from './change'
import styles from './form.module.css'

export function CollectionsField({ id, label, hint, error, value, onChange }: ControlProps) {
  const collections = useCollections()
  const known = collections.data?.items.map(({ name }) => name) ?? []
  const chosen = Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
  const all = [...new Set([...known, ...chosen])]
  const toggle = (name: string, isOn: boolean) => {
    onChange(isOn ? [...chosen, name] : chosen.filter((each) => each !== name))
  }
  return (
    <>
      <Property label={label} error={error} hint={hint} wide>
        <div id={id} role="group" aria-label={label} className={styles.ticks}>
          {all.map((name) => {
            const isHere = known.includes(name) || !collections.isSuccess
            return (
              <label key={name} className={styles.tick}>
                <input
                  type="checkbox"
                  checked={chosen.includes(name)}
                  onChange={(event) => toggle(name, event.target.checked)}
                />
                {name}
                {!isHere && <span className={styles.strange}> (not here)</span>}
              </label>
            )
          })}
        </div>
      </Property>
      <p className={styles.aside}>
        <Link className={shared.link} href="/settings#knowledge">
          {collections.isSuccess && known.length === 0
            ? 'Add a collection in Settings'
            : 'Knowledge in Settings'}
        </Link>
      </p>
    </>
  )
}
