/** Short Markdown about keys, shapes, fields and builtins, for hover and completion. */
import type { Builtin } from '../../languages/minijinja/builtins.ts';
import { boundsOf, isObject, type SchemaField } from '../../languages/schema/schema.ts';
import type { Json } from '../../languages/yaml/node.ts';
import { clientKeyTables } from '../../vocabulary/agent-skill-clients.ts';
import type { Dialect } from '../../vocabulary/dialect.ts';
import { alternatives, type KeySpec, type Shape } from '../../vocabulary/shape.ts';
import { code, describedBy, factLine, fence, type Markdown, md, paragraphs, rows, trusted } from '../markdown.ts';

/** Joins facts on one line, as plain text. */
export const facts = (...parts: readonly (string | false | undefined)[]): string => parts.filter(Boolean).join(' · ');

/** Returns the type in words, for example "list of text" or "`a` or `b`". */
function describeShape(shape: Shape): string {
  return [...new Set(alternatives(shape).map(describeOne))].join(' or ');
}

/** Returns the type in words as plain text. */
export const plainShape = (shape: Shape): string => describeShape(shape).replaceAll('`', '');

function describeOne(shape: Shape): string {
  switch (shape.kind) {
    case 'string':
      if (shape.format) return FORMATS[shape.format];
      return shape.domain ? `${shape.domain} name` : 'text';
    case 'choice':
      return shape.choices.map(({ value }) => `\`${value}\``).join(' or ');
    case 'boolean':
      return '`true` or `false`';
    case 'number':
      return shape.integer ? 'whole number' : 'number';
    case 'list':
      return `list of ${describeShape(shape.items)}`;
    case 'schema':
      return 'schema';
    case 'any':
      return 'any value';
    default:
      return 'map';
  }
}

const FORMATS = {
  semver: 'semantic version',
  'semver-range': 'version range',
  spdx: 'SPDX expression',
  condition: 'expression',
  'semver-or-date': 'version or date',
  date: 'date',
  regex: 'regular expression',
  address: 'URL, or host and port',
} as const;

/** Describes a key of a vocabulary: its type, meaning, example and defining section. */
export function describeKey(key: KeySpec, dialect: Dialect): Markdown {
  const sources: Partial<Record<Dialect, string>> = {
    'agent-skill': 'Agent Skills standard',
    plugin: 'manifest of a plugin',
    // The keys of agents and commands name the client that was run.
    'client-file': key.section,
  };
  const source = sources[dialect] ?? `skill format, section ${key.section}`;
  return paragraphs(
    factLine(md`**${key.name}**`, trusted(describeShape(key.shape)), key.mandatory && 'mandatory'),
    trusted(key.docs),
    key.example &&
      (dialect === 'plugin'
        ? fence('json', `"${key.name}": ${key.example}`)
        : fence('yaml', `${key.name}: ${key.example}`)),
    md`_${source}_`,
  );
}

/** Describes a key that clients add to the Agent Skills standard; undefined if no client adds the key. */
export function describeClientKey(name: string): Markdown | undefined {
  const lines = clientKeyTables.flatMap(({ client, keys, source }) =>
    keys
      .filter((key) => key.name === name)
      .map(
        ({ type, description }) =>
          md`- **${client}** (${type.replaceAll('-', ' ')}): ${trusted(description)} _${source}_`,
      ),
  );
  if (lines.length === 0) return undefined;
  return paragraphs(md`**${name}** · not in the Agent Skills standard, supported by`, rows(lines));
}

/** Describes a filter, test, function or loop field of the template language, with an example and its output. */
export function describeBuiltin(what: Markdown, builtin: Builtin | undefined): Markdown | undefined {
  return builtin && paragraphs(md`**${builtin.signature}** · ${what}`, explainBuiltin(builtin));
}

/** Describes a builtin without a title. */
export function explainBuiltin({ docs, example: [source, output], notes }: Builtin): Markdown {
  return paragraphs(
    trusted(docs),
    rows([fence('jinja', source), md`renders ${code(output)}`]),
    notes === undefined ? undefined : trusted(notes),
  );
}

/** Describes a field of a schema, with its JSON Schema if that contains more than the facts in words. */
export function describeField(field: SchemaField, path: readonly string[]): Markdown {
  const bounds = isObject(field.json) ? boundsOf(field.json, field.type).join(', ') : '';
  return paragraphs(
    factLine(
      md`**${path.join('.')}**`,
      code(field.type),
      bounds !== '' && bounds,
      field.required ? 'required' : 'optional',
    ),
    describedBy(field.description),
    field.default !== undefined && md`Default: ${code(JSON.stringify(field.default))}`,
    !isCoveredByWords(field.json) && jsonFence(field.json),
  );
}

/** The JSON Schema keywords that the facts in words already cover. */
const IN_WORDS = new Set([
  ...['type', 'enum', 'const', 'default', 'description', 'format', 'uniqueItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength', 'minItems', 'maxItems'],
]);

const isCoveredByWords = (json: Json): boolean =>
  isObject(json) &&
  Object.entries(json).every(
    ([key, value]) =>
      IN_WORDS.has(key) ||
      (key === 'items' && isObject(value) && Object.keys(value).every((inner) => inner === 'type' || inner === 'enum')),
  );

/** The maximum length of a JSON Schema that is shown, in UTF-16 code units. */
const MAX_JSON = 4_000;

export function jsonFence(json: Json): Markdown {
  const text = JSON.stringify(json, null, 2);
  return fence('json', text.length > MAX_JSON ? `${text.slice(0, MAX_JSON)}\n…` : text);
}

/** Returns a field as one list item. */
export const fieldLine = ({ name, type, required, description }: SchemaField): Markdown =>
  description
    ? md`- ${code(name + (required ? '' : '?'))}: ${type} — ${description}`
    : md`- ${code(name + (required ? '' : '?'))}: ${type}`;
