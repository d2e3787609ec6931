/** Step 1, the parameters (composer.md): held against the schema, each defect where the invocation gives the value. */
import { isUsable, type SchemaField, validateJson } from '../skill/schema.ts';
import type { Span } from '../text.ts';
import type { ComposeError, ComposeRequest } from './composition.ts';

export function parameterErrors({ skillPackage, parameters, places }: ComposeRequest): ComposeError[] {
  const { uri, inputSchema } = skillPackage;
  if (!inputSchema || !isUsable(inputSchema) || inputSchema.form === 'empty') return [];
  return validateJson(inputSchema, parameters).map(({ path, message, nearest, kind }) => {
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

function suggestionFor(kind: string, name: string, nearest: string | undefined): string {
  if (kind === 'missing') {
    const misspelt = nearest === undefined ? '' : `, which may be spelt \`${nearest}\` now`;
    return `Pass \`${name}\`${misspelt}, or give the field a default.`;
  }
  if (kind === 'additional') return nearest === undefined ? `Leave \`${name}\` out.` : `Did you mean \`${nearest}\`?`;
  return 'Change the value, or the field of the schema.';
}

/** The place of the value at a path, else of what should hold it. */
function placeOf(
  path: readonly string[],
  places: ReadonlyMap<string, Span> | undefined,
  sample: Span | undefined,
): Span | undefined {
  for (let length = path.length; places && length > 0; length--) {
    const found = places.get(path.slice(0, length).join('.'));
    if (found) return found;
  }
  // A mark under all parameters would say less than one under the sample's name.
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
