/** Controls of fields that hold no other fields. */

import { el } from '../../../kit/dom.ts';
import { iconButton } from '../../../kit/icons.ts';
import { t } from '../../../kit/l10n.ts';
import { createLongText } from './long-text.ts';
import { brief, type Field, type Json, same } from './schema.ts';

export interface Control {
  readonly element: HTMLElement;
  /** Shown after the label, for a control that stands before its label. */
  readonly after?: HTMLElement;
  /** The input of the label; undefined for groups, which have a label of their own. */
  readonly input: HTMLElement | undefined;
  /** The value; undefined if none is given. */
  readonly read: () => Json | undefined;
  /** Shows a value. Changes nothing if the control has this value already. */
  readonly write: (value: Json | undefined) => void;
  /** Shows errors by path, such as `cast.0.name`; `path` is the control's own. Returns the paths that it showed. */
  readonly show: (errors: ReadonlyMap<string, string>, path: string) => readonly string[];
  /** Why the input cannot be read, for example as JSON. */
  readonly problem?: () => string | undefined;
}

/** Called when the user changed a value. */
export type Changed = () => void;

type LeafField = Exclude<Field, { readonly kind: 'text' | 'list' | 'object' }>;

export function leafControl(field: LeafField, changed: Changed): Control {
  if (field.kind === 'choice') return choiceControl(field, changed);
  if (field.kind === 'check') return checkControl(field, changed);
  if (field.kind === 'number') return numberControl(field, changed);
  return jsonControl(field, changed);
}

function choiceControl({ choices, fallback }: Extract<Field, { kind: 'choice' }>, changed: Changed): Control {
  const select = el('select', { class: 'input', on: { change: changed } });
  const unset = fallback === undefined ? '' : t('{0} (default)', brief(fallback));
  select.append(el('option', { text: unset, attrs: { value: '' } }));
  // The index is the option's value, since two choices may have the same text.
  for (const [at, choice] of choices.entries()) {
    select.append(el('option', { text: brief(choice, 80), attrs: { value: String(at) } }));
  }
  return leaf(select, {
    read: () => (select.value === '' ? undefined : choices[Number(select.value)]),
    write: (value) => {
      const at = choices.findIndex((choice) => same(choice, value));
      select.value = at < 0 ? '' : String(at);
    },
  });
}

/** A box shows its default until the user changes it; a button then makes it not given again. */
function checkControl({ fallback }: Extract<Field, { kind: 'check' }>, changed: Changed): Control {
  const box = el('input', {
    class: 'check',
    attrs: { type: 'checkbox' },
    on: { change: () => set(box.checked, true) },
  });
  const reset = iconButton('close', t('Do not give it'), () => {
    set(undefined, true);
    box.focus();
  });
  let given: boolean | undefined;
  const set = (value: boolean | undefined, byUser: boolean): void => {
    given = value;
    box.checked = value ?? fallback === true;
    reset.hidden = value === undefined;
    if (byUser) changed();
  };
  set(undefined, false);
  const control = leaf(box, {
    read: () => given,
    write: (value) => set(typeof value === 'boolean' ? value : undefined, false),
  });
  return { ...control, after: reset };
}

function numberControl(field: Extract<Field, { kind: 'number' }>, changed: Changed): Control {
  const { integer, min, max, fallback } = field;
  const placeholder = fallback === undefined ? bounds(min, max) : brief(fallback);
  const attrs = { type: 'number', step: integer ? 1 : 'any', min, max, placeholder };
  const input = el('input', { class: 'input short', attrs, on: { input: changed } });
  return leaf(input, {
    read: () => (input.value === '' ? undefined : Number(input.value)),
    write: (value) => {
      input.value = value === undefined ? '' : String(value);
    },
  });
}

const bounds = (min: number | undefined, max: number | undefined): string | undefined => {
  if (min !== undefined && max !== undefined) return t('{0} to {1}', min, max);
  return min !== undefined ? t('at least {0}', min) : max !== undefined ? t('at most {0}', max) : undefined;
};

/** A text area that grows with its text. An empty one is not given. */
export function textControl({ fallback }: Extract<Field, { kind: 'text' }>, changed: Changed): Control {
  const placeholder = fallback === undefined ? undefined : brief(fallback, 120);
  const { element, ...text } = longText(placeholder, 'input', changed);
  const control = leaf(text.area, {
    read: () => (text.read() === '' ? undefined : text.read()),
    write: (value) => text.write(value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)),
  });
  return { ...control, element };
}

function jsonControl({ fallback }: Extract<Field, { kind: 'json' }>, changed: Changed): Control {
  const placeholder = fallback === undefined ? 'JSON' : brief(JSON.stringify(fallback), 120);
  const { element, ...text } = longText(placeholder, 'input mono', changed);
  const parsed = (): { value: Json | undefined; bad: boolean } => {
    try {
      return { value: text.read().trim() === '' ? undefined : JSON.parse(text.read()), bad: false };
    } catch {
      return { value: undefined, bad: true };
    }
  };
  const control = leaf(text.area, {
    read: () => parsed().value,
    write: (value) => text.write(value === undefined ? '' : JSON.stringify(value)),
  });
  const problem = () =>
    parsed().bad ? t('This is no JSON: write a value such as {"key": 1}, ["a"] or "text".') : undefined;
  return { ...control, element, problem };
}

function longText(placeholder: string | undefined, className: string, changed: Changed) {
  const attrs = { rows: 1, placeholder, spellcheck: 'false' };
  return createLongText(el('textarea', { class: className, attrs, on: { input: changed } }));
}

function leaf(input: HTMLElement, access: Pick<Control, 'read' | 'write'>): Control {
  return {
    element: input,
    input,
    read: access.read,
    write: (value) => {
      // Incomplete input reads as undefined and is not overwritten.
      if (!same(access.read(), value)) access.write(value);
    },
    show: () => [],
  };
}
