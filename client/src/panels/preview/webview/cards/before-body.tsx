/** What stands before the body of a `SKILL.md`: the line that is always in the list, and how the skill is called. */
import { Link, Select } from '../../../kit/controls.tsx';
import { grouped, t, tCount } from '../../../kit/l10n.ts';
import type { ShownClient } from '../../messages.ts';
import type { Actions, ViewProps } from '../model.ts';
import { CallForm } from './call-form.tsx';
import { Bar, Card, shownClient, top } from './card.tsx';

export const BeforeBody = ({ model, actions }: ViewProps) => (
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
  if (!view) return <p class="quiet">{t('Asking what clients make of this skill…')}</p>;
  const client = shownClient(view, page.asked.client);
  const budgets = view.clients.filter(({ isTarget, budget }) => isTarget && budget);
  return (
    <>
      <Select
        label={t('Shown for the client')}
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
      {budgets.length > 0 && (
        <ul class="budgets" aria-label={t('How full the lists are')}>
          {budgets.map((one) => (
            <Budget key={one.id} client={one} actions={actions} />
          ))}
        </ul>
      )}
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
        <Link onClick={() => actions.setPage({ tab: 'clients' })}>{t('Why')}</Link>
      </p>
    );
  }
  const { hidden } = line;
  return (
    <>
      <p
        class="listing-line"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys
        tabIndex={0}
      >
        {line.text}
      </p>
      {hidden && (
        <p class="cut-here">
          {t('Cut here: the model of {0} does not see the rest.', name)}{' '}
          <Link onClick={() => actions.reveal(hidden, true)}>{t('Go to the place')}</Link>
        </p>
      )}
    </>
  );
}

/** What becomes of the entry where the list is too long. */
const fates: Readonly<Record<Exclude<NonNullable<ShownClient['budget']>['fate'], 'whole'>, string>> = {
  shortened: t('the description of this skill is shortened'),
  'name-only': t('only the name of this skill is listed'),
  dropped: t('this skill is not listed'),
  maybe: t('the description of this skill goes if it is seldom used'),
};

const entryFates: Readonly<Record<Exclude<keyof typeof fates, 'maybe'>, string>> = {
  shortened: t('shortened'),
  'name-only': t('only the name'),
  dropped: t('left out'),
};

const units = {
  characters: (used: string, limit: string) => t('{0} of {1} characters', used, limit),
  bytes: (used: string, limit: string) => t('{0} of {1} bytes', used, limit),
  tokens: (used: string, limit: string) => t('{0} of {1} tokens', used, limit),
};

function Budget({ client: { name, budget }, actions }: ClientProps) {
  if (!budget) return null;
  const { used, limit, unit, skills, dropped, fate, touched, certainty } = budget;
  const facts = [
    units[unit](grouped(used), grouped(limit)),
    tCount(skills, '1 skill', '{0} skills'),
    ...(dropped > 0 ? [tCount(dropped, '1 description goes', '{0} descriptions go')] : []),
    ...(fate === 'whole' ? [] : [fates[fate]]),
    ...(certainty === 'unverified' ? [t('not verified')] : []),
  ];
  return (
    <li class={certainty === 'unverified' ? 'unverified' : undefined}>
      <span class="client-name">{name}</span>
      <Bar share={limit === 0 ? 1 : used / limit} isOver={used > limit} />
      <span class="quiet">{facts.join(' · ')}</span>
      {touched.length > 0 && (
        <details class="touched">
          <summary>{t('Which entries are not listed in full')}</summary>
          <ul>
            {touched.map((entry) => (
              <li key={entry.uri}>
                <Link onClick={() => actions.reveal({ uri: entry.uri, range: top }, true)}>{entry.name}</Link>
                <span class="quiet">{entryFates[entry.fate]}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}
