/** The table of all clients: which clients find, load, list, choose, cut or ignore a `SKILL.md`, each with reasons. */
import { useState } from 'preact/hooks';
import { Button, Icon, type IconName, Link, useUniqueId, WithCode } from '../../kit/controls.tsx';
import { top } from '../../kit/file-range.ts';
import { t, tCount } from '../../kit/l10n.ts';
import { type SameNamedFile, type ShownClient, type ShownColumn, type ShownReason, withoutDate } from '../messages.ts';
import { type Actions, plain, type ViewProps } from './model.ts';

export function Clients({ model, actions }: ViewProps) {
  const { clients: view } = model;
  if (!view) return <p class="quiet clients">{t('Checking how clients use this skill…')}</p>;
  const targets = view.clients.filter(({ isTarget }) => isTarget);
  const others = view.clients.filter(({ isTarget }) => !isTarget);
  return (
    <div class="clients">
      <section aria-label={t('Target clients')}>
        <h2>{t('Target clients')}</h2>
        <p class="quiet">{targetsNote(targets.length > 0, view.isChosen)}</p>
        <Button
          title={t('Choose the clients that your skills are for')}
          onClick={() => actions.post({ type: 'chooseClients' })}
        >
          {t('Choose clients…')}
        </Button>
        {targets.length > 0 && <Matrix clients={targets} label={t('Target clients')} actions={actions} />}
      </section>
      {others.length > 0 && (
        <details class="others" open={targets.length === 0}>
          <summary>
            {targets.length > 0
              ? tCount(others.length, '1 other client', '{0} other clients')
              : tCount(others.length, '1 client', '{0} clients')}
          </summary>
          <Matrix clients={others} label={t('Other clients')} actions={actions} />
        </details>
      )}
      {view.sameNames.length > 0 && (
        <section aria-label={t('Equal names')}>
          <h2>{t('Equal names')}</h2>
          <ul class="bundled">
            {view.sameNames.map(({ uri, path, scope, plugins }) => (
              <li key={uri}>
                <Link title={t('Open the file')} onClick={() => actions.reveal({ uri, range: top }, true)}>
                  {path}
                </Link>{' '}
                <span class="quiet">{[scopeNames[scope], ...plugins].join(', ')}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

const scopeNames: Readonly<Record<SameNamedFile['scope'], string>> = {
  project: t('skill of the workspace'),
  user: t('skill of the user'),
  plugin: t('skill of a plugin'),
  command: t('command'),
};

function targetsNote(hasTargets: boolean, isChosen: boolean): string {
  if (isChosen) return t('You chose these clients.');
  if (hasTargets) return t('Detected from the folders of the workspace.');
  return t('No detected client looks for skills in this folder.');
}

interface MatrixProps {
  readonly clients: readonly ShownClient[];
  readonly label: string;
  readonly actions: Actions;
}

const Matrix = ({ clients, label, actions }: MatrixProps) => (
  <>
    <p>{sumOf(clients)}</p>
    <Table clients={clients} label={label} actions={actions} />
  </>
);

const Table = ({ clients, label, actions }: MatrixProps) => (
  <table class="matrix" aria-label={label}>
    <thead>
      <tr>
        <th scope="col">{t('client')}</th>
        {COLUMNS.map((column) => (
          <th key={column} scope="col" title={columnHints[column]}>
            {columnNames[column]}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {clients.map((client) => (
        <Row key={client.id} client={client} actions={actions} />
      ))}
    </tbody>
  </table>
);

interface RowProps {
  readonly client: ShownClient;
  readonly actions: Actions;
}

function Row({ client, actions }: RowProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useUniqueId();
  return (
    <>
      <tr class={client.isTarget ? 'client target' : 'client'}>
        <th scope="row">
          <button
            type="button"
            class="opener"
            aria-expanded={isOpen ? 'true' : 'false'}
            aria-controls={isOpen ? id : undefined}
            title={isOpen ? t('Hide the reasons') : t('Show the reasons')}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? 'down' : 'right'} />
            {client.name}
          </button>
          {!client.isObserved && (
            <span class="quiet" title={t('The facts about this client were read. It was not run.')}>
              {` (${t('read')})`}
            </span>
          )}
        </th>
        {COLUMNS.map((column, at) => (
          <td
            key={column}
            class={at < stepsOf(client).length ? undefined : 'excluded'}
            data-column={columnNames[column]}
            title={columnHints[column]}
          >
            <Cell client={client} column={column} actions={actions} />
          </td>
        ))}
      </tr>
      {isOpen && (
        <tr id={id} class="reasons-of">
          <td colSpan={COLUMNS.length + 1}>
            <Reasons client={client} actions={actions} />
          </td>
        </tr>
      )}
    </>
  );
}

/** A cell with a word and an icon. If the cause is in the file, the cell links to the cause. */
function Cell({ client, column, actions }: RowProps & { readonly column: ShownColumn }) {
  const { word, tone, isUnverified: isGuess } = outcomeOf(client, column);
  const { reasons } = client.cells[column];
  const why = reasons.map((reason) => `${plain(reason.text)}\n${evidenceOf(reason)}`).join('\n\n');
  const place = reasons.find((reason) => reason.place)?.place;
  const face = (
    <span class={`outcome ${tone} ${isGuess ? 'unverified' : ''}`} title={why}>
      <Icon name={toneIcons[tone]} />
      <span>{word}</span>
      {isGuess && <span class="unseen">{t('not verified')}</span>}
    </span>
  );
  if (!place) return face;
  return (
    <Link title={`${why}\n\n${t('Go to the location')}`} onClick={() => actions.reveal(place, true)}>
      {face}
    </Link>
  );
}

/** The reasons for each outcome. */
const Reasons = ({ client, actions }: RowProps) => (
  <dl>
    {stepsOf(client).map((column) => {
      const { reasons } = client.cells[column];
      return (
        <div key={column} class="reasons-for">
          <dt>
            {columnNames[column]}: {outcomeOf(client, column).word}
          </dt>
          {reasons.map((reason, at) => {
            const { place } = reason;
            return (
              <dd key={at} class={isUnverified(reason) ? 'unverified' : undefined}>
                <WithCode text={reason.text} />{' '}
                {place && <Link onClick={() => actions.reveal(place, true)}>{t('Go to the location')}</Link>}
                <div class="quiet source">{evidenceOf(reason)}</div>
              </dd>
            );
          })}
          {reasons.length === 0 && <dd class="quiet">{t('No restriction is known.')}</dd>}
        </div>
      );
    })}
  </dl>
);

/** Returns the columns up to one that already excludes the skill. */
function stepsOf({ cells }: ShownClient): readonly ShownColumn[] {
  const last = (['found', 'loaded'] as const).find((column) => cells[column].outcome === 'no');
  return last ? COLUMNS.slice(0, COLUMNS.indexOf(last) + 1) : COLUMNS;
}

/** The columns of the table. */
const COLUMNS: readonly ShownColumn[] = ['found', 'loaded', 'listed', 'chosen', 'cut', 'ignored'];

const columnNames: Readonly<Record<ShownColumn, string>> = {
  found: t('found'),
  loaded: t('loaded'),
  listed: t('listed'),
  chosen: t('chosen'),
  cut: t('cut'),
  ignored: t('ignored'),
};

const columnHints: Readonly<Record<ShownColumn, string>> = {
  found: t('The client looks for skills in the folder of this file'),
  loaded: t('The client loads the file'),
  listed: t('The model sees the skill in its list of skills'),
  chosen: t('The skill can be chosen by the model, by people who type its name, or not at all'),
  cut: t('The model sees only a part of the entry'),
  ignored: t('A part of the frontmatter has no effect'),
};

/** The colour and icon of a cell: `none` if nothing is lost, `open` if the outcome is unknown. */
export type Tone = 'good' | 'part' | 'bad' | 'none' | 'open';

export const toneIcons: Readonly<Record<Tone, IconName>> = {
  good: 'check',
  part: 'warning',
  bad: 'close',
  none: 'minus',
  open: 'help',
};

interface CellOutcome {
  readonly word: string;
  readonly tone: Tone;
  readonly isUnverified: boolean;
}

const choosers: Readonly<Record<string, readonly [string, Tone]>> = {
  'model-or-name': [t('model, name'), 'good'],
  model: [t('model only'), 'part'],
  name: [t('name only'), 'part'],
  nobody: [t('none'), 'bad'],
};

function outcomeOf({ cells }: ShownClient, column: ShownColumn): CellOutcome {
  const { outcome, reasons } = cells[column];
  const [word, tone] = wordOf(column, outcome);
  return { word, tone, isUnverified: reasons.length > 0 && reasons.every(isUnverified) };
}

function wordOf(column: ShownColumn, outcome: string): readonly [string, Tone] {
  if (outcome === 'unknown') return [t('unknown'), 'open'];
  if (column === 'chosen') return choosers[outcome] ?? [outcome, 'open'];
  const isLoss = column === 'cut' || column === 'ignored';
  if (outcome === 'yes') return [t('yes'), isLoss ? 'part' : 'good'];
  return [t('no'), isLoss ? 'none' : 'bad'];
}

/** Returns sentences with the names of the clients that do not load the skill, or cut its description. */
function sumOf(clients: readonly ShownClient[]): string {
  const having = (outcome: string, ...columns: readonly ShownColumn[]): readonly ShownClient[] =>
    clients.filter(({ cells }) => columns.some((column) => cells[column].outcome === outcome));
  const namesOf = (some: readonly ShownClient[]): readonly string[] => some.map(({ name }) => name);
  const lost = having('no', 'found', 'loaded').filter(({ isElsewhere }) => !isElsewhere);
  const open = having('unknown', 'found', 'loaded').filter((one) => !lost.includes(one));
  // A skill that is not installed yet is in no folder of a client.
  const isToInstall = open.length === clients.length && having('yes', 'loaded').length === clients.length;
  const [skipped, cut] = [namesOf(lost), namesOf(having('yes', 'cut'))];
  const unknown = isToInstall ? [] : namesOf(open);
  return [
    ...(isToInstall ? [t('All of these clients load the skill once it is in a folder that they read.')] : []),
    ...(skipped.length === 0 && open.length === 0 ? [t('All of these clients load the skill.')] : []),
    ...(skipped.length === 0
      ? []
      : [t('Not loaded by {0} of {1}: {2}.', skipped.length, clients.length, skipped.join(', '))]),
    ...(unknown.length === 0 ? [] : [t('Not known for {0}: {1}.', unknown.length, unknown.join(', '))]),
    ...(cut.length === 0 ? [] : [t('Cut by {0}: {1}.', cut.length, cut.join(', '))]),
  ].join(' ');
}

const isUnverified = ({ certainty }: ShownReason): boolean => certainty === 'unverified';

/** Returns the evidence of a reason: its source, its date, and whether it was verified. */
export function evidenceOf({ source, checked, certainty }: Omit<ShownReason, 'text' | 'place'>): string {
  const title = withoutDate({ source, checked });
  if (certainty === 'unverified') return t('{0}, {1}; not verified', title, checked);
  if (certainty === 'partial') return t('{0}, {1}; not known for all cases', title, checked);
  if (certainty === 'derived') return t('{0}, {1}; derived from source code', title, checked);
  return t('{0}, {1}', title, checked);
}
