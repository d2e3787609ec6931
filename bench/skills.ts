/**
 * Generates skills that have no errors and are identical in every run. The skills have three levels, compose skills of
 * lower levels, and use the tools of one catalog.
 */
import { type Chooser, chooserOf, NOUNS, paragraph, sentence, VERBS } from './words.ts';

export interface GeneratedSkill {
  /** The path relative to the workspace. */
  readonly path: string;
  readonly text: string;
}

const SERVERS = ['github', 'jira', 'slack', 'postgres', 'drive', 'stripe', 'search', 'files'];
const ACTIONS = ['list', 'get', 'create', 'update', 'delete', 'query', 'search', 'export'];
const READING: ReadonlySet<string> = new Set(['list', 'get', 'query', 'search', 'export']);
const TOOLS = SERVERS.flatMap((server) => ACTIONS.map((action) => `${server}_${action}_items`));
const ROLES = ['analyst', 'engineer', 'manager', 'support', 'admin', 'auditor'];
const TYPES = ['string', 'integer', 'number', 'boolean', 'array'] as const;

const operationOf = (tool: string): string => (READING.has(tool.split('_')[1] ?? '') ? 'READ' : 'WRITE');
const scopeOf = (tool: string): string => `${operationOf(tool).toLowerCase()}:${tool.split('_')[0]}`;

/** The type of a field follows from its name, so that fields of different skills never conflict. */
const typeOf = (field: string): (typeof TYPES)[number] =>
  TYPES[[...field].reduce((hash, character) => (hash * 31 + character.charCodeAt(0)) >>> 0, 7) % TYPES.length] ??
  'string';

const levelOf = (number: number): number => (number % 10 < 6 ? 1 : number % 10 < 9 ? 2 : 3);

function nameOf(number: number): string {
  const noun = NOUNS[Math.floor(number / VERBS.length) % NOUNS.length];
  return `${VERBS[number % VERBS.length]}-${noun}-${String(number).padStart(5, '0')}`;
}

function versionOf(number: number): readonly number[] {
  const choose = chooserOf(number * 2_654_435_761 + 17);
  return [choose.int(1, 4), choose.int(0, 9), choose.int(0, 9)];
}

/** The facts that other skills depend on. */
interface Facts {
  readonly children: readonly { readonly number: number; readonly facts: Facts }[];
  readonly tools: readonly string[];
  readonly scopes: readonly string[];
  readonly required: readonly string[];
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly effects: readonly string[];
}

const SEED = 1;
const known = new Map<string, Facts>();

/**
 * Returns the numbers of the skills that a skill composes: two to four skills of a lower level. The numbers are close
 * to the composing skill's number, so that facts are cheap to compute.
 */
function composedBy(number: number, count: number): readonly number[] {
  const level = levelOf(number);
  if (level === 1) return [];
  const choose = chooserOf(SEED * 9_176_423 + number);
  const found = new Set<number>();
  for (let tries = 0; tries < 40 && found.size < 2 + (number % 3); tries++) {
    const other = Math.max(0, Math.min(count - 1, number + choose.int(-60, 60)));
    if (levelOf(other) < level) found.add(other);
  }
  return [...found];
}

function factsOf(number: number, count: number): Facts {
  const key = `${count}/${number}`;
  const before = known.get(key);
  if (before) return before;
  const choose = chooserOf(SEED * 1_000_003 + number);
  const children = composedBy(number, count).map((other) => ({ number: other, facts: factsOf(other, count) }));
  const tools = choose.some(TOOLS, choose.int(3, 8));
  const fields = (from: number, many: number) =>
    Array.from({ length: many }, (_, i) => `${choose.pick(NOUNS)}_${from + i}`);
  const [first] = children;
  const required = first ? [...new Set(children.flatMap(({ facts }) => facts.required))] : fields(0, 2);
  const writes = tools.some((tool) => operationOf(tool) === 'WRITE');
  const made: Facts = {
    children,
    tools,
    scopes: [...new Set([...tools.map(scopeOf), ...children.flatMap(({ facts }) => facts.scopes)])],
    required,
    inputs: first ? required : [...new Set([...required, ...fields(20, choose.int(1, 6))])],
    outputs: first ? first.facts.outputs.slice(0, 2) : fields(40, choose.int(3, 8)),
    effects: [...new Set(['Query', ...(writes ? ['Mutate'] : []), ...children.flatMap(({ facts }) => facts.effects)])],
  };
  known.set(key, made);
  return made;
}

