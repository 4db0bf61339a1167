'use client'
/** The sheet of all shortcuts on the current page, by group. */
import { useState } from 'react'
import { byGroup, type Command } from '#components/commands/commands'
import { useAllCommands } from '#components/commands/commands-context'
import { Dialog } from '#components/ui/dialog'
import { Keys } from '#components/ui/keys'
import styles from './key-sheet.module.css'

export function KeySheet({ onClose }: { onClose(): void }) {
  const commands = useAllCommands()
  const [groups] = useState(() => keyGroups(commands()))
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} wide>
      <div className={styles.scroll} data-first="" tabIndex={0} role="group" aria-label="All shortcuts">
        <div className={styles.groups}>
          {groups.map(({ label, commands: list }) => (
            <section key={label} className={styles.group} aria-label={label}>
              <h3>{label}</h3>
              <dl>
                {list.map((each) => (
                  <div key={each.id}>
                    <dt>{each.label}</dt>
                    <dd>
                      {each.keys?.map((keys) => (
                        <Keys key={keys} keys={keys} />
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </div>
    </Dialog>
  )
}

/** Commands with a shortcut, by heading in order of appearance; a command registered twice appears once. */
export function keyGroups(
  commands: readonly Command[],
): { readonly label: string; readonly commands: readonly Command[] }[] {
  const groups = new Map<string, Map<string, Command>>()
  for (const command of byGroup(commands)) {
    if (command.keys === undefined || command.keys.length === 0) continue
    const known = groups.get(command.group) ?? new Map<string, Command>()
    groups.set(command.group, known.set(command.id, command))
  }
  return [...groups].map(([label, list]) => ({ label, commands: [...list.values()] }))
}
