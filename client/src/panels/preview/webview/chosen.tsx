/**
 * The tab *Chosen*: whether a client finds, loads, lists, chooses and delivers a `SKILL.md`, with the reasons, and below it
 * the table of all clients.
 */
import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, Icon, Link, Select, useUniqueId, WithCode } from '../../kit/controls.tsx';
import { top } from '../../kit/file-range.ts';
import { clock, grouped, t, tCount } from '../../kit/l10n.ts';
import { Bar } from '../../kit/list-budgets.tsx';
import {
  type ChosenReply,
  formatShare,
  type ShownChoice,
  type ShownRanking,
  type ShownStep,
  TRIALS,
} from '../messages.ts';
import { Clients, evidenceOf, type Tone, toneIcons } from './clients.tsx';
import type { Actions, ViewProps } from './model.ts';

export const Chosen = (props: ViewProps) => (
  <div class="chosen">
    {props.model.chosen ? (
      <Chain {...props} view={props.model.chosen} />
    ) : (
      <p class="quiet">{t('Checking whether clients choose this skill…')}</p>
    )}
    <h2>{t('All clients')}</h2>
    <Clients {...props} />
  </div>
);

interface ChainProps extends ViewProps {
  readonly view: ChosenReply;
}

function Chain({ view, model, actions }: ChainProps) {
  const { page } = model;
  const id = useUniqueId();
  return (
    <>
      <div class="chosen-query">
        <div>
          <label for={`${id}-client`}>{t('Client')}</label>
          <Select
            id={`${id}-client`}
            value={page.asked.client ?? view.client.id}
            choices={view.clients.map(({ id: value, name, isTarget }) => ({
              value,
              label: name,
              group: isTarget ? t('Target clients') : t('Other clients'),
            }))}
            onChange={(client) => actions.ask({ ...page.asked, client })}
          />
        </div>
        <div class="request">
          <label for={`${id}-request`}>{t('Request')}</label>
          <input
            id={`${id}-request`}
            class="input"
            type="text"
            autocomplete="off"
            value={page.request ?? ''}
            placeholder={t('A request of a user, to see which skill ranks first')}
            onInput={({ currentTarget }) => actions.setPage({ request: currentTarget.value })}
          />
        </div>
        <AskModel view={view} model={model} actions={actions} />
      </div>
      <KeepCase view={view} model={model} actions={actions} />
      <Verdict view={view} />
      <ol class="chain" aria-label={t('Will this skill be chosen?')}>
        {view.steps.map((step) => (
          <Step key={step.name} step={step} actions={actions}>
            {extras[step.name]?.({ view, model, actions })}
          </Step>
        ))}
      </ol>
    </>
  );
}

/**
 * The buttons that save the request as a routing case, so that tests check it from then on. The sentence that replaces them
 * gets their focus.
 */
function KeepCase({ view: { cases, isChoosable }, model: { page }, actions }: ChainProps) {
  const request = page.request?.trim().replace(/\s+/g, ' ') ?? '';
  const known = request === '' ? undefined : cases.find((one) => one.request === request);
  const sentence = useRef<HTMLParagraphElement>(null);
  const kept = useRef('');
  useEffect(() => {
    if (!known || kept.current !== request) return;
    kept.current = '';
    if (document.activeElement === document.body) sentence.current?.focus();
  }, [known, request]);
  if (request === '' || !isChoosable) return null;
  if (known) {
    return (
      <p class="quiet" ref={sentence} tabIndex={-1}>
        {known.should
          ? t('This request is a routing case that should choose this skill.')
          : t('This request is a routing case that should not choose this skill.')}
      </p>
    );
  }
  const keep = (should: boolean): void => {
    kept.current = request;
    actions.post({ type: 'keepCase', request, should });
  };
  return (
    <p class="keep-case">
      {t('Keep the request as a routing case, which tests check:')}{' '}
      <Link onClick={() => keep(true)}>{t('It should choose this skill')}</Link>{' '}
      <Link onClick={() => keep(false)}>{t('It should not')}</Link>
    </p>
  );
}

