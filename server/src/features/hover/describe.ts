/** Keys, shapes, fields and builtins in a few words of Markdown, for hover and completion. */
import type { Builtin } from '../../languages/minijinja/builtins/builtins.ts';
import type { SchemaField } from '../../languages/schema/schema.ts';
import type { Json } from '../../languages/yaml/node.ts';
import { clientKeyTables } from '../../vocabulary/agent-skill-clients.ts';
import type { Dialect } from '../../vocabulary/dialect.ts';
import { alternatives, type KeySpec, type Shape } from '../../vocabulary/shape.ts';

type Part = string | false | undefined;

/** The parts that are there, with an empty line between each two. */
export const paragraphs = (...parts: readonly Part[]): string => parts.filter(Boolean).join('\n\n');

/** Facts on one line. */
export const facts = (...parts: readonly Part[]): string => parts.filter(Boolean).join(' · ');

/** A name of the user's as code, whatever it holds. */
export const code = (name: string): string => `\`${name.replaceAll('`', "'").replaceAll(/\s+/g, ' ')}\``;

/** Words with commas; beyond `most` only their number is given. */
export const listed = (words: readonly string[], most: number): string =>
  words.length > most ? `${words.slice(0, most).join(', ')} and ${words.length - most} more` : words.join(', ');

/** "list of text", "`a` or `b`". */
function describeShape(shape: Shape): string {
  return [...new Set(alternatives(shape).map(describeOne))].join(' or ');
}

/** The same without Markdown. */
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
  date: 'date',
  regex: 'regular expression',
} as const;

/** A key of a vocabulary: type, meaning, example, and where it is defined. */
export function describeKey(key: KeySpec, dialect: Dialect): string {
  const source = dialect === 'agent-skill' ? 'Agent Skills standard' : `skill format, section ${key.section}`;
  return paragraphs(
    facts(`**${key.name}**`, describeShape(key.shape), key.mandatory && 'mandatory'),
    key.docs,
    key.example && `\`\`\`yaml\n${key.name}: ${key.example}\n\`\`\``,
    `_${source}_`,
  );
}

/** A key that clients add to the Agent Skills standard; undefined where none does. */
export function describeClientKey(name: string): string | undefined {
  const lines = clientKeyTables.flatMap(({ client, keys, source }) =>
    keys
      .filter((key) => key.name === name)
      .map(({ type, description }) => `- **${client}** (${type.replaceAll('-', ' ')}): ${description} _${source}_`),
  );
  if (lines.length === 0) return undefined;
  return paragraphs(`**${name}** · beyond the Agent Skills standard, known to`, lines.join('\n'));
}

/** A filter, test, function or loop field of the template language, with an example and what it renders to. */
export function describeBuiltin(what: string, builtin: Builtin | undefined): string | undefined {
  if (!builtin) return undefined;
  const [source, output] = builtin.example;
  return paragraphs(
    `**${builtin.signature}** · ${what}`,
    builtin.docs,
    `\`\`\`jinja\n${source}\n\`\`\`\ngives \`${output.replaceAll('`', "'") || ' '}\``,
    builtin.notes,
  );
}

/** A field of a schema with the JSON Schema that it means. */
export function describeField(field: SchemaField, path: readonly string[]): string {
  return paragraphs(
    facts(`**${path.join('.')}**`, `\`${field.type}\``, field.required ? 'required' : 'optional'),
    field.description,
    field.default !== undefined && `Default: \`${JSON.stringify(field.default)}\``,
    jsonFence(field.json),
  );
}

/** How much of a JSON Schema is shown, in characters. */
const MAX_JSON = 4_000;

export function jsonFence(json: Json): string {
  const text = JSON.stringify(json, null, 2);
  return `\`\`\`json\n${text.length > MAX_JSON ? `${text.slice(0, MAX_JSON)}\n…` : text}\n\`\`\``;
}

/** A field as one item of a list. */
export const fieldLine = ({ name, type, required, description }: SchemaField): string =>
  `- \`${name}${required ? '' : '?'}\`: ${type}${description ? ` — ${description}` : ''}`;
