/** Masks secret values in questions, errors and the snapshot. */
import { findSecrets } from '../abilities/secrets.ts';
import { decoded } from '../vocabulary/dialect.ts';

export const MASK = '***';

/**
 * The minimum length for masking a value everywhere. Shorter values, such as `1`, are masked only as separate words.
 */
const LEAST = 4;

export type Mask = (text: string) => string;

/**
 * Returns a function that masks `secrets` in every spelling that a server may use (docs/tools.md, "Secrets"). The
 * function also masks strings that look like tokens.
 */
export function maskOf(secrets: Iterable<string>): Mask {
  const pieces = [...new Set([...secrets].flatMap(spellingsOf).flatMap(piecesOf))].sort((a, b) => b.length - a.length);
  const lower = pieces.map((piece) => piece.toLowerCase());
  const patterns: RegExp[] = [];
  return (text) => {
    const inLower = text.toLowerCase();
    const hasEscapes = /[%\\+~]/.test(text);
    let masked = text;
    for (const [at, piece] of pieces.entries()) {
      // Most texts contain neither an escape nor a secret, which this test shows much faster than the pattern.
      if (!hasEscapes && !inLower.includes(lower[at] ?? '')) continue;
      patterns[at] ??= patternOf(piece);
      masked = masked.replace(patterns[at], MASK);
    }
    return maskTokens(masked === text ? text : masked.replace(/(?:\*\*\*){2,}/g, MASK));
  };
}

/** The maximum length of a pattern's secret. */
const MAX_PIECE = 64;

/** Returns the pieces of a long secret, which are masked one by one, because a long pattern cannot be compiled. */
function piecesOf(secret: string): readonly string[] {
  const count = Math.ceil(secret.length / MAX_PIECE);
  const length = Math.ceil(secret.length / count);
  return Array.from({ length: count }, (_, at) => secret.slice(at * length, (at + 1) * length));
}

/** Returns a secret, its binary spellings, and the parts of it that are secrets, too: words, and a decoded login. */
function spellingsOf(secret: string): readonly string[] {
  const [, scheme = '', rest = ''] = /^(bearer|basic|token)\s+(.*)$/is.exec(secret.trim()) ?? [];
  const login = /^basic$/i.test(scheme) ? fromBase64(rest) : '';
  const whole = [secret, decoded(secret), rest, login, login.slice(login.indexOf(':') + 1)];
  const binary = whole.filter((one) => one.length >= LEAST_ENCODED).flatMap(binarySpellingsOf);
  const words = secret.split(/[\s;,]+/).flatMap((word) => [word, word.slice(word.indexOf('=') + 1)]);
  return [
    ...whole.flatMap((one) => [one, one.normalize('NFC'), one.normalize('NFD')]),
    ...binary,
    ...words.filter(isRandom),
  ];
}

/** Returns whether a word is long, or is a mixture of letters and other characters. Other words may occur by chance. */
const isRandom = (word: string): boolean =>
  word.length >= 8 || (word.length >= LEAST && /[a-z]/i.test(word) && /[^a-z]/i.test(word));

/**
 * Returns a pattern in which each character of a secret may be escaped, as in addresses, forms, JSON and JSON pointers.
 * A short secret must be a separate word. The number of backslashes is bounded, so that no text takes long.
 */
function patternOf(secret: string): RegExp {
  const pattern = secret.replace(/\\+|[\s\S]/gu, (part) => {
    if (part.startsWith('\\')) return `(?:\\\\{${part.length},${4 * part.length}}|(?:%5c){${part.length}})`;
    const units = Array.from({ length: part.length }, (_, at) => part.charCodeAt(at).toString(16).padStart(4, '0'));
    const escapes = [units.map((unit) => `\\\\{1,3}u${unit}`), bytesOf(part).map((byte) => `%${inHex(byte)}`)];
    const others = OTHER_SPELLINGS.get(part) ?? [];
    return `(?:${[escaped(part), ...escapes.map((one) => one.join('')), ...others].join('|')})`;
  });
  return new RegExp(secret.length >= LEAST ? pattern : `(?<![\\w.-])${pattern}(?![\\w.-])`, 'gi');
}

/** The patterns of further spellings of a character. */
const OTHER_SPELLINGS: ReadonlyMap<string, readonly string[]> = new Map([
  [' ', ['\\+']],
  ['"', ['\\\\{1,3}"']],
  ['/', ['\\\\{1,3}/', '~1']],
  ['~', ['~0']],
  ['\n', ['\\\\{1,3}n']],
  ['\r', ['\\\\{1,3}r']],
  ['\t', ['\\\\{1,3}t']],
]);

