/** Validates the parameters (docs/composer.md, step 1): each error is shown where the invocation gives the value. */
import { isUsable, nestsDeeper, type SchemaField } from '../languages/schema/schema.ts';
import type { Json } from '../languages/yaml/node.ts';
import { validateParameters } from '../skill/parameters.ts';
import type { Span } from '../text.ts';
import type { ComposeError, ComposeRequest } from './composition.ts';

export function parameterErrors({ skillPackage, parameters, madeUp, places }: ComposeRequest): ComposeError[] {
  const { uri, inputSchema, headSpan } = skillPackage;
  const deep = Object.keys(parameters).find((name) => isTooDeep(parameters[name]));
  if (deep !== undefined) {
    return [
      {
        kind: 'ParameterMismatch',
        uri,
        span: placeOf([deep], places?.parameters, places?.span) ?? inputSchema?.span ?? headSpan,
        subject: deep,
        message: `\`${deep}\`: the value is nested more than ${MAX_NESTING} levels deep.`,
        suggestion: 'Make it flatter.',
      },
    ];
  }
  if (!inputSchema || !isUsable(inputSchema) || inputSchema.form === 'empty') return [];
  const violations = validateParameters(inputSchema, parameters);
  const given = violations.filter(({ path: [name] }) => !madeUp.includes(String(name)));
  return given.map(({ path, message, nearest, kind }) => {
    const subject = path.join('.');
    return {
      kind: 'ParameterMismatch',
      uri,
      span:
        placeOf(path.map(String), places?.parameters, places?.span) ??
        fieldSpan(inputSchema.fields, path) ??
        inputSchema.span,
      subject,
      message: subject === '' ? message : `\`${subject}\`: ${message}`,
      suggestion: suggestionFor(kind, String(path.at(-1) ?? ''), nearest),
    };
  });
}

/** Whatever walks a value, the engine included, recurses: this bound is below every stack. */
const MAX_NESTING = 500;

/** Without the values that cannot be walked. */
export const shallowParameters = (parameters: ComposeRequest['parameters']): ComposeRequest['parameters'] =>
  Object.fromEntries(Object.entries(parameters).filter(([, value]) => !isTooDeep(value)));

const isTooDeep = (value: Json | undefined): boolean => nestsDeeper(value, MAX_NESTING);

function suggestionFor(kind: string, name: string, nearest: string | undefined): string {
  if (kind === 'missing') {
    const misspelt = nearest === undefined ? '' : `, which may be spelt \`${nearest}\` now`;
    return `Pass \`${name}\`${misspelt}, or give the field a default.`;
  }
  if (kind === 'additional') return nearest === undefined ? `Leave \`${name}\` out.` : `Rename it to \`${nearest}\`.`;
  return 'Change the value, or the field of the schema.';
}

/** The place of the value at a path, else of the map or list that should hold it. */
function placeOf(
  path: readonly string[],
  places: ReadonlyMap<string, Span> | undefined,
  sample: Span | undefined,
): Span | undefined {
  for (let length = path.length; places && length > 0; length--) {
    const found = places.get(path.slice(0, length).join('.'));
    if (found) return found;
  }
  // The sample's name is a better place than all of its parameters.
  return sample;
}

function fieldSpan(fields: readonly SchemaField[], path: readonly (string | number)[]): Span | undefined {
  const [first, ...rest] = path;
  const field = fields.find(({ name }) => name === first);
  return (
    field &&
    (fieldSpan(
      field.fields,
      rest.filter((step) => typeof step === 'string'),
    ) ??
      field.keySpan)
  );
}
