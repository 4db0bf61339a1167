/** The rows of the palette, built from the catalog, so that a new part of the product appears by itself. */
import type { PalettePart } from '#components/drawing/carried-part'
import type { Catalog } from '#lib/spec/catalog'
import type { Family } from '#lib/spec/kind'
import type { Risk } from '#lib/spec/tool'

export interface PaletteItem {
  readonly id: string
  readonly label: string
  readonly help: string
  readonly icon: string
  readonly family: Family
  readonly risk?: Risk
  readonly part: PalettePart
}

export interface PaletteSection {
  readonly label: string
  readonly items: readonly PaletteItem[]
}

export function paletteSections(catalog: Catalog): PaletteSection[] {
  const kinds = (...families: Family[]) =>
    catalog.kinds
      .filter((each) => families.includes(each.family))
      .map((each): PaletteItem => ({ ...each, id: each.kind, part: { kind: each.kind } }))
  const sections = [
    { label: 'Core', items: kinds('agent', 'model') },
    { label: 'Tools', items: toolItems(catalog) },
    { label: 'Toolkits', items: kinds('tool', 'mcp') },
    { label: 'Policies', items: kinds('policy') },
    { label: 'Context and output', items: kinds('memory', 'output') },
    { label: 'On the canvas', items: [noteItem, frameItem] },
  ]
  return sections.filter((each) => each.items.length > 0)
}

const noteItem: PaletteItem = {
  id: 'note',
  label: 'Note',
  help: 'A few words beside the drawing. They never change what the agent does.',
  icon: 'sticky-note',
  family: 'note',
  part: { note: true },
}

const frameItem: PaletteItem = {
  id: 'frame',
  label: 'Frame',
  help: 'A box with a title, drawn round parts. What stands in it moves with it.',
  icon: 'square-dashed',
  family: 'note',
  part: { frame: true },
}

/** Keeps only parts of these kinds: those that a wire accepts. */
export function onlyKinds(
  sections: readonly PaletteSection[],
  kinds: ReadonlySet<string>,
): readonly PaletteSection[] {
  const left = sections.map((section) => ({
    ...section,
    items: section.items.filter(({ part }) => !part.note && !part.frame && kinds.has(part.kind)),
  }))
  return left.filter((each) => each.items.length > 0)
}

/** A tool is added as an entry of its toolkit that offers only this tool. */
function toolItems(catalog: Catalog): PaletteItem[] {
  return catalog.tools.flatMap((tool): PaletteItem[] => {
    const kind = catalog.kinds.find((each) => each.use === tool.use && each.scope?.list !== undefined)
    const list = kind?.scope?.list
    if (kind === undefined || list === undefined) return []
    const { name, icon, risk, description } = tool
    return [
      {
        id: `${kind.kind}/${name}`,
        label: name,
        help: description,
        icon,
        family: kind.family,
        risk,
        part: { kind: kind.kind, config: { [list]: [name] } },
      },
    ]
  })
}

/** Every word of the query must occur in the row's name, help or section. */
export function searchSections(
  sections: readonly PaletteSection[],
  query: string,
): readonly PaletteSection[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return sections
  const found = sections.map((section) => ({
    ...section,
    items: section.items.filter((each) =>
      words.every((word) => `${each.label} ${each.help} ${section.label}`.toLowerCase().includes(word)),
    ),
  }))
  return found.filter((each) => each.items.length > 0)
}
