'use client'
/** The last row of a list of names: a field for another one, added by Enter or by its button. */
import { useState } from 'react'
import { Button } from '#components/ui/button'
import { TextField } from '#components/ui/field'
import nested from './nested.module.css'

interface NewNameProps {
  readonly placeholder: string
  /** What the field and the button are called for people who do not see them. */
  readonly label: string
  readonly action: string
  isTaken(name: string): boolean
  onAdd(name: string): void
}

export function NewName({ placeholder, label, action, isTaken, onAdd }: NewNameProps) {
  const [typed, setTyped] = useState('')
  const name = typed.trim()
  const add = () => {
    if (name === '' || isTaken(name)) return
    onAdd(name)
    setTyped('')
  }
  return (
    <div className={nested.pair}>
      <TextField
        value={typed}
        onChange={setTyped}
        mono
        placeholder={placeholder}
        aria-label={label}
        invalid={isTaken(name)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          event.preventDefault()
          add()
        }}
      />
      <Button
        size="s"
        icon="plus"
        aria-label={action}
        disabled={name === '' || isTaken(name)}
        onClick={add}
      />
    </div>
  )
}
