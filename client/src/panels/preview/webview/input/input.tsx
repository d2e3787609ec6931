/** The input line: the selected sample, and its values as chips that can be edited. */
import type { TargetedFocusEvent, TargetedKeyboardEvent } from 'preact';
import { useRef } from 'preact/hooks';
import { Button, Link, Popover, Select, type SelectOption } from '../../../kit/controls.tsx';
import { t } from '../../../kit/l10n.ts';
import type { Invocation, NamedInvocation, PreviewRequest, SamplesReply } from '../../messages.ts';
import { inputErrors, type Model, plain, samplesOf, type ViewProps } from '../model.ts';
import { FieldRow } from './field.tsx';
import { brief, fieldOf, isKeys, type Json, type Member, same } from './schema.ts';

export function Input({ model, actions }: ViewProps) {
  const { sheetOpen, asked } = model.page;
  const invocation = model.show?.reply.invocation;
  const isMadeUp = asked.sample === undefined && asked.invocation === undefined;
  const hasParameters = Object.keys(invocation?.parameters ?? {}).length > 0;
  return (
    <div class="input-line">
      <InputSelect model={model} actions={actions} />
      <div class="chips">
        <Chips model={model} actions={actions} />
      </div>
      {isMadeUp && hasParameters && invocation && (
        <Button
          title={t('Adds these values to the skill as a sample that you can edit')}
          onClick={() => actions.post({ type: 'saveSample', name: '', invocation: inputToSave(invocation) })}
        >
          {t('Save as sample')}
        </Button>
      )}
      <button
        type="button"
        id="edit-input"
        class="link edit"
        aria-expanded={sheetOpen ? 'true' : 'false'}
        onClick={() => (sheetOpen ? actions.setPage({ sheetOpen: false }) : actions.edit())}
      >
        {t('Edit…')}
      </button>
    </div>
  );
}

function InputSelect({ model, actions }: ViewProps) {
  const samples = samplesOf(model);
  const chosen = inputSourceOf(model);
  const entries: (SelectOption & { readonly choice: InputSource })[] = [
    ...(samples?.samples ?? []).map(({ name }) => ({
      value: `sample ${name}`,
      label: name,
      group: t('Samples'),
      choice: { kind: 'sample' as const, name },
    })),
    ...(samples?.examples ?? []).map(({ name }) => ({
      value: `example ${name}`,
      label: name,
      group: t('Examples'),
      choice: { kind: 'example' as const, name },
    })),
    {
      value: 'made-up',
      label: membersOf(model).length === 0 ? t('No input') : t('Generated values'),
      choice: { kind: 'made-up' },
    },
    { value: 'own', label: ownLabel(chosen), choice: { kind: 'own', origin: undefined } },
  ];
  const value = 'name' in chosen ? `${chosen.kind} ${chosen.name}` : chosen.kind;
  const pick = (picked: string): void => {
    const choice = entries.find((entry) => entry.value === picked)?.choice;
    if (!choice) return;
    // The user's own input starts with the shown values.
    const shown = model.show?.reply.invocation;
    actions.ask(askFor(choice, samples, shown ? inputToSave(shown) : {}, model.page.asked));
    if (choice.kind === 'own') actions.edit();
  };
  return <Select label={t('Input')} value={value} choices={entries} onChange={pick} />;
}

/** Returns the inputs that the skill declares. */
function membersOf(model: ViewProps['model']): readonly Member[] {
  const { schema } = samplesOf(model) ?? {};
  const field = schema === undefined ? undefined : fieldOf(schema);
  return field?.kind === 'object' ? field.members : [];
}

const ownLabel = (choice: InputSource): string =>
  choice.kind === 'own' && choice.origin !== undefined ? t('{0} (edited)', choice.origin) : t('Own input');

