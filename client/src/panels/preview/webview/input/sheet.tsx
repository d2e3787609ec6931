/** The form of the input, above the prompt, or beside it if the panel is wide enough. */
import type { ComponentChildren, RefObject, TargetedPointerEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, focusFirst, IconButton, Select, WithCode } from '../../../kit/controls.tsx';
import { directionOf } from '../../../kit/keys.ts';
import { t } from '../../../kit/l10n.ts';
import type { Invocation, InvocationSource } from '../../messages.ts';
import { inputErrors, isAgentSkill, samplesOf, type ViewProps } from '../model.ts';
import { Control, type Errors, ObjectControl } from './field.tsx';
import { givenIn, inputToSave, useRestorableFields, withInvocation, withOmission } from './input.tsx';
import { nameForSample } from './sample-name.ts';
import { fieldOf, type Json } from './schema.ts';

export function Sheet({ model, actions }: ViewProps) {
  const sheet = useRef<HTMLElement>(null);
  const samples = samplesOf(model);
  const given = givenIn(model);
  const { asked } = model.page;
  const set = (change: Partial<Record<keyof Invocation, Json | undefined>>): void => {
    const next = Object.entries({ ...given, ...change }).filter(([, value]) => value !== undefined);
    ask(withInvocation(asked, Object.fromEntries(next) as Invocation));
  };
  const opener = useSheetFocus(sheet, model.focus);
  const close = (): void => {
    actions.setPage({ sheetOpen: false });
    opener.current?.focus();
    const { activeElement } = document;
    if (activeElement === document.body || activeElement !== opener.current)
      document.getElementById('edit-input')?.focus();
  };
  const { ask, events } = useRestorableFields({ model, actions }, close);
  const isBeside = useMedia('(min-width: 700px)');
  const share = model.page.formShare ?? SHARE.initial;
  const field = samples?.schema === undefined ? undefined : fieldOf(samples.schema);
  const errors: Errors = new Map(inputErrors(model).map(({ subject, message }) => [subject, message]));
  const parameters = given.parameters as Json | undefined;
  // Without a sample, values are generated.
  const isGenerated = asked.sample === undefined;
  const standIn = isGenerated ? (model.show?.reply.invocation.parameters as Json | undefined) : undefined;
  const setParameters = (value: Json | undefined): void => set({ parameters: value });
  const omission = isGenerated && {
    names: asked.omitted ?? [],
    set: (name: string, isOmitted: boolean): void => ask(withOmission(asked, name, isOmitted)),
  };
  const shared = { value: parameters, standIn, change: setParameters, errors, path: '' };
  return (
    <>
      <section
        {...events}
        ref={sheet}
        id="input-form"
        class={`sheet ${isBeside ? 'beside' : ''}`}
        style={{ flexBasis: `${share}%` }}
        aria-label={t('Input')}
      >
        <div class="sheet-head">
          <h2>{t('Input')}</h2>
          <IconButton icon="close" label={t('Close (Escape)')} onClick={close} />
        </div>
        <div class="sheet-body">
          <Labelled id="request" label={t('Request')}>
            <textarea
              id="request"
              class="input"
              rows={1}
              value={given.request ?? ''}
              placeholder={t('Message from the user')}
              title={t('Shift+Enter starts a new line')}
              onInput={({ currentTarget: { value } }) => set({ request: value === '' ? undefined : value })}
            />
          </Labelled>
          {field === undefined && <p class="quiet">{t('The input schema is missing or invalid.')}</p>}
          {field?.kind === 'object' && field.members.length === 0 && (
            <p class="quiet">{t('The skill has no parameters.')}</p>
          )}
          {field?.kind === 'object' ? (
            <ObjectControl {...shared} members={field.members} omission={omission || undefined} />
          ) : (
            field && (
              <Control
                {...shared}
                field={field}
                id="parameters"
                label={t('Parameters')}
                ariaLabel={t('Parameters')}
                describedBy={undefined}
              />
            )
          )}
          <UnplacedErrors
            errors={errors}
            names={field?.kind === 'object' ? field.members.map(({ name }) => name) : []}
          />
          <Caller model={model} given={given} set={set} />
          {!isAgentSkill(model) && <KeepSample model={model} actions={actions} />}
        </div>
      </section>
      <Splitter share={share} isBeside={isBeside} resize={(next) => actions.setPage({ formShare: next })} />
    </>
  );
}

