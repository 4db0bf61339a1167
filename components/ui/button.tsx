/** Buttons: plain, quiet, primary (one per region), danger (deletes for good) and icon only. */

import Link from 'next/link'
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { lineOf } from '#lib/spec/line'
import styles from './button.module.css'
import { Icon } from './icon'

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: 'plain' | 'quiet' | 'primary' | 'danger'
  /** `s` is 24 px high, for rows and straps. */
  size?: 'm' | 's'
  icon?: string
  pressed?: boolean
  ref?: Ref<HTMLButtonElement>
}

export function Button({
  variant = 'plain',
  size = 'm',
  icon,
  pressed,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-pressed={pressed}
      data-variant={variant}
      data-size={size}
      className={join(styles.button, className)}
    >
      {icon !== undefined && <Icon name={icon} size={size === 's' ? 14 : 16} />}
      {children}
    </button>
  )
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon'> {
  icon: string
  /** The name that a screen reader speaks and the tooltip shows. */
  label: string
}

export function IconButton({
  icon,
  label,
  variant = 'quiet',
  size = 'm',
  pressed,
  className,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={lineOf(label)}
      title={lineOf(rest.title ?? label)}
      aria-pressed={pressed}
      data-variant={variant}
      data-size={size}
      data-icon=""
      className={join(styles.button, className)}
    >
      <Icon name={icon} size={size === 's' ? 14 : 16} />
    </button>
  )
}

/** A link with the look and size of a button. */
export function ButtonLink({
  href,
  variant = 'quiet',
  size = 'm',
  icon,
  label,
  children,
}: {
  href: string
  variant?: 'plain' | 'quiet' | 'primary'
  size?: 'm' | 's'
  icon?: string
  /** The name that a screen reader speaks, for when the text alone is not enough. */
  label?: string
  children: ReactNode
}) {
  return (
    <Link
      href={href}
      aria-label={label === undefined ? undefined : lineOf(label)}
      data-variant={variant}
      data-size={size}
      className={styles.button}
    >
      {icon !== undefined && <Icon name={icon} size={size === 's' ? 14 : 16} />}
      {children}
    </Link>
  )
}

export function join(...names: (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
