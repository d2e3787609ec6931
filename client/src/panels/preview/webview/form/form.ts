/** The form of an invocation: the skill's parameters and the caller. Each change is composed at once. */

import { el, setAttr, setChildren, withCode } from '../../../kit/dom.ts';
import { t } from '../../../kit/l10n.ts';
import type { Asked, Invocation, InvocationSource, NamedInvocation, SamplesReply } from '../../messages.ts';
import { type Actions, type Model, samplesOf, type View } from '../model.ts';
import { controlOf, newId, objectControl } from './control-groups.ts';
import type { Control } from './controls.ts';
import { createSaveSample } from './save-sample.ts';
import { type Field, fieldOf, type Json } from './schema.ts';

const sources: readonly InvocationSource[] = ['explicit', 'agent-selected', 'scheduled', 'authoring'];

/** The invocation that the form shows: the one that was asked, or that of the sample. */
function invocationOf({ sample, invocation }: Asked, samples: SamplesReply | undefined): Invocation {
  return invocation ?? samples?.samples.find(({ name }) => name === sample)?.invocation ?? {};
}

export const findNamed = (samples: SamplesReply | undefined, name: string | undefined): NamedInvocation | undefined =>
  [...(samples?.samples ?? []), ...(samples?.examples ?? [])].find((one) => one.name === name);

export interface FormView extends View {
  readonly focus: () => void;
}

export function createForm(actions: Actions): FormView {
  let model: Model | undefined;
  let schemaText: string | undefined;
  let parameters: Control | undefined;
  const changed = (): void => {
    if (!model) return;
    const { asked } = model.page;
    const { sample, origin, without } = asked;
    const from = sample ?? origin;
    actions.ask({ invocation: read(), without, ...(from !== undefined && { origin: from }) });
  };

  const request = labelled(
    t('request'),
    el('textarea', { class: 'input', attrs: { rows: 1 }, on: { input: changed } }),
  );
  const source = labelled(t('source'), el('select', { class: 'input', on: { change: changed } }));
  source.input.append(...sources.map((one) => el('option', { text: one, attrs: { value: one } })));
  const channel = labelled(
    t('channel'),
    el('input', { class: 'input', attrs: { type: 'text', placeholder: 'workspace' }, on: { input: changed } }),
  );
  const profile = labelled(t('profile'), el('select', { class: 'input', on: { change: changed } }));
  const modelName = labelled(t('model'), el('select', { class: 'input', on: { change: changed } }));
  const fields = el('div', { class: 'parameters' });
  const unplacedErrors = el('ul', { class: 'stray' });
  const save = createSaveSample(actions, () => read());
  const caller = el('div', { class: 'caller' }, ...[source, profile, modelName, channel].map((one) => one.element));
  const element = el(
    'div',
    { class: 'form' },
    request.element,
    el('h2', { text: t('parameters') }),
    fields,
    unplacedErrors,
    el('h2', { text: t('caller') }),
    caller,
    save.element,
  );

  const read = (): Invocation => {
    const before = model ? invocationOf(model.page.asked, samplesOf(model)) : {};
    const given = parameters ? parameters.read() : before.parameters;
    return {
      ...(request.input.value !== '' && { request: request.input.value }),
      ...(given !== undefined && { parameters: given as Readonly<Record<string, Json>> }),
      ...(source.input.value !== 'explicit' && { source: source.input.value as InvocationSource }),
      ...(channel.input.value !== '' && { channel: channel.input.value }),
      ...(profile.input.value !== '' && { profile: profile.input.value }),
      ...(modelName.input.value !== '' && { model: modelName.input.value }),
      // The form has no field for it; an edited sample keeps its own.
      ...(before.thread_id !== undefined && { thread_id: before.thread_id }),
    };
  };

  const rebuildParameters = (samples: SamplesReply | undefined): void => {
    const text = JSON.stringify(samples?.schema) ?? '';
    if (text === schemaText) return;
    schemaText = text;
    const field: Field | undefined = samples?.schema === undefined ? undefined : fieldOf(samples.schema);
    // The object of all parameters gets no button for an empty value.
    parameters = field?.kind === 'object' ? objectControl(field, changed) : field && controlOf(field, changed);
    setAttr(parameters?.element ?? fields, 'role', 'group');
    setAttr(parameters?.element ?? fields, 'aria-label', t('parameters'));
    const isWithout = field?.kind === 'object' && field.members.length === 0;
    const note = !field
      ? t('The parameter schema is missing or wrong.')
      : isWithout
        ? t('The skill takes no parameters.')
        : undefined;
    setChildren(fields, note ? [el('p', { class: 'quiet', text: note })] : parameters ? [parameters.element] : []);
  };

  return {
    element,
    focus: () => element.querySelector<HTMLElement>('textarea, input, select')?.focus(),
    update: (next) => {
      model = next;
      const samples = samplesOf(next);
      rebuildParameters(samples);
      const invocation = invocationOf(next.page.asked, samples);
      options(profile.input, samples?.profiles ?? [], invocation.profile, t('anyone'));
      options(modelName.input, samples?.models ?? [], invocation.model, t('as the skill prefers'));
      setUnlessFocused(request.input, invocation.request ?? '');
      setUnlessFocused(source.input, invocation.source ?? 'explicit');
      setUnlessFocused(channel.input, invocation.channel ?? '');
      setUnlessFocused(profile.input, invocation.profile ?? '');
      setUnlessFocused(modelName.input, invocation.model ?? '');
      parameters?.write(invocation.parameters);
      showErrors(next);
      save.update(next);
    },
  };

  /** Shows errors at their fields, and others, such as that of an unknown parameter, in a list. */
  function showErrors({ errors }: Model): void {
    const mismatches = errors.filter(({ kind }) => kind === 'ParameterMismatch');
    const byPath = new Map(mismatches.map(({ subject, message }) => [subject, message]));
    const placed = new Set(parameters?.show(byPath, '') ?? []);
    const rest = [...byPath].filter(([path]) => !placed.has(path)).map(([, message]) => message);
    setChildren(
      unplacedErrors,
      rest.map((text) => el('li', { class: 'field-error' }, ...withCode(text))),
    );
    unplacedErrors.hidden = rest.length === 0;
  }
}

type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Sets a value, except in a focused input, whose value is newer than the last answer. */
function setUnlessFocused(input: Input, value: string): void {
  if (input.value !== value && input !== document.activeElement) input.value = value;
}

function options(select: HTMLSelectElement, names: readonly string[], chosen: string | undefined, none: string): void {
  const all = chosen === undefined || names.includes(chosen) ? names : [...names, chosen];
  const key = JSON.stringify(all);
  if (select.dataset.names === key) return;
  select.dataset.names = key;
  const kept = select.value;
  select.replaceChildren(
    el('option', { text: none, attrs: { value: '' } }),
    ...all.map((name) => el('option', { text: name, attrs: { value: name } })),
  );
  select.value = all.includes(kept) ? kept : '';
}

function labelled<Element extends Input>(name: string, input: Element) {
  input.id = newId();
  const label = el('label', { class: 'label', text: name, attrs: { for: input.id } });
  return { input, element: el('div', { class: 'member' }, label, input) };
}
