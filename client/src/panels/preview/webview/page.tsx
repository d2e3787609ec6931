/** The page: header, input, problems, and the tabs. Its heights do not change with what is shown, so the prompt never moves. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Header } from './header.tsx';
import { Input } from './input/input.tsx';
import { Sheet } from './input/sheet.tsx';
import type { ViewProps } from './model.ts';
import { NoSkillPage } from './no-skill-page.tsx';
import { ProblemStrip } from './problem-strip.tsx';
import { problemsOf } from './problems.ts';
import { Tabs } from './tabs.tsx';
import { useAsides } from './use-asides.ts';

/** A problem is shown when the typing rests this long: it may be half a word. */
const REST_MILLISECONDS = 400;

export function Page({ model, actions }: ViewProps) {
  const rested = useRested(model);
  useAsides(model, actions);
  // The page stays blank until the first answer.
  if (!model.show)
    return model.empty || model.problem !== undefined ? <NoSkillPage model={model} actions={actions} /> : null;
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

/** The model, but without problems that are new until nothing has changed for a while. */
function useRested(model: ViewProps['model']): ViewProps['model'] {
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
    }, REST_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [isNew, show, findings]);
  return isNew ? { ...shown.current, page: model.page } : model;
}