/** The number of trials and the button that asks a model; while the model answers, its progress and a button to stop it. */
function AskModel({ view: { client, isChoosable }, model: { page, choice }, actions }: ChainProps) {
  const [trials, setTrials] = useState<(typeof TRIALS)[number]>(3);
  const request = page.request?.trim() ?? '';
  if (choice?.isRunning) {
    return (
      <div class="ask-model">
        <span role="status">{t('Asking {0}: {1} of {2} answers', choice.model, answersOf(choice), choice.trials)}</span>
        <Button onClick={() => actions.post({ type: 'stopModel' })}>{t('Stop')}</Button>
      </div>
    );
  }
  const problem = !isChoosable
    ? t('The model of {0} does not see this skill in its list.', client.name)
    : request === ''
      ? t('Enter a request first.')
      : undefined;
  return (
    <div class="ask-model">
      <Select
        label={t('Number of trials')}
        value={String(trials)}
        choices={TRIALS.map((count) => ({ value: String(count), label: tCount(count, '{0} trial', '{0} trials') }))}
        onChange={(value) => setTrials(TRIALS.find((count) => String(count) === value) ?? 3)}
      />
      <Button
        title={t('Send the list of {0} and the request to a language model of the editor', client.name)}
        disabled={problem}
        onClick={() => actions.post({ type: 'askModel', client: client.id, request, trials })}
      >
        {t('Ask a model…')}
      </Button>
      {choice && !choice.isOlder && <span role="status">{summaryOf(choice)}</span>}
    </div>
  );
}

/** Returns the choices in one line, because the list of the choices may be out of view. */
const summaryOf = (choice: ShownChoice): string => {
  const { model, counted, problem } = choice;
  const total = answersOf(choice);
  const shown = counted.map(({ choice: one, count }) => `${choiceWord(one)} ${t('{0} of {1}', count, total)}`);
  return shown.length > 0 ? t('{0} chose: {1}', model, shown.join(', ')) : (problem ?? '');
};

const choiceWord = (choice: Counted): string => {
  if (choice.kind === 'skill') return choice.name;
  if (choice.kind === 'none') return t('no skill');
  return choice.said === '' ? t('an empty answer') : t('an unclear answer');
};

const answersOf = ({ counted }: ShownChoice): number => counted.reduce((sum, { count }) => sum + count, 0);

/** The answer above the chain: the steps up to *Chosen* that fail, are unknown or depend, and the rank for a request. */
function Verdict({ view: { steps, client, ranking } }: { readonly view: ChosenReply }) {
  const unresolved = steps.filter(
    ({ name, outcome }) =>
      name !== 'delivered' && outcome !== 'not-reached' && (outcome !== 'yes' || (name === 'chosen' && ranking)),
  );
  return (
    <div class="verdict" role="status">
      {unresolved.map(({ name, outcome, text }) => (
        <Fragment key={name}>
          <OutcomeIcon {...outcomes[outcome]} />
          <span>
            <strong>{stepNames[name]}:</strong> <WithCode text={text} />
          </span>
        </Fragment>
      ))}
      {unresolved.length === 0 && (
        <>
          <OutcomeIcon {...outcomes.yes} />
          <span>{t('{0} lists this skill, and it ranks first.', client.name)}</span>
        </>
      )}
    </div>
  );
}

