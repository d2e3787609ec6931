/** The controls that all pages use, in the style of the workbench. Strings become text nodes and never HTML. */
import type { ComponentChildren, HTMLAttributes, TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

let ids = 0;

/** Returns an ID that is unique in the page. The IDs from `useId` restart when the whole page is rendered again. */
export const useUniqueId = (): string => useState(() => `own-${++ids}`)[0];

interface ButtonProps {
  readonly onClick: () => void;
  readonly children: ComponentChildren;
  readonly primary?: boolean;
  readonly title?: string | undefined;
  /** The reason why the button is disabled, which is its tooltip; undefined if it is enabled. */
  readonly disabled?: string | undefined;
}

export const Button = ({ onClick, children, primary = false, title, disabled }: ButtonProps) => (
  <button
    type="button"
    class={`button ${primary ? 'primary' : 'secondary'}`}
    title={disabled ?? title}
    aria-disabled={disabled === undefined ? undefined : 'true'}
    onClick={disabled === undefined ? onClick : undefined}
  >
    {children}
  </button>
);

interface LinkProps {
  readonly onClick: () => void;
  readonly title?: string;
  readonly children: ComponentChildren;
}

/** A button that looks like a link. */
export const Link = ({ onClick, title, children }: LinkProps) => (
  <button type="button" class="link" title={title} onClick={onClick}>
    {children}
  </button>
);

interface IconButtonProps {
  readonly icon: IconName;
  /** The tooltip and the accessible name. */
  readonly label: string;
  readonly onClick: () => void;
  /** The state of a toggle button. */
  readonly pressed?: boolean;
  readonly disabled?: boolean;
}

export const IconButton = ({ icon, label, onClick, pressed, disabled }: IconButtonProps) => (
  <button
    type="button"
    class="icon-button"
    title={label}
    aria-label={label}
    aria-pressed={pressed}
    disabled={disabled}
    onClick={onClick}
  >
    <Icon name={icon} />
  </button>
);

/** A string that shows the parts between backticks as code. */
export const WithCode = ({ text }: { readonly text: string }) => (
  <>{text.split(/`([^`\n]+)`/).map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>))}</>
);

export interface SelectOption {
  readonly value: string;
  readonly label: string;
  readonly group?: string;
  readonly disabled?: boolean;
}

interface SelectProps {
  readonly choices: readonly SelectOption[];
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly id?: string;
  readonly label?: string | undefined;
  readonly describedBy?: string | undefined;
  readonly invalid?: boolean;
}

/** A select control that shows the choices with the same `group` together, under the group's name. */
export function Select({ choices, value, onChange, id, label, describedBy, invalid = false }: SelectProps) {
  const groups = [...new Set(choices.map(({ group }) => group))];
  const options = (group: string | undefined) =>
    choices
      .filter((choice) => choice.group === group)
      .map((choice) => (
        <option key={choice.value} value={choice.value} disabled={choice.disabled}>
          {choice.label}
        </option>
      ));
  return (
    <select
      class="input"
      id={id}
      aria-label={label}
      aria-describedby={describedBy}
      aria-invalid={invalid || undefined}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {groups.map((group) =>
        group === undefined ? (
          options(group)
        ) : (
          <optgroup key={group} label={group}>
            {options(group)}
          </optgroup>
        ),
      )}
    </select>
  );
}

interface PopoverProps extends Pick<HTMLAttributes<HTMLDivElement>, 'onClick' | 'onKeyDown' | 'onFocusIn'> {
  readonly role?: 'dialog' | 'menu';
  readonly label: string;
  /** The tooltip of the button, if it is not the label. */
  readonly hint?: string;
  /** The content of the button. */
  readonly face: ComponentChildren;
  readonly class: string;
  readonly onOpen?: (() => void) | undefined;
  readonly children: ComponentChildren;
}

/** A button that opens a popover below it. The browser closes the popover on Escape, or on a click outside it. */
export function Popover({
  role = 'dialog',
  label,
  hint = label,
  face,
  class: name,
  onOpen,
  children,
  ...events
}: PopoverProps) {
  const id = useUniqueId();
  const [isOpen, setOpen] = useState(false);
  const popover = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isOpen && popover.current) focusFirst(popover.current);
  }, [isOpen]);
  return (
    <>
      <button ref={opener} type="button" class={name} title={hint} aria-haspopup={role} popovertarget={id}>
        {face}
      </button>
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles take a name */}
      <div
        {...events}
        ref={popover}
        id={id}
        popover="auto"
        class={role === 'menu' ? 'menu' : 'popover'}
        role={role}
        aria-label={label}
        onBeforeToggle={({ newState }) => {
          placeBelow(popover.current, opener.current);
          if (newState === 'open') setOpen(true);
        }}
        onToggle={({ newState }) => {
          if (newState === 'open') onOpen?.();
          // The content stays until the browser has restored the focus.
          else setOpen(false);
        }}
      >
        {isOpen && children}
      </div>
    </>
  );
}

/** Moves the focus to the first control that holds a value, or to the first button, and selects the text in it. */
export function focusFirst(within: HTMLElement): void {
  const control =
    within.querySelector<HTMLElement>('input, select, textarea') ??
    within.querySelector<HTMLElement>('.button') ??
    within.querySelector('button');
  control?.focus();
  if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) control.select();
}

/** The distance of a popover from the edges of the page, and the maximum width of a popover, in pixels. */
const MARGIN = 4;
const WIDEST = 348;

/** Places a popover below its button, within the page. The size of the popover is unknown until it is shown. */
function placeBelow(popover: HTMLElement | null, opener: HTMLElement | null): void {
  if (!popover || !opener) return;
  const { bottom, left, right } = opener.getBoundingClientRect();
  const isLeft = left + right < innerWidth;
  popover.style.top = `${bottom + 2}px`;
  popover.style.left = isLeft ? `${Math.max(MARGIN, Math.min(left, innerWidth - MARGIN - WIDEST))}px` : 'auto';
  popover.style.right = isLeft ? 'auto' : `${Math.max(MARGIN, innerWidth - right)}px`;
}

interface MenuProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onOpen?: () => void;
  readonly children: ComponentChildren;
}

/** An icon button that opens a menu. A click on an item closes the menu. */
export const Menu = ({ icon, label, onOpen, children }: MenuProps) => (
  <Popover
    role="menu"
    label={label}
    class="icon-button"
    face={<Icon name={icon} />}
    onOpen={onOpen}
    onKeyDown={moveInMenu}
    onClick={({ currentTarget }) => currentTarget.hidePopover()}
  >
    {children}
  </Popover>
);

interface MenuItemProps {
  readonly onClick: () => void;
  readonly children: ComponentChildren;
  /** The reason why the item is disabled. */
  readonly disabled?: string | undefined;
}

export const MenuItem = ({ onClick, children, disabled }: MenuItemProps) => (
  <button
    type="button"
    role="menuitem"
    class="menu-item"
    tabIndex={-1}
    aria-disabled={disabled === undefined ? undefined : 'true'}
    title={disabled}
    onClick={disabled === undefined ? onClick : (event) => event.stopPropagation()}
  >
    {children}
    {disabled !== undefined && <span class="quiet">{disabled}</span>}
  </button>
);

function moveInMenu(event: TargetedKeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  if (next === undefined || items.length === 0) return;
  items[(next + items.length) % items.length]?.focus();
  event.preventDefault();
}

interface SwitchProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly id?: string;
  readonly label?: string | undefined;
}

export const Switch = ({ checked, onChange, id, label }: SwitchProps) => (
  <input
    class="switch"
    type="checkbox"
    // biome-ignore lint/a11y/useAriaPropsForRole: the checkbox itself exposes its state
    role="switch"
    id={id}
    aria-label={label}
    checked={checked}
    onChange={({ currentTarget }) => onChange(currentTarget.checked)}
  />
);

/**
 * Highlights ranges on the page without changing elements. The style sheet styles the ranges with `::highlight(name)`.
 */
export function highlight(name: string, ranges: readonly Range[]): void {
  // Older browsers do not support highlights.
  if (!('highlights' in CSS)) return;
  if (ranges.length === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, new Highlight(...ranges));
}

// Icons of 16 by 16 pixels, drawn as strokes in the colour of the text beside them.

const paths = {
  copy: 'M5.5 5.5h7v8h-7z M3.5 10.5v-8h7',
  check: 'M3 8.5l3.5 3.5l6.5-8',
  find: 'M7 3a4 4 0 1 0 0 8a4 4 0 0 0 0-8z M10 10l4 4',
  wrap: 'M2.5 4h11 M2.5 8h9a2.25 2.25 0 0 1 0 4.5h-3 M10 10.5l-2 2l2 2 M2.5 12.5h3',
  json: 'M6 2.5c-2 0-2 1-2 2.5s0 2.5-1.5 3c1.5.5 1.5 1.5 1.5 3s0 2.5 2 2.5 M10 2.5c2 0 2 1 2 2.5s0 2.5 1.5 3c-1.5.5-1.5 1.5-1.5 3s0 2.5-2 2.5',
  list: 'M6 4h7.5 M6 8h7.5 M6 12h7.5 M2.5 4h1 M2.5 8h1 M2.5 12h1',
  plus: 'M8 3v10 M3 8h10',
  minus: 'M3 8h10',
  fit: 'M2.5 6v-3.5h3.5 M10 2.5h3.5v3.5 M13.5 10v3.5h-3.5 M6 13.5h-3.5v-3.5',
  save: 'M8 2v8 M4.5 7l3.5 3.5l3.5-3.5 M2.5 13.5h11',
  close: 'M4 4l8 8 M12 4l-8 8',
  up: 'M4 10l4-4l4 4',
  down: 'M4 6l4 4l4-4',
  right: 'M6 4l4 4l-4 4',
  back: 'M13 8h-10 M7 4l-4 4l4 4',
  lock: 'M4 7.5h8v6h-8z M5.5 7.5v-2.5a2.5 2.5 0 0 1 5 0v2.5',
  more: 'M3 7.5h1v1h-1z M7.5 7.5h1v1h-1z M12 7.5h1v1h-1z',
  warning: 'M8 2.5l6 11h-12z M8 6.5v3 M8 11.5v.5',
  error: 'M8 2a6 6 0 1 0 0 12a6 6 0 0 0 0-12z M8 4.5v4 M8 10.8v.5',
  help: 'M8 2a6 6 0 1 0 0 12a6 6 0 0 0 0-12z M6.2 6.4a1.8 1.8 0 1 1 2.6 1.7c-.6.3-.8.6-.8 1.2 M8 11.3v.4',
  edit: 'M3 13l.6-2.6l7.6-7.6l2 2l-7.6 7.6z M9.8 4.2l2 2',
  step: 'M4 3l6 5l-6 5z M12.5 3v10',
  stepBack: 'M12 3l-6 5l6 5z M3.5 3v10',
  restart: 'M12.5 8a4.5 4.5 0 1 1-1.5-3.4 M11.5 2v3h-3',
  follow: 'M2.5 5.5h10 M10 3l2.5 2.5l-2.5 2.5 M13.5 10.5h-10 M6 8l-2.5 2.5l2.5 2.5',
} as const;

export type IconName = keyof typeof paths;

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg viewBox="0 0 16 16" class="icon" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);