const listOf = (key: string, items: readonly string[]): readonly string[] =>
  items.length === 0 ? [] : [`${key}:`, ...items.map((item) => `  - ${item}`)];

function schemaOf(choose: Chooser, key: string, fields: readonly string[], required: readonly string[]): string[] {
  const properties = fields.flatMap((name) => [
    `    ${name}:`,
    `      type: ${typeOf(name)}`,
    `      description: ${sentence(choose, choose.int(4, 9))}`,
    ...(typeOf(name) === 'array' ? ['      items:', '        type: string'] : []),
  ]);
  return [`${key}:`, '  type: object', '  properties:', ...properties, `  required: [${required.join(', ')}]`];
}

function templateOf(choose: Chooser, fields: readonly string[]): string[] {
  const parts = fields.flatMap((name) => {
    const type = typeOf(name);
    if (type === 'array')
      return [`{% for item in ${name} %}`, '- {{ item | trim }} ({{ loop.index }})', '{% endfor %}'];
    if (type === 'boolean') return [`{% if ${name} %}`, sentence(choose, 10), '{% else %}', 'No.', '{% endif %}'];
    return [`${choose.pick(NOUNS)}: {{ ${name} }}`];
  });
  return ['You are a careful assistant for {{ user_request | trim }}.', '', ...parts, '', sentence(choose, 14)];
}

const SAMPLE_VALUES = { string: 'text', integer: 3, number: 2.5, boolean: true, array: ['a', 'b'] } as const;

interface Size {
  /** The number of additional inputs. */
  readonly fields?: number;
  /** The number of items in the approach. */
  readonly items?: number;
}

interface Parts {
  readonly front: readonly string[];
  readonly body: readonly string[];
}

function buildSkill(number: number, count: number, size: Size = {}): Parts {
  const choose = chooserOf(SEED * 5_000_011 + number);
  const facts = factsOf(number, count);
  const extra = Array.from({ length: size.fields ?? 0 }, (_, i) => `${choose.pick(NOUNS)}_${100 + i}`);
  const inputs = [...facts.inputs, ...extra];
  const composed = facts.children.map((child) => child.number);
  const ranges = composed.map((other) => {
    const [major, minor] = versionOf(other);
    return `{skill: ${nameOf(other)}, version: "^${major}.${minor}.0"}`;
  });
  const front = [
    `name: ${nameOf(number)}`,
    `description: ${sentence(choose, 14)}`,
    `version: ${versionOf(number).join('.')}`,
    `author: ${choose.pick(NOUNS)}-team`,
    `owner: ${choose.pick(NOUNS)}-team`,
    `license: ${choose.pick(['MIT', 'Apache-2.0', 'BSD-3-Clause'])}`,
    `level: ${levelOf(number)}`,
    ...listOf('required_scopes', facts.scopes),
    ...listOf('allowed_roles', choose.some(ROLES, choose.int(1, 3))),
    ...listOf('tools', facts.tools),
    ...listOf('composes', composed.map(nameOf)),
    ...listOf('requires', ranges),
    `effects: [${facts.effects.join(', ')}]`,
    `operation: ${facts.effects.includes('Mutate') ? 'WRITE' : 'READ'}`,
    ...schemaOf(choose, 'input_schema', inputs, facts.required),
    ...schemaOf(choose, 'output_schema', facts.outputs, composed.length > 0 ? [] : facts.outputs.slice(0, 2)),
  ];
  const step = () =>
    `**${choose.pick(VERBS)} the ${choose.pick(NOUNS)}** with #tool:${choose.pick(facts.tools)}: ${paragraph(choose, 2)}`;
  const steps = Array.from({ length: size.items ?? 6 }, (_, i) => `${i + 1}. ${step()}`);
  const body = [
    ...[`# ${nameOf(number)}`, '', paragraph(choose, 2), '', '## Description', '', paragraph(choose, 3), ''],
    ...['## Approach', '', ...steps, ''],
    ...(composed[0] === undefined ? [] : [`See also #skill:${nameOf(composed[0])} and \`${facts.tools[0]}\`.`, '']),
    ...['## PromptTemplate: main', '', '```jinja', ...templateOf(choose, inputs)],
    ...[
      '```',
      '',
      '## Example: plain',
      '',
      '```yaml artifact',
      `tags: [${choose.some(NOUNS, 2).join(', ')}]`,
      '```',
      '',
    ],
    ...['### Input', '', '```yaml'],
    ...inputs.map((name) => `${name}: ${JSON.stringify(SAMPLE_VALUES[typeOf(name)])}`),
    ...['```', '', '### Output', '', paragraph(choose, 3), ''],
  ];
  return { front, body };
}

