/** The form of the input, as a sheet over the prompt, or beside it if the panel is wide enough. */
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, IconButton, Select, WithCode } from '../../../kit/controls.tsx';
import { t } from '../../../kit/l10n.ts';
import type { Invocation, InvocationSource } from '../../messages.ts';
import { inputErrors, isAgentSkill, samplesOf, type ViewProps } from '../model.ts';
import { Control, type Errors, ObjectControl } from './field.tsx';
import { givenIn, inputToSave, withInvocation } from './input.tsx';
import { fieldOf, type Json } from './schema.ts';

export function Sheet({ model, actions }: ViewProps) {
  const sheet = useRef<HTMLDialogElement>(null);
  const samples = samplesOf(model);
  const given = givenIn(model);
  const { asked } = model.page;
  const set = (change: Partial<Record<keyof Invocation, Json | undefined>>): void => {
    const next = Object.entries({ ...given, ...change }).filter(([, value]) => value !== undefined);
    actions.ask(withInvocation(asked, Object.fromEntries(next) as Invocation));
  };
  const close = (): void => {
    actions.setPage({ sheetOpen: false });
    document.getElementById('edit-input')?.focus();
  };
  useSheetFocus(sheet, model.focus);
  const field = samples?.schema === undefined ? undefined : fieldOf(samples.schema);
  const errors: Errors = new Map(inputErrors(model).map(({ subject, message }) => [subject, message]));
  const parameters = given.parameters as Json | undefined;
  const standIn = model.show?.reply.invocation.parameters as Json | undefined;
  const setParameters = (value: Json | undefined): void => set({ parameters: value });
  const shared = { value: parameters, standIn, change: setParameters, errors, path: '' };
  return (
    <dialog
      ref={sheet}
      open
      class="sheet"
      aria-label={t('Input')}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
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
            onInput={({ currentTarget: { value } }) => set({ request: value === '' ? undefined : value })}
          />
        </Labelled>
        {field === undefined && <p class="quiet">{t('The input schema is missing or invalid.')}</p>}
        {field?.kind === 'object' && field.members.length === 0 && (
          <p class="quiet">{t('The skill has no parameters.')}</p>
        )}
        {field?.kind === 'object' ? (
          <ObjectControl {...shared} members={field.members} />
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
        <UnplacedErrors errors={errors} names={field?.kind === 'object' ? field.members.map(({ name }) => name) : []} />
        <Caller model={model} given={given} set={set} />
        {!isAgentSkill(model) && <KeepSample model={model} actions={actions} />}
      </div>
    </dialog>
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

/**
 * Moves the focus to the requested control. When the form opens without such a request, moves it to the first control.
 */
function useSheetFocus(sheet: RefObject<HTMLElement | null>, focus: ViewProps['model']['focus']): void {
  const isOpened = useRef(false);
  useEffect(() => {
    if (isOpened.current && focus?.what !== 'input') return;
    isOpened.current = true;
    const control = sheet.current && controlIn(sheet.current, focus?.what === 'input' ? focus.field : undefined);
    control?.closest('details')?.setAttribute('open', '');
    control?.focus();
  }, [sheet, focus]);
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
  const [name, setName] = useState(model.page.asked.sample ?? model.page.asked.origin ?? '');
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
            if (event.key === 'Enter') save();
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
