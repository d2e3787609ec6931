/** The page: header, input, problems and tabs, with constant heights so that the prompt never moves. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../kit/controls.tsx';
import { t } from '../../kit/l10n.ts';
import type { ToPanel } from '../messages.ts';
import { Header } from './header.tsx';
import { Input } from './input/input.tsx';
import { Sheet } from './input/sheet.tsx';
import { type Actions, isAgentSkill, type Model, type ViewProps } from './model.ts';
import { ProblemStrip, problemsOf } from './problem-strip.tsx';
import { Tabs } from './tabs.tsx';

/** The delay before a new problem is shown. During this time, the user may still be typing a word. */
const PROBLEM_DELAY_MILLISECONDS = 400;

export function Page({ model, actions }: ViewProps) {
  const rested = useDelayedProblems(model);
  useAgentSkillViews(model, actions);
  // The page is empty until the first reply.
  if (!model.show)
    return model.empty || reasonOf(model) !== undefined ? <NoSkillPage model={model} actions={actions} /> : null;
  return (
    <div class="page">
      <Header model={rested} actions={actions} />
      <Input model={model} actions={actions} />
      <div class="below">
        {model.page.sheetOpen && <Sheet model={model} actions={actions} />}
        <Tabs model={model} actions={actions} strip={<ProblemStrip model={rested} actions={actions} />} />
      </div>
    </div>
  );
}

/** Returns the reason why the page cannot show a skill or a newer prompt. */
const reasonOf = ({ behind, problem }: Model): string | undefined => behind?.reason ?? problem;

/**
 * Returns the model. If it has new problems, returns the earlier model until nothing has changed for a while, marked as
 * behind if the shown prompt is older than the file.
 */
function useDelayedProblems(model: ViewProps['model']): ViewProps['model'] {
  const shown = useRef(model);
  const [, rest] = useState(0);
  const uri = model.show?.reply.uri;
  const isNew = uri === shown.current.show?.reply.uri && problemsOf(model).length > problemsOf(shown.current).length;
  if (!isNew) shown.current = model;
  const { show, findings } = model;
  useEffect(() => {
    if (!isNew) return;
    const timer = setTimeout(() => {
      shown.current = model;
      rest((count) => count + 1);
    }, PROBLEM_DELAY_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [isNew, show, findings]);
  if (!isNew) return model;
  const { page, gone } = model;
  const behind = model.behind ?? (model.errors.length > 0 ? { reason: undefined } : undefined);
  return { ...shown.current, page, gone, behind };
}

/** The page of a preview without a skill: an explanation, and a button that creates a skill. */
const NoSkillPage = ({ model, actions }: ViewProps) => (
  <div class="empty">
    <h1>{t('No skill is open')}</h1>
    <p>
      {t(
        'A skill is a Markdown file. Its frontmatter defines the input, the tools and the output; its body contains the instructions.',
      )}
    </p>
    <p>
      {t(
        'This panel shows the prompt that is sent, the reasons for its contents, and the steps that run. Open a skill to see it here, or create one.',
      )}
    </p>
    <Button primary onClick={() => actions.post({ type: 'newSkill' })}>
      {t('New Skill…')}
    </Button>
    {reasonOf(model) !== undefined && (
      <p class="problem" role="status">
        {reasonOf(model)}
      </p>
    )}
  </div>
);

// Requests the additional data of the shown `SKILL.md` while the page shows it.

/** The delay after an update before the additional data is requested again, so that the prompt is updated first. */
const VIEW_DELAY_MILLISECONDS = 300;

function useAgentSkillViews(model: Model, actions: Actions): void {
  const { clients, chosen, abilities, page } = model;
  const isAgent = isAgentSkill(model);
  const request = page.request?.trim();
  const isChosenShown = isAgent && page.tab === 'chosen';
  useRequest({ type: 'askClients' }, isChosenShown || (isAgent && page.tab === 'prompt'), clients === undefined);
  useRequest({ type: 'askChosen', ...(request && { request }) }, isChosenShown, chosen === undefined);
  useRequest({ type: 'askAbilities' }, isAgent && page.tab === 'abilities', abilities === undefined);

  function useRequest(question: ToPanel, isShown: boolean, isFirst: boolean): void {
    useEffect(() => {
      if (!isShown) return;
      const timer = setTimeout(() => actions.post(question), isFirst ? 0 : VIEW_DELAY_MILLISECONDS);
      return () => clearTimeout(timer);
      // `isFirst` is not a dependency, because its change after the first reply must not cause a second request.
    }, [isShown, model.show?.serial, JSON.stringify(question)]);
  }
}
