/** "Not given" and "given, and empty" are two values. A button beside a control that shows nothing tells which one is meant. */

import { el, setAttr } from '../../../kit/dom.ts';
import { t } from '../../../kit/l10n.ts';
import type { Changed, Control } from './controls.ts';
import { type Json, same } from './schema.ts';

const words = {
  text: ['""', t('Give an empty text')],
  list: ['[]', t('Give an empty list')],
  object: ['{}', t('Give an empty object')],
} as const;
const values: Readonly<Record<keyof typeof words, Json>> = { text: '', list: [], object: {} };

/** Makes a control, and beside it the button; `make` gets what the control must call when the author changed it. */
export function withEmpty(kind: keyof typeof words, changed: Changed, make: (changed: Changed) => Control): Control {
  const [sign, title] = words[kind];
  let empty = false;
  const control = make(() => {
    // What was written goes before what the button said.
    if (control.read() !== undefined) empty = false;
    tell();
    changed();
  });
  const toggle = el('button', {
    class: 'empty-value',
    text: sign,
    title,
    attrs: { type: 'button', 'aria-label': title },
    on: {
      click: () => {
        empty = !empty;
        tell();
        changed();
      },
    },
  });
  const tell = (): void => {
    toggle.hidden = control.read() !== undefined;
    setAttr(toggle, 'aria-pressed', String(empty));
  };
  const role = control.input ? undefined : 'group';
  const element = el('div', { class: 'emptiable', attrs: { role } }, control.element, toggle);
  tell();
  return {
    ...control,
    element,
    read: () => control.read() ?? (empty ? values[kind] : undefined),
    write: (value) => {
      empty = same(value, values[kind]);
      control.write(empty ? undefined : value);
      tell();
    },
  };
}
