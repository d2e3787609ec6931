/**
 * Random composites with contracts: conditions, optional and missing values, arms, parallel groups, retries, mappings,
 * budgets, gates, interrupts and speculation. Most of them are sound, because the law is about composites without a finding.
 */
import fc from 'fast-check';
import type { Invocation } from '../../server/src/composer/composition.ts';
import type { Json } from '../../server/src/languages/yaml/node.ts';
import type { Stub } from '../../server/src/protocol.ts';
import type { Files } from '../core/composer/shapes.ts';

/** The kinds of behaviour that a composite can have. The law shows that each one occurs in a composite without a finding. */
export const KINDS = [
  'condition',
  'condition on a missing value',
  'condition that narrows',
  'conditional expression',
  'nested arms',
  'complete arms',
  'parallel',
  'speculation',
  'retry',
  'fallback',
  'mapping',
  'reference in text',
  'reference in a list',
  'optional value',
  'gate',
  'budget',
  'interrupt',
  'template',
  'required output',
  'condition that guards a step',
  'default',
  'nested map',
  'fallback to a skill',
  'exit by an interrupt',
  'comparison of two values',
  'condition on the invocation',
  'retry on a code',
  'missing input',
  'missing input of a part',
  'surface and context',
  'adapter',
  'disabled part',
  'composite in a composite',
  'fallback of the composite',
  'body',
  'assertion',
  'assertion of a part',
  'memory',
  'memory of a part',
  'input for a prompt',
] as const;

export type Kind = (typeof KINDS)[number];

export interface RandomContract {
  /** The name of the file. */
  readonly path: string;
  readonly text: string;
  readonly kinds: ReadonlySet<Kind>;
  /** The codes with which a run cannot fail, because the composite has a fallback for them. */
  readonly replaced: readonly string[];
  /** True if a recorded output with the word `bad` fails a hard assertion of the composite. */
  readonly refusesBad: boolean;
}

const head = (name: string, level = 1): string =>
  `name: ${name}\ndescription: Does ${name}. Use it for ${name}.\nversion: 1.0.0\nlevel: ${level}\n`;

const markdown = (name: string, keys: string, body: string): string => `---\n${head(name)}${keys}\n---\n\n${body}\n`;

const SERVICE =
  'owner: t\npolicy: {idempotent: true, timeout_ms: 900, budget: {p95_ms: 300, p99_ms: 800, cost_usd: 0.001}}\n';