function Chips({ model, actions }: ViewProps) {
  const { reply } = model.show ?? {};
  const { request, parameters, profile, channel, source } = reply?.invocation ?? {};
  const given = givenIn(model);
  const members = membersOf(model);
  const errors = new Map(inputErrors(model).map(({ subject, message }) => [subject, message]));
  const { ask, events } = useRestorableFields({ model, actions });
  const others = [
    ['request', t('request'), request],
    ['profile', t('profile'), profile],
    ['channel', t('channel'), channel],
    ['source', t('source'), source === 'explicit' ? undefined : source],
  ] as const;
  return (
    <>
      {Object.entries(parameters ?? {}).map(([name, value]) => {
        const member = members.find((one) => one.name === name) ?? {
          name,
          required: false,
          field: fieldOf({}),
        };
        const error = [...errors].find(([path]) => path === name || path.startsWith(`${name}.`))?.[1];
        const isMadeUp = reply?.madeUp.includes(name) === true;
        const own = partAt(given.parameters as Json | undefined, [name]);
        return (
          <Popover
            {...events}
            key={name}
            class={`face chip ${isMadeUp ? 'made-up' : ''} ${error === undefined ? '' : 'refused'}`}
            label={error === undefined ? name : plain(error)}
            hint={[...(error === undefined ? [] : [plain(error)]), wholeChip(name, value as Json)].join('\n\n')}
            face={<ChipText name={name} value={value as Json} />}
          >
            <FieldRow
              member={member}
              value={own}
              standIn={member.field.fallback ?? (own === undefined ? (value as Json) : undefined)}
              isDefault={!isMadeUp}
              change={(next) => {
                const changed = withPart(given.parameters as Json | undefined, [name], next);
                ask(withInvocation(model.page.asked, { ...given, parameters: changed as Record<string, Json> }));
              }}
              errors={errors}
              path={name}
            />
          </Popover>
        );
      })}
      {others.map(([id, name, value]) =>
        value === undefined || value === '' ? null : (
          <button key={id} type="button" class="chip" title={wholeChip(name, value)} onClick={() => actions.edit(id)}>
            <ChipText name={name} value={value} />
          </button>
        ),
      )}
      {Object.keys(parameters ?? {}).length === 0 && request === '' && members.length > 0 && (
        <span class="quiet">
          <Link onClick={() => actions.edit()}>{t('no values')}</Link>
        </span>
      )}
    </>
  );
}

const ChipText = ({ name, value }: { readonly name: string; readonly value: Json }) => (
  <>
    <span class="quiet name">{name}</span> <span class="value">{value === '' ? t('empty') : brief(value, 80)}</span>
  </>
);

/** The maximum length of a value in a tooltip. */
const LONGEST_HINT = 2000;

/** Returns the name and the whole value of a chip. Only a value that is longer than any tooltip is shortened. */
function wholeChip(name: string, value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 1);
  return `${name}\n${text.length > LONGEST_HINT ? `${text.slice(0, LONGEST_HINT)}…` : text}`;
}

/** The changes to the field with the focus. */
interface FieldEdit {
  readonly field: Element | null;
  /** The text in the control when the control got the focus. */
  readonly text: string;
  /** The request before the first change, and the request after the last change; undefined without a change. */
  readonly change?: { readonly before: PreviewRequest; readonly after: PreviewRequest };
}

/**
 * Returns the function that sends the changes of fields, and the events of the element that contains the fields. Enter
 * confirms a value. Escape restores the field with the focus. If this field has not changed, Escape calls `close`, or
 * has its default effect.
 */
