/**
 * Reads the table of rooms in AGENTS.md: what each room holds, and which other rooms its files may import.
 */
import fs from 'node:fs'
import path from 'node:path'

export interface Room {
  /** A folder, relative to the root of the project. */
  readonly room: string
  readonly holds: string
  /** Rooms or single files (without extension), relative to the root; the room itself is not listed. */
  readonly imports: readonly string[] | 'all'
  /** The same for imports that compiling removes. */
  readonly types: readonly string[] | 'all'
}

/** The rows in order, lowest room first. */
export function readRoomTable(root: string): Room[] {
  const text = fs.readFileSync(path.join(root, 'AGENTS.md'), 'utf8')
  const rows = [...text.matchAll(/^\| `([\w/]+(?:-[\w/]+)*)` \| (.*?) \| (.*?) \|$/gm)]
  const known = rows.map(([, room = '']) => room)
  return rows.map(([, room = '', holds = '', cell = '']) => {
    const [values = '', types = ''] = cell.split(';')
    const imports = readList(values, { room, known })
    const more = readList(types.replace('types of', ''), { room, known })
    return {
      room,
      holds,
      imports,
      types: imports === 'all' || more === 'all' ? 'all' : [...imports, ...more],
    }
  })
}

/** A short name is a room in the same folder, for `components` as for `lib`; elsewhere it is one of `lib`. */
function readList(cell: string, { room, known }: { room: string; known: readonly string[] }) {
  const words = cell.split(/[\s,]+/).filter((word) => word !== '' && word !== '–')
  if (words.includes('all')) return 'all'
  return words.map((word) => {
    const beside = room.startsWith('components/') ? [`components/${word}`] : []
    const isTopLevel = word === 'components' || word === 'db'
    return isTopLevel ? word : (beside.find((place) => known.includes(place)) ?? `lib/${word}`)
  })
}
