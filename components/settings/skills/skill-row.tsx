'use client'
/** One skill in the list: what it is for, who uses it, and its files when it is opened. */
import Link from 'next/link'
import { useState } from 'react'
import { api } from '#components/data/client'
import { IconButton } from '#components/ui/button'
import { download } from '#components/ui/download'
import { Icon } from '#components/ui/icon'
import shared from '#components/ui/shared.module.css'
import { visible } from '#lib/spec/visible'
import type { SkillView } from '#lib/wire/skills'
import settings from '../settings.module.css'
import { RemoveSkill } from './remove-skill'
import { SkillFiles } from './skill-files'
import { filesInWords } from './skill-words'
import styles from './skills.module.css'

export function SkillRow({ skill }: { skill: SkillView }) {
  const { name, description, files, usedBy } = skill
  const [isOpen, setOpen] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const used =
    usedBy.length === 0 ? '' : `, used by ${usedBy.length === 1 ? '1 agent' : `${usedBy.length} agents`}`
  return (
    <li className={settings.block}>
      <div className={settings.item}>
        <IconButton
          icon={isOpen ? 'chevron-down' : 'chevron-right'}
          size="s"
          label={isOpen ? `Close ${name}` : `Look at ${name}`}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
        <Icon name="graduation-cap" size={14} className={styles.mark} />
        <b>{name}</b>
        <span className={settings.where} title={visible(description)}>
          {visible(description)}
        </span>
        <span className={styles.facts}>
          {filesInWords(files)}
          {used}
        </span>
        <IconButton
          icon="download"
          size="s"
          label={`Save ${name} as a ZIP file`}
          onClick={() => download({ href: api.skills.archiveUrl(name), name: `${name}.zip` })}
        />
        <IconButton icon="trash-2" size="s" label={`Remove ${name}`} onClick={() => setRemoving(true)} />
      </div>
      {isOpen && <SkillBody skill={skill} />}
      {isRemoving && <RemoveSkill skill={skill} onClose={() => setRemoving(false)} />}
    </li>
  )
}

function SkillBody({ skill }: { skill: SkillView }) {
  const { description, license, compatibility, metadata, allowedTools, usedBy, scripts } = skill
  const about = Object.entries(metadata).map(([key, value]) => `${visible(key)}: ${visible(value)}`)
  return (
    <div className={styles.body}>
      <dl className={settings.facts}>
        <Fact name="What for">{visible(description)}</Fact>
        {usedBy.length > 0 && (
          <Fact name="Used by">
            {usedBy.map(({ id, title, name, isCurrent }, at) => (
              <span key={id}>
                {at > 0 && ', '}
                <Link className={shared.link} href={`/agents/${id}`}>
                  {title || name}
                </Link>
                {!isCurrent && ' (off: another version)'}
              </span>
            ))}
          </Fact>
        )}
        {compatibility !== undefined && <Fact name="Needs">{visible(compatibility)}</Fact>}
        {allowedTools.length > 0 && (
          <Fact name="Expects">
            <code>{visible(allowedTools.join(' '))}</code>. This gives an agent no tool and no right.
          </Fact>
        )}
        {scripts > 0 && (
          <Fact name="Scripts">
            {scripts === 1 ? 'A script' : `${scripts} scripts`} that an agent may run in the sandbox, after a
            person has said yes.
          </Fact>
        )}
        {license !== undefined && <Fact name="License">{visible(license)}</Fact>}
        {about.length > 0 && <Fact name="More">{about.join(', ')}</Fact>}
        <Fact name="Version">
          <code>{skill.hash.slice(0, 19)}…</code>
        </Fact>
      </dl>
      <SkillFiles name={skill.name} />
    </div>
  )
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