export function useRestorableFields({ model, actions }: ViewProps, close?: () => void) {
  const edit = useRef<FieldEdit>({ field: null, text: '' });
  const { asked } = model.page;
  /** Returns the changes, unless the panel has replaced the input since the last change. */
  const ownChange = (): FieldEdit['change'] => {
    const { change } = edit.current;
    return JSON.stringify(change?.after) === JSON.stringify(asked) ? change : undefined;
  };
  const ask = (after: PreviewRequest): void => {
    edit.current = { ...edit.current, change: { before: ownChange()?.before ?? asked, after } };
    actions.ask(after);
  };
  const discard = (change: FieldEdit['change']): void => {
    const { field, text } = edit.current;
    edit.current = { field, text };
    if (change) actions.ask(change.before);
  };
  /** Restores the field; returns false if it has not changed. */
  const restore = (control: EventTarget | null): boolean => {
    const change = ownChange();
    if (!isTyped(control)) {
      discard(change);
      return change !== undefined;
    }
    const { value } = control;
    discard(change);
    const { text } = edit.current;
    const isRendered = change !== undefined && control.value !== value;
    // Text that is not a value yet, such as invalid JSON, is only in the control.
    const isDraft = !isRendered && (value !== text || control.validity.badInput);
    if (isDraft) {
      control.value = text;
      control.dispatchEvent(new Event('input', { bubbles: true }));
      discard(edit.current.change);
    }
    edit.current = { ...edit.current, text: control.value };
    return isDraft || change !== undefined;
  };
  const events = {
    onFocusIn: ({ target }: TargetedFocusEvent<HTMLElement>): void => {
      const field = target instanceof Element ? target.closest('.field') : null;
      const text = isTyped(target) ? target.value : '';
      edit.current = field === edit.current.field ? { ...edit.current, text } : { field, text };
    },
    onKeyDown: (event: TargetedKeyboardEvent<HTMLElement>): void => {
      if (event.isComposing) return;
      if (event.key === 'Enter' && confirm(event)) {
        const { target } = event;
        edit.current = { field: edit.current.field, text: isTyped(target) ? target.value : '' };
      }
      if (event.key !== 'Escape') return;
      if (restore(event.target)) event.preventDefault();
      else close?.();
    },
  };
  return { ask, events };
}

/**
 * Ends the edit of a value: closes its popover, or goes to the next field of the form. Shift+Enter breaks the line.
 * Returns true if the value is confirmed, for example also if the control has added an item to a list.
 */
function confirm(event: TargetedKeyboardEvent<HTMLElement>): boolean {
  const { currentTarget: within, target, shiftKey, ctrlKey, altKey, metaKey, defaultPrevented } = event;
  const isControl = isTyped(target) || target instanceof HTMLSelectElement;
  if (!isControl || shiftKey || ctrlKey || altKey || metaKey) return false;
  if (defaultPrevented) return true;
  event.preventDefault();
  // Text that is not a value yet would be lost.
  if (target.validity.badInput || target.matches('[data-draft]')) return false;
  if (within.matches(':popover-open')) within.hidePopover();
  else focusAfter(within, target);
  return true;
}

/** Moves the focus to the control after another one, and selects its text. */
function focusAfter(within: HTMLElement, control: Element): void {
  const controls: Element[] = [...within.querySelectorAll('textarea, input, select')];
  const next = controls[controls.indexOf(control) + 1];
  if (next instanceof HTMLElement) next.focus();
  if (isTyped(next ?? null)) (next as HTMLInputElement | HTMLTextAreaElement).select();
}

const isTyped = (control: EventTarget | null): control is HTMLInputElement | HTMLTextAreaElement =>
  control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement;

/** The path of a value within the parameters. */
type ValuePath = readonly (string | number)[];

/** The selected entry of the list: a sample, an example, generated values, or the user's own input. */
type InputSource =
  | { readonly kind: 'sample' | 'example'; readonly name: string }
  | { readonly kind: 'made-up' }
  | { readonly kind: 'own'; readonly origin: string | undefined };

function inputSourceOf(model: Model): InputSource {
  const { sample, invocation, origin } = model.page.asked;
  if (sample !== undefined) return { kind: 'sample', name: sample };
  if (invocation === undefined) return { kind: 'made-up' };
  const example = samplesOf(model)?.examples.find(({ name }) => name === origin);
  return example && same(example.invocation as Json, invocation as Json)
    ? { kind: 'example', name: example.name }
    : { kind: 'own', origin };
}

