/** The fields of a form, made from a schema. Nothing is red before it was touched. */
import { useState } from 'preact/hooks';
import { Button, IconButton, useOwnId, WithCode } from '../../../kit/controls.tsx';
import { Icon } from '../../../kit/icons.tsx';
import { t } from '../../../kit/l10n.ts';
import {
  CheckControl,
  ChoiceControl,
  type ControlProps,
  type Errors,
  JsonControl,
  NumberControl,
  TextControl,
} from './controls.tsx';
import { type Field, isKeys, type Json, type Member } from './schema.ts';

interface RowProps {
  readonly member: Member;
  readonly value: Json | undefined;
  readonly standIn: Json | undefined;
  readonly change: (value: Json | undefined) => void;
  readonly errors: Errors;
  readonly path: string;
}

/** A field: its label above its control, and what is wrong with it below. An object folds. */
export function FieldRow({ member, value, standIn, change, errors, path }: RowProps) {
  const { name, required, field } = member;
  const id = useOwnId();
  const [isTouched, touch] = useState(false);
  const [isFolded, fold] = useState(false);
  const known = isGroup(field) ? errors.get(path) : errorBelow(errors, path);
  const error = isTouched || value !== undefined ? known : undefined;
  const changed = (next: Json | undefined): void => {
    touch(true);
    change(next);
  };
  const control = (
    <Control
      field={field}
      value={value}
      standIn={standIn}
      change={changed}
      id={id}
      label={name}
      describedBy={error === undefined ? undefined : `${id}-error`}
      errors={errors}
      path={path}
    />
  );
  const label = (
    <>
      {name}
      {required && (
        <span class="required" title={t('required')}>
          {' *'}
        </span>
      )}
    </>
  );
  return (
    <div class="field">
      <div class="field-head">
        {field.kind === 'object' ? (
          <button
            type="button"
            class="label fold"
            id={`${id}-label`}
            aria-expanded={isFolded ? 'false' : 'true'}
            onClick={() => fold(!isFolded)}
          >
            <Icon name={isFolded ? 'right' : 'down'} />
            {label}
          </button>
        ) : field.kind === 'list' ? (
          <span class="label" id={`${id}-label`}>
            {label}
          </span>
        ) : (
          <label class="label" for={id}>
            {label}
          </label>
        )}
        {value === undefined ? (
          <span class="not-given quiet">{t('not given')}</span>
        ) : (
          <IconButton icon="close" label={t('Do not give {0}', name)} onClick={() => changed(undefined)} />
        )}
      </div>
      {field.description !== undefined && <p class="description">{field.description}</p>}
      {isGroup(field)
        ? !isFolded && (
            <div role="group" aria-labelledby={`${id}-label`} class="nested">
              {control}
            </div>
          )
        : control}
      {error !== undefined && <FieldError id={`${id}-error`} message={error} />}
    </div>
  );
}

const isGroup = ({ kind }: Field): boolean => kind === 'object' || kind === 'list';

/** The error of a value, or of a part of it that has no control of its own. */
const errorBelow = (errors: Errors, path: string): string | undefined =>
  [...errors].find(([at]) => at === path || at.startsWith(`${path}.`))?.[1];

