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
  /** Arabic or Thai letters stand beside others or in several lines, where they cannot be drawn. */
  readonly isMixed: boolean
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
  const unmixed = withoutMixed(svg)
  const { files, missing } = fonts.filesFor(textOf(unmixed))
  const drawn = new Resvg(thickened(withoutMissing(unmixed, missing)), {
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
  const { width: across, height: down } = drawn
  return { png: drawn.asPng(), width: across, height: down, missing, isMixed: unmixed !== svg }
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

const arabic = /[\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufefe]/u
const thai = /[\u0e00-\u0e7f]/u

/**
 * The program that draws takes a line in one font and the letters that this lacks in another, if both make as many
 * signs of the line. Arabic and Thai letters join and stack, so it would draw boxes for a line that has others too, and misplace lines below others.
 */
function withoutMixed(svg: string): string {
  return svg.replace(texts, (whole, attributes: string, text: string) => {
    const shown = [arabic, thai].reduce(
      (words, letters) =>
        withWords(words, (line) => {
          const all = new RegExp(letters.source, 'gu')
          const isAlone = line.replace(all, '').trim() === '' && !text.includes('<tspan')
          return isAlone || !letters.test(line) ? line : line.replace(all, '?')
        }),
      text,
    )
    return shown === text ? whole : `<text${attributes}>${shown}</text>`
  })
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

/**
 * Outlines of usual and of bold letters of scripts that Inter lacks, as a part of their size: no program here can vary
 * the weight of a font, and some are thin by themselves.
 */
const outlines = [
  { letters: wideCharacters, usual: 1 / 26, bold: 1 / 14 },
  { letters: /[\u0590-\u05ff\ufb1d-\ufb4f]/u, usual: 1 / 26, bold: 1 / 14 },
  { letters: arabic, usual: 0, bold: 1 / 28 },
  { letters: thai, usual: 0, bold: 1 / 28 },
].map((each) => ({ ...each, runs: new RegExp(`${each.letters.source}+`, 'gu') }))

function thickened(svg: string): string {
  return svg.replace(texts, (whole, attributes: string, text: string) => {
    if (/\bstroke=/.test(attributes)) return whole
    const fill = /\bfill="([^"]*)"/.exec(attributes)?.[1] ?? '#000000'
    const size = Number(/\bfont-size="([\d.]+)/.exec(attributes)?.[1] ?? 11)
    const isBold = /\bfont-weight="(bold|[6-9]00)"/.test(attributes)
    const outlined = outlines.reduce((words, { letters, runs, usual, bold }) => {
      const width = size * (isBold ? bold : usual)
      if (width === 0 || !letters.test(words)) return words
      const look = `stroke="${fill}" stroke-width="${width.toFixed(2)}"`
      return withWords(words, (each) => each.replace(runs, (run) => `<tspan ${look}>${run}</tspan>`))
    }, text)
    return outlined === text ? whole : `<text${attributes}>${outlined}</text>`
  })
}
