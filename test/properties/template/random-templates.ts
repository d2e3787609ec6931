/**
 * Random templates over random input schemas, with values that match them. Most uses of a value that may be missing are
 * guarded, because the law is about templates without a finding. A tape of numbers makes all choices, and 0 is the
 * simplest of them, so that fast-check finds a small template.
 */
import type { Json } from '../../../server/src/languages/yaml/node.ts';

/** The kinds of code that the law shows in templates without a finding. */
export const KINDS = [
  ...['optional value', 'nullable value', 'enum', 'list', 'map', 'nested object', 'union', 'default value'],
  ...['filter', 'test', 'operator', 'conditional', 'slice', 'item'],
  ...['if', 'else', 'for', 'for if', 'for else', 'loop field', 'pairs', 'groups', 'recursive loop'],
  ...['set', 'set block', 'with', 'namespace', 'macro', 'call block', 'recursive macro', 'filter block', 'include'],
  ...['import', 'raw', 'whitespace control', 'split', 'guard', 'parameters', 'unpacking', 'caller with a value'],
  ...['division', 'conversion', 'extends'],
] as const;

export type KindOfCode = (typeof KINDS)[number];

/** A type of the values of a template. */
type Shape =
  | { readonly kind: 'string'; readonly choices?: readonly string[] }
  | { readonly kind: 'integer'; readonly least?: number }
  | { readonly kind: 'number' | 'boolean' }
  | { readonly kind: 'list'; readonly item: Shape; readonly least: number }
  | { readonly kind: 'map'; readonly item: Shape }
  | { readonly kind: 'object'; readonly fields: readonly Field[] }
  | { readonly kind: 'union'; readonly shapes: readonly Shape[] }
  | { readonly kind: 'nullable'; readonly shape: Shape }
  /** A tree of items with a label and, unless they are leaves, children. */
  | { readonly kind: 'tree' };

interface Field {
  readonly name: string;
  readonly shape: Shape;
  readonly presence: 'required' | 'optional' | 'default';
}

/** A value that a template can read. `isMissing`: it may be undefined or null. */
interface Place {
  readonly path: string;
  readonly shape: Shape;
  readonly isMissing: boolean;
}

export interface RandomTemplate {
  /** The text of the skill file. */
  readonly text: string;
  readonly kinds: ReadonlySet<KindOfCode>;
  /** Returns parameters that match the schema. */
  readonly parameters: (tape: Tape) => Readonly<Record<string, Json>>;
}