/** Without the name, which stands above. */
const FieldError = ({ id, message }: { readonly id: string; readonly message: string }) => (
  <p class="field-error" id={id}>
    <WithCode text={message.replace(/^`[^`]*`: /, '')} />
  </p>
);

export function Control(props: ControlProps) {
  const { field } = props;
  if (field.kind === 'choice') return <ChoiceControl {...props} choices={field.choices} />;
  if (field.kind === 'check') return <CheckControl {...props} />;
  if (field.kind === 'number') return <NumberControl {...props} field={field} />;
  if (field.kind === 'text') return <TextControl {...props} field={field} />;
  if (field.kind === 'list') return <ListControl {...props} field={field} />;
  if (field.kind === 'object') return <ObjectControl {...props} members={field.members} />;
  return <JsonControl {...props} />;
}

type ListField = Extract<Field, { kind: 'list' }>;

/** Items below each other; for texts and numbers, Enter in the last line adds one. */
function ListControl({ field, value, change, label, errors, path }: ControlProps & { readonly field: ListField }) {
  const items = Array.isArray(value) ? (value as readonly Json[]) : [];
  const { item, most } = field;
  const isFull = most !== undefined && items.length >= most;
  const replace = (at: number, next: Json | undefined): void =>
    change(
      next === undefined ? items.filter((_, nth) => nth !== at) : items.map((old, nth) => (nth === at ? next : old)),
    );
  return (
    <>
      {items.map((one, at) => (
        <Item
          // An item has nothing else to be known by.
          key={at}
          field={item}
          value={one}
          label={t('{0}, item {1}', label, at + 1)}
          change={(next) => replace(at, next ?? emptyOf(item))}
          remove={() => replace(at, undefined)}
          errors={errors}
          path={`${path}.${at}`}
        />
      ))}
      {!isFull && <AddItem item={item} label={label} add={(next) => change([...items, next])} />}
    </>
  );
}

interface ItemProps extends Pick<ControlProps, 'field' | 'value' | 'label' | 'change' | 'errors' | 'path'> {
  readonly remove: () => void;
}

function Item({ remove, ...shared }: ItemProps) {
  const { field, label, errors, path } = shared;
  const id = useOwnId();
  const error = isGroup(field) ? errors.get(path) : errorBelow(errors, path);
  const control = (
    <Control {...shared} id={id} ariaLabel={label} describedBy={error === undefined ? undefined : `${id}-error`} />
  );
  return (
    <div class="item">
      {isGroup(field) ? (
        <div role="group" aria-label={label}>
          {control}
        </div>
      ) : (
        control
      )}
      <IconButton icon="close" label={t('Remove {0}', label)} onClick={remove} />
      {error !== undefined && <FieldError id={`${id}-error`} message={error} />}
    </div>
  );
}

function AddItem({ item, label, add }: { item: Field; label: string; add: (value: Json) => void }) {
  if (item.kind !== 'text' && item.kind !== 'number') {
    return <Button onClick={() => add(emptyOf(item))}>{t('Add')}</Button>;
  }
  return (
    <input
      class="input"
      type="text"
      inputMode={item.kind === 'number' ? 'decimal' : 'text'}
      aria-label={t('Add to {0}', label)}
      placeholder={t('Add by Enter')}
      onKeyDown={(event) => {
        const { value } = event.currentTarget;
        const next = item.kind === 'number' ? Number(value) : value;
        if (event.key !== 'Enter' || value === '' || Number.isNaN(next)) return;
        event.preventDefault();
        add(next);
        event.currentTarget.value = '';
      }}
    />
  );
}

function emptyOf(field: Field): Json {
  if (field.fallback !== undefined) return field.fallback;
  if (field.kind === 'choice') return field.choices[0] ?? null;
  if (field.kind === 'check') return false;
  if (field.kind === 'number') return field.min ?? 0;
  if (field.kind === 'list') return [];
  return field.kind === 'object' ? {} : '';
}

/** Fields that the schema does not name are kept. */
export function ObjectControl({
  members,
  value,
  standIn,
  change,
  errors,
  path,
}: Pick<ControlProps, 'value' | 'standIn' | 'change' | 'errors' | 'path'> & { readonly members: readonly Member[] }) {
  const map = (isKeys(value) ? value : {}) as Readonly<Record<string, Json>>;
  const below = (isKeys(standIn) ? standIn : {}) as Readonly<Record<string, Json>>;
  const set = (name: string, next: Json | undefined): void => {
    const { [name]: _, ...others } = map;
    change(next === undefined ? others : { ...map, [name]: next });
  };
  return (
    <>
      {members.map((member) => (
        <FieldRow
          key={member.name}
          member={member}
          value={Object.hasOwn(map, member.name) ? map[member.name] : undefined}
          standIn={member.field.fallback ?? (Object.hasOwn(below, member.name) ? below[member.name] : undefined)}
          change={(next) => set(member.name, next)}
          errors={errors}
          path={path === '' ? member.name : `${path}.${member.name}`}
        />
      ))}
    </>
  );
}
