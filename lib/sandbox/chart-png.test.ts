import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { Fonts } from './chart-fonts'
import { pictureOf } from './chart-png'
import { ink } from './ink.fixture'

const packages = path.resolve(import.meta.dirname, '../../node_modules')
const folders = {
  resvg: path.join(packages, '@resvg/resvg-wasm'),
  inter: path.join(packages, '@fontsource/inter'),
  noto: ['sc', 'arabic', 'hebrew', 'thai'].map((script) =>
    path.join(packages, `@fontsource-variable/noto-sans-${script}`),
  ),
}

const fonts = new Fonts(folders)

function pictureOfWords(text: string, attributes = '') {
  const word = `<text x="10" y="40" font-family="Inter, sans-serif" font-size="24px" fill="#000"${attributes}>${text}</text>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="60">${word}</svg>`
  return pictureOf({ svg, scale: 1, width: 300, height: 60 }, fonts, folders)
}

async function inkOf(text: string, attributes?: string): Promise<number> {
  return ink((await pictureOfWords(text, attributes)).png).drawn
}

describe('the picture of a chart', () => {
  test('has no words where there are none', async () => {
    expect(await inkOf(' ')).toBe(0)
  })

  test.each([
    'Revenue',
    'Größe',
    'Łódź',
    'Москва',
    'Αθήνα',
    'Việt Nam',
    '1.234 €',
    '销售额',
    '東京',
    'ひらがな',
    'المبيعات',
    'הכנסות',
    'รายได้',
  ])('draws %s without any font of the system', async (text) => {
    const { png, missing } = await pictureOfWords(text)
    expect([missing, ink(png).drawn > 150]).toEqual([[], true])
  })

  test('names the characters that no font has', async () => {
    expect((await pictureOfWords('aहह한')).missing).toEqual(['ह', '한'])
    expect(ink((await pictureOfWords('销售 ह')).png).drawn).toBeGreaterThan(await inkOf('销 ह'))
  })

  test('draws words of several lines as it draws those of one', async () => {
    const lines = (...words: string[]) =>
      words.map((each, index) => `<tspan${index ? ' x="10" dy="24"' : ''}>${each}</tspan>`).join('')
    for (const words of ['Größe', '销售额', 'हa', 'הכנסות']) {
      const one = await pictureOfWords(words)
      const several = await pictureOfWords(lines(words, 'b'))
      expect([words, several.missing]).toEqual([words, one.missing])
      const more = ink((await pictureOfWords(lines('', 'b'))).png).drawn
      expect([words, ink(several.png).drawn]).toEqual([words, ink(one.png).drawn + more])
    }
  })

  test('draws Hebrew words beside others as it draws them alone', async () => {
    const alone = await inkOf('הכנסות')
    for (const other of ['Sales 2024 ', '销售 ']) {
      const both = (await inkOf(`${other}הכנסות`)) - (await inkOf(other))
      expect(Math.abs(both - alone)).toBeLessThan(alone / 10)
    }
  })

  test('shows ? for Arabic and Thai letters beside others, and says so', async () => {
    const { png, isMixed } = await pictureOfWords('Sales اب ก')
    expect([ink(png).drawn, isMixed]).toEqual([await inkOf('Sales ?? ?'), true])
    expect((await pictureOfWords('<tspan>اب</tspan><tspan x="10" dy="20">اب</tspan>')).isMixed).toBe(true)
    for (const alone of ['الدخل الشهري', 'รายได้ ต่อ', '销售 Sales'])
      expect((await pictureOfWords(alone)).isMixed).toBe(false)
  })

  test('draws bold words with more ink, in all fonts', async () => {
    for (const text of ['Revenue', '销售额', 'הכנסות', 'الدخل', 'รายได้'])
      expect(await inkOf(text, ' font-weight="bold"')).toBeGreaterThan((await inkOf(text)) * 1.1)
  })

  test('measures words as they are drawn', async () => {
    const width = (text: string, isBold = false) => fonts.measure(text, { size: 24, isBold })
    expect(width('iiii')).toBeLessThan(width('MMMM') / 2)
    expect(width('Revenue', true)).toBeGreaterThan(width('Revenue'))
    expect(width('销售额')).toBe(72)
    const { png } = await pictureOfWords('Revenue')
    expect(Math.abs(ink(png).right - 10 - width('Revenue'))).toBeLessThan(4)
  })
})