/** The choices of a generator. After its end, every choice is 0. */
export class Tape {
  readonly #numbers: readonly number[];
  #at = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  /** Returns a number from 0 to below `limit`. */
  upTo(limit: number): number {
    return (this.#numbers[this.#at++] ?? 0) % limit;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.upTo(items.length)] as Item;
  }

  /** Returns true once in `times`. */
  once(times: number): boolean {
    return this.upTo(times) === times - 1;
  }
}

const WORDS = [
  'note',
  '',
  'Ada Lovelace',
  "it's a-b",
  'one\ntwo\n',
  ' x ',
  '12',
  'a,b,,c',
  '<b> & "c"',
  '漢 é',
  '{{ x }}',
];
const NUMBERS = [1, 0, 2, -3, 7, 100, 1234];
const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

const TREE: Json = {
  type: 'object',
  properties: { label: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/tree' } } },
  required: ['label'],
  additionalProperties: false,
};

function schemaOf(shape: Shape): Json {
  switch (shape.kind) {
    case 'string':
      return { type: 'string', ...(shape.choices && { enum: [...shape.choices] }) };
    case 'integer':
      return { type: 'integer', ...(shape.least !== undefined && { minimum: shape.least }) };
    case 'number':
    case 'boolean':
      return { type: shape.kind };
    case 'list':
      return { type: 'array', items: schemaOf(shape.item), ...(shape.least > 0 && { minItems: shape.least }) };
    case 'map':
      return { type: 'object', additionalProperties: schemaOf(shape.item) };
    case 'object':
      return objectSchema(shape.fields);
    case 'union':
      return { anyOf: shape.shapes.map(schemaOf) };
    case 'nullable':
      return { anyOf: [schemaOf(shape.shape), { type: 'null' }] };
    case 'tree':
      return { type: 'array', items: { $ref: '#/$defs/tree' } };
  }
}

function objectSchema(fields: readonly Field[]): { readonly [key: string]: Json } {
  const properties = fields.map(({ name, shape, presence }) => {
    const schema = schemaOf(shape) as { readonly [key: string]: Json };
    return [name, presence === 'default' ? { ...schema, default: randomValue(shape, new Tape([])) } : schema] as const;
  });
  const required = fields.filter(({ presence }) => presence === 'required').map(({ name }) => name);
  return { type: 'object', properties: Object.fromEntries(properties), required, additionalProperties: false };
}

function randomValue(shape: Shape, tape: Tape, depth = 0): Json {
  switch (shape.kind) {
    case 'string':
      return tape.pick(shape.choices ?? WORDS);
    case 'integer':
      return Math.max(shape.least ?? Number.NEGATIVE_INFINITY, tape.pick(NUMBERS));
    case 'number':
      return tape.pick([1, 2.5, 0, -0.125, 2.675, 1e20]);
    case 'boolean':
      return tape.pick([true, false]);
    case 'list':
      return Array.from({ length: shape.least + tape.upTo(3) }, () => randomValue(shape.item, tape, depth + 1));
    case 'map':
      return Object.fromEntries(
        ['k', 'A b', 'name', '9'].slice(0, tape.upTo(4)).map((key) => [key, randomValue(shape.item, tape, depth + 1)]),
      );
    case 'object':
      return objectValue(shape.fields, tape, depth);
    case 'union':
      return randomValue(tape.pick(shape.shapes), tape, depth + 1);
    case 'nullable':
      return tape.once(2) ? null : randomValue(shape.shape, tape, depth);
    case 'tree':
      return Array.from({ length: tape.upTo(3) }, () => ({
        label: tape.pick(WORDS),
        ...(depth < 3 && tape.once(2) && { children: randomValue(shape, tape, depth + 1) }),
      }));
  }
}

const objectValue = (fields: readonly Field[], tape: Tape, depth = 0): Record<string, Json> =>
  Object.fromEntries(
    fields.flatMap(({ name, shape, presence }) =>
      presence === 'required' || tape.once(2) ? [[name, randomValue(shape, tape, depth + 1)]] : [],
    ),
  );

/** Returns a random skill with a template, its kinds, and its parameters. */
export function randomTemplate(tape: Tape): RandomTemplate {
  const kinds = new Set<KindOfCode>();
  const fields = fieldsOf(tape, kinds, 0);
  const writer = new Writer(tape, kinds, fields);
  const main = writer.body(new Scope(fields.map(placeOf)), 2 + tape.upTo(4));
  const start = tape.once(10) ? writer.extended(new Scope(fields.map(placeOf))) : 'Note: ';
  const schema = { ...objectSchema(fields), $defs: { tree: TREE } };
  const sections = [...writer.parts].map(([name, text]) => `\n## PromptTemplate: ${name}\n\n${text}\n`).join('');
  const text = `---\nname: law\ndescription: Writes a note. Use it for notes.\nversion: 1.0.0\ninput_schema: ${JSON.stringify(schema)}\nframing: main\n---\n\n## PromptTemplate: main\n\n${start}${main}\n${sections}`;
  return { text, kinds, parameters: (values) => objectValue(fields, values) };
}

const placeOf = ({ name, shape, presence }: Field): Place => placeAt(name, shape, presence === 'optional');

const placeAt = (path: string, shape: Shape, isMissing = false): Place =>
  shape.kind === 'nullable' ? { path, shape: shape.shape, isMissing: true } : { path, shape, isMissing };

function fieldsOf(tape: Tape, kinds: Set<KindOfCode>, depth: number): readonly Field[] {
  const count = depth === 0 ? 4 + tape.upTo(4) : 1 + tape.upTo(3);
  return LETTERS.slice(0, count).map((letter) => {
    const presence = tape.pick(['required', 'required', 'optional', 'default', 'optional'] as const);
    const shape = shapeOf(tape, kinds, depth);
    if (presence === 'optional') kinds.add('optional value');
    if (presence === 'default') kinds.add('default value');
    return { name: depth === 0 ? letter : `${letter}${depth}`, shape, presence };
  });
}

function shapeOf(tape: Tape, kinds: Set<KindOfCode>, depth: number): Shape {
  const inner = () => shapeOf(tape, kinds, depth + 1);
  const made = (kind: KindOfCode, shape: Shape): Shape => {
    kinds.add(kind);
    return shape;
  };
  switch (tape.upTo(depth > 2 ? 6 : 13)) {
    case 0:
    case 1:
      return { kind: 'string' };
    case 2:
      return { kind: 'integer', ...(tape.once(3) && { least: 1 }) };
    case 3:
      return { kind: 'boolean' };
    case 4:
      return { kind: 'number' };
    case 5:
      return made('enum', { kind: 'string', choices: ['low', 'high'] });
    case 6:
    case 7:
      return made('list', { kind: 'list', item: inner(), least: tape.upTo(2) });
    case 8:
      return made('map', { kind: 'map', item: inner() });
    case 9:
    case 10:
      return made('nested object', { kind: 'object', fields: fieldsOf(tape, kinds, depth + 1) });
    case 11:
      return made('union', { kind: 'union', shapes: [{ kind: 'string' }, tape.pick([NUMBER, LIST_OF_TEXT])] });
    default: {
      if (tape.once(3)) return { kind: 'tree' };
      const shape = inner();
      return shape.kind === 'nullable' ? shape : made('nullable value', { kind: 'nullable', shape });
    }
  }
}

const TEXT: Shape = { kind: 'string' };
const NUMBER: Shape = { kind: 'number' };
const LIST_OF_TEXT: Shape = { kind: 'list', item: TEXT, least: 0 };

/** The values that a part of a template can read. */
class Scope {
  readonly places: readonly Place[];
  /** True inside a loop, and what it loops over is a list. */
  readonly inLoop: boolean;

  constructor(places: readonly Place[], inLoop = false) {
    this.places = places;
    this.inLoop = inLoop;
  }

  /** Returns the scope with more values, which hide earlier ones with the same path. */
  with(places: readonly Place[], inLoop = this.inLoop): Scope {
    const paths = new Set(places.map(({ path }) => path));
    const kept = this.places.filter(({ path }) => !paths.has(path.split(/[.[]/, 1)[0] ?? '') && !paths.has(path));
    return new Scope([...kept, ...places], inLoop);
  }

  /** Returns all values, with the fields of objects that are never missing. */
  all(): readonly Place[] {
    const found: Place[] = [...this.places];
    for (let at = 0; at < found.length && at < 60; at++) {
      const { path, shape, isMissing } = found[at] as Place;
      if (shape.kind !== 'object' || isMissing) continue;
      for (const { name, shape: inner, presence } of shape.fields) {
        found.push(placeAt(`${path}.${name}`, inner, presence === 'optional'));
      }
    }
    return found;
  }
}

const isScalar = ({ kind }: Shape): boolean => ['string', 'integer', 'number', 'boolean'].includes(kind);

/** Writes a template and the templates that it includes. */
class Writer {
  readonly parts = new Map<string, string>();
  readonly #tape: Tape;
  readonly #kinds: Set<KindOfCode>;
  readonly #fields: readonly Field[];
  #names = 0;
  #size = 0;

  constructor(tape: Tape, kinds: Set<KindOfCode>, fields: readonly Field[]) {
    this.#tape = tape;
    this.#kinds = kinds;
    this.#fields = fields;
  }

  body(scope: Scope, count = 1 + this.#tape.upTo(2), depth = 0): string {
    let text = '';
    let open = scope;
    for (let at = 0; at < count; at++) {
      const { written, defined } = this.#statement(open, depth);
      text += written;
      if (defined) open = open.with([defined]);
    }
    return text;
  }

  #add(kind: KindOfCode): void {
    this.#kinds.add(kind);
  }

  #name(): string {
    return `v${++this.#names}`;
  }

  #tag(content: string): string {
    const isTrimmed = this.#tape.once(6);
    if (isTrimmed) this.#add('whitespace control');
    const [open, close] = isTrimmed
      ? this.#tape.pick([
          ['{%-', '%}'],
          ['{%', '-%}'],
          ['{%-', '-%}'],
          ['{%+', '%}'],
        ])
      : ['{%', '%}'];
    return `${open} ${content} ${close}`;
  }

  #print(expression: string): string {
    const isTrimmed = this.#tape.once(12);
    if (isTrimmed) this.#add('whitespace control');
    return isTrimmed ? `{{- ${expression} -}}` : `{{ ${expression} }}`;
  }

  #statement(scope: Scope, depth: number): { readonly written: string; readonly defined?: Place } {
    const tape = this.#tape;
    this.#size++;
    const isDeep = depth > 3 || this.#size > 30;
    const text = (words: string) => ({ written: words });
    const inner = (open = scope) => this.body(open, 1 + tape.upTo(2), depth + 1);
    const tag = (content: string) => this.#tag(content);
    switch (isDeep ? tape.upTo(4) : tape.upTo(27)) {
      case 0:
        return text(tape.pick([' word ', '\n\n', ' - ', ', ', ' it is "so". ', '\n  * ']));
      case 1:
      case 2:
      case 3:
        return text(this.#print(this.#any(scope)));
      case 4:
      case 5: {
        this.#add('if');
        const { condition, inside } = this.#guard(scope);
        const start = tag(`if ${condition}`) + inner(inside);
        const middle = tape.once(3) ? tag(`elif ${this.#truth(scope)}`) + inner() : '';
        const otherwise = tape.once(2) ? '' : tag('else') + inner();
        if (otherwise !== '') this.#add('else');
        return text(start + middle + otherwise + tag('endif'));
      }
      case 6:
      case 7:
      case 8:
      case 9:
        return text(this.#loop(scope, depth));
      case 10:
      case 11: {
        this.#add('set');
        const name = this.#name();
        const { written, shape } = this.#typed(scope);
        if (tape.once(6)) {
          this.#add('unpacking');
          const target = tag(`set (${name}, ${name}b) = (${written}, ${this.#string(scope)})`);
          return { written: target, defined: placeAt(name, shape) };
        }
        return { written: tag(`set ${name} = ${written}`), defined: placeAt(name, shape) };
      }
      case 12: {
        this.#add('set block');
        const name = this.#name();
        const filter = tape.pick(['', '', ' | trim', ' | upper']);
        return { written: tag(`set ${name}${filter}`) + inner() + tag('endset'), defined: placeAt(name, TEXT) };
      }
      case 13: {
        this.#add('with');
        const name = this.#name();
        const { written, shape } = this.#typed(scope);
        return text(tag(`with ${name} = ${written}`) + inner(scope.with([placeAt(name, shape)])) + tag('endwith'));
      }
      case 14: {
        this.#add('namespace');
        const name = this.#name();
        const list = this.#list(scope);
        const step = `${name}.n + ${tape.pick(['1', 'loop.index', '2'])}`;
        const start = tag(`set ${name} = namespace(n=0)`) + tag(`for ${name}i in ${list.written}`);
        return text(`${start}${tag(`set ${name}.n = ${step}`)}${tag('endfor')}${this.#print(`${name}.n`)}`);
      }
      case 15:
      case 16:
        return text(this.#macro(scope, depth));
      case 17:
        this.#add('filter block');
        return text(
          tag(`filter ${tape.pick(['upper', 'trim', 'indent(2)', 'replace("a", "b")', 'title'])}`) +
            inner() +
            tag('endfilter'),
        );
      case 18:
      case 19:
        return text(this.#include(scope, depth));
      case 20:
        this.#add('raw');
        return text(tape.pick(['{% raw %}{{ braces }}{% endraw %}', '{# a comment #}', '{#- another -#}']));
      case 21:
        return text(this.#recursive(scope));
      case 22:
        return text(this.#import(scope));
      case 23:
        return text(`{% block b${this.#names++} %}${inner()}{% endblock %}`);
      default:
        return text(` ${this.#print(this.#string(scope))}`);
    }
  }

  // Statements with a body.

  #loop(scope: Scope, depth: number): string {
    const tape = this.#tape;
    this.#add('for');
    const name = this.#name();
    const inner = (places: readonly Place[]) => this.body(scope.with(places, true), 1 + tape.upTo(2), depth + 1);
    const otherwise = tape.once(4) ? this.#tag('else') + tape.pick([' none ', '\n']) : '';
    if (otherwise !== '') this.#add('for else');
    const end = otherwise + this.#tag('endfor');
    const maps = this.#present(scope, 'map', 'object');
    if (maps.length > 0 && tape.once(3)) {
      this.#add('pairs');
      const map = tape.pick(maps);
      const shape: Shape = map.shape.kind === 'map' ? map.shape.item : TEXT;
      const isObject = map.shape.kind === 'object';
      const head = this.#tag(`for ${name}, ${name}v in ${map.path} | ${tape.pick(['items', 'dictsort'])}`);
      return head + inner([placeAt(name, TEXT), ...(isObject ? [] : [placeAt(`${name}v`, shape)])]) + end;
    }
    if (tape.once(8)) {
      this.#add('unpacking');
      const [first, second] = [this.#typed(scope), this.#typed(scope)];
      const head = this.#tag(`for ${name}, ${name}v in [(${first.written}, ${second.written})]`);
      return head + inner([placeAt(name, first.shape), placeAt(`${name}v`, second.shape)]) + end;
    }
    const list = this.#list(scope);
    const places = [placeAt(name, list.item)];
    if (list.item.kind === 'object' && tape.once(3)) {
      const fields = list.item.fields.filter(({ shape, presence }) => presence === 'required' && isScalar(shape));
      const [field] = fields;
      if (field) {
        this.#add('groups');
        const head = this.#tag(`for ${name}k, ${name}l in ${list.written} | groupby("${field.name}")`);
        const group: Shape = { kind: 'list', item: list.item, least: 1 };
        return head + inner([placeAt(`${name}k`, field.shape), placeAt(`${name}l`, group)]) + end;
      }
    }
    if (tape.once(4)) {
      this.#add('for if');
      const { condition, inside } = this.#guard(scope.with(places));
      const head = this.#tag(`for ${name} in ${list.written} if ${condition}`);
      return head + this.body(new Scope(inside.places, true), 1 + tape.upTo(2), depth + 1) + end;
    }
    return this.#tag(`for ${name} in ${list.written}`) + inner(places) + end;
  }

  #macro(scope: Scope, depth: number): string {
    const tape = this.#tape;
    const name = this.#name();
    const { written, shape } = this.#typed(scope);
    const own = new Scope([placeAt(`${name}x`, shape), placeAt(`${name}y`, TEXT)]);
    if (tape.once(6)) {
      this.#add('caller with a value');
      const macro = `{% macro ${name}(${name}x) %}<{{ caller(${name}x) }}>{% endmacro %}`;
      const block = this.body(scope.with([placeAt(`${name}c`, shape)], false), 1, depth + 1);
      return `${macro}${this.#tag(`call(${name}c) ${name}(${written})`)}${block}${this.#tag('endcall')}`;
    }
    if (tape.once(3)) {
      this.#add('call block');
      const body = `[${this.body(own, 1, depth + 1)}${this.#print(tape.pick(['caller()', 'caller() | upper']))}]`;
      const macro = this.#tag(`macro ${name}(${name}x, ${name}y="y")`) + body + this.#tag('endmacro');
      return macro + this.#tag(`call ${name}(${written})`) + this.body(scope, 1, depth + 1) + this.#tag('endcall');
    }
    this.#add('macro');
    const body = this.body(own, 1 + tape.upTo(2), depth + 1);
    const macro = this.#tag(`macro ${name}(${name}x, ${name}y="y")`) + body + this.#tag('endmacro');
    const second = tape.pick(['', ', "z"', `, ${name}y=${this.#string(scope)}`]);
    return macro + this.#print(`${name}(${written}${second})${tape.pick(['', ' | trim', ' ~ "."'])}`);
  }

  /** An include reads the variables at its place. */
  #include(scope: Scope, depth: number): string {
    this.#add('include');
    const name = `part${this.parts.size + 1}`;
    this.parts.set(name, 'Part.');
    this.parts.set(name, `Part: ${this.body(new Scope(scope.places), 1 + this.#tape.upTo(2), depth + 1)}`);
    return this.#tag(`include "${name}"${this.#tape.pick(['', '', ' ignore missing'])}`);
  }

  /** Returns the start of a template that extends another one, whose block it then fills. */
  extended(scope: Scope): string {
    this.#add('extends');
    this.parts.set('base', 'Base.');
    this.parts.set(
      'base',
      `Base: ${this.body(scope, 1, 2)}{% block top %}{% endblock %}{% block rest %}.{% endblock %}`,
    );
    return `{% extends "base" %}{% block top %}Top ${this.body(scope, 1, 2)}{% endblock %}`;
  }

  #import(scope: Scope): string {
    this.#add('import');
    const name = `part${this.parts.size + 1}`;
    const item = this.#tape.pick(['- {{ x }}', '{{ x | upper }}', '{% if x %}{{ x }}{% endif %}']);
    this.parts.set(name, `Macros. {% macro show(x) %}${item}{% endmacro %}`);
    const [tag, called] = this.#tape.pick([
      [`{% import "${name}" as ${name} %}`, `${name}.show`],
      [`{% from "${name}" import show as show${name} %}`, `show${name}`],
    ]) as [string, string];
    return tag + this.#print(`${called}(${this.#string(scope)})`);
  }

  #recursive(scope: Scope): string {
    const trees = scope.all().filter(({ shape, isMissing }) => shape.kind === 'tree' && !isMissing);
    const [tree] = trees;
    const name = this.#name();
    if (!tree) {
      this.#add('recursive macro');
      const macro = `{% macro ${name}(n) %}{{ n }}{% if n > 0 %}{{ ${name}(n - 1) }}{% endif %}{% endmacro %}`;
      return macro + this.#print(`${name}(${this.#tape.upTo(4)})`);
    }
    if (this.#tape.once(2)) {
      this.#add('recursive macro');
      const inside = `{{ n.label }}{% if n.children %}{% for c in n.children %}{{ ${name}(c) }}{% endfor %}{% endif %}`;
      const macro = `{% macro ${name}(n) %}${inside}{% endmacro %}`;
      return `${macro}{% for n in ${tree.path} %}{{ ${name}(n) }}{% endfor %}`;
    }
    this.#add('recursive loop');
    const inside = `{{ n.label }}{% if n.children %}({{ loop(n.children) }}){% endif %}`;
    return `{% for n in ${tree.path} recursive %}${inside}{% endfor %}`;
  }

  // Expressions.

  /** Returns the values of some kinds that are never missing. */
  #present(scope: Scope, ...kinds: readonly Shape['kind'][]): readonly Place[] {
    return scope.all().filter(({ shape, isMissing }) => !isMissing && kinds.includes(shape.kind));
  }

  /** Returns a condition, and the scope in which it is true. */
  #guard(scope: Scope): { readonly condition: string; readonly inside: Scope } {
    const missing = scope.all().filter(({ isMissing }) => isMissing);
    if (missing.length === 0 || this.#tape.once(3)) return { condition: this.#truth(scope), inside: scope };
    this.#add('guard');
    const place = this.#tape.pick(missing);
    const { path, shape } = place;
    const more = this.#tape.once(3) ? ` and ${this.#truth(scope)}` : '';
    const condition = this.#tape.pick([
      path,
      `${path} is defined and ${path} is not none`,
      `${path} is defined and ${path}`,
    ]);
    return { condition: condition + more, inside: scope.with([{ path, shape, isMissing: false }]) };
  }

  /** Returns an expression that can be tested. */
  #truth(scope: Scope, depth = 0): string {
    const tape = this.#tape;
    const all = scope.all();
    switch (depth > 2 ? tape.upTo(5) : tape.upTo(13)) {
      case 0:
        return all.length > 0 ? tape.pick(all).path : 'true';
      case 1:
        this.#add('test');
        return all.length > 0
          ? `${tape.pick(all).path} is ${tape.pick(['defined', 'not none', 'string', 'mapping', 'number', 'undefined', 'sequence', 'iterable', 'not defined', 'boolean'])}`
          : '1 is defined';
      case 2:
        this.#add('operator');
        return `${this.#number(scope)} ${tape.pick(['>', '<', '>=', '<=', '==', '!='])} ${this.#number(scope)}`;
      case 3:
        this.#add('operator');
        return `${this.#string(scope)} ${tape.pick(['==', '!=', 'in', 'not in', '<'])} ${this.#string(scope)}`;
      case 4: {
        const [flag] = this.#present(scope, 'boolean');
        return flag ? flag.path : 'false';
      }
      case 5:
      case 6:
        this.#add('operator');
        return `${this.#truth(scope, depth + 1)} ${tape.pick(['and', 'or'])} ${this.#truth(scope, depth + 1)}`;
      case 7:
        this.#add('operator');
        return `not (${this.#truth(scope, depth + 1)})`;
      case 8: {
        const { written, item } = this.#list(scope);
        return isScalar(item) ? `${this.#scalar(scope, item)} in ${written}` : `${written} | length > 1`;
      }
      case 9:
        return scope.inLoop ? this.#loopTruth() : '2 is even';
      case 10:
        this.#add('test');
        return `${this.#number(scope)} is ${tape.pick(['odd', 'even', 'divisibleby(3)', 'gt(2)', 'number', 'integer'])}`;
      case 11:
        this.#add('test');
        return `${this.#string(scope)} is ${tape.pick(['startingwith("a")', 'endingwith("b")', 'upper', 'eq("a")', 'in(["a", "low"])'])}`;
      default:
        return `(${this.#truth(scope, depth + 1)})`;
    }
  }

  #loopTruth(): string {
    this.#add('loop field');
    return this.#tape.pick([
      'loop.last',
      'not loop.last',
      'loop.first',
      'loop.index > 1',
      'loop.index0 is even',
      'loop.nextitem is defined',
    ]);
  }

  #scalar(scope: Scope, { kind }: Shape): string {
    if (kind === 'string') return this.#string(scope);
    return kind === 'boolean' ? `(${this.#truth(scope)})` : this.#number(scope);
  }

  /** Returns an expression that can be printed. */
  #any(scope: Scope): string {
    const tape = this.#tape;
    const missing = scope.all().filter(({ isMissing, shape }) => isMissing && isScalar(shape));
    switch (tape.upTo(9)) {
      case 0:
      case 1:
      case 2:
        return this.#string(scope);
      case 3:
        return this.#number(scope);
      case 4:
        return this.#typed(scope).written;
      case 5:
        return this.#list(scope).written;
      case 6: {
        if (missing.length === 0) return this.#string(scope);
        const { path } = tape.pick(missing);
        this.#add('guard');
        return tape.pick([
          `${path} or "none"`,
          `${path} if ${path} else "-"`,
          `${path} if ${path} is defined else "none"`,
          `${path} | default("-")`,
          `${path} | default("none", true)`,
        ]);
      }
      case 7: {
        // A value without a guard, which often has a finding.
        const all = scope.all();
        return all.length > 0 && tape.once(3) ? tape.pick(all).path : this.#string(scope);
      }
      default:
        this.#add('conditional');
        return `${this.#string(scope)} if ${this.#truth(scope)} else ${this.#number(scope)}`;
    }
  }

  #typed(scope: Scope): { readonly written: string; readonly shape: Shape } {
    const present = scope.all().filter(({ isMissing }) => !isMissing);
    switch (this.#tape.upTo(6)) {
      case 0:
      case 1: {
        if (present.length === 0) break;
        const { path, shape } = this.#tape.pick(present);
        return { written: path, shape };
      }
      case 2: {
        const { written, item } = this.#list(scope);
        return { written, shape: { kind: 'list', item, least: 0 } };
      }
      case 3:
        return { written: this.#number(scope), shape: NUMBER };
      case 4: {
        const fields = ['k', 'l'].map((name) => ({ name, shape: TEXT, presence: 'required' as const }));
        const written = `{"k": ${this.#string(scope)}, "l": ${this.#string(scope)}}`;
        return { written, shape: { kind: 'object', fields } };
      }
    }
    return { written: this.#string(scope), shape: TEXT };
  }

  #string(scope: Scope, depth = 0): string {
    const tape = this.#tape;
    const inner = () => this.#string(scope, depth + 1);
    const texts = this.#present(scope, 'string');
    switch (depth > 2 ? tape.upTo(3) : tape.upTo(18)) {
      case 0:
        return tape.pick(['"a"', "'b c'", '""', '"A,b"']);
      case 1:
      case 2:
        return texts.length > 0 ? tape.pick(texts).path : '"word"';
      case 3:
      case 4:
        this.#add('filter');
        return `(${inner()} | ${tape.pick([
          ...[
            'upper',
            'lower',
            'trim',
            'title',
            'capitalize',
            'replace("a", "b")',
            'indent(2)',
            'default("x")',
            'string',
          ],
          ...[
            'escape',
            'reverse',
            'truncate(length=5)',
            'striptags',
            'trim("ab")',
            'tojson',
            'safe',
            'replace(" ", "\\n")',
          ],
        ])})`;
      case 5:
        this.#add('operator');
        return `(${inner()} ~ ${tape.pick([inner, () => this.#number(scope)])()})`;
      case 6:
        this.#add('conditional');
        return `(${inner()} if ${this.#truth(scope)} else ${inner()})`;
      case 7:
      case 8: {
        this.#add('filter');
        const { written } = this.#list(scope);
        return `(${written} | join(${tape.pick(['", "', '"\\n"', ''])}))`;
      }
      case 9:
        this.#add('slice');
        return `(${inner()})[${tape.pick(['1:', ':2', '1:3', ':-1', '::2', '::-1', '-2:'])}]`;
      case 10: {
        const missing = scope.all().filter(({ isMissing, shape }) => isMissing && shape.kind === 'string');
        if (missing.length === 0) return inner();
        this.#add('guard');
        const { path } = tape.pick(missing);
        return tape.pick([
          `(${path} or "none")`,
          `(${path} | default("", true) | upper)`,
          `(${path} if ${path} else "")`,
          `(${path} | default("x", true))`,
        ]);
      }
      case 11: {
        const lists = this.#present(scope, 'list').filter(
          ({ shape }) => shape.kind === 'list' && shape.least > 0 && shape.item.kind === 'string',
        );
        if (lists.length === 0) return inner();
        this.#add('item');
        const { path } = tape.pick(lists);
        return tape.pick([`${path}[0]`, `(${path} | first)`, `(${path} | last)`, `${path}[-1]`, `(${path} | max)`]);
      }
      case 12:
        return scope.inLoop ? this.#loopText() : inner();
      case 13: {
        const parameters = this.#fields.filter(
          ({ shape, presence }) => presence === 'required' && shape.kind === 'string',
        );
        if (parameters.length === 0) return inner();
        this.#add('parameters');
        return `parameters.${tape.pick(parameters).name}`;
      }
      case 14: {
        this.#add('split');
        return tape.pick([
          `(${inner()} | split(",") | first | default(""))`,
          `(${inner()} | split(",") | join("; "))`,
          `(${inner()} | split | list | join)`,
          `(${inner()} | lines | join(" "))`,
          `(${inner()} | split(","))`,
        ]);
      }
      case 15: {
        const all = scope.all().filter(({ isMissing }) => !isMissing);
        return all.length > 0
          ? `(${tape.pick(all).path} | ${tape.pick(['tojson', 'string', 'pprint', 'tojson(indent=2)'])})`
          : inner();
      }
      default:
        return inner();
    }
  }

  #loopText(): string {
    this.#add('loop field');
    return this.#tape.pick([
      'loop.cycle("odd", "even")',
      '("," if not loop.last else "")',
      '(loop.previtem | default("first") | string)',
      '(loop.nextitem is defined)',
      '(loop.index ~ "/" ~ loop.length)',
      '(loop.revindex ~ "")',
      '(loop.depth ~ "")',
      '("" if loop.first else "; ")',
    ]);
  }

  #number(scope: Scope, depth = 0): string {
    const tape = this.#tape;
    const inner = () => this.#number(scope, depth + 1);
    const numbers = this.#present(scope, 'integer', 'number');
    switch (depth > 2 ? tape.upTo(3) : tape.upTo(18)) {
      case 0:
        return tape.pick(['1', '0', '42', '2.5']);
      case 1:
      case 2:
        return numbers.length > 0 ? tape.pick(numbers).path : '3';
      case 3:
        this.#add('operator');
        return `(${inner()} ${tape.pick(['+', '-', '*'])} ${inner()})`;
      case 4:
        this.#add('operator');
        return `(${inner()} ${tape.pick(['//', '%', '/'])} ${tape.pick(['2', '7', '2.5'])})`;
      case 5:
      case 6:
        this.#add('filter');
        return `(${this.#list(scope).written} | length)`;
      case 7:
        return `(${this.#string(scope)} | length)`;
      case 8:
        this.#add('filter');
        return `(${inner()} | ${tape.pick(['abs', 'round', 'round(1)', 'int', 'float', 'default(3)'])})`;
      case 9: {
        const lists = this.#present(scope, 'list').filter(
          ({ shape }) => shape.kind === 'list' && (shape.item.kind === 'integer' || shape.item.kind === 'number'),
        );
        return lists.length > 0 ? `(${tape.pick(lists).path} | sum)` : inner();
      }
      case 10:
        if (!scope.inLoop) return inner();
        this.#add('loop field');
        return tape.pick(['loop.index', 'loop.index0', 'loop.length', 'loop.revindex', 'loop.depth0']);
      case 11: {
        const missing = scope
          .all()
          .filter(({ isMissing, shape }) => isMissing && (shape.kind === 'integer' || shape.kind === 'number'));
        if (missing.length === 0) return inner();
        this.#add('guard');
        const { path } = tape.pick(missing);
        return tape.pick([`(${path} | default(1, true))`, `(${path} or 2)`, `(${path} if ${path} is number else 0)`]);
      }
      case 13: {
        this.#add('division');
        const { path } = numbers.length > 0 ? tape.pick(numbers) : { path: '4' };
        return tape.pick([`(${inner()} // ${path})`, `(${inner()} / ${path} if ${path} else 0)`, `(7 % ${path})`]);
      }
      case 14:
        this.#add('conversion');
        return `(${this.#string(scope)} | ${tape.pick(['int', 'float', 'trim | int'])})`;
      case 15:
        this.#add('conversion');
        return tape.pick(['("12" | int)', '("2.5" | float)', `(${inner()} | string | length)`, '(true | int)']);
      case 16: {
        const { written, item } = this.#list(scope);
        if (item.kind !== 'integer' && item.kind !== 'number') return inner();
        return `(${written} | ${tape.pick(['max', 'min', 'first', 'last'])} | default(0))`;
      }
      case 12:
        this.#add('operator');
        return `-${tape.pick(['1', '2.5'])}`;
      default:
        this.#add('conditional');
        return `(${inner()} if ${this.#truth(scope)} else ${inner()})`;
    }
  }

  /** Returns a list and the type of its items. */
  #list(scope: Scope, depth = 0): { readonly written: string; readonly item: Shape } {
    const tape = this.#tape;
    const lists = this.#present(scope, 'list');
    const own = (): { readonly written: string; readonly item: Shape } => {
      if (lists.length === 0) return { written: '["x", "y"]', item: TEXT };
      const { path, shape } = tape.pick(lists);
      return { written: path, item: shape.kind === 'list' ? shape.item : TEXT };
    };
    const changed = (filter: string) => {
      const { written, item } = this.#list(scope, depth + 1);
      return { written: `(${written} | ${filter})`, item };
    };
    switch (depth > 2 ? 0 : tape.upTo(18)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return own();
      case 4:
        return { written: `[${this.#string(scope)}, ${this.#string(scope)}]`, item: TEXT };
      case 5:
        this.#add('filter');
        return changed(tape.pick(['list', 'reverse', 'unique', 'sort', 'sort(reverse=true)', 'unique | list']));
      case 6: {
        this.#add('slice');
        const { written, item } = own();
        return { written: `${written}[${tape.pick(['1:', ':2', ':-1', '::2'])}]`, item };
      }
      case 7:
        this.#add('split');
        return {
          written: `(${this.#string(scope)} | ${tape.pick(['split(",") | list', 'lines', 'split | list', 'list', 'split(",")'])})`,
          item: TEXT,
        };
      case 8: {
        this.#add('filter');
        const { written, item } = this.#list(scope, depth + 1);
        if (item.kind !== 'string') return { written, item };
        return { written: `(${written} | map("${tape.pick(['upper', 'trim', 'title'])}") | list)`, item };
      }
      case 9:
      case 10: {
        const { written, item } = own();
        if (item.kind !== 'object') return { written, item };
        this.#add('filter');
        const field = tape.pick(item.fields);
        const { name, shape, presence } = field;
        if (presence !== 'required') {
          const kept = item.fields.map((one) => (one === field ? { ...one, presence: 'required' as const } : one));
          return { written: `(${written} | selectattr("${name}"))`, item: { kind: 'object', fields: kept } };
        }
        return tape.once(2) && isScalar(shape)
          ? { written: `(${written} | sort(attribute="${name}"))`, item }
          : {
              written: `(${written} | ${tape.pick([`map(attribute="${name}")`, `map("attr", "${name}")`])}${tape.pick(['', ' | list'])})`,
              item: shape,
            };
      }
      case 11:
        return { written: `range(${tape.pick(['3', '1, 4', '0'])})`, item: { kind: 'integer' } };
      case 12: {
        const maps = this.#present(scope, 'map', 'object');
        return maps.length > 0 ? { written: `(${tape.pick(maps).path} | list)`, item: TEXT } : own();
      }
      case 13:
        this.#add('filter');
        return changed(
          tape.pick([
            'select',
            'reject("none")',
            'select("defined")',
            'select("string")',
            'unique(case_sensitive=true)',
            'reverse | list',
            'sort(case_sensitive=true)',
          ]),
        );
      case 14: {
        const missing = scope.all().filter(({ isMissing, shape }) => isMissing && shape.kind === 'list');
        if (missing.length === 0) return own();
        this.#add('guard');
        const { path, shape } = tape.pick(missing);
        const item = shape.kind === 'list' ? shape.item : TEXT;
        return { written: tape.pick([`(${path} or [])`, `(${path} | default([], true))`]), item };
      }
      case 15: {
        this.#add('filter');
        const { written, item } = own();
        const filter = tape.pick(['batch(2)', 'slice(2)', 'batch(2, none)']);
        const inner: Shape =
          filter === 'batch(2, none)' && item.kind !== 'nullable' ? { kind: 'nullable', shape: item } : item;
        return { written: `(${written} | ${filter})`, item: { kind: 'list', item: inner, least: 0 } };
      }
      case 16: {
        const { written, item } = this.#list(scope, depth + 1);
        return { written: `(${written} | chain(${written}))`, item };
      }
      default: {
        const { written, item } = own();
        return { written: `(${written} + ${written})`, item };
      }
    }
  }
}
