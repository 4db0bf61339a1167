'use client'
/** A question of a tool, and the ways to reply to it: choices, a form, a text, or an address to open. */
import { type ReactNode, useState } from 'react'
import { useToolMark } from '#components/run/tool-icon'
import { Button } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { Line } from '#components/ui/line'
import { LongText } from '#components/ui/long-text'
import { ErrorNote } from '#components/ui/notice'
import { Tile } from '#components/ui/tile'
import type { InputQuestion } from '#lib/spec/input'
import { lineOf } from '#lib/spec/line'
import { visible } from '#lib/spec/visible'
import type { GiveReply } from '#lib/wire/runs'
import styles from './ask-card.module.css'
import own from './input-card.module.css'
import { InputForm } from './input-form'
import { TextReply } from './text-reply'
import { TimeLeft } from './time-left'

export interface QuestionCardProps {
  /** The tool that asks. */
  readonly tool: Parameters<ReturnType<typeof useToolMark>>[0]
  readonly input: InputQuestion
  /** Where in a run it is asked. */
  readonly place?: ReactNode
  say(said: GiveReply): Promise<void>
}

/** Characters of a question rendered before the person asks for more. */
const fewChars = 2_000

export function QuestionCard({ tool, input, place, say: reply }: QuestionCardProps) {
  const [isSaying, setSaying] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const { family, icon } = useToolMark()(tool)
  const { question, server, choices, schema, url, expiresAt } = input
  const say = async (said: GiveReply) => {
    setSaying(true)
    setFailure(null)
    try {
      await reply(said)
    } catch (error) {
      setFailure(error)
    } finally {
      setSaying(false)
    }
  }
  const answer = (said: GiveReply) => void say({ action: 'answer', ...said })
  const without = (
    <span className={own.without}>
      <Button
        variant="quiet"
        disabled={isSaying}
        title="Decline to answer. The tool goes on without an answer."
        onClick={() => void say({ action: 'decline' })}
      >
        Decline
      </Button>
      <Button
        variant="quiet"
        disabled={isSaying}
        title="Close the question without saying yes or no. The tool goes on without an answer."
        onClick={() => void say({ action: 'cancel' })}
      >
        Cancel
      </Button>
    </span>
  )
  return (
    <section
      aria-label={`Question of ${lineOf(server ?? tool.name)}: ${lineOf(question, 80)}`}
      className={styles.ask}
    >
      <header className={styles.strip}>
        <Icon name="message-circle-question" size={16} className={styles.hand} />
        <b>A question for you</b>
        <TimeLeft until={expiresAt ?? null} />
      </header>
      <div className={styles.inside}>
        <div className={styles.tool}>
          <Tile family={family} icon={icon} size="s" />
          <span className={styles.name}>
            <Line text={server === undefined ? tool.name : `${server} asks`} />
          </span>
          {place !== undefined && <span className={styles.place}>{place}</span>}
        </div>
        <div className={own.question}>
          <LongText text={question} first={fewChars} showsMarks />
        </div>
        {failure !== null && <ErrorNote error={failure} />}
        {url !== undefined && <Address url={url} who={server ?? tool.name} />}
        {choices !== undefined && schema === undefined && (
          <ul className={own.choices} aria-label="Choices">
            {[...new Set(choices)].map((each) => (
              <li key={each}>
                <button type="button" disabled={isSaying} onClick={() => answer({ text: each })}>
                  {visible(each)}
                </button>
              </li>
            ))}
          </ul>
        )}
        {schema !== undefined ? (
          <InputForm schema={schema} isSaying={isSaying} onSend={(values) => answer({ values })}>
            {without}
          </InputForm>
        ) : url === undefined ? (
          <TextReply
            label={choices === undefined ? 'Your answer' : 'Another answer'}
            isMain={choices === undefined}
            isSaying={isSaying}
            onSend={(text) => answer({ text })}
          >
            {without}
          </TextReply>
        ) : (
          <div className={styles.actions}>
            <Button variant="primary" disabled={isSaying} onClick={() => answer({})}>
              I have finished there
            </Button>
            {without}
          </div>
        )}
      </div>
    </section>
  )
}

/** The address as a whole, with who asks for it. It is opened only by the person, and learns nothing of this page. */
function Address({ url, who }: { url: string; who: string }) {
  return (
    <div className={own.address}>
      <p>
        <Line text={who} /> asks you to open this address:
      </p>
      <a href={url} target="_blank" rel="noopener noreferrer">
        {visible(url)}
      </a>
    </div>
  )
}
