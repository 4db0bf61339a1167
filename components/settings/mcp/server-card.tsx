'use client'
/** One MCP server: its state, what to do next, its test, and when it is opened its facts, tools and actions. */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useMcpTest } from '#components/data/mcp'
import { Chip } from '#components/ui/bits'
import { Button, IconButton } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { ErrorNote } from '#components/ui/notice'
import { useLatest } from '#components/ui/use-latest'
import { visible } from '#lib/spec/visible'
import type { McpServerView } from '#lib/wire/mcp-servers'
import styles from '../settings.module.css'
import { ConsentDialog } from './consent-dialog'
import own from './mcp.module.css'
import { reachLine, toolCount, wordsOfState } from './mcp-words'
import { RemoveServer } from './remove-server'
import { ServerDetail } from './server-detail'
import { ServerForm } from './server-form'
import { SignIn } from './sign-in'
import { TestProgress } from './test-progress'
import { useTestRun } from './use-test-run'

interface ServerCardProps {
  readonly server: McpServerView
  /** The file named in LOOPWRIGHT_MCP_CONFIG. */
  readonly filePath: string | undefined
  /** It was added just now, so its next step is offered at once. */
  readonly isNew: boolean
  onNext(): void
}

type Opened = 'consent' | 'edit' | 'sign-in' | 'wider-sign-in' | 'remove' | null

export function ServerCard({ server, filePath, isNew, onNext }: ServerCardProps) {
  const { name, reach, state, from } = server
  const [isOpen, setOpen] = useState(false)
  const [opened, setOpened] = useState<Opened>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const test = useTestRun(useMcpTest(name))
  const words = wordsOfState(server)
  useNextStep(isNew, () => {
    onNext()
    if (isTestable(server)) test.start()
    else setOpened(nextStepOf(server))
  })
  const close = () => setOpened(null)
  const count = toolCount(server)
  return (
    <li className={styles.block} aria-label={name}>
      <div className={styles.item}>
        <Icon name={reach?.transport === 'http' ? 'globe' : 'square-code'} size={14} />
        <b className={styles.label} title={name}>
          {name}
        </b>
        <span className={styles.where} title={visible(reachLine(reach))}>
          <code>{visible(reachLine(reach))}</code>
        </span>
        {from === 'file' && <Chip tone="line">from the file</Chip>}
        <span className={styles.state} data-tone={words.tone}>
          <Icon name={words.icon} size={14} />
          {words.word}
          {state === 'ready' && count !== undefined && <span className={own.count}>{count}</span>}
        </span>
        <Button size="s" disabled={test.isRunning || !isTestable(server)} onClick={test.start}>
          Test
        </Button>
        <IconButton
          ref={opener}
          icon={isOpen ? 'chevron-up' : 'chevron-down'}
          size="s"
          label={isOpen ? `Close ${name}` : `Show ${name}`}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      </div>
      {test.isRunning ? (
        <TestProgress server={server} seconds={test.seconds} onStop={test.stop} />
      ) : (
        <Problem server={server} onOpen={setOpened} onTools={isOpen ? undefined : () => setOpen(true)} />
      )}
      {test.error !== null && !test.isRunning && (
        <div className={own.inset}>
          <ErrorNote error={test.error} />
        </div>
      )}
      <MissingScopes server={server} onSignIn={() => setOpened('wider-sign-in')} />
      {(opened === 'sign-in' || opened === 'wider-sign-in') && (
        <SignIn
          key={opened}
          server={server}
          isWider={opened === 'wider-sign-in'}
          opener={opener}
          onClose={close}
          onSignedIn={() => {
            close()
            test.start()
          }}
        />
      )}
      {opened === 'edit' && (
        <ServerForm
          server={server}
          taken={[]}
          noStdio={false}
          opener={opener}
          onClose={close}
          onSaved={(saved) => setOpened(nextStepOf(saved))}
        />
      )}
      {isOpen && opened !== 'edit' && <ServerDetail server={server} filePath={filePath} onOpen={setOpened} />}
      {opened === 'consent' && <ConsentDialog server={server} onClose={close} onConfirmed={test.start} />}
      {opened === 'remove' && <RemoveServer server={server} onClose={close} />}
    </li>
  )
}

/** Runs once after a server was added. */
function useNextStep(isNew: boolean, go: () => void): void {
  const latest = useLatest(go)
  useEffect(() => {
    if (isNew) latest.current()
  }, [isNew])
}

/** What a person does next with a server whose settings they have just saved. */
function nextStepOf({ state }: McpServerView): Opened {
  if (state === 'needs_consent') return 'consent'
  return state === 'needs_sign_in' ? 'sign-in' : null
}

function isTestable({ state }: McpServerView): boolean {
  return state !== 'needs_consent' && state !== 'off' && state !== 'broken'
}

interface ProblemProps {
  readonly server: McpServerView
  onOpen(what: 'consent' | 'edit' | 'sign-in'): void
  /** Absent while the tools are shown. */
  readonly onTools: (() => void) | undefined
}

/** Why the server cannot be used, or which of its tools wait, with the button that goes on. */
function Problem({ server, onOpen, onTools }: ProblemProps) {
  const { state, problem, tools, from, signIn } = server
  if (state === 'ready' && tools.waiting > 0)
    return (
      <Line
        text={`${tools.waiting === 1 ? '1 tool is new or has changed, and is' : `${tools.waiting} tools are new or have changed, and are`} off until you accept ${tools.waiting === 1 ? 'it' : 'them'}.`}
      >
        {onTools !== undefined && (
          <Button size="s" onClick={onTools}>
            Show the tools
          </Button>
        )}
      </Line>
    )
  if (state === 'ready' || (state === 'not_started' && problem === undefined)) return null
  const text = problem ?? wordsOfState(server).word
  if (state === 'needs_consent')
    return (
      <Line text={text}>
        <Button size="s" onClick={() => onOpen('consent')}>
          Review and confirm
        </Button>
      </Line>
    )
  if (state === 'needs_sign_in')
    return (
      <Line text={text}>
        <Button size="s" onClick={() => onOpen('sign-in')}>
          Sign in
        </Button>
      </Line>
    )
  return (
    <Line text={text} isError={state === 'failed' || state === 'broken'}>
      {signIn?.state === 'none' && (
        <Button size="s" onClick={() => onOpen('sign-in')}>
          Sign in
        </Button>
      )}
      {from === 'settings' && state !== 'off' && (
        <Button size="s" onClick={() => onOpen('edit')}>
          Edit
        </Button>
      )}
    </Line>
  )
}

/** What the sign-in lacks. Agents never ask for it by themselves; a person does, with this button. */
function MissingScopes({ server: { signIn }, onSignIn }: { server: McpServerView; onSignIn(): void }) {
  const { state, missingScopes } = signIn ?? {}
  if (state !== 'signed_in' || missingScopes === undefined) return null
  const which = missingScopes.length === 0 ? 'It did not say which.' : `Missing: ${missingScopes.join(', ')}.`
  return (
    <Line text={`The server refused a request because the sign-in does not have the rights for it. ${which}`}>
      <Button size="s" onClick={onSignIn}>
        Sign in with more rights
      </Button>
    </Line>
  )
}

function Line({ text, isError, children }: { text: string; isError?: boolean; children: ReactNode }) {
  return (
    <div className={own.line} data-error={isError || undefined} role="status">
      <Icon name={isError ? 'circle-x' : 'triangle-alert'} size={14} />
      <span>{visible(text)}</span>
      {children}
    </div>
  )
}
