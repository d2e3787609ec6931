/** The cards around the body of a `SKILL.md`: its line in the skill list, the form for a call, and the linked files. */

import type { ComponentChildren } from 'preact';
import { Icon, Link, Select, useUniqueId } from '../../kit/controls.tsx';
import { top } from '../../kit/file-range.ts';
import { grouped, t, tCount } from '../../kit/l10n.ts';
import { Bar, ListBudgets } from '../../kit/list-budgets.tsx';
import { estimateText } from '../../kit/token-estimate.ts';
import type { Call, CallFact, ShownClient, ShownFile } from '../messages.ts';
import { evidenceOf } from './clients.tsx';
import type { Actions, Model, ViewProps } from './model.ts';

// A model reads a `SKILL.md` at three levels. A card shows the name, the tokens and the content of one level.

type Level = 'listed' | 'chosen' | 'demand';

/** Returns the key under which the page's state stores that a level is folded. */
export const levelKey = (level: Level): string => `level:${level}`;

interface CardProps {
  readonly level: Level;
  readonly model: Model;
  readonly actions: Actions;
  readonly children: ComponentChildren;
}

const names: Readonly<Record<Level, string>> = {
  listed: t('Always listed'),
  chosen: t('When chosen'),
  demand: t('On demand'),
};

function Card({ level, model, actions, children }: CardProps) {
  const key = levelKey(level);
  const { folded } = model.page;
  const isFolded = folded.includes(key);
  const toggle = (): void =>
    actions.setPage({ folded: isFolded ? folded.filter((one) => one !== key) : [...folded, key] });
  const weights = weightsOf(model);
  const tokens = weights[level];
  const most = Math.max(...Object.values(weights).map((weight) => weight ?? 0));
  return (
    <section class={`card level-${level}`} aria-label={names[level]}>
      <h2 class="card-head">
        <button type="button" aria-expanded={isFolded ? 'false' : 'true'} onClick={toggle}>
          <Icon name={isFolded ? 'right' : 'down'} />
          <span class="block-name">{names[level]}</span>
          {tokens !== undefined && (
            <>
              <Bar share={most === 0 ? 0 : tokens / most} />
              <span class="block-tokens" title={estimateText(tokens)}>
                ≈ {grouped(tokens)}
              </span>
            </>
          )}
        </button>
      </h2>
      {!isFolded && <div class="card-body">{children}</div>}
    </section>
  );
}

/** Returns the number of tokens of each level; undefined if the number is not known yet. */
function weightsOf({ clients, prompt, page, show }: Model): Readonly<Record<Level, number | undefined>> {
  const line = clients && shownClient(clients, page.asked.client)?.line;
  return {
    listed: line?.tokens,
    chosen: prompt && (show?.reply.estimate ?? prompt.tokens.total),
    demand: clients?.files.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0),
  };
}

type View = NonNullable<Model['clients']>;

/** Returns the client that the user chose, or the first target client. */
const shownClient = ({ clients }: View, id: string | undefined): View['clients'][number] | undefined =>
  clients.find((client) => client.id === id) ?? clients.find(({ isTarget }) => isTarget);

export const ListedAndChosenCards = ({ model, actions }: ViewProps) => (
  <>
    <Card level="listed" model={model} actions={actions}>
      <Listed model={model} actions={actions} />
    </Card>
    <Card level="chosen" model={model} actions={actions}>
      <CallForm model={model} actions={actions} />
    </Card>
  </>
);

function Listed({ model, actions }: ViewProps) {
  const { clients: view, page } = model;
  if (!view) return <p class="quiet">{t('Checking how clients use this skill…')}</p>;
  const client = shownClient(view, page.asked.client);
  const fills = view.clients.flatMap(({ id, name, isTarget, budget }) =>
    isTarget && budget ? [{ key: id, name, fill: budget, entryText: entryOutcomes[budget.entryOutcome] }] : [],
  );
  return (
    <>
      <Select
        label={t('Show for client')}
        value={client?.id ?? ''}
        choices={[
          ...(client ? [] : [{ value: '', label: t('Choose a client') }]),
          ...view.clients
            .map(({ id, name, isTarget }) => ({
              value: id,
              label: name,
              group: isTarget ? t('Target clients') : t('Other clients'),
            }))
            .sort((a, b) => Number(a.group === t('Other clients')) - Number(b.group === t('Other clients'))),
        ]}
        onChange={(id) => actions.ask({ ...page.asked, client: id })}
      />
      {client && <Line client={client} actions={actions} />}
      <ListBudgets fills={fills} reveal={(place) => actions.reveal(place, true)} />
    </>
  );
}

interface ClientProps {
  readonly client: ShownClient;
  readonly actions: Actions;
}

function Line({ client, actions }: ClientProps) {
  const { line, name } = client;
  if (!line) {
    return (
      <p>
        {t('The model of {0} does not see this skill.', name)}{' '}
        <Link onClick={() => actions.setPage({ tab: 'chosen' })}>{t('Why')}</Link>
      </p>
    );
  }
  const { hidden } = line;
  return (
    <>
      <p
        class="listing-line"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must scroll it
        tabIndex={0}
      >
        {line.text}
      </p>
      {!line.isExact && <p class="quiet">{t('Exact form not known')}</p>}
      {hidden && (
        <p class="cut-here">
          {t('Cut here: the model of {0} does not see the rest.', name)}{' '}
          <Link onClick={() => actions.reveal(hidden, true)}>{t('Go to the location')}</Link>
        </p>
      )}
    </>
  );
}

