/**
 * Random templates, which combine pieces of the grammar and are then damaged. A seed always yields the same templates.
 */

export interface Random {
  /** Returns an integer from 0 up to, but not including, `below`. */
  readonly upTo: (below: number) => number;
  readonly pick: <T>(from: readonly T[]) => T;
  readonly chance: (probability: number) => boolean;
}

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const upTo = (below: number) => Math.floor(next() * below);
  return { upTo, pick: (from) => from[upTo(from.length)] as (typeof from)[number], chance: (p) => next() < p };
}

const NAMES = [
  'a',
  'b',
  'user',
  'items',
  'loop',
  'x1',
  '_y',
  'if',
  'not',
  'in',
  'true',
  'none',
  'is',
  'else',
  'recursive',
];
const STRINGS = [
  '"a"',
  "'b c'",
  '"\\n\\x41"',
  '"%}"',
  "'}}'",
  '"{{"',
  '"\\u00e9"',
  '"\\ud83d\\ude00"',
  '""',
  '"a" \'b\'',
];
const NUMBERS = ['0', '1', '42', '1.5', '1_000', '0x1F', '0b11', '0o7', '1e5', '1.5e-3', '2.'];
const FILTERS = ['upper', 'default', 'join', 'nosuch', 'd', 'map'];
const TESTS = ['defined', 'odd', 'divisibleby', 'string', 'none', 'nosuch', 'in'];
const BINARY = [
  ' + ',
  ' - ',
  ' * ',
  ' / ',
  ' // ',
  ' % ',
  ' ** ',
  ' ~ ',
  ' == ',
  ' != ',
  ' < ',
  ' <= ',
  ' > ',
  ' >= ',
  ' in ',
  ' not in ',
  ' and ',
  ' or ',
  '-',
  '*',
  '**',
  '~',
  '==',
];

export function expression(random: Random, depth = 0): string {
  const again = () => expression(random, depth + 1);
  if (depth > 4 || random.chance(0.35))
    return random.pick([...NAMES.slice(0, 7), random.pick(NAMES), random.pick(STRINGS), random.pick(NUMBERS)]);
  switch (random.upTo(17)) {
    case 0:
    case 1:
      return again() + random.pick(BINARY) + again();
    case 2:
      return `not ${again()}`;
    case 3:
      return `-${again()}`;
    case 4:
      return `(${again()})`;
    case 5:
      return `${again()}.${random.pick(NAMES)}`;
    case 6:
      return `${again()}[${random.pick([again(), `${again()}:`, ':', `:${again()}`, '::', `${again()}:${again()}:${again()}`])}]`;
    case 7:
      return `${again()} | ${random.pick(FILTERS)}${random.chance(0.4) ? callArguments(random, depth) : ''}`;
    case 8:
      return `${again()} is ${random.chance(0.3) ? 'not ' : ''}${random.pick(TESTS)}${random.pick(['', '', callArguments(random, depth), ` ${again()}`])}`;
    case 9:
      return `${again()} if ${again()}${random.chance(0.7) ? ` else ${again()}` : ''}`;
    case 10:
      return `[${list(random, again)}]`;
    case 11:
      return `(${list(random, again)}${random.pick(['', ','])})`;
    case 12:
      return `{${list(random, () => `${again()}: ${again()}`)}}`;
    case 13:
      return again() + callArguments(random, depth);
    default:
      return `${random.pick(NAMES)}.${random.pick(NAMES)}`;
  }
}

function list(random: Random, item: () => string): string {
  const items = Array.from({ length: random.upTo(3) }, item).join(', ');
  return items + (items !== '' && random.chance(0.2) ? ',' : '');
}

function callArguments(random: Random, depth: number): string {
  const again = () => expression(random, depth + 1);
  return `(${list(random, () => random.pick([again, again, () => `k=${again()}`, () => `*${again()}`, () => `**${again()}`])())})`;
}

const target = (random: Random) => random.pick(['x', 'x, y', '(x, y)', 'x, (y, z)', 'ns.x', '(x)', '', 'loop', 'x,']);
const parameters = (random: Random) => random.pick(['', 'a', 'a, b', 'a, b=1', 'a=1, b=2', 'a=1, b', 'a,', 'true']);

