/** A skill is imported, given to an agent and used; after a change it is off until a person has looked. */
import { Buffer } from 'node:buffer'
import { expect, type Page } from '@playwright/test'
import { zipSync } from 'fflate'
import { begin, call, createAgent, scriptedConfig } from './api'
import { test } from './journey'
import { deepOnly } from './test-depth'

const text = (rule: string) => `---\nname: house-style\ndescription: Rules for letters.\n---\n\n${rule}\n`

function zipOf(rule: string, more: Readonly<Record<string, string>> = {}) {
  const files = { 'house-style/SKILL.md': text(rule), 'house-style/words.md': 'Dear reader\n', ...more }
  const bytes = Object.entries(files).map(([path, content]) => [path, Buffer.from(content)] as const)
  const buffer = Buffer.from(zipSync(Object.fromEntries(bytes)))
  return { name: 'house-style.zip', mimeType: 'application/zip', buffer }
}

const choose = (page: Page, file: ReturnType<typeof zipOf>) =>
  page.getByLabel('ZIP file of a skill').setInputFiles(file)

interface SkillList {
  readonly items: readonly { readonly hash: string }[]
}
interface Agent {
  readonly config: { readonly skills?: readonly { readonly hash: string }[] } | null
}

test('S4-42 a skill is imported, used, replaced after a look at what changes, and looked at again in its agent', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? ''
  await page.goto('/settings#skills')
  const section = page.getByRole('region', { name: 'Skills', exact: true })
  await choose(page, zipOf('Be short.', { 'house-style/../../x': 'out' }))
  await expect(section.getByRole('alert')).toContainText(
    'leads out of the skill’s folder. Nothing was imported.',
  )
  await choose(page, zipOf('Be short.'))
  await expect(section.getByText('house-style is imported, 2 files')).toBeVisible()
  await section.getByRole('button', { name: 'Look at house-style' }).click()
  await expect(section.getByRole('region', { name: 'Text of SKILL.md' })).toContainText('Be short.')

  const [skill] = (await call<SkillList>(`${url}/api/skills`)).items
  const turns = [{ calls: [{ name: 'skill.load', args: { skill: 'house-style' } }] }, { text: 'Done.' }]
  const skills = [{ name: 'house-style', hash: skill?.hash }]
  const agent = await createAgent(url, scriptedConfig('writer', turns, { skills }))
  const at = `${url}/api/agents/${agent}`
  await page.goto('/settings#skills')
  await choose(page, zipOf('Be long.'))
  const dialog = page.getByRole('dialog', { name: 'Replace house-style?' })
  await expect(dialog).toContainText('Be long.')
  await dialog.getByRole('button', { name: 'Replace' }).click()
  await expect(section.getByText(/^house-style is replaced. It is off in /)).toBeVisible()

  await page.goto(`/agents/${agent}`)
  await page.locator('.react-flow__node[data-id^="skill"]').click()
  await expect(page.getByText('Off: its files have changed since you chose it.')).toBeVisible()
  await page.getByRole('button', { name: 'Look at the changes' }).click()
  await page.getByRole('button', { name: 'Use the new version' }).click()
  await expect.poll(async () => (await call<Agent>(at)).config?.skills?.[0]?.hash).not.toBe(skill?.hash)
  await expect(page.getByRole('button', { name: 'Look at the changes' })).toHaveCount(0)
})

test(
  'S4-42 a skill is chosen for an agent on the canvas, and used in a run @deep',
  deepOnly,
  async ({ page, baseURL }) => {
    const url = baseURL ?? ''
    await page.goto('/settings#skills')
    await choose(page, zipOf('Be kind.', { 'house-style/go.sh': 'echo hello' }))
    const section = page.getByRole('region', { name: 'Skills', exact: true })
    const dialog = page.getByRole('dialog', { name: 'Replace house-style?' })
    const done = section.getByText(/^house-style is (imported|replaced)/)
    await expect(done.or(dialog).first()).toBeVisible()
    if (await dialog.isVisible()) await dialog.getByRole('button', { name: 'Replace' }).click()
    await expect(done).toBeVisible()

    const turns = [{ calls: [{ name: 'skill.load', args: { skill: 'house-style' } }] }, { text: 'Done.' }]
    const agent = await createAgent(url, scriptedConfig('letters', turns))
    await page.goto(`/agents/${agent}`)
    const parts = page.getByRole('complementary', { name: 'Parts' })
    await parts.getByRole('searchbox').or(parts.getByRole('textbox')).first().fill('skill.md')
    await parts
      .getByRole('button', { name: /^Skill/ })
      .first()
      .click()
    await page.getByRole('combobox', { name: 'Skill' }).selectOption('house-style')
    const at = `${url}/api/agents/${agent}`
    await expect.poll(async () => (await call<Agent>(at)).config?.skills?.length).toBe(1)
    const run = await begin(url, agent, 'Write a letter.')
    await page.goto(`/runs/${run}`)
    await expect(page.getByText('skill.load').first()).toBeVisible()

    const other = await createAgent(url, scriptedConfig('cards', [{ text: 'Done.' }]))
    await page.goto(`/agents/${other}`)
    await parts.getByRole('searchbox').or(parts.getByRole('textbox')).first().fill('house-style')
    await parts.getByRole('button', { name: /^house-style/ }).dragTo(page.locator('.react-flow__pane'))
    await expect(page.locator('.react-flow__node[data-id^="skill"]')).toContainText('house-style')
    const [{ hash } = { hash: '' }] = (await call<SkillList>(`${url}/api/skills`)).items
    const config = async () => (await call<Agent>(`${url}/api/agents/${other}`)).config
    await expect.poll(async () => (await config())?.skills).toEqual([{ name: 'house-style', hash }])
  },
)
