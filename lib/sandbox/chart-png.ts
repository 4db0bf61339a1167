/** Turns the SVG of a chart into a PNG with the fonts given, and no others. Runs in the child process. */
import fs from 'node:fs'
import path from 'node:path'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { type Fonts, family, wideCharacters } from './chart-fonts'
import { type ChartFolders, chartLimits, Undrawable } from './chart-wire'

interface Picture {
  readonly png: Uint8Array
  readonly width: number
  readonly height: number
  /** Characters of the chart that no font has. */
  readonly missing: readonly string[]
}

export interface PictureRequest {
  readonly svg: string
  readonly scale: number
  readonly width: number
  readonly height: number
}

/** A process loads the program that draws once. */
let ready: Promise<void> | undefined

/** Throws `Undrawable` for a picture of too many pixels. */
export async function pictureOf(
  { svg, scale, width, height }: PictureRequest,
  fonts: Fonts,
  { resvg }: ChartFolders,
): Promise<Picture> {
  const pixels = Math.ceil(width * scale) * Math.ceil(height * scale)
  if (pixels > chartLimits.pixels)
    throw new Undrawable(
      'too_large',
      `The PNG would have ${pixels.toLocaleString('en')} pixels; at most ${chartLimits.pixels.toLocaleString('en')} are drawn. Give a smaller "width", "height" or "scale".`,
    )
  ready ??= initWasm(fs.readFileSync(path.join(resvg, 'index_bg.wasm')))
  await ready
  const { files, missing } = fonts.filesFor(textOf(svg))
  const drawn = new Resvg(thickened(withoutMissing(svg, missing)), {
    fitTo: { mode: 'zoom', value: scale },
    font: {
      fontBuffers: [...files],
      loadSystemFonts: false,
      defaultFontFamily: family,
      sansSerifFamily: family,
      serifFamily: family,
      monospaceFamily: family,
    },
  }).render()
  return { png: drawn.asPng(), width: drawn.width, height: drawn.height, missing }
}

/** A text with its words, which stand in a `<tspan>` for each line where there are several. */
const texts = /<text\b([^>]*)>((?:[^<]|<\/?tspan\b[^>]*>)*)<\/text>/g
const tagsAndWords = /<[^>]*>|[^<]+/g

/** The inside of a text with its words changed, and its tags as they are. */
function withWords(text: string, change: (words: string) => string): string {
  return text.replace(tagsAndWords, (each) => (each.startsWith('<') ? each : change(each)))
}

/** The words of the drawing, with the few entities that Vega writes. */
function textOf(svg: string): string {
  const all: string[] = []
  for (const [, , text = ''] of svg.matchAll(texts)) all.push(text.replace(/<[^>]*>/g, ' '))
  return all.join(' ').replace(/&(amp|lt|gt|quot);/g, '')
}

/** A character that no font has would take the fonts of its whole text away. */
function withoutMissing(svg: string, missing: readonly string[]): string {
  if (missing.length === 0) return svg
  const gone = new Set(missing)
  const shown = (run: string) => [...run].map((each) => (gone.has(each) ? '?' : each)).join('')
  return svg.replace(texts, (_, attributes: string, text: string) => {
    return `<text${attributes}>${withWords(text, shown)}</text>`
  })
}

/** Noto Sans SC has thin letters unless a program can vary its weight, so they get an outline. */
function thickened(svg: string): string {
  return svg.replace(texts, (whole, attributes: string, text: string) => {
    if (!wideCharacters.test(text) || /\bstroke=/.test(attributes)) return whole
    const fill = /\bfill="([^"]*)"/.exec(attributes)?.[1] ?? '#000000'
    const size = Number(/\bfont-size="([\d.]+)/.exec(attributes)?.[1] ?? 11)
    const isBold = /\bfont-weight="(bold|[6-9]00)"/.test(attributes)
    const outline = `stroke="${fill}" stroke-width="${(size / (isBold ? 14 : 26)).toFixed(2)}"`
    const outlined = (run: string) => run.replace(wideRuns, (wide) => `<tspan ${outline}>${wide}</tspan>`)
    return `<text${attributes}>${withWords(text, outlined)}</text>`
  })
}

const wideRuns = new RegExp(`${wideCharacters.source}+`, 'gu')
