'use client'
/**
 * Keeps the page above an on-screen keyboard. Where the keyboard does not make the window smaller but covers
 * it, as in Safari, the page takes the height that is left.
 */
import { useEffect } from 'react'

const property = '--view-height'

export function useViewHeight(): void {
  useEffect(() => {
    const view = window.visualViewport
    if (view === null) return
    const { style } = document.documentElement
    const follow = () => {
      // A page that is zoomed in keeps its size.
      const isCovered = view.scale === 1 && view.height < window.innerHeight - 1
      if (!isCovered) {
        style.removeProperty(property)
        return
      }
      style.setProperty(property, `${view.height}px`)
      // The browser has scrolled the page to show the field, which is in view now without that.
      window.scrollTo(0, 0)
    }
    follow()
    view.addEventListener('resize', follow)
    return () => {
      view.removeEventListener('resize', follow)
      style.removeProperty(property)
    }
  }, [])
}
