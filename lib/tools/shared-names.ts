/** Names under which models call several of the file tools, as other programs have them. */
import type { SharedName } from '#lib/spec/tool'

/** The editor that many models were trained with. */
export const editorName: SharedName = {
  name: 'str_replace_editor',
  argument: 'command',
  tools: {
    view: 'files.view',
    create: 'files.create',
    str_replace: 'files.str_replace',
    insert: 'files.insert',
  },
}

export const fileToolName: SharedName = {
  name: 'file_tool',
  argument: 'command',
  tools: { get: 'files.get', upload: 'files.create' },
}
