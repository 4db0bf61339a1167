'use client'
/** A button that opens a panel of filters; Escape closes the panel and returns the focus to the button. */
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import { Popover } from '#components/ui/popover'
import styles from './filter-menu.module.css'

/** What the button needs in order to open and close the panel. */
export interface Opener {
  readonly ref: Ref<HTMLButtonElement>
  readonly 'aria-haspopup': 'dialog'
  readonly 'aria-expanded': boolean
  onClick(): void
}

export interface FilterMenuProps {
  /** The name of the panel for screen readers. */
  readonly label: string
  button(opener: Opener): ReactNode
  readonly children: ReactNode
}

export function FilterMenu({ label, button: drawButton, children }: FilterMenuProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isOpen) panel.current?.querySelector<HTMLElement>('select, input')?.focus()
  }, [isOpen])
  return (
    <>
      {drawButton({
        ref: button,
        'aria-haspopup': 'dialog',
        'aria-expanded': isOpen,
        onClick: () => setOpen(!isOpen),
      })}
      {isOpen && (
        <Popover anchor={button} width={328} onClose={() => setOpen(false)}>
          <div
            ref={panel}
            role="dialog"
            aria-label={label}
            className={styles.panel}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return
              event.stopPropagation()
              event.preventDefault()
              setOpen(false)
              button.current?.focus()
            }}
          >
            {children}
          </div>
        </Popover>
      )}
    </>
  )
}
