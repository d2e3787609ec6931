/** Masks secret values in questions, errors and the snapshot. */
import { findSecrets } from '../abilities/secrets.ts';

export const MASK = '***';

/**
 * The minimum length for masking a value everywhere. Shorter values, such as `1`, are masked only as separate words.
 */
const LEAST = 4;

export type Mask = (text: string) => string;

/**
 * Returns a function that masks `secrets` in every spelling that a server may use. The function also masks strings that
 * look like tokens.
 */
export function maskOf(secrets: Iterable<string>): Mask {
  const spellings = new Set([...secrets].flatMap(spellingsOf));
  const sorted = [...spellings].sort((a, b) => b.length - a.length);
  const long = sorted.filter((one) => one.length >= LEAST).map(escaped);
  const short = sorted.filter((one) => one.length < LEAST).map((one) => `(?<![\\w.-])${escaped(one)}(?![\\w.-])`);
  const all = [...long, ...short];
  const pattern = all.length > 0 ? new RegExp(all.join('|'), 'g') : undefined;
  return (text) => maskTokens(pattern ? text.replace(pattern, MASK) : text);
}

/** Returns the secret and its words, and the spellings of each in addresses and in JSON. */
function spellingsOf(secret: string): readonly string[] {
  const words = secret.split(/\s+/).filter((word) => word !== '' && !/^(?:bearer|basic|token)$/i.test(word));
  return [secret, ...words].flatMap((one) => [one, encoded(one), JSON.stringify(one).slice(1, -1)]);
}

/** Encodes a string for an address. A lone surrogate has no encoding and is therefore replaced. */
const encoded = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));

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
const SECRET_NAME = /key|token|secret|passw|pwd|auth|credential|cookie|session|signature|sig$|code$/i;

/** Returns the secret parts of an address: the login, and the query values whose names suggest a secret. */
export function secretsInAddress(address: string): readonly string[] {
  const [, login = ''] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)@/i.exec(address) ?? [];
  const [, query = ''] = /\?([^#]*)/.exec(address) ?? [];
  const values = query.split(/[?&]/).flatMap((part) => {
    const at = part.indexOf('=');
    return at >= 0 && SECRET_NAME.test(part.slice(0, at)) ? [part.slice(at + 1)] : [];
  });
  return [login, ...login.split(':'), ...values].filter((value) => value !== '');
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
