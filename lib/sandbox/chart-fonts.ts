/**
 * The fonts of charts, so that a machine without fonts draws words: Inter for Latin, Greek and Cyrillic letters, Noto
 * Sans for Chinese, Japanese, Arabic, Hebrew and Thai. Only the parts that a chart needs are read. Runs in the child
 * process.
 */
import fs from 'node:fs'
import path from 'node:path'
import type { ChartFolders } from './chart-wire'
import { unpackWoff, widthsOf } from './chart-woff'
import { charactersOf } from './chart-woff2'

/** The family that words are drawn in. */
export const family = 'Inter'

export interface FontFiles {
  readonly files: readonly Uint8Array[]
  /** Characters of the text that no font has, each once. */
  readonly missing: readonly string[]
}

type Weight = 400 | 700

/** A part of a font family: the characters that its file covers. */
interface Part {
  readonly name: string
  readonly ranges: readonly (readonly [from: number, to: number])[]
}

interface NotoPart extends Part {
  /** Absolute. */
  readonly file: string
}

type Widths = (codePoint: number) => number | undefined

interface OpenedNoto {
  readonly font: Buffer
  has(codePoint: number): boolean
}

export class Fonts {
  private readonly inter: readonly Part[]
  private noto: readonly NotoPart[] | undefined
  private readonly opened = new Map<string, OpenedNoto>()
  private readonly unpacked = new Map<string, { font: Buffer; widths: Widths }>()

  constructor(private readonly folders: ChartFolders) {
    this.inter = partsOf(folders.inter)
  }

  /** The width of the text in pixels. */
  measure(text: string, { size, isBold }: { size: number; isBold: boolean }): number {
    let width = 0
    for (const character of text) {
      const codePoint = character.codePointAt(0) ?? 0
      width += this.widthOf(codePoint, isBold ? 700 : 400) ?? usualWidth(codePoint)
    }
    return width * size
  }

  private widthOf(codePoint: number, weight: Weight): number | undefined {
    for (const part of this.inter) {
      if (!covers(part, codePoint)) continue
      const width = this.openInter(part, weight).widths(codePoint)
      if (width !== undefined) return width
    }
    return undefined
  }

  private openInter({ name }: Part, weight: Weight): { font: Buffer; widths: Widths } {
    const file = `inter-${name}-${weight}-normal.woff`
    const known = this.unpacked.get(file)
    if (known !== undefined) return known
    const font = unpackWoff(fs.readFileSync(path.join(this.folders.inter, 'files', file)))
    const opened = { font, widths: widthsOf(font) }
    this.unpacked.set(file, opened)
    return opened
  }

  /** The files with which this text can be drawn. */
  filesFor(text: string): FontFiles {
    const files = new Map<string, Uint8Array>()
    const missing = new Set<string>()
    // The first file gives the family its usual face, whatever the text holds.
    const latin = this.inter.find((part) => part.name === 'latin')
    if (latin) this.addInter(latin, files)
    for (const character of new Set(text)) {
      const codePoint = character.codePointAt(0) ?? 0
      if (codePoint <= 0x20) continue
      if (this.widthOf(codePoint, 400) !== undefined) {
        for (const part of this.inter) if (covers(part, codePoint)) this.addInter(part, files)
      } else if (!this.addNoto(codePoint, files)) missing.add(character)
    }
    return { files: [...files.values()], missing: [...missing] }
  }

  private addInter(part: Part, files: Map<string, Uint8Array>): void {
    for (const weight of [400, 700] as const)
      files.set(`inter ${part.name} ${weight}`, this.openInter(part, weight).font)
  }

  /** The package says which characters a part is for, which is more than the font has. */
  private addNoto(codePoint: number, files: Map<string, Uint8Array>): boolean {
    this.noto ??= this.folders.noto.flatMap(notoPartsOf)
    for (const part of this.noto) {
      if (!covers(part, codePoint)) continue
      const { font, has } = this.openNoto(part)
      if (!has(codePoint)) continue
      files.set(part.file, font)
      return true
    }
    return false
  }

  private openNoto({ file }: NotoPart): OpenedNoto {
    const known = this.opened.get(file)
    if (known !== undefined) return known
    const font = fs.readFileSync(file)
    const opened = { font, has: charactersOf(font) }
    this.opened.set(file, opened)
    return opened
  }
}

/** Characters of the full width of a letter, as the scripts of East Asia have them. */
export const wideCharacters =
  /[\u1100-\u115f\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{20000}-\u{3ffff}]/u

/** Marks stand above or below the letter before them. */
const marks = /\p{Mn}/u

function usualWidth(codePoint: number): number {
  const character = String.fromCodePoint(codePoint)
  if (marks.test(character)) return 0
  return wideCharacters.test(character) ? 1 : 0.6
}

function covers({ ranges }: Part, codePoint: number): boolean {
  return ranges.some(([from, to]) => codePoint >= from && codePoint <= to)
}

function notoPartsOf(folder: string): NotoPart[] {
  const font = path.basename(folder)
  return partsOf(folder).map((part) => {
    const file = `${font}-${part.name.replace(/[[\]]/g, '')}-wght-normal.woff2`
    return { ...part, file: path.join(folder, 'files', file) }
  })
}

/** What the package says of its parts: `U+0370-0377,U+037A`. */
function partsOf(folder: string): Part[] {
  const said: Record<string, string> = JSON.parse(fs.readFileSync(path.join(folder, 'unicode.json'), 'utf8'))
  return Object.entries(said).map(([name, text]) => ({
    name,
    ranges: text.split(',').map((each) => {
      const [from = '', to = from] = each.trim().replace(/^U\+/i, '').split('-')
      return [Number.parseInt(from, 16), Number.parseInt(to, 16)] as const
    }),
  }))
}
