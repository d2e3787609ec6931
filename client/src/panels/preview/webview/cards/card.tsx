/** One of the three levels at which a model reads a `SKILL.md`: its name, its weight, and what it reads. */
import type { ComponentChildren } from 'preact';
import { Icon } from '../../../kit/icons.tsx';
import { grouped, t, tCount } from '../../../kit/l10n.ts';
import { Bar } from '../../../kit/list-fill.tsx';
import type { Actions, Model } from '../model.ts';

type Level = 'listed' | 'chosen' | 'demand';

/** Of a level that is folded, in the page's state. */
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

export function Card({ level, model, actions, children }: CardProps) {
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
              <span class="block-tokens" title={tCount(tokens, '1 token', '{0} tokens')}>
                {level === 'chosen' ? grouped(tokens) : t('about {0}', grouped(tokens))}
              </span>
            </>
          )}
        </button>
      </h2>
      {!isFolded && <div class="card-body">{children}</div>}
    </section>
  );
}

/** The tokens of each level; undefined while they are not known. */
function weightsOf({ clients, prompt, page }: Model): Readonly<Record<Level, number | undefined>> {
  const line = clients && shownClient(clients, page.asked.client)?.line;
  return {
    listed: line?.tokens,
    chosen: prompt?.tokens.total,
    demand: clients?.files.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0),
  };
}

type View = NonNullable<Model['clients']>;

/** The client that somebody chose, else the first target. */
export const shownClient = ({ clients }: View, id: string | undefined): View['clients'][number] | undefined =>
  clients.find((client) => client.id === id) ?? clients.find(({ isTarget }) => isTarget);