/** The skills that a composite can compose. */
export const PARTS: Files = {
  'text.skill.yaml': `${head('text')}input_schema: {a: string}\noutput_schema: {b: string}\n`,
  'maybe.skill.yaml': `${head('maybe')}input_schema: {a: string, o: string?}\noutput_schema: {k: string?, l: "string[]?"}\n`,
  'count.skill.yaml': `${head('count')}input_schema: {n: integer}\noutput_schema: {m: integer, flag: boolean}\n`,
  'nothing.skill.yaml': `${head('nothing')}input_schema: {z: {type: [string, "null"]}}\noutput_schema: {y: {type: [string, "null"]}}\n`,
  'mode.skill.yaml': `${head('mode')}input_schema: {mode: [x, y]}\noutput_schema: {e: [x, y]}\n`,
  'range.skill.yaml': `${head('range')}input_schema: {r: {type: integer, min: 1, max: 5}}\noutput_schema: {s: string}\n`,
  'items.skill.yaml': `${head('items')}input_schema: {items: "string[]"}\noutput_schema: {items: "string[]", first: string}\n`,
  'svc.skill.yaml': `${head('svc')}${SERVICE}input_schema: {a: string}\noutput_schema: {v: string}\nerrors: [{code: BUSY, retry: backoff}, {code: GONE, retry: never}, {code: ONE, retry: once}]\nbacking_service: {endpoint: "https://svc.example.com"}\n`,
  'soft.skill.yaml': `${head('soft')}${SERVICE}input_schema: {a: string}\noutput_schema: {f: string}\nerrors: [{code: LOST, retry: never, fallback: {f: none}}]\nbacking_service: {endpoint: "https://soft.example.com"}\n`,
  'back.skill.yaml': `${head('back')}${SERVICE}input_schema: {a: string}\noutput_schema: {b: string}\nerrors: [{code: LOST, retry: never, fallback: text}]\nbacking_service: {endpoint: "https://back.example.com"}\n`,
  'deep.skill.yaml': `${head('deep')}input_schema: {p: {x: string, y: string?, more: {n: integer?}}}\noutput_schema: {d: string}\n`,
  'given.skill.yaml': `${head('given')}input_schema: {a: string, n: {type: integer, default: 2}}\noutput_schema: {h: {type: string, default: none}}\n`,
  'stop.skill.md': markdown(
    'stop',
    'input_schema: {a: string}\noutput_schema: {u: string}\ninterrupts: [before_exit]\nexit: {on: interrupt, name: before_exit}',
    'Stop.',
  ),
  'spend.skill.md': markdown(
    'spend',
    'input_schema: {a: string}\noutput_schema: {t: string}\ntools: [read_page]\nexit: {on: tool_budget, max_tool_calls: 2}',
    'Read with #tool:read_page.',
  ),
  'ask.skill.md': markdown(
    'ask',
    'input_schema: {a: string}\noutput_schema: {q: string}\ninterrupts: [before_exit]',
    'Ask.',
  ),
  'gated.skill.md': markdown(
    'gated',
    'input_schema: {a: string}\noutput_schema: {g: string}\nallowed_roles: [writer]\ncapabilities_required: [{tier: adult}]',
    'Be bold.',
  ),
  'needs.skill.md': markdown(
    'needs',
    'input_schema: {a: string, o: string?}\noutput_schema: {nd: string}\ninterrupts: [on_missing_input]',
    'Ask for what is missing.',
  ),
  'chat.skill.md': markdown(
    'chat',
    'input_schema: {a: string}\noutput_schema: {ch: string}\nsurfaces: [chat]\nallowed_contexts: [channel]',
    'Chat.',
  ),
  'fmt.skill.yaml': `${head('fmt').replace('version: 1.0.0', 'version: 2.0.0')}input_schema: {a: string}\noutput_schema: {two: string}\nadapts: {from: "1", with: down}\n`,
  'down.skill.yaml': `${head('down')}input_schema: {two: string}\noutput_schema: {one: string}\n`,
  'shut.skill.yaml': `${head('shut')}input_schema: {a: string}\noutput_schema: {sh: string}\n`,
  'inner.skill.yaml': `${head('inner', 2)}input_schema: {a: string, o: string?}\noutput_schema: {low: string, deep: string?}\ncomposes: [low, {skill: low, as: again, output_mapping: {low: deep}}]\nexecution: [{step: low}, {step: again, condition: $input.o, inputs: {a: $input.o}}]\n`,
  'low.skill.yaml': `${head('low')}input_schema: {a: string}\noutput_schema: {low: string}\n`,
  'cut.skill.md': markdown(
    'cut',
    'input_schema: {a: string}\noutput_schema: {cu: string}\nframing: t',
    '## PromptTemplate: t\n\n```yaml artifact\nassertions: [{type: length, max: 3}]\n```\n\nCut {{ a }}.',
  ),
  'want.skill.md': markdown(
    'want',
    'input_schema: {a: string, o: string?}\noutput_schema: {wa: string}\nframing: t',
    '## PromptTemplate: t\n\n{{ a }} {{ o }}',
  ),
  'recall.skill.md': markdown(
    'recall',
    'input_schema: {a: string}\noutput_schema: {re: string}\nframing: t',
    '## PromptTemplate: t\n\n{% for item in memory %}{{ item.text }}{% endfor %}{{ a }}',
  ),
  'print.skill.md': markdown(
    'print',
    'input_schema: {a: string, o: string?}\noutput_schema: {w: string}\nframing: t',
    '## PromptTemplate: t\n\nWrite {{ a }}{% if o %} with {{ o }}{% endif %}.',
  ),
};

export const LAW_CATALOG = `tools:
  - {name: read_page, description: Reads a page., input_schema: {slug: string}, output_schema: {text: string}, operation: READ}
roles: {writer: [], reader: []}
profiles:
  - {name: ada, role: writer, tier: adult}
  - {name: kid, role: reader}
models: [anthropic]
permissions:
  shut: {enabled: false}
  off: {enabled: false}
`;

type Type = 'string' | 'integer' | 'boolean' | 'mode' | 'list' | 'null' | 'map';

interface Field {
  readonly name: string;
  readonly type: Type;
  readonly shorthand: string;
  /** True if the input has a value when a caller leaves it out. */
  readonly hasDefault?: true;
}

