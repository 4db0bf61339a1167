'use client'
/** The parts that can be added now: those of the catalog, and the skills of this server. */
import { useMemo } from 'react'
import { useSkills } from '#components/data/skills'
import { useGraph } from '#components/drawing/graph-context'
import { type PaletteSection, paletteSections } from './palette-items'

export function usePaletteSections(): readonly PaletteSection[] {
  const catalog = useGraph((state) => state.catalog)
  const { data } = useSkills()
  return useMemo(() => paletteSections(catalog, data?.items), [catalog, data])
}
