/** The common parts of the rules about agent files (docs/clients.md, "Agents"). */
import type { AgentReader, ReportedFault } from '../../analysis/agents.ts';
import { type AgentKey, agentClients } from '../../clients/agents/agent-rules.ts';
import { type Cause, explanationOf } from '../../clients/matrix/causes.ts';
import { type Fix, fixHere } from '../../finding.ts';
import { listed } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { span } from '../../text.ts';
import { knownAgentSkillKeys } from '../../vocabulary/agent-skill-clients.ts';
import { isClearFix } from '../any-file/invalid-yaml.ts';
import type { Rule } from '../engine/rule.ts';
import { fixesFor } from '../skill-md/client-fixes.ts';
import { type MisspeltKey, misspeltKeysIn } from './misspelt-keys.ts';

/** The common properties of rules about agents. Plugins and targets are unknown while files are being read. */
export const ABOUT_AGENTS = {
  evidence: {
    kind: 'vendor',
    source: 'clients that were run, `server/src/clients/agents/data/`',
    checked: '2026-11-30',
  },
  dialects: ['client-file'],
  isDecided: (_, analysis) => !analysis.partial,
} satisfies Partial<Rule>;

/** The faults with one cause and one effect, in different clients. */
export type SameFaults = readonly [ReportedFault, ...ReportedFault[]];

/** Groups faults by their cause and effect, in their order. */
export function byCause(faults: readonly ReportedFault[]): readonly SameFaults[] {
  const groups = new Map<string, [ReportedFault, ...ReportedFault[]]>();
  for (const fault of faults) {
    const key = `${fault.effect} ${fault.cause.key ?? ''} ${fault.cause.key === undefined ? fault.cause.code : ''}`;
    const known = groups.get(key);
    if (known) known.push(fault);
    else groups.set(key, [fault]);
  }
  return [...groups.values()];
}

export const clientsOf = (faults: SameFaults): readonly string[] =>
  faults.map(({ reader: { client } }) => client.of.name);

/** Returns the definition of the key that is the cause of a fault. */
export const keyOf = ([{ cause, reader }]: SameFaults): AgentKey | undefined =>
  reader.client.keys.find(({ name }) => name === cause.key);

/** Advice about causes for which rules about skills leave it to `invalid-yaml`. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ['parse/colon', 'Put it in quotes.'],
  ['parse/syntax', 'Correct it here, or put the text in quotes.'],
  ['open/unclosed', 'Write a line `---` after its last key.'],
]);

/** Returns what is wrong, and how to fix it, as sentences. */
export function explanationFor(cause: Cause, key: AgentKey | undefined): string {
  const { code } = cause;
  const advice = ADVICE.get(code);
  if (advice !== undefined) return `${explanationOf(cause)} ${advice}`;
  if (!key || (code !== 'fields/missing' && code !== 'fields/type' && code !== 'fields/value'))
    return explanationOf(cause);
  if (code === 'fields/missing') return `The \`${key.name}\` is missing. Add it.`;
  if (key.excludes !== undefined && code === 'fields/value')
    return `The \`${key.name}\` contains ${key.excludes === ' ' ? 'a space' : `\`${key.excludes}\``}. Remove it.`;
  return `\`${key.name}\` must be ${valuesInWords(key)}.`;
}

/** Returns the fixes for a frontmatter that clients cannot read: those of its YAML, and `---` for a final `...`. */
export function fixesForFrontmatter(file: SkillFile, cause: Cause): readonly Fix[] {
  const broken = file.frontmatter.tree.problems.find(({ kind, fix }) => kind === 'syntax' && fix);
  if (cause.code.startsWith('parse/') && broken?.fix)
    return fixHere(file, broken.fix.title, broken.fix.edits, isClearFix(file, broken));
  if (cause.code === 'open/unclosed') return closedWithHyphens(file);
  return fixesFor(file, cause);
}

function closedWithHyphens(file: SkillFile): readonly Fix[] {
  const { index } = /^\.{3}(?=[ \t]*$)/m.exec(file.text) ?? {};
  return index === undefined
    ? []
    : fixHere(file, 'Replace `...` with `---`', [{ span: span(index, index + 3), newText: '---' }]);
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['number', 'a number'],
  ['boolean', '`true` or `false`'],
  ['list', 'a list'],
  ['map', 'a map'],
]);

function valuesInWords({ types, values, pattern, integer, items }: AgentKey): string {
  const words = [
    ...(values ?? []).map((value) => `\`${value}\``),
    ...(pattern === undefined ? [] : ['another text of the right form']),
    ...(integer === undefined ? [] : [integer === 'positive' ? 'a positive integer' : 'an integer']),
  ];
  if (words.length > 0) return listed(words, 'or');
  const known = types.flatMap((type) => TYPES.get(type) ?? []);
  return `${listed(known, 'or')}${items === undefined ? '' : ` of ${items === 'string' ? 'texts' : (TYPES.get(items) ?? 'values')}`}`;
}

/** Words for a key that clients have under another name. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ['tool', 'tools'],
  ['skill', 'skills'],
  ['allowed-tools', 'tools'],
  ['allowedTools', 'tools'],
  ['disallowed-tools', 'disallowedTools'],
]);

/** Returns whether a name is a key of agents in any client, or a key of skills and commands. */
const isKeyElsewhere = (name: string): boolean =>
  [...knownAgentSkillKeys()].includes(name) ||
  agentClients.some(({ keys, otherKeys }) => otherKeys.includes(name) || keys.some((key) => key.name === name));

/** Returns the keys of an agent that are clearly misspelt. */
export function misspeltKeysOf(file: SkillFile, readers: readonly AgentReader[]): readonly MisspeltKey[] {
  const known = readers.flatMap(({ client: { keys, otherKeys } }) => [...keys.map(({ name }) => name), ...otherKeys]);
  return misspeltKeysIn(file.frontmatter.tree.root, known, { words: OTHER_WORDS, isElsewhere: isKeyElsewhere });
}