interface LabelledProps {
  /** The ID of the control among the children. */
  readonly id: string;
  readonly label: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

const Labelled = ({ id, label, class: name = '', children }: LabelledProps) => (
  <div class={`field ${name}`}>
    <label class="label" for={id}>
      {label}
    </label>
    {children}
  </div>
);

type Ref = RefObject<HTMLElement | null>;

/**
 * Moves the focus to the requested control and selects its text, or to the first control. Returns the element that had
 * the focus before.
 */
function useSheetFocus(sheet: Ref, focus: ViewProps['model']['focus']): Ref {
  const opener = useRef<HTMLElement | null>(null);
  useEffect(() => {
    if (focus?.what !== 'input') return;
    const active = document.activeElement;
    if (active instanceof HTMLElement && !sheet.current?.contains(active)) opener.current = active;
    const control = sheet.current && controlIn(sheet.current, focus.field);
    const field = control?.closest<HTMLElement>('.field');
    control?.closest('details')?.setAttribute('open', '');
    if (field && focus.field !== undefined) focusFirst(field);
    else control?.focus();
  }, [sheet, focus]);
  return opener;
}

/** Returns true while the media query matches. */
function useMedia(query: string): boolean {
  const [media] = useState(() => matchMedia(query));
  const [matches, setMatches] = useState(media.matches);
  useEffect(() => {
    const update = (): void => setMatches(media.matches);
    media.addEventListener('change', update);
    return () => media.removeEventListener('change', update);
  }, [media]);
  return matches;
}

/** The share of the form, and the change by an arrow key, in percent of the area below the input line. */
const SHARE = { min: 15, initial: 40, max: 85, step: 5 };

interface SplitterProps {
  readonly share: number;
  readonly isBeside: boolean;
  readonly resize: (share: number) => void;
}

/** The line between the form and the prompt, which the mouse, the arrow keys, Home and End move. */
function Splitter({ share, isBeside, resize }: SplitterProps) {
  const set = (next: number): void => resize(Math.round(Math.min(SHARE.max, Math.max(SHARE.min, next))));
  const drag = ({ currentTarget, pointerId, clientX, clientY }: TargetedPointerEvent<HTMLElement>): void => {
    const area = currentTarget.parentElement?.getBoundingClientRect();
    if (!area || !currentTarget.hasPointerCapture(pointerId)) return;
    set(100 * (isBeside ? (area.right - clientX) / area.width : (clientY - area.top) / area.height));
  };
  const move = (event: KeyboardEvent): void => {
    const [more, less] = isBeside ? ['Left', 'Right'] : ['Down', 'Up'];
    const direction = directionOf(event);
    if (direction === more) set(share + SHARE.step);
    else if (direction === less) set(share - SHARE.step);
    else if (event.key === 'Home') set(SHARE.min);
    else if (event.key === 'End') set(SHARE.max);
    else return;
    event.preventDefault();
  };
  return (
    <div
      class="splitter"
      role="separator"
      tabIndex={0}
      aria-label={t('Size of the form')}
      aria-controls="input-form"
      aria-orientation={isBeside ? 'vertical' : 'horizontal'}
      aria-valuenow={share}
      aria-valuemin={SHARE.min}
      aria-valuemax={SHARE.max}
      onKeyDown={move}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={drag}
    />
  );
}

/** Returns the control for `field` (see `Focus`); the first control if `field` is undefined or has no control. */
function controlIn(sheet: HTMLElement, field = ''): HTMLElement | null {
  const isOnPath = ({ dataset: { path } }: HTMLElement): boolean =>
    path !== undefined && `${field}.`.startsWith(`parameters.${path}.`);
  const controls = [...sheet.querySelectorAll<HTMLElement>('textarea, input, select')];
  const closest = [...sheet.querySelectorAll<HTMLElement>('.field')].filter(isOnPath).at(-1);
  const own = controls.find((one) => one.id === field || closest?.contains(one));
  return own ?? controls[0] ?? null;
}

/** The errors that no field shows, for example for an unknown parameter. */
function UnplacedErrors({ errors, names }: { readonly errors: Errors; readonly names: readonly string[] }) {
  const rest = [...errors].filter(([path]) => !names.includes(path.split('.')[0] ?? ''));
  return rest.map(([path, message]) => (
    <p key={path} class="field-error">
      <WithCode text={message} />
    </p>
  ));
}

const sources: readonly InvocationSource[] = ['explicit', 'agent-selected', 'scheduled', 'authoring'];

interface CallerProps {
  readonly model: ViewProps['model'];
  readonly given: Invocation;
  readonly set: (change: Partial<Record<keyof Invocation, Json | undefined>>) => void;
}

/**
 * The fields for the caller and the channel. The fields are expanded only if the planner does not offer the skill to
 * this caller on this channel.
 */
function Caller({ model, given, set }: CallerProps) {
  const samples = samplesOf(model);
  const isRefused = model.show?.reply.gates.some(({ gate }) => gate !== 'disabled' && gate !== 'deprecation') === true;
  const named = (names: readonly string[] = [], chosen: string | undefined, none: string) => [
    { value: '', label: none },
    ...[...new Set(chosen === undefined ? names : [...names, chosen])].map((name) => ({ value: name, label: name })),
  ];
  const orNone = (value: string): string | undefined => (value === '' ? undefined : value);
  return (
    <details class="caller" open={isRefused}>
      <summary>{t('Caller and channel')}</summary>
      <Labelled id="profile" label={t('Profile')}>
        <Select
          id="profile"
          value={given.profile ?? ''}
          choices={named(samples?.profiles, given.profile, t('anyone'))}
          onChange={(value) => set({ profile: orNone(value) })}
        />
      </Labelled>
      <Labelled id="source" label={t('Source')}>
        <Select
          id="source"
          value={given.source ?? 'explicit'}
          choices={sources.map((value) => ({ value, label: value }))}
          onChange={(value) => set({ source: value === 'explicit' ? undefined : value })}
        />
      </Labelled>
      <Labelled id="model" label={t('Model')}>
        <Select
          id="model"
          value={given.model ?? ''}
          choices={named(samples?.models, given.model, t('skill default'))}
          onChange={(value) => set({ model: orNone(value) })}
        />
      </Labelled>
      <Labelled id="channel" label={t('Channel')}>
        <input
          id="channel"
          class="input"
          type="text"
          placeholder={t('none: the whole workspace')}
          value={given.channel ?? ''}
          onInput={({ currentTarget: { value } }) => set({ channel: orNone(value) })}
        />
      </Labelled>
    </details>
  );
}

/** The field and button that save the input as a sample in the frontmatter. */
function KeepSample({ model, actions }: ViewProps) {
  const { sample, origin } = model.page.asked;
  const parameters = model.show?.reply.invocation.parameters;
  const known = samplesOf(model)?.samples.map((one) => one.name) ?? [];
  const [name, setName] = useState(() => sample ?? origin ?? nameForSample(parameters, known));
  const save = (): void => {
    const invocation = model.show?.reply.invocation;
    if (invocation) actions.post({ type: 'saveSample', name: name.trim(), invocation: inputToSave(invocation) });
  };
  return (
    <Labelled class="keep" id="sample-name" label={t('Save as sample')}>
      <div class="item">
        <input
          id="sample-name"
          class="input"
          type="text"
          placeholder={t('name, for example “siege at dusk”')}
          aria-describedby="sample-problem"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.isComposing) return;
            event.preventDefault();
            save();
          }}
        />
        <Button primary onClick={save}>
          {t('Save')}
        </Button>
      </div>
      <p class="field-error" id="sample-problem" role="alert">
        {model.saveProblem ?? ''}
      </p>
    </Labelled>
  );
}
