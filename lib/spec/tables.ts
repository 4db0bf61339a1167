/** Tables as they are read from files: the sheets of an XLSX workbook, or one table of a CSV file. */

/** The type of a column: every value in it is of this type or null. Columns of mixed values are texts. */
export type ColumnType = 'integer' | 'number' | 'boolean' | 'date' | 'datetime' | 'time' | 'text'

export interface TableColumn {
  /** Unique in its table: from the header row, or the letter that the spreadsheet gives the column. */
  readonly name: string
  readonly type: ColumnType
}

/**
 * Dates are texts in the form of ISO 8601: `2024-03-01`, `2024-03-01T14:30:00`, `14:30:00`. A cell with a formula
 * has the value that its program stored with it. Cells that show an error, such as `#N/A`, are null.
 */
export type TableValue = string | number | boolean | null
export type TableRow = readonly TableValue[]

/** All of a table but its rows. */
export interface TableHead {
  /** The name of the sheet; `data` for a CSV file. */
  readonly sheet: string
  /** Whether the workbook hides the sheet. */
  readonly hidden: boolean
  readonly columns: readonly TableColumn[]
  /** The row of the sheet that gave the columns their names, counted from 1; null if none did. */
  readonly headerRow: number | null
  /** Rows without any value are left out. */
  readonly rowCount: number
  /** How many cells show an error. */
  readonly errorCells: number
}

export interface Table extends TableHead {
  readonly rows: readonly TableRow[]
}

/** What kind of file the tables came from. */
export type TableFormat =
  | { readonly kind: 'xlsx' }
  | { readonly kind: 'csv'; readonly encoding: TextEncodingName; readonly delimiter: string }

export type TextEncodingName = 'utf-8' | 'utf-16' | 'latin-1'

export type DocumentFault =
  /** The file is of a kind that is not read here. */
  | 'not_supported'
  /** Neither text nor a document of a known kind. */
  | 'not_text'
  | 'damaged'
  | 'encrypted'
  | 'unknown_sheet'
  | 'bad_range'
  /** Larger than a limit of the reader: bytes, cells, pages. */
  | 'too_large'
  | 'memory'
  | 'timeout'
  | 'aborted'
  | 'busy'
  | 'unavailable'

/** `message` is one whole sentence that calls the file "the file". */
export interface DocumentRefusal {
  readonly ok: false
  readonly code: DocumentFault
  readonly message: string
}