/** The details below the text of a step. */
const extras: Readonly<Partial<Record<ShownStep['name'], (props: ChainProps) => ComponentChildren>>> = {
  listed: ({ view: { line, client }, actions }) =>
    line && (
      <>
        <p
          class="listing-line"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must scroll it
          tabIndex={0}
        >
          {line.text}
        </p>
        {!line.isExact && <p class="quiet">{t('Exact form not known')}</p>}
        {line.hidden && (
          <p>
            {t('Cut here: the model of {0} does not see the rest.', client.name)}{' '}
            <PlaceLink place={line.hidden} actions={actions} />
          </p>
        )}
      </>
    ),
  chosen: ({ view: { ranking, cases, moreCases, uri }, model: { choice }, actions }) => (
    <>
      {ranking && <Ranking ranking={ranking} own={uri} actions={actions} />}
      {cases.length > 0 && (
        <ul class="cases" aria-label={t('Routing cases')}>
          {cases.map((one, at) => (
            <li key={at}>
              <OutcomeIcon tone={one.holds ? 'good' : 'bad'} word={one.holds ? t('holds') : t('fails')} />
              <span>
                {one.should ? t('should') : t('should not')}:{' '}
                <Link title={t('Go to the location')} onClick={() => actions.reveal(one.at, true)}>
                  {one.request}
                </Link>
                {!one.holds && (
                  <span class="quiet">
                    {' '}
                    <WithCode text={one.text} />
                  </span>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {moreCases > 0 && <p class="quiet">{t('{0} more cases are not shown.', grouped(moreCases))}</p>}
      {(ranking !== undefined || cases.length > 0) && (
        <p class="quiet">{t('Ranked by the words of the list, without a model. A model may choose differently.')}</p>
      )}
      {choice && <ModelsChoice choice={choice} own={uri} actions={actions} />}
    </>
  ),
  delivered: ({ view: { parts, body, frames, client }, model, actions }) => (
    <>
      {frames.map((frame, at) => (
        <Frame key={at} frame={frame} />
      ))}
      {parts.length > 0 && (
        <ul class="parts" aria-label={t('Placeholders, variables and commands')}>
          {parts.map((part, at) => (
            <li key={at}>
              <Link title={t('Go to the location')} onClick={() => actions.reveal(part.at, true)}>
                <code>{part.written}</code>
              </Link>{' '}
              <span class="quiet">
                {[
                  partOutcomes[part.kind][part.outcome],
                  ...(part.isByNameOnly ? [t('only in a call by name')] : []),
                  ...(part.isInCode ? [t('in code')] : []),
                ].join(', ')}
              </span>
            </li>
          ))}
        </ul>
      )}
      {body && (
        <p>
          <Link
            onClick={() => {
              actions.ask({ ...model.page.asked, client: client.id });
              actions.setPage({ tab: 'prompt' });
            }}
          >
            {t('Show the body as {0} delivers it', client.name)}
          </Link>
        </p>
      )}
    </>
  ),
};

type ShownFrame = ChosenReply['frames'][number];

/** The text of the client around the body, in a lighter colour. */
const Frame = ({ frame: { calls, gives, before, after, isExact } }: { readonly frame: ShownFrame }) => (
  <figure class="delivered-frame">
    <figcaption class="quiet">
      {calls.length > 1
        ? t('Text of every call')
        : calls[0] === 'model'
          ? t("Text of the model's call")
          : t('Text of a call by name')}
    </figcaption>
    <p
      class="listing-line"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must scroll it
      tabIndex={0}
    >
      <span class="quiet">{before}</span>
      {contentNames[gives] && <strong>{contentNames[gives]}</strong>}
      <span class="quiet">{after}</span>
    </p>
    {!isExact && <p class="quiet">{t('Exact form not known')}</p>}
  </figure>
);

const contentNames: Readonly<Record<ShownFrame['gives'], string>> = {
  body: t('[the body]'),
  file: t('[the whole file]'),
  name: '',
  nothing: '',
};

type DeliveredPart = ChosenReply['parts'][number];

const partOutcomes: Readonly<Record<DeliveredPart['kind'], Readonly<Record<DeliveredPart['outcome'], string>>>> = {
  argument: { filled: t('filled in'), kept: t('kept as text'), unknown: t('unknown') },
  text: { filled: t('replaced'), kept: t('kept as text'), unknown: t('unknown') },
  variable: { filled: t('replaced'), kept: t('kept as text'), unknown: t('unknown') },
  command: { filled: t('runs'), kept: t('kept as text'), unknown: t('unknown') },
};

interface StepProps {
  readonly step: ShownStep;
  readonly actions: Actions;
  readonly children: ComponentChildren;
}

function Step({ step, actions, children }: StepProps) {
  const { name, outcome, text, isPartial, isUnverified, reasons } = step;
  const { tone, word } = isPartial ? { tone: 'part' as const, word: t('in part') } : outcomes[outcome];
  return (
    <li class={`step ${outcome === 'not-reached' ? 'not-reached' : ''}`}>
      <OutcomeIcon tone={tone} word={word} />
      <div>
        <h3>
          {stepNames[name]} <span class="quiet">{isUnverified ? t('{0}, not verified', word) : word}</span>
        </h3>
        {outcome !== 'not-reached' && (
          <p>
            <WithCode text={text} />
          </p>
        )}
        {outcome !== 'not-reached' && children}
        {reasons.length > 0 && (
          <details class="sources">
            <summary>{t('Reasons and sources')}</summary>
            <ul>
              {reasons.map((reason, at) => (
                <li key={at}>
                  <WithCode text={reason.text} /> {reason.place && <PlaceLink place={reason.place} actions={actions} />}
                  <div class="quiet source">{evidenceOf(reason)}</div>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </li>
  );
}

interface PlaceLinkProps {
  readonly place: Parameters<Actions['reveal']>[0];
  readonly actions: Actions;
}

const PlaceLink = ({ place, actions }: PlaceLinkProps) => (
  <Link onClick={() => actions.reveal(place, true)}>{t('Go to the location')}</Link>
);

/** The icons of the table, except for a step that depends on something, which is no warning. */
const icons: typeof toneIcons = { ...toneIcons, part: 'follow' };

/** An icon with the word that screen readers read. */
const OutcomeIcon = ({ tone, word }: { readonly tone: Tone; readonly word: string }) => (
  <span class={`outcome ${tone}`} title={word}>
    <Icon name={icons[tone]} />
    <span class="unseen">{word}</span>
  </span>
);

const outcomes: Readonly<Record<ShownStep['outcome'], { readonly tone: Tone; readonly word: string }>> = {
  yes: { tone: 'good', word: t('yes') },
  no: { tone: 'bad', word: t('no') },
  depends: { tone: 'part', word: t('depends') },
  unknown: { tone: 'open', word: t('unknown') },
  'not-reached': { tone: 'none', word: t('not reached') },
};

const stepNames: Readonly<Record<ShownStep['name'], string>> = {
  found: t('Found'),
  loaded: t('Loaded'),
  listed: t('Listed'),
  chosen: t('Chosen'),
  delivered: t('Delivered'),
};

interface RankingProps {
  readonly ranking: ShownRanking;
  readonly own: string;
  readonly actions: Actions;
}

const Ranking = ({ ranking: { ranked }, own, actions }: RankingProps) => (
  <ol class="ranking" aria-label={t('Ranking')}>
    {ranked.map(({ uri, name, score, words }) => (
      <li key={uri} class={uri === own ? 'own' : undefined}>
        <span class="ranked-name">
          {uri === own ? (
            name
          ) : (
            <Link title={t('Open the file')} onClick={() => actions.reveal({ uri, range: top }, true)}>
              {name}
            </Link>
          )}
        </span>
        <Bar share={score} />
        <span class="quiet" title={t('100 % means that the name of the skill contains every word of the request.')}>
          {formatShare(score)}
        </span>
        <span class="quiet ranked-words">{words.join(', ')}</span>
      </li>
    ))}
  </ol>
);

interface ModelsChoiceProps {
  readonly choice: ShownChoice;
  readonly own: string;
  readonly actions: Actions;
}

/** The answers of a model, beside the ranking without a model. */
function ModelsChoice({ choice, own, actions }: ModelsChoiceProps) {
  const { model, client, request, trials, counted, isRunning, problem, time, isExact, isOlder } = choice;
  const answers = answersOf(choice);
  const notes = [
    `${client.name}, ${clock(time)}`,
    ...(isOlder ? [t('older: for another request, client or list')] : []),
    ...(isRunning || answers === trials ? [] : [t('ended after {0} of {1} trials', answers, trials)]),
    ...(isExact ? [] : [t('the exact list of this client is not known')]),
  ];
  return (
    <section class="models-choice" aria-label={t('Choice of a model')}>
      <h4>{t('{0} chose for “{1}”', model, request)}</h4>
      {counted.length > 0 && (
        <ol class="ranking" aria-label={t('Choices of {0}', model)}>
          {counted.map(({ choice: one, count }, at) => (
            <li key={at} class={one.kind === 'skill' && one.uris.includes(own) ? 'own' : undefined}>
              <span class="ranked-name">
                <ChoiceName choice={one} own={own} actions={actions} />
              </span>
              <Bar share={count / trials} />
              <span class="quiet">{t('{0} of {1}', count, answers)}</span>
              <span class="quiet ranked-words">{one.kind === 'unclear' && one.said}</span>
            </li>
          ))}
        </ol>
      )}
      {problem !== undefined && <p class="problem">{problem}</p>}
      <p class="quiet">{notes.join(' · ')}</p>
    </section>
  );
}

function ChoiceName({
  choice,
  own,
  actions,
}: Pick<ModelsChoiceProps, 'own' | 'actions'> & { readonly choice: Counted }) {
  const [uri] = choice.kind === 'skill' && !choice.uris.includes(own) ? choice.uris : [];
  if (uri === undefined) return choiceWord(choice);
  return (
    <Link title={t('Open the file')} onClick={() => actions.reveal({ uri, range: top }, true)}>
      {choiceWord(choice)}
    </Link>
  );
}

type Counted = ShownChoice['counted'][number]['choice'];
