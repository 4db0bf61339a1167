'use client'
/** Chooses the user whose memory this browser's own questions have, in the builder and in the chat. */
import { type FormEvent, useId, useState } from 'react'
import { ownUserName } from '#components/data/own-user'
import { Button } from '#components/ui/button'
import { TextField } from '#components/ui/field'
import { useRemembered } from '#components/ui/use-remembered'
import styles from './memory.module.css'

export function OwnMemory({ agentId }: { agentId: string }) {
  const [kept, keep] = useRemembered(ownUserName(agentId))
  // When the stored name changes, the field is made again and shows it.
  return <Form key={kept ?? ''} kept={kept ?? ''} onKeep={keep} />
}

function Form({ kept, onKeep }: { kept: string; onKeep(user: string): void }) {
  const id = useId()
  const [user, setUser] = useState(kept)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onKeep(user.trim())
  }
  return (
    <form className={styles.own} onSubmit={submit}>
      <label htmlFor={id}>Questions from this browser use the memory of</label>
      <TextField
        id={id}
        value={user}
        onChange={setUser}
        placeholder="each thread"
        maxLength={128}
        autoComplete="off"
        spellCheck={false}
      />
      <Button type="submit" disabled={user.trim() === kept}>
        {user.trim() === '' && kept !== '' ? 'Clear' : 'Set'}
      </Button>
      <span className={styles.hint} role="status">
        {kept === '' ? 'No user is set.' : `The user “${kept}” is sent with each question.`}
      </span>
    </form>
  )
}
