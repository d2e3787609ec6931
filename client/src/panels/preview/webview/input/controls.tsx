/** The controls of single values. A control shows a value, or that none is given, and calls `change` with the next one. */
import { useState } from 'preact/hooks';
import { Button, Select, Switch } from '../../../kit/controls.tsx';
import { grouped, t } from '../../../kit/l10n.ts';
import { brief, type Field, type Json, same } from './schema.ts';

export interface ControlProps {
  readonly field: Field;
  readonly value: Json | undefined;
  readonly change: (value: Json | undefined) => void;
  /** What stands in where nothing is given: a default, or a made-up value. */
  readonly standIn?: Json | undefined;
  readonly id: string;
  readonly label: string;
  /** Where no label stands at it. */
  readonly ariaLabel?: string;
  readonly describedBy: string | undefined;
  readonly errors: Errors;
  /** The path from the parameters on, with dots: `cast.0.name`. */
  readonly path: string;
}

/** Messages by path. */
export type Errors = ReadonlyMap<string, string>;

/** What a control says to who does not see it. */
const spoken = ({ id, ariaLabel, describedBy }: ControlProps) => ({
  id,
  'aria-label': ariaLabel,
  'aria-describedby': describedBy,
  'aria-invalid': describedBy !== undefined || undefined,
});

export function ChoiceControl({
  choices,
  value,
  standIn,
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
      // The index is the value, since two choices may have the same text.
      choices={[
        { value: '', label: standIn === undefined ? '' : brief(standIn) },
        ...choices.map((choice, nth) => ({ value: String(nth), label: brief(choice, 80) })),
      ]}
      onChange={(chosen) => change(chosen === '' ? undefined : choices[Number(chosen)])}
    />
  );
}

export const CheckControl = ({ value, standIn, change, id, ariaLabel }: ControlProps) => (
  <Switch id={id} label={ariaLabel} checked={(value ?? standIn) === true} onChange={change} />
);

type NumberField = Extract<Field, { kind: 'number' }>;

export function NumberControl(props: ControlProps & { readonly field: NumberField }) {
  const { field, value, standIn, change } = props;
  return (
    <input
      {...spoken(props)}
      class="input short"
      type="number"
      min={field.min}
      max={field.max}
      step={field.step ?? (field.integer ? 1 : 'any')}
      placeholder={brief(standIn)}
      value={typeof value === 'number' ? String(value) : ''}
      // While a number is being written it may be none.
      onInput={({ currentTarget: { valueAsNumber, validity } }) => {
        if (!validity.badInput) change(Number.isNaN(valueAsNumber) ? undefined : valueAsNumber);
      }}
    />
  );
}

/** Browsers lay out the whole text of an area at each change. */
const MOST_SHOWN = 20_000;

type TextField = Extract<Field, { kind: 'text' }>;

export function TextControl(props: ControlProps & { readonly field: TextField }) {
  const { field, value, standIn, change } = props;
  const [isWhole, showWhole] = useState(false);
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  const shared = { ...spoken(props), class: 'input', placeholder: brief(standIn, 200) };
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
  return <textarea {...shared} rows={1} value={text} onInput={({ currentTarget }) => change(currentTarget.value)} />;
}

/** A value without a control of its own. */
export function JsonControl(props: ControlProps) {
  const { value, standIn, change, id, describedBy } = props;
  const [written, write] = useState<string>();
  const [problem, tell] = useState<string>();
  const text = written ?? (value === undefined ? '' : JSON.stringify(value, undefined, 1));
  return (
    <>
      <textarea
        {...spoken({ ...props, describedBy: problem === undefined ? describedBy : `${id}-json` })}
        class="input mono"
        rows={1}
        placeholder={standIn === undefined ? '{}' : brief(standIn, 200)}
        value={text}
        onInput={({ currentTarget }) => {
          write(currentTarget.value);
          try {
            const next = currentTarget.value.trim() === '' ? undefined : (JSON.parse(currentTarget.value) as Json);
            tell(undefined);
            change(next);
          } catch (error) {
            tell(error instanceof Error ? error.message : String(error));
          }
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
