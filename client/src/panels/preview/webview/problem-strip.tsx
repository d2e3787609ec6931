/** The problems of the file in one line of fixed height, which expands to a list over the prompt. */
import { useState } from 'preact/hooks';
import { Button, Icon, IconButton, Link, WithCode } from '../../kit/controls.tsx';
import { t, tCount } from '../../kit/l10n.ts';
import type { Range, ShownError, ShownFinding } from '../messages.ts';
import { isOfBudget } from '../shown-prompt.ts';
import {
  type Actions,
  failedOf,
  fileName,
  goneText,
  type Model,
  plain,
  sortedErrors,
  type ViewProps,
} from './model.ts';

export function ProblemStrip({ model, actions }: ViewProps) {
  const [isOpen, open] = useState(false);
  const problems = problemsOf(model);
  const [first] = problems;
  const urgent = urgentNoteOf({ model, actions });
  if (urgent || !first) {
    return (
      <div class="strip" role="status">
        {urgent ?? <span class="quiet first">{noteOf({ model, actions }) ?? fineText(model)}</span>}
      </div>
    );
  }
  return (
    <div class={`strip ${first.severity}`}>
      <Icon name={first.severity === 'error' ? 'error' : 'warning'} />
      <span class="count">{tCount(problems.length, '1 problem', '{0} problems')}</span>
      <span class="first" title={plain(first.message)}>
        <WithCode text={first.message} />
      </span>
      <ProblemLink problem={first} model={model} actions={actions} />
      <ToInput problem={first} actions={actions} />
      {!isOpen && <ProblemFix isShort problem={first} model={model} actions={actions} />}
      <IconButton
        icon={isOpen ? 'up' : 'down'}
        label={isOpen ? t('Hide the problems') : t('Show all problems')}
        pressed={isOpen}
        onClick={() => open(!isOpen)}
      />
      {isOpen && (
        <ul class="problem-list">
          {problems.map((problem, at) => (
            <li key={at} class={problem.severity}>
              <WithCode text={problem.message} /> <ProblemLink problem={problem} model={model} actions={actions} />{' '}
              <ToInput problem={problem} actions={actions} />
              {!isFixedAbove(problems, at) && <ProblemFix problem={problem} model={model} actions={actions} />}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Returns true if the fix of an earlier problem in the list also fixes this problem. */
function isFixedAbove(problems: readonly Problem[], at: number): boolean {
  const fixOf = ({ finding, place }: Problem): string | undefined =>
    finding?.fix === undefined ? undefined : `${place.range.start.line} ${finding.fix}`;
  const fix = fixOf(problems[at] as Problem);
  return fix !== undefined && problems.slice(0, at).some((one) => fixOf(one) === fix);
}

function ProblemLink({ problem: { place }, model, actions }: { readonly problem: Problem } & ViewProps) {
  const line = place.range.start.line + 1;
  const named = `${fileName(place.uri)}:${line}`;
  const isHere = place.uri === model.show?.reply.uri;
  return (
    <Link title={`${t('Go to the location')}\n${named}`} onClick={() => actions.reveal(place, true)}>
      {isHere ? t('line {0}', line) : named}
    </Link>
  );
}

/** The link to the control in the form that can remove a problem. */
function ToInput({ problem: { control }, actions }: { readonly problem: Problem; readonly actions: Actions }) {
  if (control === undefined) return null;
  return (
    <Link onClick={() => actions.edit(control)}>
      {control === 'profile' ? t('Choose another profile') : t('Edit the input')}
    </Link>
  );
}

interface ProblemFixProps extends ViewProps {
  readonly problem: Problem;
  /** True if a narrow panel shows only that there is a fix. */
  readonly isShort?: boolean;
}

/** The fix of a problem; for a prompt over the budget, a button that leaves out the largest artifacts. */
function ProblemFix({ problem, isShort = false, model, actions }: ProblemFixProps) {
  const { finding, trimming } = problem;
  if (finding?.fix !== undefined) {
    const { fix } = finding;
    return (
      <Button title={isShort ? plain(fix) : undefined} onClick={() => actions.post({ type: 'fix', finding })}>
        <span class={isShort ? 'whole' : undefined}>
          <WithCode text={fix} />
        </span>
        {isShort && (
          <span class="short" aria-hidden="true">
            {t('Fix')}
          </span>
        )}
      </Button>
    );
  }
  if (!trimming) return null;
  const { asked } = model.page;
  const without = [...new Set([...asked.without, ...trimming.without])];
  return (
    <Button
      title={t('Without {0}: {1} tokens. The file is not changed.', trimming.without.join(', '), trimming.tokens)}
      onClick={() => actions.ask({ ...asked, without })}
    >
      {t('Leave out of the preview')}
    </Button>
  );
}

/** Returns the note that replaces the problems, because they may be out of date or an action failed. */
function urgentNoteOf({ model, actions }: ViewProps) {
  const { gone, behind, problem, show } = model;
  const text = gone ? goneText(gone, show?.reply.uri) : (behind?.reason ?? problem);
  if (text === undefined) return undefined;
  return (
    <>
      <Icon name="warning" />
      <span class="first" title={text}>
        {text}
      </span>
      {gone && <Button onClick={() => actions.post({ type: 'close' })}>{t('Close the preview')}</Button>}
    </>
  );
}

/** Returns a note that does not concern a problem in the file; undefined if there is nothing to note. */
function noteOf({ model, actions }: ViewProps) {
  const { notSkill, show, page } = model;
  if (notSkill !== undefined)
    return t('{0} is not a skill. Still showing {1}.', notSkill, fileName(show?.reply.uri ?? ''));
  if (show?.missingSample !== undefined) return t('The sample {0} does not exist.', show.missingSample);
  const { without } = page.asked;
  if (without.length === 0) return undefined;
  return (
    <>
      {t('Left out of the preview: {0}.', without.join(', '))}{' '}
      <Link onClick={() => actions.ask({ ...page.asked, without: [] })}>{t('Include them again')}</Link>
    </>
  );
}

/** Returns the text for a file without problems, which does not say more than was checked. */
const fineText = ({ show }: Model): string =>
  show?.reply.expected?.isPartial
    ? t('No problems. What the sample expects of a run or an output was not tested here.')
    : t('No problems');

// The problems of the shown file.

/** A problem in the file: a finding, a failed expectation, or a composition error for which there is no finding. */
interface Problem {
  readonly message: string;
  readonly severity: ShownFinding['severity'];
  readonly place: { readonly uri: string; readonly range: Range };
  readonly finding?: ShownFinding;
  /** The control in the form that can remove the problem: the `field` of a `Focus`. */
  readonly control?: string;
  /** The artifacts that can be left out of a prompt over the budget. */
  readonly trimming?: ShownError['trimming'];
}

/** Returns the problems: errors before warnings, each group in the order of the file. */
export function problemsOf(model: Pick<Model, 'findings' | 'errors' | 'show'>): readonly Problem[] {
  const { findings, errors, show } = model;
  const { ofInput, ofCaller } = sortedErrors(model);
  const uri = show?.reply.uri ?? '';
  const isAt = (error: ShownError, finding: ShownFinding): boolean =>
    error.uri === uri && finding.range.start.line === error.range.start.line;
  const controlFor = (error: ShownError | undefined): Pick<Problem, 'control'> => {
    if (!error) return {};
    return ofInput.includes(error)
      ? { control: `parameters.${error.subject}` }
      : ofCaller.includes(error)
        ? { control: 'profile' }
        : {};
  };
  const found = findings.map(
    (finding): Problem => ({
      message: finding.message,
      severity: finding.severity,
      place: { uri, range: finding.range },
      finding,
      ...controlFor(errors.find((error) => isAt(error, finding))),
    }),
  );
  const others = errors
    .filter((error) => !findings.some((finding) => isAt(error, finding)))
    .map((error): Problem => {
      const { message, uri: file, range, trimming } = error;
      const isOfCall = isOfBudget(error) || ofInput.includes(error) || ofCaller.includes(error);
      const place = { uri: file, range };
      return { message, severity: isOfCall ? 'warning' : 'error', place, trimming, ...controlFor(error) };
    });
  const failed = failedOf(model).map(
    ({ message, isSoft, uri: file, range }): Problem => ({
      ...{ message, severity: isSoft ? 'warning' : 'error', place: { uri: file, range } },
    }),
  );
  const order = ['error', 'warning', 'info'];
  return [...found, ...failed, ...others].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
}
