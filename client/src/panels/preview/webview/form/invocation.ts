/** The line that summarises the invocation, and expands to its form. */

import { append, el, setAttr, setChildren, setText } from '../../../kit/dom.ts';
import { setIcon } from '../../../kit/icons.ts';
import { t } from '../../../kit/l10n.ts';
import type { Asked } from '../../messages.ts';
import { type Actions, type Model, samplesOf, type View } from '../model.ts';
import { createForm, findNamed } from './form.ts';
import { brief, type Json } from './schema.ts';

export interface InvocationView extends View {
  readonly focusForm: () => void;
}

export function createInvocation(actions: Actions): InvocationView {
  let model: Model | undefined;
  const form = createForm(actions);
  form.element.id = 'form';
  const picker = el('select', { class: 'input', attrs: { 'aria-label': t('Sample') }, on: { change: () => pick() } });
  const arrow = el('span', { class: 'arrow' });
  const summary = el('span', { class: 'summary' });
  const toggle = el(
    'button',
    {
      class: 'disclosure',
      title: t('What the skill is composed for'),
      attrs: { type: 'button', 'aria-controls': 'form' },
      on: { click: () => actions.setPage({ formOpen: !(model?.page.formOpen ?? false) }) },
    },
    arrow,
    el('span', { class: 'unseen', text: `${t('Invocation')}: ` }),
    summary,
  );
  const element = el('div', { class: 'invocation' }, el('div', { class: 'fold' }, picker, toggle), form.element);

  const pick = (): void => {
    if (!model) return;
    const samples = samplesOf(model);
    const name = picker.value.slice(2);
    const example = picker.value.startsWith('e:') ? samples?.examples.find((one) => one.name === name) : undefined;
    const asked: Asked = example
      ? { invocation: example.invocation, origin: example.name, without: [] }
      : picker.value.startsWith('s:')
        ? { sample: name, without: [] }
        : { without: [] };
    actions.ask(asked);
  };
  return {
    element,
    focusForm: () => {
      actions.setPage({ formOpen: true });
      form.focus();
    },
    update: (next) => {
      model = next;
      if (!next.show) return;
      const { formOpen } = next.page;
      fillPicker(picker, next);
      if (toggle.getAttribute('aria-expanded') !== String(formOpen)) setIcon(arrow, formOpen ? 'down' : 'right');
      setAttr(toggle, 'aria-expanded', String(formOpen));
      const parts = summaryOf(next);
      const text = parts.map(([key, value]) => `${key} ${value}`).join('  ');
      if (summary.dataset.text !== text) {
        summary.dataset.text = text;
        setChildren(
          summary,
          parts.map(([key, value]) => pair(key, value)),
        );
        if (parts.length === 0) setText(summary, t('no request, no parameters'));
      }
      form.element.hidden = !formOpen;
      form.update(next);
    },
  };
}

const pair = (key: string, value: string): HTMLElement =>
  el('span', { class: 'pair' }, el('span', { class: 'quiet', text: `${key} ` }), value);

/** The composed invocation, with its defaults. */
function summaryOf({ show }: Model): (readonly [string, string])[] {
  const { request, parameters, source, channel, profile, model } = show?.reply.invocation ?? {};
  const named = [
    [t('profile'), profile],
    [t('model'), model],
    [t('channel'), channel],
    [t('source'), source === 'explicit' ? undefined : source],
  ] as const;
  return [
    ...(request ? [[t('request'), brief(request, 44)] as const] : []),
    ...Object.entries(parameters ?? {}).map(([name, value]) => [name, brief(value as Json, 24)] as const),
    ...named.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  ];
}

function fillPicker(picker: HTMLSelectElement, model: Model): void {
  const samples = samplesOf(model);
  const { sample, origin, invocation } = model.page.asked;
  const example = samples?.examples.find(({ name }) => name === origin);
  const edited =
    invocation !== undefined && JSON.stringify(findNamed(samples, origin)?.invocation) !== JSON.stringify(invocation);
  const chosen = edited ? 'x:' : sample !== undefined ? `s:${sample}` : example ? `e:${example.name}` : '';
  const names = [samples?.samples, samples?.examples].map((list) => list?.map(({ name }) => name) ?? []);
  const key = JSON.stringify([names, edited, origin]);
  if (picker.dataset.key !== key) {
    picker.dataset.key = key;
    picker.replaceChildren();
    if (edited)
      append(picker, [
        el('option', {
          text: origin === undefined ? t('Own invocation') : t('{0} (edited)', origin),
          attrs: { value: 'x:' },
        }),
      ]);
    append(picker, [
      el('option', { text: t('Made-up values'), attrs: { value: '' } }),
      group(t('Samples'), 's:', names[0] ?? []),
      group(t('Examples'), 'e:', names[1] ?? []),
    ]);
  }
  if (picker.value !== chosen) picker.value = chosen;
}

const group = (label: string, prefix: string, names: readonly string[]): HTMLElement | false =>
  names.length > 0 &&
  el(
    'optgroup',
    { attrs: { label } },
    ...names.map((name) => el('option', { text: name, attrs: { value: `${prefix}${name}` } })),
  );
