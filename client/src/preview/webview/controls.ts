/** One control for each kind of field. A control holds its value itself; `read` gives undefined for "not given". */
import { listControl, objectControl } from './control-groups.ts';
import { el } from './dom.ts';
import { brief, type Field, type Json } from './schema.ts';

export interface Control {
  readonly element: HTMLElement;
  /** What the label names; undefined for groups, which are named themselves. */
  readonly input: HTMLElement | undefined;
  readonly read: () => Json | undefined;
  /** Takes a value from outside; where it is what stands there already, nothing is touched. */
  readonly write: (value: Json | undefined) => void;
  /** Shows errors by path (`cast.0.name`); `path` is the control's own. Returns the paths that it had a place for. */
  readonly show: (errors: ReadonlyMap<string, string>, path: string) => readonly string[];
  /** What cannot be read as a value: JSON that does not parse. */
  readonly problem?: () => string | undefined;
}

/** Goes on with what the user did. */
export type Changed = () => void;

export function controlOf(field: Field, changed: Changed): Control {
  if (field.kind === 'choice') return choiceControl(field, changed);
  if (field.kind === 'check') return checkControl(field, changed);
  if (field.kind === 'number') return numberControl(field, changed);
  if (field.kind === 'text') return textControl(field, changed);
  if (field.kind === 'list') return listControl(field, changed);
  if (field.kind === 'object') return objectControl(field, changed);
  return jsonControl(field, changed);
}

function choiceControl({ choices, fallback }: Extract<Field, { kind: 'choice' }>, changed: Changed): Control {
  const select = el('select', { class: 'input', on: { change: changed } });
  const unset = fallback === undefined ? '' : `${brief(fallback)} (default)`;
  select.append(el('option', { text: unset, attrs: { value: '' } }));
  // The place in the list is the value: two choices may be printed alike.
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

function checkControl({ fallback }: Extract<Field, { kind: 'check' }>, changed: Changed): Control {
  let given = false;
  const on = () => {
    given = true;
    changed();
  };
  const box = el('input', { class: 'check', attrs: { type: 'checkbox' }, on: { change: on } });
  box.checked = fallback === true;
  return leaf(box, {
    read: () => (given ? box.checked : undefined),
    write: (value) => {
      given = typeof value === 'boolean';
      box.checked = given ? value === true : fallback === true;
    },
  });
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
  if (min !== undefined && max !== undefined) return `${min} to ${max}`;
  return min !== undefined ? `at least ${min}` : max !== undefined ? `at most ${max}` : undefined;
};

/** Grows with its text. What was emptied is "not given": an empty string is the one value that a form cannot say. */
function textControl({ fallback }: Extract<Field, { kind: 'text' }>, changed: Changed): Control {
  const placeholder = fallback === undefined ? undefined : brief(fallback, 120);
  const area = el('textarea', {
    class: 'input',
    attrs: { rows: 1, placeholder, spellcheck: 'false' },
    on: { input: changed },
  });
  return leaf(area, {
    read: () => (area.value === '' ? undefined : area.value),
    write: (value) => {
      area.value = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
    },
  });
}

function jsonControl({ fallback }: Extract<Field, { kind: 'json' }>, changed: Changed): Control {
  const placeholder = fallback === undefined ? 'JSON' : JSON.stringify(fallback);
  const attrs = { rows: 1, placeholder, spellcheck: 'false' };
  const area = el('textarea', { class: 'input mono', attrs, on: { input: changed } });
  const parsed = (): { value: Json | undefined; bad: boolean } => {
    try {
      return { value: area.value.trim() === '' ? undefined : JSON.parse(area.value), bad: false };
    } catch {
      return { value: undefined, bad: true };
    }
  };
  return {
    ...leaf(area, {
      read: () => parsed().value,
      write: (value) => {
        area.value = value === undefined ? '' : JSON.stringify(value, undefined, 1).replace(/\n\s*/g, ' ');
      },
    }),
    problem: () => (parsed().bad ? 'This is no JSON: write a value such as {"key": 1}, ["a"] or "text".' : undefined),
  };
}

function leaf(input: HTMLElement, access: Pick<Control, 'read' | 'write'>): Control {
  return {
    element: input,
    input,
    read: access.read,
    write: (value) => {
      // What is half written reads as nothing, and stays.
      if (!same(access.read(), value)) access.write(value);
    },
    show: () => [],
  };
}

export const same = (a: Json | undefined, b: Json | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);