const FIELDS: readonly Field[] = [
  { name: 'a', type: 'string', shorthand: 'string' },
  { name: 's', type: 'string', shorthand: 'string' },
  { name: 'n', type: 'integer', shorthand: 'integer' },
  { name: 'go', type: 'boolean', shorthand: 'boolean' },
  { name: 'mode', type: 'mode', shorthand: '[x, y, z]' },
  { name: 'items', type: 'list', shorthand: '"string[]"' },
  { name: 'z', type: 'null', shorthand: '{type: [string, "null"]}' },
  { name: 'word', type: 'string', shorthand: '{type: string, default: q}', hasDefault: true },
  { name: 'size', type: 'integer', shorthand: '{type: integer, default: 3}', hasDefault: true },
  { name: 'box', type: 'map', shorthand: '{x: string, y: string?}' },
];

interface Part {
  readonly name: string;
  readonly inputs: readonly {
    readonly name: string;
    readonly type: Type;
    readonly isOptional?: true;
    readonly narrow?: true;
  }[];
  readonly outputs: readonly { readonly name: string; readonly type: Type; readonly isOptional?: true }[];
  readonly kinds?: readonly Kind[];
}

const one = (name: string, type: Type) => [{ name, type }];

const SHAPES: readonly Part[] = [
  { name: 'text', inputs: one('a', 'string'), outputs: one('b', 'string') },
  {
    name: 'maybe',
    inputs: [...one('a', 'string'), { name: 'o', type: 'string', isOptional: true }],
    outputs: [
      { name: 'k', type: 'string', isOptional: true },
      { name: 'l', type: 'list', isOptional: true },
    ],
    kinds: ['optional value'],
  },
  { name: 'count', inputs: one('n', 'integer'), outputs: [...one('m', 'integer'), ...one('flag', 'boolean')] },
  { name: 'nothing', inputs: one('z', 'null'), outputs: one('y', 'null') },
  { name: 'mode', inputs: [{ name: 'mode', type: 'mode', narrow: true }], outputs: one('e', 'mode') },
  { name: 'range', inputs: [{ name: 'r', type: 'integer', narrow: true }], outputs: one('s', 'string') },
  { name: 'items', inputs: one('items', 'list'), outputs: [...one('items', 'list'), ...one('first', 'string')] },
  { name: 'svc', inputs: one('a', 'string'), outputs: one('v', 'string') },
  { name: 'soft', inputs: one('a', 'string'), outputs: one('f', 'string'), kinds: ['fallback'] },
  { name: 'back', inputs: one('a', 'string'), outputs: one('b', 'string'), kinds: ['fallback to a skill'] },
  { name: 'deep', inputs: one('p', 'map'), outputs: one('d', 'string'), kinds: ['nested map'] },
  {
    name: 'given',
    inputs: [...one('a', 'string'), { name: 'n', type: 'integer', isOptional: true }],
    outputs: one('h', 'string'),
    kinds: ['default'],
  },
  {
    name: 'stop',
    inputs: one('a', 'string'),
    outputs: [{ name: 'u', type: 'string', isOptional: true }],
    kinds: ['exit by an interrupt'],
  },
  {
    name: 'spend',
    inputs: one('a', 'string'),
    outputs: [{ name: 't', type: 'string', isOptional: true }],
    kinds: ['budget'],
  },
  { name: 'ask', inputs: one('a', 'string'), outputs: one('q', 'string'), kinds: ['interrupt'] },
  { name: 'gated', inputs: one('a', 'string'), outputs: one('g', 'string'), kinds: ['gate'] },
  {
    name: 'needs',
    inputs: [...one('a', 'string'), { name: 'o', type: 'string', isOptional: true }],
    outputs: one('nd', 'string'),
    kinds: ['missing input of a part'],
  },
  { name: 'chat', inputs: one('a', 'string'), outputs: one('ch', 'string'), kinds: ['surface and context'] },
  { name: 'fmt', inputs: one('a', 'string'), outputs: one('one', 'string'), kinds: ['adapter'] },
  { name: 'shut', inputs: one('a', 'string'), outputs: one('sh', 'string'), kinds: ['disabled part'] },
  {
    name: 'inner',
    inputs: [...one('a', 'string'), { name: 'o', type: 'string', isOptional: true }],
    outputs: [...one('low', 'string'), { name: 'deep', type: 'string', isOptional: true }],
    kinds: ['composite in a composite'],
  },
  { name: 'cut', inputs: one('a', 'string'), outputs: one('cu', 'string'), kinds: ['assertion of a part'] },
  {
    name: 'want',
    inputs: [...one('a', 'string'), ...one('o', 'string')],
    outputs: one('wa', 'string'),
    kinds: ['input for a prompt'],
  },
  { name: 'recall', inputs: one('a', 'string'), outputs: one('re', 'string'), kinds: ['memory of a part'] },
  {
    name: 'print',
    inputs: [...one('a', 'string'), { name: 'o', type: 'string', isOptional: true }],
    outputs: one('w', 'string'),
    kinds: ['template'],
  },
];

