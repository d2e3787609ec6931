/** What the shapes and colours of the composition graph mean. */
import { ARROW } from '../../kit/graph/arrow-tip.tsx';
import { Sign } from '../../kit/graph/legend.tsx';
import { t } from '../../kit/l10n.ts';
import { levelTitle } from './text.ts';

const box = <rect class="outline" width="40" height="20" rx="4" />;

export const Legend = () => (
  <div class="legend">
    {[3, 2, 1].map((level) => (
      <Sign key={level} class={`skill level-${level}`} means={levelTitle(level)}>
        {box}
      </Sign>
    ))}
    <Sign class="group" means={t('Several skills; opens them')}>
      <rect class="outline" x="4" y="4" width="40" height="20" rx="4" />
      {box}
    </Sign>
    <Sign class="outside" means={t('In another folder')}>
      {box}
    </Sign>
    <Sign class="unknown" means={t('A name that no skill has')}>
      {box}
    </Sign>
    <Sign class="wrong" means={t('Has errors')}>
      {box}
    </Sign>
    <Sign class="" means={t('Composes, from above to below')}>
      <path class="edge" d="M0 10H40" marker-end={`url(#${ARROW})`} />
    </Sign>
    <Sign class="" means={t('Names it in its text')}>
      <path class="edge mention" d="M0 10H40" marker-end={`url(#${ARROW})`} />
    </Sign>
    <Sign class="accented" means={t('Part of the slowest way through its composer')}>
      <path class="edge critical" d="M0 10H40" marker-end={`url(#${ARROW})`} />
    </Sign>
  </div>
);