const markdownOf = ({ front, body }: Parts): string => ['---', ...front, '---', '', ...body].join('\n');
const yamlOf = ({ front }: Parts): string => `${front.join('\n')}\n`;

/** Generates a workspace of `count` skills. With `yaml`, they have only frontmatter, for servers that read YAML. */
export function* skillsOf(count: number, yaml = false): Iterable<GeneratedSkill> {
  for (let number = 0; number < count; number++) {
    const parts = buildSkill(number, count);
    const path = `skills/l${levelOf(number)}/${nameOf(number)}.skill.${yaml ? 'yaml' : 'md'}`;
    yield { path, text: yaml ? yamlOf(parts) : markdownOf(parts) };
  }
}

/** Generates skills that have one sample each, with expectations about its prompt. */
export function* testedSkillsOf(count: number): Iterable<GeneratedSkill> {
  for (let number = 0; number < count; number++) {
    const name = `greet-${String(number).padStart(5, '0')}`;
    const choose = chooserOf(SEED * 7_000_003 + number);
    const lines = [
      ...['---', `name: ${name}`, `description: ${sentence(choose, 14)}`, 'version: 1.0.0', 'level: 1'],
      ...['effects: [Query]', 'operation: READ', 'input_schema:', '  guest: string'],
      ...['  mood: {type: string, enum: [warm, cool], default: warm}', 'output_schema: {text: string}'],
      ...['framing: greeting', 'samples:', '  first-visit:', '    request: Greet Ada.', '    parameters: {guest: Ada}'],
      ...['    expect:', '      prompt: [{type: contains, value: Ada}]', '      tokens: {max: 400}', '---', ''],
      ...['## PromptTemplate: greeting', '', '```jinja'],
      ...['Greet {{ guest }} in {% if mood == "warm" %}a warm{% else %}a cool{% endif %} sentence.', '```', ''],
      ...['## Approach', '', paragraph(choose, 3), ''],
    ];
    yield { path: `skills/${name}.skill.md`, text: lines.join('\n') };
  }
}

/** Returns a skill of about `lines` lines. A longer skill has more inputs, and in Markdown also a longer body. */
export function skillOfLines(lines: number, yaml = false): string {
  let text = '';
  for (let size = 1; size <= 4000 && text.split('\n').length < lines; size = Math.ceil(size * 1.15)) {
    const parts = buildSkill(1, 100, { fields: yaml ? size : size >> 2, items: yaml ? 1 : size * 3 });
    text = yaml ? yamlOf(parts) : markdownOf(parts);
  }
  return text;
}

/** Returns the catalog of a generated workspace. */
export function catalogText(): string {
  const scopes = [...new Set(TOOLS.map(scopeOf))].map((scope) => `"${scope}"`).join(', ');
  const tools = TOOLS.map(
    (tool) =>
      `  - {name: ${tool}, description: "${tool.replaceAll('_', ' ')}", operation: ${operationOf(tool)}, scope: "${scopeOf(tool)}"}`,
  );
  const roles = ROLES.map((role) => `  ${role}: [${scopes}]`);
  return ['tools:', ...tools, `scopes: [${scopes}]`, 'roles:', ...roles, ''].join('\n');
}
