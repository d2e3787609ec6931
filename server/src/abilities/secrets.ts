/** Finds keys and tokens in a string by the formats that their issuers document (docs/abilities.md, "Secrets"). */
import { type Span, span } from '../text.ts';
import { type MarkedPattern, mayMatch } from './commands.ts';

export interface Secret {
  /** The kind, such as `GitHub token`. */
  readonly kind: string;
  readonly span: Span;
}

interface Format extends MarkedPattern {
  readonly kind: string;
  /** True if the first group ends with a checksum of the rest. */
  readonly isSummed?: boolean;
}

const FORMATS: readonly Format[] = [
  {
    kind: 'GitHub token',
    marks: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    pattern: /\bgh[pousr]_([A-Za-z0-9]{36})\b/g,
    isSummed: true,
  },
  { kind: 'GitHub token', marks: ['github_pat_'], pattern: /\bgithub_pat_([A-Za-z0-9]{22}_[A-Za-z0-9]{59})\b/g },
  { kind: 'npm token', marks: ['npm_'], pattern: /\bnpm_([A-Za-z0-9]{36})\b/g, isSummed: true },
  { kind: 'AWS access key', marks: ['AKIA', 'ASIA'], pattern: /\b(?:AKIA|ASIA)([A-Z2-7]{16})\b/g },
  { kind: 'Slack token', marks: ['xox'], pattern: /\bxox[abprs]-(\d{8,14}-\d{8,14}-[A-Za-z0-9-]{20,64})\b/g },
  { kind: 'Stripe key', marks: ['k_live_'], pattern: /\b[sr]k_live_([A-Za-z0-9]{24,128})\b/g },
  { kind: 'Google API key', marks: ['AIza'], pattern: /\bAIza([\w-]{35})(?![\w-])/g },
  {
    kind: 'OpenAI key',
    marks: ['T3BlbkFJ'],
    pattern: /\bsk-(?:proj-|svcacct-)?([\w-]{20,80}T3BlbkFJ[\w-]{20,80})(?![\w-])/g,
  },
  { kind: 'Anthropic key', marks: ['sk-ant-'], pattern: /\bsk-ant-(?:api|admin)\d\d-([\w-]{93}AA)(?![\w-])/g },
  { kind: 'GitLab token', marks: ['glpat-'], pattern: /\bglpat-([\w-]{20})(?![\w-])/g },
  { kind: 'SendGrid key', marks: ['SG.'], pattern: /\bSG\.([\w-]{22}\.[\w-]{43})(?![\w-])/g },
  { kind: 'Hugging Face token', marks: ['hf_'], pattern: /\bhf_([A-Za-z]{34})\b/g },
  { kind: 'PyPI token', marks: ['pypi-'], pattern: /\bpypi-(AgEIcHlwaS5vcmc[\w-]{50,250})(?![\w-])/g },
  { kind: 'DigitalOcean token', marks: ['_v1_'], pattern: /\bdo[opr]_v1_([0-9a-f]{64})\b/g },
  {
    kind: 'private key',
    marks: ['PRIVATE KEY-----'],
    pattern: /-----BEGIN (?:RSA |EC |DSA |OPENSSH )?PRIVATE KEY-----\s{1,40}((?:[A-Za-z0-9+/=]{40,80}\s{1,40}){1,2})/g,
  },
];

export function findSecrets(text: string): readonly Secret[] {
  const found: Secret[] = [];
  for (const format of FORMATS.filter((one) => mayMatch(text, one))) {
    const { kind, pattern, isSummed } = format;
    for (const { 0: whole, 1: random = '', index } of text.matchAll(pattern)) {
      if (isSummed ? !hasCheckSum(random) : isPlaceholder(random)) continue;
      found.push({ kind, span: span(index, index + whole.trimEnd().length) });
    }
  }
  return found.sort((a, b) => a.span.start - b.span.start);
}

/** Returns true for text that is not random, such as words, sequences or a few repeated characters. */
function isPlaceholder(random: string): boolean {
  if (/example|sample|dummy|fake|test|your|token|secret|placeholder|redact|x{4}|(.)\1{3}/i.test(random)) return true;
  // Also check letters and digits separately, because `A1B2C3D4` is not random either.
  const lower = random.toLowerCase();
  const rows = [lower, lower.replace(/[^a-z]/g, ''), lower.replace(/\D/g, '')];
  if (rows.some((row) => [...row.slice(0, -3)].some((_, at) => isSequence(row, at)))) return true;
  return new Set(random).size < Math.min(10, random.length / 2);
}

/** Returns true if four characters from `at` are consecutive letters or digits. */
const isSequence = (text: string, at: number): boolean =>
  [1, 2, 3].every((by) => text.charCodeAt(at + by) === text.charCodeAt(at) + by);

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns true if the last six characters are the CRC-32 of the text before them, in base 62. */
function hasCheckSum(random: string): boolean {
  let rest = crc32(random.slice(0, -6));
  let written = '';
  for (let digit = 0; digit < 6; digit++) {
    written = DIGITS[rest % 62] + written;
    rest = Math.floor(rest / 62);
  }
  return random.endsWith(written);
}

function crc32(text: string): number {
  let sum = 0xffffffff;
  for (let at = 0; at < text.length; at++) {
    sum ^= text.charCodeAt(at);
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}
