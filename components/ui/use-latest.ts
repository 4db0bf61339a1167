/** The latest value of a render, for handlers that are made once. */
import { type RefObject, useEffect, useRef } from 'react'

export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  return latest
}
