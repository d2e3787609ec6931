/** What stands before the body of a `SKILL.md`: the line that is always in the list, and how the skill is called. */
import { Link, Select } from '../../../kit/controls.tsx';
import { t } from '../../../kit/l10n.ts';
import { ListFills } from '../../../kit/list-fill.tsx';
import type { ShownClient } from '../../messages.ts';
import type { Actions, ViewProps } from '../model.ts';
import { CallForm } from './call-form.tsx';
import { Card, shownClient } from './card.tsx';

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
  const fills = view.clients.flatMap(({ id, name, isTarget, budget }) =>
    isTarget && budget ? [{ key: id, name, fill: budget, fate: fates[budget.fate] }] : [],
  );
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
      <ListFills fills={fills} reveal={(place) => actions.reveal(place, true)} />
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
const fates: Readonly<Record<NonNullable<ShownClient['budget']>['fate'], string | undefined>> = {
  whole: undefined,
  shortened: t('the description of this skill is shortened'),
  'name-only': t('only the name of this skill is listed'),
  dropped: t('this skill is not listed'),
  maybe: t('the description of this skill goes if it is seldom used'),
};
