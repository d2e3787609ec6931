/** A button beside an empty control, which switches between no value and an empty value. */

import { el, setAttr } from '../../../kit/dom.ts';
import { t } from '../../../kit/l10n.ts';
import type { Changed, Control } from './controls.ts';
import { type Json, same } from './schema.ts';

const labels = {
  text: ['""', t('Give an empty text')],
  list: ['[]', t('Give an empty list')],
  object: ['{}', t('Give an empty object')],
} as const;
const values: Readonly<Record<keyof typeof labels, Json>> = { text: '', list: [], object: {} };

/** Adds the button to the control that `make` returns; the control must call `onChange` when the user changed it. */
export function withEmptyButton(
  kind: keyof typeof labels,
  changed: Changed,
  make: (onChange: Changed) => Control,
): Control {
  const [sign, title] = labels[kind];
  let isEmpty = false;
  const control = make(() => {
    if (control.read() !== undefined) isEmpty = false;
    updateToggle();
    changed();
  });
  const toggle = el('button', {
    class: 'empty-value',
    text: sign,
    title,
    attrs: { type: 'button', 'aria-label': title },
    on: {
      click: () => {
        isEmpty = !isEmpty;
        updateToggle();
        changed();
      },
    },
  });
  const updateToggle = (): void => {
    toggle.hidden = control.read() !== undefined;
    setAttr(toggle, 'aria-pressed', String(isEmpty));
  };
  const role = control.input ? undefined : 'group';
  const element = el('div', { class: 'emptiable', attrs: { role } }, control.element, toggle);
  updateToggle();
  return {
    ...control,
    element,
    read: () => control.read() ?? (isEmpty ? values[kind] : undefined),
    write: (value) => {
      isEmpty = same(value, values[kind]);
      control.write(isEmpty ? undefined : value);
      updateToggle();
    },
  };
}
