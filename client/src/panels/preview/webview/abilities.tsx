/** The tab *Abilities*: the abilities of a `SKILL.md` folder with their locations, without an assessment of safety. */
import type { ComponentChildren } from 'preact';
import { Link, WithCode } from '../../kit/controls.tsx';
import { top } from '../../kit/file-range.ts';
import { t, tCount } from '../../kit/l10n.ts';
import type { AbilitiesView, ShownPlace } from '../messages.ts';
import type { Actions, ViewProps } from './model.ts';

export function Abilities({ model: { abilities: view }, actions }: ViewProps) {
  if (!view) return <p class="quiet abilities">{t('Scanning the folder of this skill…')}</p>;
  const { tools, runs, unread, scripts, commands, addresses, hidden } = view;
  const secrets = secretsOf(view);
  const isQuiet = [tools, runs, unread, scripts, commands, secrets, addresses, hidden].every(
    ({ length }) => length === 0,
  );
  return (
    <div class="abilities">
      {isQuiet && (
        <p class="nothing">
          {view.leftOut.length === 0
            ? t('No scripts and no commands with effects were found.')
            : t('No scripts and no commands with effects were found in the scanned files.')}
        </p>
      )}
      <p class="quiet">
        {t(
          'Found by a simple scan of the saved files. The scan does not cover packages, names that a script builds at run time, binaries, or instructions in words.',
        )}
      </p>
      <Section title={t('Tools it may use without confirmation')} all={tools}>
        {tools.map(({ name, pattern, place }, at) => (
          <Entry key={at} place={place} actions={actions} label={<code>{name}</code>}>
            {pattern === undefined ? t('any arguments') : <code>{pattern}</code>}
          </Entry>
        ))}
      </Section>
      <Section title={t('Commands that run automatically')} all={runs}>
        {runs.map((run, at) => (
          <Entry key={at} place={run.place} actions={actions} label={<code>{run.command}</code>}>
            {whenRun(run)}
          </Entry>
        ))}
      </Section>
      <Section title={t('Commands that run unreviewed code')} all={unread}>
        {unread.map(({ what, place }, at) => (
          <Entry key={at} place={place} actions={actions} label={findingText(what)} />
        ))}
      </Section>
      <Section title={t('Scripts and what they access')} all={scripts}>
        <Scripts view={view} actions={actions} />
      </Section>
      <Section title={t('Commands in the text')} all={commands}>
        <Commands view={view} actions={actions} />
      </Section>
      <Section title={t('Secrets it uses')} all={secrets}>
        {secrets.map(({ what, isStored, place }, at) => (
          <Entry key={at} place={place} actions={actions} label={isStored ? findingText(what) : <code>{what}</code>}>
            {isStored ? t('stored in the file') : t('read from the environment')}
          </Entry>
        ))}
      </Section>
      <Section title={t('Addresses it fetches')} all={addresses}>
        {addresses.map(({ host, place }, at) => (
          <Entry key={at} place={place} actions={actions} label={host} />
        ))}
      </Section>
      <Section title={t('Hidden text')} all={hidden}>
        {hidden.map(({ what, place }, at) => (
          <Entry key={at} place={place} actions={actions} label={findingText(what)} />
        ))}
      </Section>
      <LeftOut view={view} />
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  readonly all: readonly unknown[];
  readonly children: ComponentChildren;
}

const Section = ({ title, all, children }: SectionProps) =>
  all.length === 0 ? null : (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul>{children}</ul>
    </section>
  );

interface EntryProps {
  readonly place: ShownPlace;
  readonly actions: Actions;
  readonly label: ComponentChildren;
  readonly children?: ComponentChildren;
}

const Entry = ({ place, actions, label, children }: EntryProps) => (
  <li>
    <Link title={t('Go to the location')} onClick={() => actions.reveal(place, true)}>
      {label}
    </Link>
    {children && <span class="quiet">{children}</span>}
    <span class="quiet where">{t('{0}, line {1}', place.path, place.range.start.line + 1)}</span>
  </li>
);

interface Secret {
  readonly what: string;
  /** True if the file contains the secret itself, not only the name of its environment variable. */
  readonly isStored: boolean;
  readonly place: ShownPlace;
}

/** Returns the secrets, with each environment variable only once per script. */
function secretsOf({ secrets, scripts }: AbilitiesView): readonly Secret[] {
  const named = scripts.flatMap(({ reaches }) => {
    const ofScript = reaches.filter(({ reach }) => reach === 'secrets');
    return ofScript
      .filter(({ by }, at) => ofScript.findIndex((other) => other.by === by) === at)
      .map(({ by, place }) => ({ what: by, isStored: false, place }));
  });
  return [...secrets.map(({ what, place }) => ({ what, isStored: true, place })), ...named];
}

function LeftOut({ view: { leftOut } }: { readonly view: AbilitiesView }) {
  if (leftOut.length === 0) return null;
  return (
    <details>
      <summary>{tCount(leftOut.length, '1 file was not scanned', '{0} files were not scanned')}</summary>
      <ul>
        {leftOut.map(({ path, why }) => (
          <li key={path}>
            {path} <span class="quiet">{leftOutReasons[why]}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

// The wording of the tab (docs/abilities.md).

type Script = AbilitiesView['scripts'][number];
type CommandRun = AbilitiesView['runs'][number];

/**
 * The names of the resources that scripts access. Environment variables with secrets are listed with all other secrets.
 */
const reachNames: Readonly<Record<Exclude<Script['reaches'][number]['reach'], 'secrets'>, string>> = {
  network: t('network'),
  files: t('files outside'),
  processes: t('other programs'),
};

const notAnalysedNames: Readonly<Record<NotAnalysedFound['kind'], string>> = {
  program: t('runs programs'),
  module: t('imports modules'),
  code: t('has other code'),
};

const languageNames: Readonly<Record<Script['language'], string>> = {
  shell: 'Shell',
  python: 'Python',
  javascript: 'JavaScript',
  other: t('not scanned (only shell, Python and JavaScript are supported)'),
};

const whenRun = ({ kind, event }: CommandRun): string =>
  kind === 'hook' ? t('at the event {0}', event ?? '?') : t('before the model reads the text');

const findings: Readonly<Record<string, string>> = {
  download: t('a download that runs unreviewed'),
  encoded: t('encoded text that runs as code'),
  tag: t('invisible tag characters'),
  bidirectional: t('characters that reverse the text direction'),
  'zero-width': t('zero-width characters'),
  selector: t('a sequence of invisible variation selectors'),
  instruction: t('a comment with instructions for the model'),
};

/** Returns the text of a finding. The kind of a secret is the name that its issuer uses, and is not translated. */
const findingText = (what: string): string => findings[what] ?? what;

const leftOutReasons: Readonly<Record<AbilitiesView['leftOut'][number]['why'], string>> = {
  'too-many': t('more than 200 files'),
  'too-large': t('larger than 1 MB'),
  'no-text': t('not a text file'),
};

// The scripts in the folder, each with the words that show which resources it accesses.

interface ScriptsProps {
  readonly view: AbilitiesView;
  readonly actions: Actions;
}

const Scripts = ({ view: { scripts, deniesNetwork }, actions }: ScriptsProps) => (
  <>
    {deniesNetwork !== undefined && (
      <li class="quiet">
        <WithCode text={t('`compatibility` says “{0}”.', deniesNetwork)} />
      </li>
    )}
    {scripts.map((script) => (
      <li key={script.path}>
        <Link title={t('Open the file')} onClick={() => actions.reveal({ uri: script.uri, range: top }, true)}>
          {script.path}
        </Link>
        <span class="quiet">{languageNames[script.language]}</span>
        <Reaches script={script} actions={actions} />
      </li>
    ))}
  </>
);

interface ReachesProps {
  readonly script: AbilitiesView['scripts'][number];
  readonly actions: Actions;
}

function Reaches({ script: { language, reaches, unanalysed }, actions }: ReachesProps) {
  if (language === 'other') return null;
  const rows = Object.entries(reachNames).flatMap(([reach, name]) => {
    const words = byWord(reaches.filter((one) => one.reach === reach));
    return words.length === 0 ? [] : [{ name, words }];
  });
  if (rows.length + unanalysed.length === 0)
    return <span class="reaches quiet">{t('no access outside the skill was found')}</span>;
  return (
    <dl class="reaches">
      {rows.map(({ name, words }) => (
        <div key={name}>
          <dt class="quiet">{name}</dt>
          {words.map(([word, places]) => (
            <dd key={word}>
              <CodeLinks word={word} places={places} actions={actions} />
            </dd>
          ))}
        </div>
      ))}
      <NotAnalysed all={unanalysed} actions={actions} />
    </dl>
  );
}

type NotAnalysedFound = AbilitiesView['commands'][number];

/** The commands in the text of each file that are not analysed. */
function Commands({ view: { commands }, actions }: Pick<ScriptsProps, 'view' | 'actions'>) {
  const paths = [...new Set(commands.map(({ place }) => place.path))];
  return (
    <>
      {paths.map((path) => {
        const all = commands.filter(({ place }) => place.path === path);
        const uri = all[0]?.place.uri ?? '';
        return (
          <li key={path}>
            <Link title={t('Open the file')} onClick={() => actions.reveal({ uri, range: top }, true)}>
              {path}
            </Link>
            <dl class="reaches">
              <NotAnalysed all={all} actions={actions} />
            </dl>
          </li>
        );
      })}
    </>
  );
}

/** The maximum number of names in a row. The others are only counted. */
const MAX_NAMES = 20;

interface NotAnalysedProps {
  readonly all: readonly NotAnalysedFound[];
  readonly actions: Actions;
}

/** One row for each kind, with the names in the order of the alphabet. */
const NotAnalysed = ({ all, actions }: NotAnalysedProps) => (
  <>
    {Object.entries(notAnalysedNames).map(([kind, title]) => {
      const names = all.filter((one) => one.kind === kind).sort((a, b) => (a.name < b.name ? -1 : 1));
      return names.length === 0 ? null : (
        <div key={kind}>
          <dt class="quiet">{title}</dt>
          {names.slice(0, MAX_NAMES).map(({ name, place }) => (
            <dd key={name}>
              <CodeLinks word={name} places={[place]} actions={actions} />
            </dd>
          ))}
          {names.length > MAX_NAMES && <dd class="quiet">{t('and {0} more', names.length - MAX_NAMES)}</dd>}
          <dd class="quiet">
            {names.length === 1 ? t('(its effects are not analysed)') : t('(their effects are not analysed)')}
          </dd>
        </div>
      );
    })}
  </>
);

interface CodeLinksProps {
  readonly word: string;
  readonly places: readonly ShownPlace[];
  readonly actions: Actions;
}

/** A word that links to its first location, followed by links to the lines of the other locations. */
const CodeLinks = ({ word, places, actions }: CodeLinksProps) => (
  <>
    {places.map((place, at) => {
      const line = t('line {0}', place.range.start.line + 1);
      return (
        <Link key={at} title={`${t('Go to the location')}, ${line}`} onClick={() => actions.reveal(place, true)}>
          {at === 0 ? <code>{word}</code> : line}
        </Link>
      );
    })}
  </>
);

function byWord(reaches: ReachesProps['script']['reaches']): readonly (readonly [string, readonly ShownPlace[]])[] {
  const words = new Map<string, ShownPlace[]>();
  for (const { by, place } of reaches) words.set(by, [...(words.get(by) ?? []), place]);
  return [...words];
}
