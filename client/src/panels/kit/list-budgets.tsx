/** The budgets of the skill lists that clients show to their models, with the entries that are shortened or omitted. */
import type { ListFill } from '../../../../server/src/protocol.ts';
import { Link } from './controls.tsx';
import { type FileRange, top } from './file-range.ts';
import { t } from './l10n.ts';

interface BarProps {
  /** The used share of the budget, from 0 to 1. A larger value is shown as a full bar. */
  readonly share: number;
  readonly isOver?: boolean;
}

/** A bar without text; the number is shown beside it. */
export const Bar = ({ share, isOver = false }: BarProps) => (
  <span class={`level-bar ${isOver ? 'over' : ''}`} aria-hidden="true">
    <span style={{ width: `${Math.round(Math.min(1, share) * 100)}%` }} />
  </span>
);

export interface ClientBudget {
  /** Identifies the list on the page. */
  readonly key: string;
  /** The name of the client, with the folder if several lists are for the same client. */
  readonly name: string;
  readonly fill: ListFill;
  /** The description of how the client lists the shown skill; undefined if the skill is listed completely. */
  readonly entryText?: string | undefined;
}

interface ListFillsProps {
  readonly fills: readonly ClientBudget[];
  readonly reveal: (place: FileRange) => void;
}

export const ListBudgets = ({ fills, reveal }: ListFillsProps) =>
  fills.length === 0 ? null : (
    <ul class="budgets" aria-label={t('Budgets for the skill lists')}>
      {fills.map(({ key, ...one }) => (
        <ListBudget key={key} {...one} reveal={reveal} />
      ))}
    </ul>
  );

const entryOutcomes: Readonly<Record<ListFill['touched'][number]['entryOutcome'], string>> = {
  shortened: t('shortened'),
  'first-line': t('only the first line'),
  'name-only': t('only the name'),
  dropped: t('left out'),
};

function ListBudget({ name, fill, entryText, reveal }: Omit<ClientBudget, 'key'> & Pick<ListFillsProps, 'reveal'>) {
  const { used, limit, text, touched, certainty } = fill;
  const facts = [text.replace(/\.$/, ''), ...(entryText === undefined ? [] : [entryText])];
  return (
    <li class={certainty === 'unverified' ? 'unverified' : undefined}>
      <span class="client-name">{name}</span>
      <Bar share={limit === 0 ? 1 : used / limit} isOver={used > limit} />
      <span class="quiet">{facts.join(' · ')}</span>
      {touched.length > 0 && (
        <details class="touched">
          <summary>{t('Entries not listed in full')}</summary>
          <ul>
            {touched.map((entry) => (
              <li key={entry.uri}>
                <Link onClick={() => reveal({ uri: entry.uri, range: top })}>{entry.name}</Link>
                <span class="quiet">{entryOutcomes[entry.entryOutcome]}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}
