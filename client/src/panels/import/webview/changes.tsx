/** What an update changes: first what the skill may do, then its contract. */
import { WithCode } from '../../kit/controls.tsx';
import { t } from '../../kit/l10n.ts';
import type { ImportedSkill } from '../messages.ts';

export function Changes({ skill: { changes, contract } }: { readonly skill: ImportedSkill }) {
  if (changes.length === 0 && contract.length === 0) return null;
  return (
    <section aria-label={t('Changes')}>
      <h3>{t('Changes')}</h3>
      <ul>
        {changes.map(({ kind, text }) => (
          <li key={text} class={`change-${kind}`}>
            <WithCode text={text} />
          </li>
        ))}
        {contract.map(({ bump, message }) => (
          <li key={message}>
            <span class="quiet">{t('contract, {0}:', bump)}</span> <WithCode text={message} />
          </li>
        ))}
      </ul>
    </section>
  );
}
