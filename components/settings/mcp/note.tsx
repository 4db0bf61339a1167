/** A sentence beside an icon, inside a section of Settings. */
import type { ReactNode } from 'react'
import { Icon } from '#components/ui/icon'
import own from './mcp.module.css'

export function Note({
  icon,
  isWarning,
  children,
}: {
  icon: string
  isWarning?: boolean
  children: ReactNode
}) {
  return (
    <p className={own.note} data-warning={isWarning || undefined}>
      <Icon name={icon} size={14} />
      <span>{children}</span>
    </p>
  )
}
