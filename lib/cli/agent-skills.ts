/** The skills of an agent at the command line: in a folder that is named, beside its file, or in a data folder. */
import path from 'node:path'
import { type FolderSkills, readFolderSkills } from '#lib/server/ports/folder-skills'
import type { AgentConfig } from '#lib/spec/config'
import type { SkillsPort } from '#lib/spec/skill-port'
import { type Given, textOption } from './command'
import type { Terminal } from './terminal'

interface Around {
  /** The agent's file, or `-`. */
  readonly file: string
  readonly given: Given
  readonly terminal: Terminal
  /** Those of the data folder that is named. */
  readonly kept: SkillsPort
}

/** @param agents the agent, and those that it calls */
export function skillsOf(
  agents: readonly Pick<AgentConfig, 'skills'>[],
  { file, given, terminal: { folder }, kept }: Around,
): Promise<FolderSkills> {
  const names = agents.flatMap(({ skills }) => skills.map(({ name }) => name))
  const named = textOption(given, 'skills')
  if (named !== undefined) return readFolderSkills(names, [path.resolve(folder, named)], kept)
  const beside = file === '-' ? folder : path.dirname(path.resolve(folder, file))
  return readFolderSkills(names, [path.join(beside, 'skills'), beside], kept)
}