/** Returns the bytes of a text in UTF-8. A lone surrogate has no encoding and is therefore replaced. */
const bytesOf = (text: string): readonly number[] =>
  [...encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).matchAll(/%(..)|(.)/g)].map(([, hex, unit = '']) =>
    hex === undefined ? unit.charCodeAt(0) : Number.parseInt(hex, 16),
  );

const inHex = (byte: number): string => byte.toString(16).padStart(2, '0');

/** The minimum length of a secret whose encodings are masked. Those of a shorter one may occur by chance. */
const LEAST_ENCODED = 6;

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Returns a secret in hexadecimal digits, and in base64 as a part of longer data, which has three alignments. */
function binarySpellingsOf(secret: string): readonly string[] {
  const bytes = bytesOf(secret);
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const base64 = [0, 4, 2].map((skipped) =>
    [...bits.slice(skipped).matchAll(/.{6}/g)].map(([six]) => DIGITS[Number.parseInt(six, 2)]).join(''),
  );
  const inAddress = base64.map((one) => one.replaceAll('+', '-').replaceAll('/', '_'));
  return [...base64, ...inAddress, bytes.map(inHex).join('')];
}

/** Decodes base64; empty if the data is not text. */
function fromBase64(text: string): string {
  const bits = [
    ...text
      .replace(/[^\w+/-]/g, '')
      .replaceAll('-', '+')
      .replaceAll('_', '/'),
  ].map((digit) => DIGITS.indexOf(digit).toString(2).padStart(6, '0'));
  const bytes = [...bits.join('').matchAll(/.{8}/g)].map(([byte]) => Number.parseInt(byte, 2));
  const escapes = bytes.map((byte) => `%${inHex(byte)}`).join('');
  const result = decoded(escapes);
  return result === escapes ? '' : result;
}

function maskTokens(text: string): string {
  let result = '';
  let at = 0;
  for (const { span } of findSecrets(text)) {
    if (span.start < at) continue;
    result += text.slice(at, span.start) + MASK;
    at = span.end;
  }
  return result + text.slice(at);
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** Words that occur in the names of secrets, and rarely in other names. */
const SECRET_NAME =
  /key|token|secret|pass|pwd|auth|cred|cookie|session|signature|bearer|private|webhook|sig$|code$|dsn$|(?:^|_)(?:pat|pin|otp|pw)$/i;

/** Returns the secret parts of an address: the login, and the query values whose names suggest a secret. */
export function secretsInAddress(address: string): readonly string[] {
  const [, login = ''] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)@/i.exec(address) ?? [];
  const [, query = ''] = /\?([^#]*)/.exec(address) ?? [];
  const values = query.split(/[?&]/).flatMap((part) => {
    const at = part.indexOf('=');
    return at >= 0 && SECRET_NAME.test(part.slice(0, at)) ? [part.slice(at + 1)] : [];
  });
  // A user name in front of a password is not a secret.
  return [login, login.slice(login.indexOf(':') + 1), ...values].filter((value) => value !== '');
}

/**
 * Returns the secrets in the words of a command line: `--token VALUE`, `--token=VALUE`, `TOKEN=VALUE`, and in
 * addresses.
 */
export const secretsInArguments = (args: readonly string[]): readonly string[] =>
  args.flatMap((arg, at) => {
    const [, option = '', value = ''] = /^(-{1,2}[\w-]+|[A-Z][A-Z0-9_]*)=(.*)$/s.exec(arg) ?? [];
    if (SECRET_NAME.test(option)) return [value];
    const before = args[at - 1] ?? '';
    const isValue = /^--?[\w-]+$/.test(before) && SECRET_NAME.test(before) && !arg.startsWith('-');
    return isValue ? [arg] : secretsInAddress(value === '' ? arg : value);
  });

/** Returns whether the name of a variable suggests that its value is a secret. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

/**
 * Returns whether a value is masked in the snapshot, whose names must stay readable. A short word or number, which may
 * occur by chance, is masked only if its name suggests a secret.
 */
export const isSecretValue = (value: string, name: string): boolean =>
  isRandom(value) || (isSecretName(name) && value.length >= (/[^a-z]/i.test(value) ? LEAST : 6));
