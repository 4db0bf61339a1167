'use client'
/** Puts a text on the clipboard, and says for a moment whether that went well. */
import { useEffect, useState } from 'react'
import { Button, IconButton } from './button'

export interface CopyButtonProps {
  readonly label: string
  /** Asked only when somebody copies; throws `NothingToCopy` to say why there is nothing. */
  text(): string | Promise<string>
  /** Written out beside its icon. */
  readonly isWide?: boolean
}

/** Its message is what the person reads. */
export class NothingToCopy extends Error {}

export interface CopyOutcome {
  readonly isGood: boolean
  readonly word: string
}

/** Copies, and tells how that went until it is old news. */
export function useCopy(): [CopyOutcome | null, (text: () => string | Promise<string>) => Promise<void>] {
  const [outcome, setOutcome] = useState<CopyOutcome | null>(null)
  useEffect(() => {
    if (outcome === null) return
    const timer = setTimeout(() => setOutcome(null), outcome.isGood ? 1_600 : 4_000)
    return () => clearTimeout(timer)
  }, [outcome])
  // Browsers lend the clipboard to secure pages alone, and a person may refuse.
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
