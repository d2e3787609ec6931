/** The abilities of a skill and its closure, one row per kind. */
import type { ComponentChildren } from 'preact';
import { WithCode } from '../../kit/controls.tsx';
import { t } from '../../kit/l10n.ts';
import { type ImportedSkill, mayRun, runsUnreviewed } from '../messages.ts';

export function Abilities({ skill }: { readonly skill: ImportedSkill }) {
  const { tools, scopes, parts, others, findings, notScanned, identity, permission } = skill;
  const within = withinFolder(skill.path);
  const reasons = new Map(skill.automatic.map(({ path, why }) => [path, why]));
  return (
    <>
      <dl class="import-rows">
        <Row title={t('Self-declared')} all={identity}>
          {({ key, text }) => `${key}: ${text}`}
        </Row>
        <div class={skill.writes ? 'writes' : undefined}>
          <dt>{skill.writes || skill.operation !== null ? t('Operation') : t('Writes')}</dt>
          <dd>{skill.writes ? 'WRITE' : (skill.operation ?? writesText(skill))}</dd>
        </div>
        <Row
          title={t('Writes')}
          all={
            skill.writes || skill.operation === null || (skill.automatic.length === 0 && !runsUnreviewed(skill))
              ? []
              : [writesText(skill)]
          }
        >
          {(text) => text}
        </Row>
        <Row title={t('Tools')} all={tools}>
          {({ name, operation, isKnown }) => (
            <>
              <code>{name}</code> <KnownMark text={operation ?? ''} isKnown={isKnown} />
            </>
          )}
        </Row>
        <Row title={t('Scopes')} all={scopes}>
          {({ name, isKnown }) => (
            <>
              <code>{name}</code> <KnownMark text="" isKnown={isKnown} />
            </>
          )}
        </Row>
        <CodeRow title={t('Effects')} all={skill.effects} />
        <Row title={t('Composes')} all={parts}>
          {({ name, from }) => (
            <>
              <code>{name}</code> <span class={from === 'missing' ? 'problem' : 'quiet'}>{FROM[from]()}</span>
            </>
          )}
        </Row>
        <CodeRow title={t('Interrupts')} all={skill.interrupts} />
        <CodeRow title={t('Scripts')} all={skill.executables.map(within)} />
        <Row title={t('Runs by itself')} all={skill.runs}>
          {(word) => (
            <>
              <code>{word}</code> <span class="quiet">{reasons.get(word)}</span>
            </>
          )}
        </Row>
        <CodeRow title={t('Scripts access')} all={skill.reaches} />
        <NotAnalysed title={t('Runs programs')} all={skill.programs} />
        <NotAnalysed title={t('Imports modules')} all={skill.modules} />
        <NotAnalysed title={t('Other code')} all={skill.unanalysed.map(within)} />
        <CodeRow title={t('Addresses')} all={skill.addresses} />
        <Row title={t('Not scanned')} all={unscannedByReason(notScanned)}>
          {({ why, paths }) => <Unscanned why={why} paths={paths.map(within)} />}
        </Row>
        <Row title={t('Permission')} all={permission === null ? [] : [permission]}>
          {(text) => text}
        </Row>
        <Row title={t('Same name')} all={others}>
          {({ path, relation }) => (
            <>
              <code>{path}</code> <span class="quiet">{RELATIONS[relation]()}</span>
            </>
          )}
        </Row>
      </dl>
      {findings.length > 0 && (
        <section class="import-findings" aria-label={t('Findings')}>
          <h3>{t('Findings')}</h3>
          <ul>
            {findings.map(({ rule, path, line, message }) => (
              <li key={`${rule} ${path} ${line}`}>
                <strong>{rule}</strong> <span class="quiet">{t('{0}, line {1}', within(path), line + 1)}</span>
                <br />
                <WithCode text={message} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** Returns the text for a skill without an operation. Unknown tools and scripts may write. */
function writesText(skill: ImportedSkill): string {
  const { tools } = skill;
  if (runsUnreviewed(skill)) return t('unknown: a command runs unreviewed code, which can read, change and send files');
  if (tools.some(({ isKnown }) => isKnown === false)) return t('unknown: some of its tools are not in this workspace');
  if (mayRun(skill)) return t('unknown: its scripts and commands may write');
  return t('none found');
}

interface RowProps<One> {
  readonly title: string;
  readonly all: readonly One[];
  readonly children: (one: One) => ComponentChildren;
}

const Row = <One,>({ title, all, children }: RowProps<One>) =>
  all.length === 0 ? null : (
    <div>
      <dt>{title}</dt>
      {all.map((one, at) => (
        <dd key={at}>{children(one)}</dd>
      ))}
    </div>
  );

const CodeRow = ({ title, all }: { readonly title: string; readonly all: readonly string[] }) => (
  <Row title={title} all={all}>
    {(word) => <code>{word}</code>}
  </Row>
);

/** The maximum number of names that are shown. The others are only counted. */
const MAX_NAMES = 20;

/** Programs, modules or code whose effects are not analysed, in one line. */
const NotAnalysed = ({ title, all }: { readonly title: string; readonly all: readonly string[] }) => (
  <Row title={title} all={all.length === 0 ? [] : [all]}>
    {(names) => (
      <span class="import-files">
        {names.slice(0, MAX_NAMES).map((name) => (
          <code key={name}>{name}</code>
        ))}{' '}
        <span class="quiet">
          {names.length > MAX_NAMES && `${t('and {0} more', names.length - MAX_NAMES)} `}
          {names.length === 1 ? t('(its effects are not analysed)') : t('(their effects are not analysed)')}
        </span>
      </span>
    )}
  </Row>
);

/** The number of files that are listed directly; a longer list is folded. */
const MAX_UNSCANNED = 3;

function Unscanned({ why, paths }: UnscannedFiles) {
  const reason = <span class="quiet">({why})</span>;
  const names = paths.map((path) => <code key={path}>{path}</code>);
  if (paths.length <= MAX_UNSCANNED)
    return (
      <span class="import-files">
        {names} {reason}
      </span>
    );
  return (
    <details>
      <summary>
        {t('{0} files', paths.length)} {reason}
      </summary>
      <span class="import-files">{names}</span>
    </details>
  );
}

const KnownMark = ({ text, isKnown }: { readonly text: string; readonly isKnown: boolean | null }) => (
  <>
    {text !== '' && <span class={text === 'WRITE' ? 'problem' : 'quiet'}>{text}</span>}
    {isKnown === false && <span class="problem"> {t('not in this workspace')}</span>}
  </>
);

const FROM = {
  installed: () => '',
  workspace: () => t('from this workspace'),
  missing: () => t('missing'),
};

const RELATIONS = {
  hidden: () => t('is hidden by it'),
  hiding: () => t('hides it'),
  beside: () => t('exists beside it'),
};

// The names of the files in the rows, and how these files are grouped.

/** Returns a function that makes paths relative to the folder of a `SKILL.md`. Other paths do not change. */
function withinFolder(skillPath: string): (path: string) => string {
  const [, folder] = /^(.*\/)SKILL\.md$/i.exec(skillPath) ?? [];
  return (path) => (folder !== undefined && path.startsWith(folder) ? path.slice(folder.length) : path);
}

interface UnscannedFiles {
  readonly why: string;
  readonly paths: readonly string[];
}

function unscannedByReason(files: ImportedSkill['notScanned']): readonly UnscannedFiles[] {
  const reasons = new Set(files.map(({ why }) => why));
  return [...reasons].map((why) => ({ why, paths: files.flatMap((one) => (one.why === why ? [one.path] : [])) }));
}
