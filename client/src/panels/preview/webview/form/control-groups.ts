/** Controls of objects and lists, which hold other controls. Each member has a label, a description and an error. */

import { append, button, el, setAttr, setChildren, withCode } from '../../../kit/dom.ts';
import { iconButton } from '../../../kit/icons.ts';
import { t } from '../../../kit/l10n.ts';
import { type Changed, type Control, leafControl, textControl } from './controls.ts';
import { withEmptyButton } from './empty-value.ts';
import { type Field, isKeys, type Json, type Member, same } from './schema.ts';

let ids = 0;
/** A new element id, for labels and descriptions of inputs. */
export const newId = (): string => `f${++ids}`;

/** The control of a field, with the controls of its members or items. */
export function controlOf(field: Field, changed: Changed): Control {
  if (field.kind === 'text') return withEmptyButton('text', changed, (onChange) => textControl(field, onChange));
  if (field.kind === 'list') return withEmptyButton('list', changed, (onChange) => listControl(field, onChange));
  if (field.kind === 'object') return withEmptyButton('object', changed, (onChange) => objectControl(field, onChange));
  return leafControl(field, changed);
}

export function objectControl({ members }: Extract<Field, { kind: 'object' }>, changed: Changed): Control {
  const rows = members.map((member) => ({ member, ...memberRow(member, changed) }));
  const element = el('div', { class: 'group' }, ...rows.map((row) => row.element));
  // Members that the schema does not name are kept when another one is edited.
  let others: Readonly<Record<string, Json>> = {};
  const known = new Set(members.map(({ name }) => name));
  return {
    element,
    input: undefined,
    read: () => {
      const given = rows.flatMap(({ member, control }) => {
        const value = control.read();
        return value === undefined ? [] : [[member.name, value] as const];
      });
      const all = { ...others, ...Object.fromEntries(given) };
      return Object.keys(all).length === 0 ? undefined : all;
    },
    write: (value) => {
      const values = (isKeys(value) ? value : {}) as Readonly<Record<string, Json>>;
      others = Object.fromEntries(Object.entries(values).filter(([name]) => !known.has(name)));
      for (const { member, control } of rows) {
        control.write(Object.hasOwn(values, member.name) ? values[member.name] : undefined);
      }
    },
    show: (errors, path) => rows.flatMap(({ member, show }) => show(errors, join(path, member.name))),
  };
}

function listControl({ item, most }: Extract<Field, { kind: 'list' }>, changed: Changed): Control {
  const list = el('div', { class: 'items' });
  const more = button(t('Add'), () => {
    const row = add();
    (row.control.input ?? row.element.querySelector<HTMLElement>('input, textarea, select'))?.focus();
    changed();
  });
  const element = el('div', { class: 'list' }, list, more);
  let rows: ReturnType<typeof listRow>[] = [];
  const draw = (): void => {
    setChildren(
      list,
      rows.map((row) => row.element),
    );
    for (const [at, { control }] of rows.entries()) {
      setAttr(control.input ?? control.element, 'aria-label', t('Item {0}', at + 1));
    }
    more.disabled = most !== undefined && rows.length >= most;
  };
  const add = () => {
    const row = listRow(item, changed, () => {
      rows = rows.filter((one) => one !== row);
      draw();
      more.focus();
      changed();
    });
    rows.push(row);
    draw();
    return row;
  };
  const read = (): Json | undefined => {
    const values = rows.map(({ control }) => control.read()).filter((value) => value !== undefined);
    return values.length === 0 ? undefined : values;
  };
  return {
    element,
    input: undefined,
    read,
    write: (value) => {
      const values = Array.isArray(value) ? (value as readonly Json[]) : [];
      // A row that was just added is empty and not part of the value yet; it stays.
      if (same(read(), values.length === 0 ? undefined : values)) return;
      if (rows.length > values.length) rows = rows.slice(0, values.length);
      while (rows.length < values.length) add();
      for (const [at, row] of rows.entries()) row.control.write(values[at]);
      draw();
    },
    show: (errors, path) => {
      // The paths of errors count only rows with a value.
      let at = -1;
      return rows.flatMap((row) => {
        if (row.control.read() !== undefined) at++;
        return row.control.read() === undefined ? [] : row.show(errors, join(path, String(at)));
      });
    },
  };
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

function memberRow({ name, required, field }: Member, changed: Changed) {
  const control = controlOf(field, changed);
  const id = newId();
  const { input } = control;
  const label = el(input ? 'label' : 'span', { class: 'label', text: name });
  if (required) label.append(el('span', { class: 'required', text: ' *', title: t('required') }));
  const description = el('div', { class: 'description', text: field.description ?? '', attrs: { id: `${id}-d` } });
  description.hidden = field.description === undefined;
  const error = el('div', { class: 'field-error', attrs: { id: `${id}-e` } });
  label.id = `${id}-l`;
  if (input) {
    input.id = id;
    label.setAttribute('for', id);
    if (required) input.setAttribute('aria-required', 'true');
  } else control.element.setAttribute('aria-labelledby', label.id);
  const inline = field.kind === 'check';
  const element = el(
    'div',
    { class: 'member' },
    ...(inline ? [el('div', { class: 'line' }, control.element, label, control.after)] : [label, control.element]),
    description,
    error,
  );
  return { element, control, show: errorDisplay(control, error, `${id}-d ${id}-e`) };
}

function listRow(field: Field, changed: Changed, remove: () => void) {
  const control = controlOf(field, changed);
  const error = el('div', { class: 'field-error', attrs: { id: newId() } });
  const line = el('div', { class: 'line' }, control.element, iconButton('close', t('Remove this item'), remove));
  return { element: el('div', { class: 'item' }, line, error), control, show: errorDisplay(control, error, error.id) };
}

/** Makes a function that shows the error of a path at its control, and passes errors of longer paths on. */
function errorDisplay(control: Control, error: HTMLElement, describedBy: string) {
  return (errors: ReadonlyMap<string, string>, path: string): readonly string[] => {
    const own = control.problem?.() ?? errors.get(path);
    if (error.dataset.text !== (own ?? '')) {
      error.dataset.text = own ?? '';
      error.replaceChildren();
      // The label already names the field.
      append(error, withCode((own ?? '').replace(/^`[^`]*`: /, '')));
    }
    error.hidden = own === undefined;
    const target = control.input ?? control.element;
    setAttr(target, 'aria-describedby', describedBy);
    if (control.input) setAttr(control.input, 'aria-invalid', own === undefined ? undefined : 'true');
    return [...(errors.has(path) ? [path] : []), ...control.show(errors, path)];
  };
}
