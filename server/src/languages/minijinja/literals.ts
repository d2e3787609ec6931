/** What string and number literals mean, and when MiniJinja refuses them. */

const SIMPLE_ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '"': '"',
    "'": "'",
    '\\': '\\',
    '/': '/',
    b: '\b',
    f: '\f',
    n: '\n',
    r: '\r',
    t: '\t',
  }),
);

/** `start` and `end` are offsets into the content that was given. */
interface EscapeProblem {
  readonly start: number;
  readonly end: number;
  readonly message: string;
}

/** The value of a string's content. Escapes are JSON's, and `\x41`, `\101`; an unknown one is refused (until 2.18). */
export function valueOfString(content: string): { readonly value: string; readonly problem?: EscapeProblem } {
  let value = '';
  let at = 0;
  let problem: EscapeProblem | undefined;
  const refuse = (start: number, end: number, message: string) => {
    problem ??= { start, end, message };
  };
  // A high surrogate written as an escape must be followed by an escaped low one at once.
  let pending = -1;
  while (at < content.length) {
    const slash = content.indexOf('\\', at);
    const next = slash < 0 ? content.length : slash;
    if (next > at) {
      if (pending >= 0) refuse(pending, pending + 6, halfPair(content, pending));
      pending = -1;
      value += content.slice(at, next);
    }
    if (slash < 0) break;
    const { length, text, message } = escapeAt(content, slash);
    if (message !== undefined) refuse(slash, slash + length, message);
    const unit = text.length === 1 ? text.charCodeAt(0) : 0;
    const half = content[slash + 1] === 'u' && unit >= 0xd800 && unit <= 0xdfff;
    if (pending >= 0) {
      const pairs = half && unit >= 0xdc00 && value.charCodeAt(value.length - 1) < 0xdc00;
      if (!pairs) refuse(pending, pending + 6, halfPair(content, pending));
      pending = -1;
    } else if (half) pending = slash;
    value += text;
    at = slash + length;
  }
  if (pending >= 0) refuse(pending, pending + 6, halfPair(content, pending));
  return problem === undefined ? { value } : { value, problem };
}

const halfPair = (content: string, at: number) =>
  `\`${content.slice(at, at + 6)}\` is half of a surrogate pair: write both halves, or the character itself.`;

function escapeAt(content: string, slash: number): { length: number; text: string; message?: string } {
  const letter = content[slash + 1] ?? '';
  const simple = SIMPLE_ESCAPES.get(letter);
  if (simple !== undefined) return { length: 2, text: simple };
  if (letter === 'u') return hexEscape(content, slash, 4);
  if (letter === 'x') return hexEscape(content, slash, 2);
  const octal = /^[0-7]{1,3}/.exec(content.slice(slash + 1, slash + 4))?.[0];
  if (octal !== undefined) {
    const code = Number.parseInt(octal, 8);
    const length = 1 + octal.length;
    if (code <= 255) return { length, text: String.fromCharCode(code) };
    return { length, text: '', message: `\`\\${octal}\` is beyond \`\\377\`, the last octal escape.` };
  }
  const length = 1 + (String.fromCodePoint(content.codePointAt(slash + 1) ?? 0).length || 1);
  const written = content.slice(slash, slash + length);
  const message = `\`${written}\` is not an escape that MiniJinja knows: double the backslash (\`\\${written}\`) to write one.`;
  return { length, text: written, message };
}

/** The engine reads the digits with a routine that admits a leading `+`; so `\u+123` is as good as `\u0123`. */
function hexEscape(content: string, slash: number, digits: number): { length: number; text: string; message?: string } {
  const written = content.slice(slash + 2, slash + 2 + digits);
  if (written.length === digits && /^\+?[0-9a-fA-F]+$/.test(written)) {
    return { length: 2 + digits, text: String.fromCharCode(Number.parseInt(written, 16)) };
  }
  const letter = content[slash + 1] ?? '';
  const good = /^[0-9a-fA-F]*/.exec(written)?.[0].length ?? 0;
  return {
    length: 2 + good,
    text: '',
    message: `\`\\${letter}\` takes exactly ${digits} hexadecimal digits.`,
  };
}

const DECIMAL = /[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE]_*[+-]?[0-9_]*)?/y;
const RADIX = /0(?:[bB][0-9_]*|[oO][0-9_]*|[xX][0-9a-fA-F_]*)/y;
const FLOAT = /^[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?$/;
const LARGEST = 2n ** 128n - 1n;

/** The end of the number that starts at `at`, as far as the engine's lexer would read. */
export function numberEnd(text: string, at: number): number {
  const pattern = text.charCodeAt(at) === 48 && /[bBoOxX]/.test(text[at + 1] ?? '') ? RADIX : DECIMAL;
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at + 1;
}

/** The value of a number as written, or why the engine refuses it. */
export function numberValue(written: string): { readonly value: number; readonly message?: string } {
  if (written.endsWith('_')) return { value: 0, message: `A number cannot end with \`_\`.` };
  const plain = written.replaceAll('_', '');
  const radix = /^0([bBoOxX])/.exec(plain)?.[1]?.toLowerCase();
  const isInteger = radix !== undefined || /^[0-9]+$/.test(plain);
  if (!isInteger) {
    if (FLOAT.test(plain)) return { value: Number(plain) };
    return { value: 0, message: `\`${written}\` is not a number: the exponent has no digits.` };
  }
  const digits = radix === undefined ? plain : plain.slice(2);
  const allowed = radix === 'b' ? /^[01]+$/ : radix === 'o' ? /^[0-7]+$/ : /^[0-9a-fA-F]+$/;
  if (!allowed.test(digits))
    return { value: 0, message: `\`${written}\` is not a number in the notation \`0${radix}\`.` };
  const significant = digits.replace(/^0+/, '').length;
  if (significant > 128 || (significant > 15 && BigInt(plain) > LARGEST)) {
    return { value: 0, message: 'This number is too large: integers end at 2^128.' };
  }
  return { value: Number(plain) };
}