/** The wording for the skill's entry in a list that is over its budget. */
const entryOutcomes: Readonly<Record<NonNullable<ShownClient['budget']>['entryOutcome'], string | undefined>> = {
  whole: undefined,
  shortened: t('the description of this skill is shortened'),
  'first-line': t('only the first line of this description is listed'),
  'name-only': t('only the name of this skill is listed'),
  dropped: t('this skill is not listed'),
  maybe: t('the list may leave out the description of this skill'),
};

/**
 * The form for the arguments of a call. The server inserts the arguments as the chosen client does; commands are shown
 * but never run.
 */
function CallForm({ model, actions }: ViewProps) {
  const call = model.show?.reply.call;
  if (!call) return null;
  const { asked } = model.page;
  const { names, words, hint, placeholders } = call;
  const takesSome = names.length > 0 || placeholders.length > 0 || hint !== undefined;
  const set = (text: string): void => actions.ask({ ...asked, arguments: text });
  const asWritten = (): void => {
    const { arguments: _, ...rest } = asked;
    actions.ask(rest);
  };
  return (
    <div class="call">
      {takesSome && (
        <>
          <Field label={t('Arguments')} value={asked.arguments ?? ''} hint={hint} onInput={set} />
          {names.map((name, at) => (
            <Field
              key={`${at} ${name}`}
              label={name}
              value={words[at] ?? ''}
              onInput={(word) => set(joined(words, at, word))}
            />
          ))}
          <p class="quiet">
            {asked.arguments === undefined ? (
              t('No arguments are set, so the body is shown as written.')
            ) : (
              <>
                <ArgumentsNote call={call} /> <Link onClick={asWritten}>{t('Show the body as written')}</Link>
              </>
            )}
          </p>
        </>
      )}
      <Commands call={call} />
    </div>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly hint?: string | undefined;
  readonly onInput: (value: string) => void;
}

function Field({ label, value, hint, onInput }: FieldProps) {
  const id = useUniqueId();
  return (
    <div class="call-field">
      <label for={id}>{label}</label>
      <input
        class="input"
        type="text"
        id={id}
        value={value}
        placeholder={hint}
        spellcheck={false}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </div>
  );
}

/** Returns the arguments as a string, with one word replaced. Words with white space are quoted. */
function joined(words: readonly string[], at: number, word: string): string {
  const next = [...words];
  while (next.length <= at) next.push('');
  next[at] = word;
  while (next.at(-1) === '') next.pop();
  return next.map(quoted).join(' ');
}

function quoted(word: string): string {
  if (word !== '' && !/[\s"']/.test(word)) return word;
  return word.includes('"') ? `'${word.replaceAll("'", '’')}'` : `"${word}"`;
}

function ArgumentsNote({ call: { client, fills } }: { readonly call: Call }) {
  if (!client) return <>{t('Choose a client above. Each client fills in arguments differently.')}</>;
  if (!fills) return <>{t('{0} is not known to fill in arguments.', client.name)}</>;
  const words = fills.does
    ? t('{0} fills in arguments in the same way.', client.name)
    : t('{0} does not fill in arguments.', client.name);
  return <span title={evidenceText(fills)}>{words}</span>;
}

function Commands({ call: { client, runs, commands } }: { readonly call: Call }) {
  if (commands.length === 0) return null;
  const count = tCount(commands.length, '1 command in the body', '{0} commands in the body');
  const who = !client
    ? t('Some clients run commands before the model reads the text.')
    : !runs
      ? t('{0} is not known to run commands.', client.name)
      : runs.does
        ? t('{0} runs commands before the model reads the text.', client.name)
        : t('{0} does not run commands.', client.name);
  return (
    <div class="commands">
      <p title={runs && evidenceText(runs)}>
        {count}. {who} <span class="quiet">{t('The preview shows commands but never runs them.')}</span>
      </p>
      <ul>
        {commands.map(({ text }, at) => (
          <li key={at}>
            <code>{text}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}

const evidenceText = (fact: CallFact): string =>
  [...(fact.note === undefined ? [] : [fact.note]), evidenceOf(fact)].join('\n');

/** The files that the body of a `SKILL.md` links to, and that a model reads only if it needs them. */
export function OnDemandCard({ model, actions }: ViewProps) {
  const { clients: view } = model;
  if (!view) return null;
  const { files, moreFiles, unreadFiles } = view;
  return (
    <Card level="demand" model={model} actions={actions}>
      {files.length === 0 && <p class="quiet">{t('The body links to no other file.')}</p>}
      <ul class="bundled">
        {files.map((file) => (
          <File key={file.uri} file={file} actions={actions} />
        ))}
      </ul>
      {moreFiles > 0 && (
        <p class="quiet">{tCount(moreFiles, '1 more file is not shown.', '{0} more files are not shown.')}</p>
      )}
      {unreadFiles > 0 && (
        <p class="quiet">
          {tCount(
            unreadFiles,
            '1 file in the folder was not scanned. The limit is 200 files of at most 1 MB each.',
            '{0} files in the folder were not scanned. The limit is 200 files of at most 1 MB each.',
          )}
        </p>
      )}
    </Card>
  );
}

function File({ file, actions }: { readonly file: ShownFile; readonly actions: Actions }) {
  const { uri, path, link, tokens, isTooLarge } = file;
  if (file.isThere === false) {
    return (
      <li class="missing">
        <Icon name="warning" />
        <Link title={t('Go to the link')} onClick={() => actions.reveal(link, true)}>
          {path}
        </Link>
        <span>{t('does not exist')}</span>
      </li>
    );
  }
  return (
    <li>
      <Link title={t('Open the file')} onClick={() => actions.reveal({ uri, range: top }, true)}>
        {path}
      </Link>
      <span class="figure quiet">
        {tokens !== undefined ? `≈ ${grouped(tokens)}` : isTooLarge ? t('over 1 MB') : t('not counted')}
      </span>
    </li>
  );
}
