/** XLSX workbooks for tests, from the XML of their sheets. */
import { strToU8, zipSync } from 'fflate'

/** A workbook written by hand, as other programs write theirs: the XML of each sheet by its name. */
export function workbook(
  sheets: Record<string, { xml: string; state?: string }>,
  { more = {}, properties = '' }: { more?: Record<string, string>; properties?: string } = {},
): Uint8Array {
  const names = Object.keys(sheets)
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships'
  const parts: Record<string, string> = {
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
    '_rels/.rels': `<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}">${properties}<sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"${sheets[name]?.state ? ` state="${sheets[name]?.state}"` : ''}/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packageRelations}">${names.map((_, at) => `<Relationship Id="rId${at + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`).join('')}<Relationship Id="rId90" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="165" formatCode="h:mm"/></numFmts><cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      names.map((name, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet xmlns="${main}"><sheetData>${sheets[name]?.xml}</sheetData></worksheet>`,
      ]),
    ),
    ...more,
  }
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])))
}

/** A cell with its text in place, such as `A1`. */
export const textCell = (ref: string, value: string) =>
  `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`

/** Two sheets and a hidden one, with dates, a moment, a time of the day, a formula, an error, and empty cells. */
export function salesWorkbook(): Uint8Array {
  const head = ['day', 'at', 'clock', 'amount', 'count', 'paid', 'note']
  const letters = 'ABCDEFG'
  return workbook({
    Sales: {
      xml: [
        `<row r="1">${head.map((name, at) => textCell(`${letters[at]}1`, name)).join('')}</row>`,
        `<row r="2"><c r="A2" s="1"><v>45352</v></c><c r="B2" s="2"><v>45352.6041666667</v></c><c r="C2" s="3"><v>0.375</v></c><c r="D2"><f>5*2.5</f><v>12.5</v></c><c r="E2"><v>3</v></c><c r="F2" t="b"><v>1</v></c>${textCell('G2', 'Köln, "Süd"')}</row>`,
        '<row r="4"><c r="A4" s="1"><v>45353</v></c><c r="D4" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="E4"><v>4</v></c><c r="F4" t="b"><v>0</v></c></row>',
      ].join(''),
    },
    Costs: { xml: `<row r="1">${textCell('A1', 'cost')}</row><row r="2"><c r="A2"><v>7</v></c></row>` },
    Margins: {
      xml: `<row r="1">${textCell('A1', 'margin')}</row><row r="2"><c r="A2"><v>0.4</v></c></row>`,
      state: 'hidden',
    },
  })
}
