/** What the shapes of the graph mean. */
import { ARROW } from '../../../kit/graph/arrow-tip.tsx';
import { Sign } from '../../../kit/graph/legend.tsx';
import { t } from '../../../kit/l10n.ts';

export const Legend = () => (
  <div class="legend">
    <Sign class="plan" means={t('The model thinks, or answers')}>
      <rect class="outline" width="40" height="20" rx="4" />
    </Sign>
    <Sign class="call_tools" means={t('Tools are called')}>
      <rect class="outline" width="40" height="20" rx="4" />
    </Sign>
    <Sign class="skill" means={t('Another skill runs; its sign opens it in place')}>
      <rect class="outline" width="40" height="20" rx="4" />
      <path class="sign-path" d="M8 6L12 10L8 14" />
    </Sign>
    <Sign class="branch" means={t('One way is taken')}>
      <path class="outline" d="M20 0L34 10L20 20L6 10Z" />
    </Sign>
    <Sign class="parallel" means={t('Side by side; the second bar waits for all')}>
      <rect class="beam" y="8" width="40" height="4" rx="2" />
    </Sign>
    <Sign class="check_exit" means={t('The end')}>
      <circle class="outline" cx="20" cy="10" r="9" />
      <circle class="exit" cx="20" cy="10" r="5" />
    </Sign>
    <Sign class="" means={t('A way back, or what is cancelled')}>
      <path class="edge loop" d="M0 10H40" marker-end={`url(#${ARROW})`} />
    </Sign>
    <Sign class="flag" means={t('A person is asked first')}>
      <path d="M15 18V2H28L25 6L28 10H15" />
    </Sign>
  </div>
);
