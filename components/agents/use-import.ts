'use client'
/** Brings an agent in from a file, from the clipboard, or dropped anywhere on the page. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { ApiError, api } from '#lib/http/client'
import { keys } from './queries'
import { isTyping } from './use-hotkey'

/** What is being imported, kept so that it can be tried again under another name. */
interface Source {
  /** Null for a file too large to read. */
  readonly text: string | null
  /** The file's name, or where else it came from. */
  readonly from: string
  readonly isRenamed: boolean
}

/** Larger files are refused before they are read; the server has the same bound in its own words. */
const mostBytes = 60_000_000

export function useImport() {
  const router = useRouter()
  const client = useQueryClient()
  const [isOver, setOver] = useState(false)
  const bringIn = useMutation({
    mutationFn: ({ text, from, isRenamed }: Source) => {
      if (text === null)
        throw new ApiError({
          code: 'too_large',
          status: 413,
          message: `${from} is larger than any agent can be.`,
        })
      return api.agents.importFile(text, isRenamed)
    },
    onSuccess: ({ id }) => {
      void client.invalidateQueries({ queryKey: keys.agents })
      router.push(`/agents/${encodeURIComponent(id)}`)
    },
  })
  const read = async (file: File | undefined) => {
    if (file === undefined) return
    const text = file.size > mostBytes ? null : await file.text()
    bringIn.mutate({ text, from: file.name, isRenamed: false })
  }
  const paste = (text: string) => bringIn.mutate({ text, from: 'the clipboard', isRenamed: false })
  usePastedJson(paste)
  const choose = () => {
    const input = document.createElement('input')
    input.type = 'file'
    input.accept = '.json,application/json'
    input.onchange = () => void read(input.files?.[0])
    input.click()
  }
  const drop = {
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: (event: DragEvent) => {
      if (event.currentTarget === event.target) setOver(false)
    },
    onDrop: (event: DragEvent) => {
      setOver(false)
      const file = event.dataTransfer.files[0]
      if (file === undefined) return
      event.preventDefault()
      void read(file)
    },
  }
  return {
    drop,
    isOver,
    choose,
    paste,
    isBusy: bringIn.isPending,
    error: bringIn.error,
    from: bringIn.variables?.from,
    /** Under the next free name. */
    again: () => bringIn.variables !== undefined && bringIn.mutate({ ...bringIn.variables, isRenamed: true }),
    forget: bringIn.reset,
  }
}

export type Importing = ReturnType<typeof useImport>

/** Paste anywhere on the page: what looks like JSON is taken for an agent. */
function usePastedJson(take: (text: string) => void): void {
  const latest = useRef(take)
  useEffect(() => {
    latest.current = take
  })
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text').trim() ?? ''
      if (isTyping(event.target) || !text.startsWith('{')) return
      event.preventDefault()
      latest.current(text)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [])
}
