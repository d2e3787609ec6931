/** The page of a preview that shows no skill: what a skill is, and a button to make one. */
import { Button } from '../../kit/controls.tsx';
import { t } from '../../kit/l10n.ts';
import type { ViewProps } from './model.ts';

export const NoSkillPage = ({ model, actions }: ViewProps) => (
  <div class="empty">
    <h1>{t('No skill is open')}</h1>
    <p>
      {t(
        'A skill is a Markdown file: its frontmatter says what it takes, which tools it may use and what it gives; its text says how.',
      )}
    </p>
    <p>
      {t(
        'This panel shows what becomes of it: the prompt that is sent, why this and not that, and what then runs. Open a skill to see it here, or make one.',
      )}
    </p>
    <Button primary onClick={() => actions.post({ type: 'newSkill' })}>
      {t('New Skill…')}
    </Button>
    {model.problem !== undefined && (
      <p class="problem" role="status">
        {model.problem}
      </p>
    )}
  </div>
);
