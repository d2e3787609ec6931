/** The controls of all pages, in the style of the workbench. A text is a text node, so that no author's text becomes HTML. */
import type { ComponentChildren, HTMLAttributes, TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icons.tsx';

let ids = 0;

/** An id that no other element of the page has. That of `useId` begins anew with each rendering of the whole page. */
export const useOwnId = (): string => useState(() => `own-${++ids}`)[0];

interface ButtonProps {
  readonly onClick: () => void;
  readonly children: ComponentChildren;
  readonly primary?: boolean;
  readonly title?: string;
  /** Why it cannot be pressed: its tooltip, since a button without an answer puzzles. */
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
  /** Its tooltip and its accessible name. */
  readonly label: string;
  readonly onClick: () => void;
  /** For a button that stays pressed. */
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

/** A text whose parts between backticks are code. */
export const WithCode = ({ text }: { readonly text: string }) => (
  <>{text.split(/`([^`\n]+)`/).map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>))}</>
);

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly group?: string;
  readonly disabled?: boolean;
}

interface SelectProps {
  readonly choices: readonly Choice[];
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly id?: string;
  readonly label?: string | undefined;
  readonly describedBy?: string | undefined;
  readonly invalid?: boolean;
}

/** Choices with one `group` stand together under its name. */
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

interface PopoverProps extends Pick<HTMLAttributes<HTMLDivElement>, 'onClick' | 'onKeyDown'> {
  readonly role?: 'dialog' | 'menu';
  readonly label: string;
  /** What the button shows, and its class. */
  readonly face: ComponentChildren;
  readonly class: string;
  readonly onOpen?: (() => void) | undefined;
  readonly children: ComponentChildren;
}

/** A button that opens more below it. The browser closes that by Escape and by a click beside it. */
export function Popover({ role = 'dialog', label, face, class: name, onOpen, children, ...events }: PopoverProps) {
  const id = useOwnId();
  const [isOpen, setOpen] = useState(false);
  const popover = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isOpen) popover.current?.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
  }, [isOpen]);
  return (
    <>
      <button ref={opener} type="button" class={name} title={label} aria-haspopup={role} popovertarget={id}>
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
          // What has the focus stays until the browser has given the focus back.
          else setOpen(false);
        }}
      >
        {isOpen && children}
      </div>
    </>
  );
}

/** The distance that a popover keeps from the edges of the page, and the width of the widest one, in pixels. */
const MARGIN = 4;
const WIDEST = 348;

/** Places a popover below its opener, within the page: its size is not known before it is shown. */
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

/** An icon button that opens a menu. A click on an item closes it. */
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
  /** Why it cannot be chosen. */
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
    // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox says itself whether it is checked
    role="switch"
    id={id}
    aria-label={label}
    checked={checked}
    onChange={({ currentTarget }) => onChange(currentTarget.checked)}
  />
);
