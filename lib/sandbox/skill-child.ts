/** The child process that reads skills: takes an archive, and returns its files or what is wrong with it. */
import { readSkill, textOf } from './skill-read'
import type { SkillSaid } from './skill-wire'
import { BadZip } from './zip'

function answer(archive: Uint8Array): SkillSaid {
  try {
    const { head, files } = readSkill(archive)
    const parts = files.map(({ path, content }) => ({
      path,
      isText: textOf(content) !== undefined,
      base64: Buffer.from(content).toString('base64'),
    }))
    return { ok: true, head, files: parts }
  } catch (error) {
    if (error instanceof BadZip) return { ok: false, error: error.message }
    return { ok: false, error: 'The archive is damaged and cannot be read.' }
  }
}

const parts: Buffer[] = []
process.stdin.on('data', (part) => parts.push(part))
process.stdin.on('end', () => process.stdout.write(JSON.stringify(answer(Buffer.concat(parts)))))