/** Returns the given values, without defaults and generated values. */
export function givenIn({ page, show }: Model): Invocation {
  const { sample, invocation } = page.asked;
  return invocation ?? find(show?.samples.samples, sample)?.invocation ?? {};
}

function askFor(
  choice: InputSource,
  samples: SamplesReply | undefined,
  given: Invocation,
  asked: PreviewRequest,
): PreviewRequest {
  const rest = { ...callOf(asked), without: [] };
  if (choice.kind === 'sample') return { sample: choice.name, ...rest };
  if (choice.kind === 'own') return { invocation: given, ...rest };
  const example = choice.kind === 'example' ? find(samples?.examples, choice.name) : undefined;
  return example ? { invocation: example.invocation, origin: example.name, ...rest } : rest;
}

/** Returns the request with another invocation, which becomes the user's own input. */
export function withInvocation(asked: PreviewRequest, invocation: Invocation): PreviewRequest {
  const from = asked.sample ?? asked.origin;
  // A parameter with a value is no longer left out.
  const omitted = (asked.omitted ?? []).filter((name) => !Object.hasOwn(invocation.parameters ?? {}, name));
  return {
    ...{ invocation, ...callOf(asked), without: asked.without },
    ...(omitted.length > 0 && { omitted }),
    ...(from !== undefined && { origin: from }),
  };
}

/** Returns the request in which a parameter has no value, or has one again. */
export function withOmission(asked: PreviewRequest, name: string, isOmitted: boolean): PreviewRequest {
  const { omitted: before = [], ...rest } = asked;
  const others = before.filter((one) => one !== name);
  const omitted = isOmitted ? [...others, name] : others;
  return omitted.length === 0 ? rest : { ...rest, omitted };
}

/** Returns the client and the arguments of a request. */
const callOf = ({ client, arguments: words }: PreviewRequest): Pick<PreviewRequest, 'client' | 'arguments'> => ({
  ...(client !== undefined && { client }),
  ...(words !== undefined && { arguments: words }),
});

/** Returns a value with one part replaced, or removed if `part` is undefined. */
function withPart(value: Json | undefined, path: ValuePath, part: Json | undefined): Json | undefined {
  const [first, ...rest] = path;
  if (first === undefined) return part;
  if (typeof first === 'number') {
    const list = Array.isArray(value) ? [...(value as readonly Json[])] : [];
    const item = withPart(list[first], rest, part);
    if (item === undefined) list.splice(first, 1);
    else list[first] = item;
    return list;
  }
  const map: Record<string, Json> = isKeys(value) ? { ...(value as Readonly<Record<string, Json>>) } : {};
  const next = withPart(Object.hasOwn(map, first) ? map[first] : undefined, rest, part);
  const others = Object.entries(map).filter(([name]) => name !== first);
  return Object.fromEntries(next === undefined ? others : replaced(Object.entries(map), first, next));
}

const replaced = (entries: readonly [string, Json][], name: string, value: Json): [string, Json][] =>
  entries.some(([key]) => key === name)
    ? entries.map(([key, old]) => [key, key === name ? value : old])
    : [...entries, [name, value]];

/** Returns the value at a path. */
function partAt(value: Json | undefined, path: ValuePath): Json | undefined {
  return path.reduce<Json | undefined>((at, step) => {
    if (typeof step === 'number') return Array.isArray(at) ? (at as readonly Json[])[step] : undefined;
    return isKeys(at) && Object.hasOwn(at, step) ? (at as Readonly<Record<string, Json>>)[step] : undefined;
  }, value);
}

const find = (list: readonly NamedInvocation[] | undefined, name: string | undefined): NamedInvocation | undefined =>
  list?.find((one) => one.name === name);

/** Returns the composed input, with generated values but without an empty request or the default source. */
export function inputToSave({ request, source, ...rest }: Invocation): Invocation {
  return {
    ...(request !== undefined && request !== '' && { request }),
    ...rest,
    ...(source !== undefined && source !== 'explicit' && { source }),
  };
}
