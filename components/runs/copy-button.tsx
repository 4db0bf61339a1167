'use client'
/** Puts a text on the clipboard, and says for a moment whether that went well. */
import { useEffect, useState } from 'react'
import { Button, IconButton } from '#components/ui/button'

export interface CopyButtonProps {
  readonly label: string
  /** Asked only when somebody copies. */
  text(): string
  /** Written out beside its icon. */
  readonly isWide?: boolean
}

const outcomes = {
  copied: { icon: 'check', word: 'Copied' },
  failed: { icon: 'circle-x', word: 'Could not copy' },
} as const

export function CopyButton({ label, text, isWide }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<keyof typeof outcomes | null>(null)
  useEffect(() => {
    if (outcome === null) return
    const timer = setTimeout(() => setOutcome(null), 1_600)
    return () => clearTimeout(timer)
  }, [outcome])
  // Browsers lend the clipboard to secure pages alone, and a person may refuse.
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text())
      setOutcome('copied')
    } catch {
      setOutcome('failed')
    }
  }
  const { icon, word } = outcome === null ? { icon: 'copy', word: label } : outcomes[outcome]
  if (!isWide) return <IconButton icon={icon} label={word} size="s" onClick={() => void copy()} />
  return (
    <Button icon={icon} size="s" onClick={() => void copy()}>
      {word}
    </Button>
  )
}
