/** The ports through which tools reach the thread's files, a JavaScript sandbox and the web. */
import type { Artifact } from './artifact'
import type { DocumentView, SeenDocument, Viewing } from './document'
import type { JsonObject, JsonValue } from './json'
import type { ScriptUsage } from './script-usage'
import type { WaitInLine } from './turns'
import type { WallFacts } from './wall-facts'

export type FileFault =
  | 'bad_path'
  | 'outside'
  | 'not_found'
  | 'not_a_file'
  | 'not_a_folder'
  | 'exists'
  | 'not_empty'
  | 'not_text'
  | 'too_large'
  | 'quota'
  | 'unavailable'

export type FileAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: FileFault; readonly message: string }

export interface FileEntry {
  /** Relative to the workspace, with `/`. */
  readonly path: string
  readonly kind: 'file' | 'folder'
  /** 0 for a folder. */
  readonly bytes: number
}

export interface KeepOptions {
  readonly name?: string
  /** The file is only shown: it does not count as one that the run made. */
  readonly isShown?: true
}

/** A file as it is now, to be read to its end or destroyed. */
export interface FileStream {
  readonly bytes: number
  readonly content: AsyncIterable<Uint8Array> & { destroy(): unknown }
}

/**
 * The workspace of one thread. Every path is relative to it; anything that leads outside, in any way, is
 * refused.
 * Never throws. Limits: reads of 1 MiB, writes of 5 MiB, 500 MiB for the workspace.
 */
export interface FilesPort {
  read(path: string): Promise<FileAnswer<Uint8Array>>
  /** Opens a file of any size. Absent where files can only be read whole. */
  open?(path: string): Promise<FileAnswer<FileStream>>
  /**
   * Writes the whole file or nothing, and makes missing folders.
   * An existing file is replaced, unless `replace` is false (`exists`).
   */
  write(
    path: string,
    content: string | Uint8Array,
    options?: { readonly replace?: boolean },
  ): Promise<FileAnswer<{ created: boolean; bytes: number }>>
  /** Removes a file or an empty folder. */
  remove(path: string): Promise<FileAnswer<FileEntry>>
  makeFolder(path: string): Promise<FileAnswer<{ created: boolean }>>
  /** Sorted by path; `truncated` when there are more entries than the limit. `''` is the workspace itself. */
  list(
    path: string,
    options: { readonly deep: boolean },
  ): Promise<FileAnswer<{ entries: readonly FileEntry[]; truncated: boolean }>>
  /**
   * Keeps the file as it is now, independent of later changes. `name` is the name for saving it; the default
   * is the file's own. Where nothing is kept, the artifact's id is the path.
   */
  keep(path: string, options?: KeepOptions): Promise<FileAnswer<Artifact>>
  /**
   * Copies plain files with their folders into an absolute folder outside of the workspace: those named in `only`,
   * or all of them. Nothing is copied if they have more than `maxBytes` together (`too_large`).
   */
  copyTo(
    folder: string,
    options: { readonly only?: readonly string[]; readonly maxBytes: number },
  ): Promise<FileAnswer<{ readonly files: number; readonly bytes: number }>>
  /** Takes changes from such a folder into the workspace: all of them or none. */
  takeFrom(folder: string, change: FolderChange): Promise<FileAnswer<null>>
  /** What a picture is, or a part of the text of a document of up to 50 MiB. Absent where documents are not read. */
  see?(
    path: string,
    view: DocumentView,
    viewing: Viewing,
  ): Promise<SeenDocument | Extract<FileAnswer<never>, { ok: false }>>
  /** What is said of the files, by path. Absent where nothing is kept, as is `describe`. */
  descriptions?(): ReadonlyMap<string, string>
  /** Says what a file is, for every later call of the thread; an empty text takes it back. */
  describe?(path: string, description: string): void
}

/** What changed in a copy of the workspace. All paths are relative to it. */
export interface FolderChange {
  /** Files that were made or changed. */
  readonly files: readonly string[]
  /** Folders that were made. */
  readonly folders: readonly string[]
  /** Files and folders that are gone. */
  readonly removed: readonly string[]
}

/**
 * Keeps content that is not in the workspace, such as a long observation; undefined where nothing is kept.
 */
export interface ArtifactsPort {
  keep(given: {
    name: string
    mediaType: string
    content: string | Uint8Array
  }): Promise<Artifact | undefined>
  /** A kept file in base64; undefined when it is gone. Absent where nothing is kept. */
  readBase64?(id: string, maxBytes: number): Promise<string | undefined>
}

/** The files that foreign code can reach. */
export type ScriptFiles = Pick<FilesPort, 'read'> & Partial<Pick<FilesPort, 'write'>>

export interface JavascriptRequest {
  /** The body of an async function of `args`. */
  readonly source: string
  readonly args: JsonObject
  /** What the code reads as `run`: the run, its agent, thread and step. */
  readonly run?: JsonObject
  /** The target of `files.read` and `files.write`; without `write`, the code may only read. */
  readonly files: ScriptFiles
  /** Waiting for a free process does not count. */
  readonly timeoutMs: number
  /** How the caller waits for a free process. */
  readonly inLine?: WaitInLine
  /** Receives the output of `console.log`: one or more whole lines, up to 256 KiB in all. */
  log(text: string): void
  /** Receives notes to the model; they are dropped where it is absent. */
  note?(text: string): void
}

export type JavascriptAnswer =
  /** `value` is what the function returned, `undefined` included. `written` are paths, each once. */
  | {
      readonly ok: true
      readonly value: JsonValue | undefined
      readonly written: readonly string[]
      readonly usage?: ScriptUsage
    }
  | {
      readonly ok: false
      readonly code:
        | 'javascript_error'
        | 'timeout'
        | 'memory'
        | 'too_large'
        | 'aborted'
        | 'busy'
        | 'unavailable'
      readonly message: string
      readonly written: readonly string[]
      /** Absent when nothing was started. */
      readonly usage?: ScriptUsage
    }

/** Runs foreign JavaScript in its own process, without host, network or our clock; never throws. */
export interface JavascriptPort {
  run(request: JavascriptRequest, signal: AbortSignal): Promise<JavascriptAnswer>
}

export interface WebRequest {
  readonly url: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The limit on the decoded body; the default is 2 MiB. */
  readonly maxBytes?: number
  /** The default is 30 s. */
  readonly timeoutMs?: number
  /** A redirect to another origin is not followed. */
  readonly staysAtOrigin?: boolean
}

export type WebAnswer =
  | {
      readonly ok: true
      readonly value: {
        /** After redirects. */
        readonly url: string
        readonly status: number
        /** Names in lower case. */
        readonly headers: Readonly<Record<string, string>>
        readonly body: Uint8Array
      }
    }
  | {
      readonly ok: false
      readonly code: 'bad_url' | 'blocked' | 'redirects' | 'connection' | 'timeout' | 'too_large' | 'aborted'
      readonly message: string
      readonly retryable: boolean
    }

export interface ReadablePage {
  readonly title: string
  readonly markdown: string
  /** The wall that it was read behind. */
  readonly wall?: WallFacts
}

/** The web through the guarded client: public addresses and those that the operator allowed; never throws. */
export interface WebPort {
  fetch(request: WebRequest, signal: AbortSignal): Promise<WebAnswer>
  /**
   * The readable part of an HTML page as Markdown, parsed in its own process; undefined when there is none.
   */
  readable(
    page: { readonly html: string; readonly url: string; readonly inLine?: WaitInLine },
    signal: AbortSignal,
  ): Promise<ReadablePage | undefined>
}
