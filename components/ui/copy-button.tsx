'use client'
/** A button that copies a text to the clipboard and shows for a moment whether that worked. */
import { useEffect, useState } from 'react'
import { Button, IconButton } from './button'

export interface CopyButtonProps {
  readonly label: string
  /**
   * Called only when a person copies. Throws `NothingToCopy` when there is nothing to copy; its message gives
   * the reason.
   */
  text(): string | Promise<string>
  /** Shows the label as text next to the icon. */
  readonly isWide?: boolean
}

/** Its message is shown to the person. */
export class NothingToCopy extends Error {}

export interface CopyOutcome {
  readonly isGood: boolean
  readonly word: string
}

/** Copies a text and returns the outcome, which is cleared after a moment. */
export function useCopy(): [CopyOutcome | null, (text: () => string | Promise<string>) => Promise<void>] {
  const [outcome, setOutcome] = useState<CopyOutcome | null>(null)
  useEffect(() => {
    if (outcome === null) return
    const timer = setTimeout(() => setOutcome(null), outcome.isGood ? 1_600 : 4_000)
    return () => clearTimeout(timer)
  }, [outcome])
  // Browsers allow the clipboard only on secure pages, and a person may refuse it.
  const copy = async (text: () => string | Promise<string>) => {
    try {
      await navigator.clipboard.writeText(await text())
      setOutcome({ isGood: true, word: 'Copied' })
    } catch (error) {
      setOutcome({ isGood: false, word: error instanceof NothingToCopy ? error.message : 'Could not copy' })
    }
  }
  return [outcome, copy]
}

export function CopyButton({ label, text, isWide }: CopyButtonProps) {
  const [outcome, copy] = useCopy()
  const icon = outcome === null ? 'copy' : outcome.isGood ? 'check' : 'circle-x'
  const word = outcome?.word ?? label
  const press = () => void copy(text)
  if (!isWide) return <IconButton icon={icon} label={word} size="s" onClick={press} />
  return (
    <Button icon={icon} size="s" onClick={press}>
      {word}
    </Button>
  )
}
