/** The fields of a form for a schema. A field shows no error until the user changes it. */
import { useRef, useState } from 'preact/hooks';
import {
  Button,
  focusFirst,
  Icon,
  IconButton,
  Link,
  Select,
  Switch,
  useUniqueId,
  WithCode,
} from '../../../kit/controls.tsx';
import { grouped, t } from '../../../kit/l10n.ts';
import { brief, type Field, isKeys, type Json, type Member, same } from './schema.ts';

interface RowProps {
  readonly member: Member;
  readonly value: Json | undefined;
  readonly standIn: Json | undefined;
  readonly isDefault?: boolean;
  readonly change: (value: Json | undefined) => void;
  readonly errors: Errors;
  readonly path: string;
  readonly omission?: Omission | undefined;
}

/** The optional parameters without a value, for which none is generated. */
export interface Omission {
  readonly names: readonly string[];
  readonly set: (name: string, isOmitted: boolean) => void;
}

/** A field: its label, its control, and its error below. An object can be folded. */
export function FieldRow(props: RowProps) {
  const { member, value, standIn: fallback, isDefault = false, change, errors, path, omission } = props;
  const { name, required, field } = member;
  const id = useUniqueId();
  const row = useRef<HTMLDivElement>(null);
  const [isTouched, touch] = useState(false);
  const [isFolded, fold] = useState(false);
  const known = isGroup(field) ? errors.get(path) : errorBelow(errors, path);
  const error = isTouched || value !== undefined ? known : undefined;
  const isOmitted = omission?.names.includes(name) === true;
  const changed = (next: Json | undefined): void => {
    touch(true);
    change(next);
  };
  const clear = (): void => {
    changed(undefined);
    // The button that had the focus has disappeared.
    if (row.current) focusFirst(row.current);
  };
  const control = (
    <Control
      field={field}
      value={value}
      standIn={fallback}
      isDefault={isDefault}
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
    <div ref={row} class="field" data-path={path}>
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
          <>
            <span class="not-given quiet">{isOmitted ? t('left out') : standInText(fallback, isDefault)}</span>
            {omission && !required && (
              <Link onClick={() => omission.set(name, !isOmitted)}>
                {isOmitted ? t('Generate {0}', name) : t('Leave out {0}', name)}
              </Link>
            )}
          </>
        ) : (
          <IconButton icon="close" label={t('Clear {0}', name)} onClick={clear} />
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

/** Returns the origin of the value that is used for a missing one. */
function standInText(standIn: Json | undefined, isDefault: boolean): string {
  if (standIn === undefined) return t('not given');
  return isDefault ? t('default') : t('generated');
}

const isGroup = ({ kind }: Field): boolean => kind === 'object' || kind === 'list';

/** Returns the error of a value, or of a part of the value that has no control of its own. */
const errorBelow = (errors: Errors, path: string): string | undefined =>
  [...errors].find(([at]) => at === path || at.startsWith(`${path}.`))?.[1];

/** An error message without the name of the field, which the label already shows. */
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

/** A list of items. In a list of strings or numbers, pressing Enter in the last field adds an item. */
function ListControl(props: ControlProps & { readonly field: ListField }) {
  const { field, value, standIn, isDefault = false, change, label, errors, path } = props;
  // The first change copies the default or generated items.
  const shown = value ?? standIn;
  const items = Array.isArray(shown) ? (shown as readonly Json[]) : [];
  const { item, maxItems } = field;
  const isFull = maxItems !== undefined && items.length >= maxItems;
  const replace = (at: number, next: Json | undefined): void =>
    change(
      next === undefined ? items.filter((_, nth) => nth !== at) : items.map((old, nth) => (nth === at ? next : old)),
    );
  return (
    <>
      {items.map((one, at) => (
        <Item
          // Items have no identity except their index.
          key={at}
          field={item}
          value={value === undefined ? undefined : one}
          standIn={one}
          isDefault={isDefault}
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

interface ItemProps extends Omit<ControlProps, 'id' | 'ariaLabel' | 'describedBy'> {
  readonly remove: () => void;
}

function Item({ remove, ...shared }: ItemProps) {
  const { field, label, errors, path } = shared;
  const id = useUniqueId();
  const row = useRef<HTMLDivElement>(null);
  const removeRow = (): void => {
    const list = row.current?.parentElement;
    remove();
    // The button of the last item has disappeared with its focus.
    if (list && !list.contains(document.activeElement)) focusFirst(list);
  };
  const error = isGroup(field) ? errors.get(path) : errorBelow(errors, path);
  const control = (
    <Control {...shared} id={id} ariaLabel={label} describedBy={error === undefined ? undefined : `${id}-error`} />
  );
  return (
    <div ref={row} class="item">
      {isGroup(field) ? (
        <div role="group" aria-label={label}>
          {control}
        </div>
      ) : (
        control
      )}
      <IconButton icon="close" label={t('Remove {0}', label)} onClick={removeRow} />
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
      placeholder={t('Press Enter to add')}
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

/** The fields of an object. Values of fields that the schema does not declare do not change. */
export function ObjectControl({
  members,
  value,
  standIn,
  isDefault = false,
  change,
  errors,
  path,
  omission,
}: Pick<ControlProps, 'value' | 'standIn' | 'isDefault' | 'change' | 'errors' | 'path'> &
  Pick<RowProps, 'omission'> & { readonly members: readonly Member[] }) {
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
          isDefault={isDefault || member.field.fallback !== undefined}
          change={(next) => set(member.name, next)}
          errors={errors}
          path={path === '' ? member.name : `${path}.${member.name}`}
          omission={omission}
        />
      ))}
    </>
  );
}

/** The properties of a control that edits a value. `change` is called with the next value, or undefined to clear it. */
interface ControlProps {
  readonly field: Field;
  readonly value: Json | undefined;
  readonly change: (value: Json | undefined) => void;
  /** The value that is used if `value` is undefined: a default or a generated value. */
  readonly standIn?: Json | undefined;
  /** True if `standIn` is a default, or a part of one. */
  readonly isDefault?: boolean;
  readonly id: string;
  readonly label: string;
  /** The accessible name of a control without a label. */
  readonly ariaLabel?: string;
  readonly describedBy: string | undefined;
  readonly errors: Errors;
  /** The path within the parameters, with dots: `cast.0.name`. */
  readonly path: string;
}

/** The error messages by path. */
export type Errors = ReadonlyMap<string, string>;

/** Returns the accessibility attributes of a control. */
const ariaAttributes = ({ id, ariaLabel, describedBy }: ControlProps) => ({
  id,
  'aria-label': ariaLabel,
  'aria-describedby': describedBy,
  'aria-invalid': describedBy !== undefined || undefined,
});

function ChoiceControl({
  choices,
  value,
  standIn,
  isDefault = false,
  change,
  id,
  ariaLabel,
  describedBy,
}: ControlProps & { readonly choices: readonly Json[] }) {
  const at = choices.findIndex((choice) => same(choice, value));
  return (
    <Select
      id={id}
      label={ariaLabel}
      describedBy={describedBy}
      invalid={describedBy !== undefined}
      value={at < 0 ? '' : String(at)}
      // Use the index as the value, because two choices can have the same text.
      choices={[
        {
          value: '',
          label: standIn === undefined ? '' : `${brief(standIn)} (${standInText(standIn, isDefault)})`,
        },
        ...choices.map((choice, nth) => ({ value: String(nth), label: brief(choice, 80) })),
      ]}
      onChange={(chosen) => change(chosen === '' ? undefined : choices[Number(chosen)])}
    />
  );
}

const CheckControl = ({ value, standIn, change, id, ariaLabel }: ControlProps) => (
  <Switch id={id} label={ariaLabel} checked={(value ?? standIn) === true} onChange={change} />
);

type NumberField = Extract<Field, { kind: 'number' }>;

function NumberControl(props: ControlProps & { readonly field: NumberField }) {
  const { field, value, standIn, change } = props;
  return (
    <input
      {...ariaAttributes(props)}
      class="input short"
      type="number"
      min={field.min}
      max={field.max}
      step={field.step ?? (field.integer ? 1 : 'any')}
      placeholder={brief(standIn)}
      value={typeof value === 'number' ? String(value) : ''}
      // Ignore an incomplete number.
      onInput={({ currentTarget: { valueAsNumber, validity } }) => {
        if (!validity.badInput) change(Number.isNaN(valueAsNumber) ? undefined : valueAsNumber);
      }}
    />
  );
}

/** The length in characters above which a string is shortened. Browsers lay out the whole text area on each change. */
const MOST_SHOWN = 20_000;

type TextField = Extract<Field, { kind: 'text' }>;

function TextControl(props: ControlProps & { readonly field: TextField }) {
  const { field, value, standIn, change } = props;
  const [isWhole, showWhole] = useState(false);
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  const shared = { ...ariaAttributes(props), class: 'input', placeholder: brief(standIn, 200) };
  if (field.isDate && (text === '' || /^\d{4}-\d\d-\d\d$/.test(text))) {
    return (
      <input
        {...shared}
        class="input short"
        type="date"
        value={text}
        onInput={({ currentTarget }) => change(currentTarget.value === '' ? undefined : currentTarget.value)}
      />
    );
  }
  if (text.length > MOST_SHOWN && !isWhole) {
    return (
      <>
        <textarea {...shared} readOnly value={`${text.slice(0, MOST_SHOWN)}…`} />
        <Button onClick={() => showWhole(true)}>{t('Show all {0} characters', grouped(text.length))}</Button>
      </>
    );
  }
  return (
    <textarea
      {...shared}
      rows={1}
      title={t('Shift+Enter starts a new line')}
      value={text}
      onInput={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}

/** The text that the user writes in a JSON control: its value, or the reason why it is not JSON. */
interface JsonDraft {
  readonly text: string;
  readonly value?: Json | undefined;
  readonly problem?: string;
}

function draftOf(text: string): JsonDraft {
  try {
    return { text, value: text.trim() === '' ? undefined : (JSON.parse(text) as Json) };
  } catch (error) {
    return { text, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** A text area for a value without its own control, written as JSON. */
function JsonControl(props: ControlProps) {
  const { value, standIn, change, id, describedBy } = props;
  const [draft, write] = useState<JsonDraft>();
  const problem = draft?.problem;
  const isCurrent = problem !== undefined || same(draft?.value, value);
  const text = draft && isCurrent ? draft.text : value === undefined ? '' : JSON.stringify(value, undefined, 1);
  return (
    <>
      <textarea
        {...ariaAttributes({ ...props, describedBy: problem === undefined ? describedBy : `${id}-json` })}
        class="input mono"
        data-draft={problem === undefined ? undefined : ''}
        rows={1}
        placeholder={standIn === undefined ? '{}' : brief(standIn, 200)}
        value={text}
        onInput={({ currentTarget }) => {
          const next = draftOf(currentTarget.value);
          write(next);
          if (next.problem === undefined) change(next.value);
        }}
        onBlur={() => problem === undefined && write(undefined)}
      />
      {problem !== undefined && (
        <p class="field-error" id={`${id}-json`}>
          {t('This is not JSON: {0}', problem)}
        </p>
      )}
    </>
  );
}