/** Choices that a composite is written from. A choice of a list is the number modulo its length. */
type Choices = () => number;

/** Writes a composite from random numbers, which fast-check shrinks towards 0. */
class Writer {
  readonly kinds = new Set<Kind>();
  readonly #next: Choices;
  readonly #inputs: readonly (Field & { readonly isOptional: boolean })[];
  readonly #composes: { readonly step: string; readonly part: Part; readonly mapping: string }[] = [];
  /** The outputs of the steps that have run for certain, and of those that perhaps have. */
  #known: readonly { readonly source: string; readonly type: Type; readonly isOptional: boolean }[] = [];

  /** The condition of the step whose inputs are written. */
  #tested = '';

  constructor(next: Choices) {
    this.#next = next;
    this.#inputs = FIELDS.filter(({ name }) => name === 'a' || this.#below(4) > 0).map((field) => ({
      ...field,
      isOptional: field.name !== 'a' && !field.hasDefault && field.type !== 'map' && this.#below(3) === 0,
    }));
    if (this.#inputs.some(({ isOptional }) => isOptional)) this.kinds.add('optional value');
  }

  #below(limit: number): number {
    return this.#next() % limit;
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#below(items.length)] as Item;
  }

  write(): RandomContract {
    const steps = this.#steps(1 + this.#below(3), 0);
    const has = (part: string): boolean => this.#composes.some((entry) => entry.part.name === part);
    const names = this.#composes.map(({ step, part, mapping }) => {
      const as = step === part.name ? '' : `, as: ${step}`;
      return as === '' && mapping === '' ? part.name : `{skill: ${part.name}${as}${mapping}}`;
    });
    const inputs = this.#inputs.map(({ name, shorthand, isOptional }) =>
      isOptional
        ? `${name}: ${/^\w+$/.test(shorthand) ? `${shorthand}?` : shorthand === '"string[]"' ? '"string[]?"' : optional(shorthand)}`
        : `${name}: ${shorthand}`,
    );
    const isBody = this.#below(8) === 0;
    const refusesBad = isBody && this.#below(2) === 0;
    const outputs = isBody ? [{ name: 'out', type: 'string' as const, isRequired: true }] : this.#outputs();
    const shorthands = outputs.map(({ name, type, isRequired }) =>
      isRequired ? `${name}: ${SHORTHANDS[type]}` : `${name}: ${optional(SHORTHANDS[type])}`,
    );
    const isAsking = this.#below(8) === 0;
    if (isAsking) this.kinds.add('missing input');
    const name = has('shut') ? 'off' : 'w';
    const replaced = !isBody && this.#below(4) === 0 ? [this.#pick(['BUSY', 'GONE', 'ONE', 'LOST'])] : [];
    const keys = [
      ...(has('gated') && this.#below(6) > 0
        ? ['allowed_roles: [writer]', 'capabilities_required: [{tier: adult}]']
        : []),
      ...(has('chat') && this.#below(6) > 0 ? ['surfaces: [chat]', 'allowed_contexts: [channel]'] : []),
      ...(has('fmt') ? ['requires: [{skill: fmt, version: ^1.0.0}]'] : []),
      ...(isAsking ? ['interrupts: [on_missing_input]'] : []),
      ...replaced.map((code) => `errors: [{code: ${code}, retry: never, fallback: ${this.#fallback(outputs)}}]`),
      `input_schema: {${inputs.join(', ')}}`,
      `output_schema: {${shorthands.join(', ')}}`,
      `composes: [${names.join(', ')}]`,
      `execution: [${steps.join(', ')}]`,
    ];
    const contract = `${head(name, has('inner') ? 3 : 2)}${keys.join('\n')}\n`;
    const text = isBody ? `---\n${contract}framing: t\n---\n\n${this.#body(refusesBad)}` : contract;
    return { path: `${name}.skill.${isBody ? 'md' : 'yaml'}`, text, kinds: this.kinds, replaced, refusesBad };
  }

  /** Returns a fallback that gives all required outputs. */
  #fallback(outputs: readonly { readonly name: string; readonly type: Type; readonly isRequired: boolean }[]): string {
    this.kinds.add('fallback of the composite');
    const given = outputs.filter(({ isRequired }) => isRequired || this.#below(2) === 0);
    const value = (type: Type): string => (type === 'string' && this.#below(2) === 0 ? '$input.a' : CONSTANTS[type]);
    return `{${given.map(({ name, type }) => `${name}: ${value(type)}`).join(', ')}}`;
  }

  /** Returns the body of a composite whose output a model makes. */
  #body(refusesBad: boolean): string {
    this.kinds.add('body');
    const hasMemory = this.#below(2) === 0;
    if (hasMemory) this.kinds.add('memory');
    if (refusesBad) this.kinds.add('assertion');
    const metadata = refusesBad
      ? '```yaml artifact\nassertions: [{type: pattern, not_match: bad}, {type: length, max: 4, severity: soft}]\n```\n\n'
      : '';
    const memory = hasMemory ? '{% for item in memory %}{{ item.text }}{% endfor %} ' : '';
    const { name } = this.#pick(this.#inputs.filter(({ isOptional }) => !isOptional));
    return `## PromptTemplate: t\n\n${metadata}${memory}Say {{ ${name} }}.\n`;
  }

  /** The outputs of the composite: values of its steps, required if they are certain to exist, mostly. */
  #outputs(): readonly { readonly name: string; readonly type: Type; readonly isRequired: boolean }[] {
    const found = new Map<string, { readonly name: string; readonly type: Type; readonly isRequired: boolean }>();
    for (const { source, type, isOptional } of this.#known) {
      const [, , name = ''] = source.split('.');
      if (found.has(name) || this.#below(3) === 0) continue;
      const isRequired = !isOptional && this.#below(3) > 0;
      if (isRequired) this.kinds.add('required output');
      found.set(name, { name, type, isRequired });
    }
    return [...found.values()];
  }

  #steps(count: number, depth: number): readonly string[] {
    return Array.from({ length: count }, () => this.#node(depth));
  }

  #node(depth: number): string {
    const kind = depth > 1 ? 0 : this.#below(8);
    if (kind === 5) return this.#parallel(depth);
    if (kind === 6) return this.#branch(depth);
    if (kind === 7) return this.#speculation();
    return this.#step();
  }

  #parallel(depth: number): string {
    this.kinds.add('parallel');
    const before = this.#known;
    const added: (typeof before)[number][] = [];
    const steps = Array.from({ length: 2 }, () => {
      this.#known = before;
      const text = this.#node(depth + 1);
      added.push(...this.#known.slice(before.length));
      return text;
    });
    this.#known = [...before, ...added];
    return `{parallel: [${steps.join(', ')}]}`;
  }

  #branch(depth: number): string {
    if (depth > 0) this.kinds.add('nested arms');
    const before = this.#known;
    const ends: (typeof before)[] = [];
    const arm = (): string => {
      this.#known = before;
      const texts = this.#steps(1, depth + 1);
      ends.push(this.#known.slice(before.length));
      return `[${texts.join(', ')}]`;
    };
    const boolean = this.#inputs.find(({ type, isOptional }) => type === 'boolean' && !isOptional);
    const isComplete = boolean !== undefined && this.#below(2) === 0;
    if (isComplete) this.kinds.add('complete arms');
    const arms = isComplete
      ? [`{condition: $input.go, steps: ${arm()}}`, `{condition: not $input.go, steps: ${arm()}}`]
      : [`{condition: ${quoted(this.#condition())}, steps: ${arm()}}`];
    const other = !isComplete && this.#below(2) === 0 ? `, else: ${arm()}` : '';
    this.#known = [...before, ...ends.flat().map((value) => ({ ...value, isOptional: true }))];
    return `{when: [${arms.join(', ')}]${other}}`;
  }

  #speculation(): string {
    this.kinds.add('speculation');
    const before = this.#known;
    const early = this.#step({ canWait: false });
    const kept = this.#known.slice(before.length).map((value) => ({ ...value, isOptional: true }));
    this.#known = before;
    const end = this.#pick(['count', 'maybe']);
    const until = this.#compose(SHAPES.find(({ name }) => name === end) as Part);
    const inputs = this.#inputsOf(until, {});
    this.#known = [...before, ...kept, ...this.#outputsOf(until, false)];
    const output = end === 'count' ? 'flag' : 'k';
    const keep = this.#below(2) === 0 ? '' : `, keep_when: $${until.step}.output.${output}`;
    return `{speculate: [${early.replace(/\}$/, `${keep}}`)}], until: {step: ${until.step}${inputs}}}`;
  }

  #step({ canWait = true }: { readonly canWait?: boolean } = {}): string {
    const shape = this.#pick(
      canWait ? SHAPES : SHAPES.filter(({ name }) => !['ask', 'spend', 'svc', 'soft', 'back', 'stop'].includes(name)),
    );
    const composed = this.#compose(shape);
    for (const kind of shape.kinds ?? []) this.kinds.add(kind);
    const narrows = shape.inputs.some(({ narrow }) => narrow);
    const chosen = narrows && canWait ? this.#narrowing(shape) : undefined;
    const hasCondition = canWait && (chosen !== undefined || this.#below(3) === 0);
    const condition = hasCondition ? (chosen?.condition ?? this.#condition()) : undefined;
    this.#tested = condition ?? '';
    const inputs = this.#inputsOf(composed, { ...(chosen && { [chosen.input]: chosen.value }) });
    this.#tested = '';
    const retry =
      canWait && this.#below(4) === 0 ? `, retry: {max_attempts: ${2 + this.#below(2)}${this.#codes()}}` : '';
    if (retry !== '') this.kinds.add('retry');
    this.#known = [...this.#known, ...this.#outputsOf(composed, condition !== undefined)];
    return `{step: ${composed.step}${condition === undefined ? '' : `, condition: ${quoted(condition)}`}${inputs}${retry}}`;
  }

  #codes(): string {
    if (this.#below(2) === 0) return '';
    this.kinds.add('retry on a code');
    return `, retry_on: [${this.#pick(['BUSY', 'TIMEOUT', 'MODEL_FAILED, OUTPUT_MISMATCH', 'ONE'])}]`;
  }

  /** Returns a condition and a value that only the condition makes right. */
  #narrowing(shape: Part): { readonly condition: string; readonly input: string; readonly value: string } | undefined {
    const has = (name: string): boolean => this.#inputs.some((field) => field.name === name);
    const [condition, input, value] =
      shape.name === 'mode' && has('mode')
        ? [this.#pick(['$input.mode != "z"', '$input.mode == "x"', '$input.mode in ["x", "y"]']), 'mode', '$input.mode']
        : shape.name === 'range' && has('n')
          ? [
              this.#pick(['$input.n > 0 and $input.n < 6', '$input.n >= 1 and $input.n <= 5', '$input.n == 3']),
              'r',
              '$input.n',
            ]
          : [];
    if (condition === undefined || input === undefined || value === undefined) return undefined;
    this.kinds.add('condition that narrows');
    return { condition, input, value };
  }

  #compose(part: Part): { readonly step: string; readonly part: Part; readonly mapping: string } {
    const count = this.#composes.filter((entry) => entry.part === part).length;
    const step = count === 0 ? part.name : `${part.name}_${count + 1}`;
    const [output] = part.outputs;
    const isMapped = output !== undefined && (count > 0 || this.#below(4) === 0);
    if (isMapped) this.kinds.add('mapping');
    const pairs = part.outputs.map(({ name }) => `${name}: ${name}_${this.#composes.length}`);
    const entry = { step, part, mapping: isMapped ? `, output_mapping: {${pairs.join(', ')}}` : '' };
    this.#composes.push(entry);
    return entry;
  }

  #outputsOf(
    { step, part, mapping }: { readonly step: string; readonly part: Part; readonly mapping: string },
    mayMiss: boolean,
  ) {
    const suffix = mapping === '' ? '' : `_${this.#composes.findIndex((entry) => entry.step === step)}`;
    return part.outputs.map(({ name, type, isOptional }) => ({
      source: `$${step}.output.${name}${suffix === '' ? '' : ''}`,
      flow: `${name}${suffix}`,
      type,
      isOptional: mayMiss || isOptional === true,
    }));
  }

  #inputsOf({ part }: { readonly part: Part }, given: Readonly<Record<string, string>>): string {
    const pairs = part.inputs.flatMap(({ name, type, isOptional, narrow }) => {
      const written = Object.hasOwn(given, name) ? given[name] : undefined;
      if (written !== undefined) return [`${name}: ${written}`];
      if (isOptional && this.#below(2) === 0) return [];
      const own = this.#inputs.find((field) => field.name === name && field.type === type && !field.isOptional);
      // A value of the flow with the same name needs no entry.
      if (own && !narrow && !isOptional && this.#below(2) === 0) return [];
      return [`${name}: ${narrow ? NARROW[type] : this.#value(type, isOptional === true)}`];
    });
    return pairs.length === 0 ? '' : `, inputs: {${pairs.join(', ')}}`;
  }

  /** Returns a value of a type. Only an optional input gets a value that may be missing, mostly. */
  #value(type: Type, isOptional: boolean): string {
    const sources = [
      ...this.#inputs.map((field) => ({
        source: `$input.${field.name}`,
        type: field.type,
        isOptional: field.isOptional,
      })),
      ...this.#boxed(),
      ...this.#known,
    ].filter(
      (value) =>
        value.type === type &&
        (isOptional || !value.isOptional || this.#isTested(value.source) || this.#below(12) === 0),
    );
    const kind = this.#below(8);
    if (type === 'map') {
      const inner = [
        `x: ${this.#value('string', false)}`,
        ...(this.#below(2) === 0 ? [`y: ${this.#value('string', true)}`] : []),
        `more: {${this.#below(2) === 0 ? `n: ${this.#value('integer', true)}` : ''}}`,
      ];
      return `{${inner.join(', ')}}`;
    }
    if (type === 'string' && kind === 0) {
      this.kinds.add('reference in text');
      return quoted(`see ${this.#pick([...sources.map(({ source }) => source), '$input.a'])} again`);
    }
    if (type === 'list' && kind < 3) {
      this.kinds.add('reference in a list');
      const strings = [
        ...this.#inputs.filter((field) => field.type === 'string').map(({ name }) => `$input.${name}`),
        'plain',
      ];
      return `[${this.#pick(strings)}, ${this.#pick(strings)}]`;
    }
    const tested = sources.filter(({ source }) => this.#isTested(source));
    if (tested.length > 0 && kind < 5) {
      this.kinds.add('condition that guards a step');
      return this.#pick(tested).source;
    }
    if (sources.length === 0 || kind === 7) return CONSTANTS[type];
    return this.#pick(sources).source;
  }

  /** Returns the fields of the input `box`. */
  #boxed(): readonly { readonly source: string; readonly type: Type; readonly isOptional: boolean }[] {
    if (!this.#inputs.some(({ name }) => name === 'box')) return [];
    const field = (name: string, isOptional: boolean) => ({
      source: `$input.box.${name}`,
      type: 'string' as const,
      isOptional,
    });
    return [field('x', false), field('y', true)];
  }

  /** Returns whether the condition of the current step reads a value of the same step. It may prove that the step has run. */
  #isTested(source: string): boolean {
    if (source === '$input.box.y') return this.#tested.includes('$input.box');
    if (source.startsWith('$input.') && this.#tested.includes('==')) return this.#tested.includes(source);
    const [step = ''] = source.split('.output.');
    return step !== source && this.#tested.includes(`${step}.output.`);
  }

  #condition(): string {
    this.kinds.add('condition');
    const all = [
      ...this.#inputs.map(({ name, type, isOptional }) => ({ source: `$input.${name}`, name, type, isOptional })),
      ...[...this.#boxed(), ...this.#known].map((value) => ({ ...value, name: undefined })),
    ];
    const outputs = all.filter(({ name }) => name === undefined);
    const value = this.#pick(outputs.length > 0 && this.#below(2) === 0 ? outputs : all);
    if (value.isOptional) this.kinds.add('condition on a missing value');
    const tests = value.isOptional && this.#below(4) > 0 ? MISSING : TESTS[value.type];
    const source = value.name !== undefined && this.#below(4) === 0 ? value.name : value.source;
    const test = this.#pick(tests).replaceAll('$', () => source);
    switch (this.#below(12)) {
      case 4: {
        const others = all.filter(({ type, source: other }) => type === value.type && other !== value.source);
        if (others.length === 0) return test;
        this.kinds.add('comparison of two values');
        return `${source} ${this.#pick(['==', '==', '!=', '>='])} ${this.#pick(others).source}`;
      }
      case 5:
        this.kinds.add('condition on the invocation');
        return `${this.#pick(['scope == "channel"', 'source == "scheduled"', 'model == "anthropic"'])} or ${test}`;
      case 1:
        this.kinds.add('conditional expression');
        return `true if ${test} else false`;
      case 2:
        return `${test} and ${this.#test()}`;
      case 3:
        return `${this.#test()} or ${test}`;
      default:
        return test;
    }
  }

  /** Returns a condition that can always be evaluated. */
  #test(): string {
    const field = this.#pick(this.#inputs.filter(({ isOptional }) => !isOptional));
    return this.#pick(TESTS[field.type]).replaceAll('$', () => `$input.${field.name}`);
  }
}

const quoted = (text: string): string =>
  /[:#{}[\],&*?|<>=!%@"']/.test(text) ? `'${text.replaceAll("'", "''")}'` : text;

const optional = (shorthand: string): string => {
  if (/^\w+$/.test(shorthand)) return `${shorthand}?`;
  if (shorthand.startsWith('"')) return `${shorthand.slice(0, -1)}?"`;
  if (shorthand.startsWith('[')) return `{type: string, enum: ${shorthand}, required: false}`;
  return shorthand.replace(/\}$/, ', required: false}');
};

const SHORTHANDS: Readonly<Record<Type, string>> = {
  string: 'string',
  integer: 'integer',
  boolean: 'boolean',
  mode: '[x, y, z]',
  list: '"string[]"',
  null: '{type: [string, "null"]}',
  map: '{x: string}',
};

const CONSTANTS: Readonly<Record<Type, string>> = {
  string: 'plain',
  integer: '3',
  boolean: 'true',
  mode: 'x',
  list: '[one, two]',
  null: 'plain',
  map: '{x: plain, more: {}}',
};

/** Constants for inputs that accept only some values of their type. */
const NARROW: Readonly<Record<Type, string>> = { ...CONSTANTS, mode: 'y', integer: '2' };

const MISSING = ['$', 'not $', '$ is defined', '$ is not defined', '($ | default("")) == "q"', '$ or false'];

const TESTS: Readonly<Record<Type, readonly string[]>> = {
  string: ['$ == "q"', '$ | length > 2', '"q" in $', '$ is string', '$'],
  integer: ['$ > 2', '$ + 1 < 4', '$ == 3', '$ is number'],
  boolean: ['$', 'not $', '$ == true'],
  mode: ['$ == "x"', '$ != "z"', '$ in ["x", "y"]'],
  list: ['$ | length > 0', '"q" in $', '$'],
  null: ['$ != none', '$ is none', '$ is string'],
  map: ['$'],
};

/** A composite in `w.skill.yaml` of the skills in `PARTS`. */
export const randomContract: fc.Arbitrary<RandomContract> = fc
  .array(fc.nat(10_000), { minLength: 60, maxLength: 120, size: 'max' })
  .map((numbers) => {
    let at = 0;
    return new Writer(() => numbers[at++] ?? 0).write();
  });

const VALUES: Readonly<Record<Type, readonly Json[]>> = {
  string: ['q', '', 'a longer text'],
  integer: [0, 3, 7],
  boolean: [true, false],
  mode: ['x', 'y', 'z'],
  list: [['q', 'r'], []],
  null: [null, 'q'],
  map: [{ x: 'q' }, { x: '', y: 'r' }],
};

/** Parameters for the inputs of a composite. `pick` chooses the values, and the optional inputs that are left out. */
export const parametersOf = (
  fields: readonly { readonly name: string; readonly required: boolean }[],
  pick: (limit: number) => number,
): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    fields.flatMap(({ name, required }) => {
      if (!required && pick(2) === 0) return [];
      const values = VALUES[FIELDS.find((field) => field.name === name)?.type ?? 'string'];
      return [[name, values[pick(values.length)] ?? null]];
    }),
  );

/** The stubs of the services: one of their declared errors, some times, or none. */
export const randomStubs: fc.Arbitrary<readonly Stub[]> = fc
  .record({
    code: fc.constantFrom(undefined, undefined, 'BUSY', 'GONE', 'ONE'),
    isLost: fc.boolean(),
    times: fc.constantFrom(1, 9),
  })
  .map(({ code, isLost, times }) => [
    ...(code === undefined ? [] : [{ name: 'svc', fails: code, times }]),
    ...(isLost ? ['soft', 'back'].map((name) => ({ name, fails: 'LOST', times })) : []),
  ]);

/** Returns the rest of an invocation: the caller, the place, the model and the memory. */
export const invocationOf = (pick: (limit: number) => number): Invocation => ({
  source: pick(3) === 0 ? 'scheduled' : 'explicit',
  ...(pick(2) === 0 && { channel: 'c' }),
  ...(pick(3) > 0 && { profile: pick(2) === 0 ? 'ada' : 'kid' }),
  ...(pick(2) === 0 && { model: 'anthropic' }),
  ...(pick(2) === 0 && { memory: [{ id: 'm', tier: 'project', text: 'Keep {{ it }} short.' }] }),
});
