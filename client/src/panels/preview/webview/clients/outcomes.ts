/** The words and shapes of what clients make of a skill. */
import type { IconName } from '../../../kit/icons.tsx';
import { t } from '../../../kit/l10n.ts';
import type { ShownClient, ShownColumn, ShownReason } from '../../messages.ts';

export const COLUMNS: readonly ShownColumn[] = ['found', 'loaded', 'listed', 'chosen', 'cut', 'ignored'];

export const columnNames: Readonly<Record<ShownColumn, string>> = {
  found: t('found'),
  loaded: t('loaded'),
  listed: t('listed'),
  chosen: t('chosen'),
  cut: t('cut'),
  ignored: t('ignored'),
};

export const columnHints: Readonly<Record<ShownColumn, string>> = {
  found: t('Whether the client looks where the file lies'),
  loaded: t('Whether the client takes the file in'),
  listed: t('Whether the model sees the skill in the list that it chooses from'),
  chosen: t('Who can choose the skill: the model, people by its name, or nobody'),
  cut: t('Whether the model sees less of the description or the name than is written'),
  ignored: t('Whether something in the frontmatter has no effect'),
};

/** `good`, `bad` and `part` have an icon each, and `open` has one for what is not known. */
export type Tone = 'good' | 'part' | 'bad' | 'open';

export const toneIcons: Readonly<Record<Tone, IconName>> = {
  good: 'check',
  part: 'warning',
  bad: 'close',
  open: 'help',
};

interface Outcome {
  readonly word: string;
  readonly tone: Tone;
  readonly isUnverified: boolean;
}

const choosers: Readonly<Record<string, readonly [string, Tone]>> = {
  'model-or-name': [t('model, name'), 'good'],
  model: [t('model only'), 'part'],
  name: [t('name only'), 'part'],
  nobody: [t('nobody'), 'bad'],
};

export function outcomeOf({ cells }: ShownClient, column: ShownColumn): Outcome {
  const { outcome, reasons } = cells[column];
  const [word, tone] = wordOf(column, outcome);
  return { word, tone, isUnverified: reasons.length > 0 && reasons.every(isUnverified) };
}

function wordOf(column: ShownColumn, outcome: string): readonly [string, Tone] {
  if (outcome === 'unknown') return [t('not known'), 'open'];
  if (column === 'chosen') return choosers[outcome] ?? [outcome, 'open'];
  const isLoss = column === 'cut' || column === 'ignored';
  if (outcome === 'yes') return [t('yes'), isLoss ? 'part' : 'good'];
  return [t('no'), isLoss ? 'good' : 'bad'];
}

/** Which clients do not load the skill, or cut its description, in a sentence each. */
export function sumOf(clients: readonly ShownClient[]): string {
  const names = (column: ShownColumn, outcome: string): readonly string[] =>
    clients.filter(({ cells }) => cells[column].outcome === outcome).map(({ name }) => name);
  const [skipped, cut] = [names('loaded', 'no'), names('cut', 'yes')];
  return [
    skipped.length === 0
      ? t('No client here is known to skip it.')
      : t('Not loaded by {0} of {1}: {2}.', skipped.length, clients.length, skipped.join(', ')),
    ...(cut.length === 0 ? [] : [t('Cut by {0}: {1}.', cut.length, cut.join(', '))]),
  ].join(' ');
}

export const isUnverified = ({ certainty }: ShownReason): boolean => certainty === 'unverified';

/** What a reason rests on: its source, its day, and whether anybody has read it there. */
export function restsOn({ source, checked, certainty }: Omit<ShownReason, 'text' | 'place'>): string {
  if (certainty === 'unverified') return t('{0}, {1}; not verified', source, checked);
  if (certainty === 'derived') return t('{0}, {1}; concluded from source code', source, checked);
  return t('{0}, {1}', source, checked);
}