function statement(random: Random, depth: number): string {
  const value = () => expression(random, 2);
  const inner = () => template(random, depth + 1);
  const tag = (content: string) =>
    `{%${random.pick(['', '', '', '-', '+'])} ${content} ${random.pick(['', '', '', '-', '+'])}%}`;
  const block = (head: string, body: string, end: string) => tag(head) + body + tag(end);
  switch (random.upTo(20)) {
    case 0:
    case 1:
    case 2: {
      const rest = random.pick([
        '',
        '',
        tag('else') + inner(),
        tag(`elif ${value()}`) + inner(),
        tag(`elif ${value()}`) + tag('else'),
      ]);
      return block(`if ${value()}`, inner() + rest, 'endif');
    }
    case 3:
    case 4:
    case 5: {
      const filter = random.pick(['', '', ` if ${value()}`, ' recursive', ` if ${value()} recursive`]);
      return block(
        `for ${target(random)} in ${value()}${filter}`,
        inner() + random.pick(['', tag('else') + inner()]),
        'endfor',
      );
    }
    case 6:
      return tag(`set ${target(random)} = ${value()}`);
    case 7:
      return block(
        `set ${target(random)}${random.pick(['', ' | upper', ` | join(${value()}) | upper`])}`,
        inner(),
        'endset',
      );
    case 8:
      return block(
        `with ${random.pick(['', `x = ${value()}`, `x = ${value()}, (y, z) = ${value()}`])}`,
        inner(),
        'endwith',
      );
    case 9:
      return block(`filter ${random.pick(FILTERS)}${random.pick(['', ' | upper', '(1)'])}`, inner(), 'endfilter');
    case 10:
      return block(`macro ${random.pick(NAMES)}(${parameters(random)})`, inner(), 'endmacro');
    case 11:
      return block(
        `call${random.pick(['', '(a)', '(a, b=1)'])} ${random.pick(['f()', 'm.f(1)', value()])}`,
        inner(),
        'endcall',
      );
    case 12:
      return tag(`import ${value()} as ${random.pick(['m', 'm.n', '(m, n)', '[m]', 'm with context'])}`);
    case 13:
      return tag(`from ${value()} import ${random.pick(['', 'a', 'a as b', 'a, b', 'a,', 'a with context', 'loop'])}`);
    case 14:
      return tag(
        `include ${value()}${random.pick(['', ' ignore missing', ' with context', ' ignore missing without context', ' ignore'])}`,
      );
    case 15:
      return tag(`extends ${value()}`);
    case 16:
      return block(
        `block b${random.upTo(4)}${random.pick(['', '', '', ' required', ' scoped'])}`,
        inner(),
        random.pick(['endblock', 'endblock b1']),
      );
    case 17:
      return block(`autoescape ${value()}`, inner(), 'endautoescape');
    case 18:
      return tag(`do ${random.pick(['f()', 'f.g(1)', value()])}`);
    default:
      return random.pick([
        '{% raw %}{{ x {% if %}{% endraw %}',
        '{%- raw -%}a{%- endraw -%}',
        tag('break'),
        tag('continue'),
        '{# {{ c }} #}',
        '{#- c -#}',
      ]);
  }
}

export function template(random: Random, depth = 0): string {
  let text = '';
  for (let pieces = random.upTo(depth > 2 ? 2 : 4); pieces >= 0; pieces--) {
    const kind = random.upTo(3);
    if (kind === 0) text += random.pick(['text', '\n', ' ', '{', '}', 'a\r\nb', 'é', '💡', '"', '%}']);
    else if (kind === 1)
      text += `{{${random.pick(['', '-', '+'])} ${expression(random)} ${random.pick(['', '-', '+'])}}}`;
    else if (depth < 4) text += statement(random, depth);
  }
  return text;
}

const SCRAPS = [
  '{{',
  '}}',
  '{%',
  '%}',
  '{#',
  '#}',
  '-',
  '+',
  '|',
  '.',
  ',',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '"',
  "'",
  '=',
  '==',
  ' is ',
  ' if ',
  ' else ',
  ' not ',
  ' in ',
  '\n',
  '\\',
  '!',
  '&',
  'é',
  ' x ',
  '1',
  '_',
  ':',
  '*',
  '**',
  '~',
  '{% endif %}',
  '{% endfor %}',
  '{% else %}',
  '{% if x %}',
  '{% raw %}',
  '{% endraw %}',
  '{% set x %}',
  '{% endset %}',
  '{% endblock %}',
  'end',
  ' as ',
  '\\q',
  '\\u12',
  '0x',
  'e',
  '\0',
];

/** Removes, doubles, moves or inserts something, up to a few times. */
export function damage(random: Random, text: string): string {
  let result = text;
  for (let times = random.upTo(3); times >= 0; times--) {
    const at = random.upTo(result.length + 1);
    const length = random.pick([1, 1, 1, 2, 3, 8]);
    const rest = result.slice(at + length);
    const cut = result.slice(at, at + length);
    const kind = random.upTo(5);
    if (kind === 0) result = result.slice(0, at) + rest;
    else if (kind === 1) result = result.slice(0, at) + cut + cut + rest;
    else if (kind === 2) result = result.slice(0, at) + random.pick(SCRAPS) + rest;
    else if (kind === 3) result = result.slice(0, at) + random.pick(SCRAPS) + cut + rest;
    else {
      const to = random.upTo(rest.length + 1);
      result = result.slice(0, at) + rest.slice(0, to) + cut + rest.slice(to);
    }
  }
  return result;
}
