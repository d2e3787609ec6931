import { agentFaultsOf, agentReaders, pluginWithout, type ReportedFault } from '../../analysis/agents.ts';
import type { Analysis } from '../../analysis/analysis.ts';
import { targetsBeside } from '../../analysis/targets.ts';
import type { AgentKey } from '../../clients/agents/agent-rules.ts';
import { spanOfCause } from '../../clients/matrix/cause-span.ts';
import type { Cause } from '../../clients/matrix/causes.ts';
import { type Draft, type Fix, fixHere } from '../../finding.ts';
import { formatScalar, insertEntry, setScalar } from '../../languages/yaml/edit.ts';
import { findValue } from '../../languages/yaml/node.ts';
import { kebabName } from '../../skill/kebab-name.ts';
import { missingKeySpan, type SkillFile } from '../../skill/skill-file.ts';
import type { Plugin } from '../../skill-folder/plugins.ts';
import { agentFileOf } from '../../vocabulary/dialect.ts';
import { clauseOf } from '../engine/merge-findings.ts';
import type { Rule } from '../engine/rule.ts';
import type { Does } from '../skill-md/client-findings.ts';
import {
  ABOUT_AGENTS,
  byCause,
  clientsOf,
  explanationFor,
  fixesForFrontmatter,
  keyOf,
  misspeltKeysOf,
  type SameFaults,
} from './agent-findings.ts';
import { draftOfKey, type MisspeltKey } from './misspelt-keys.ts';

/** An agent file that a client does not load, or because of which the client does not start. */
export const agentNotLoaded: Rule = {
  name: 'agent-not-loaded',
  severity: 'warning',
  ...ABOUT_AGENTS,
  readsBroken: true,
  *check(file, analysis) {
    const faults = agentFaultsOf(analysis, file).filter(({ effect }) => DOES[effect] !== undefined);
    const misspelt = faults.length > 0 ? misspeltKeysOf(file, agentReaders(analysis, file)) : [];
    for (const same of byCause(faults)) {
      const [{ cause }] = same;
      const written = cause.code === 'fields/missing' ? misspelt.find(({ meant }) => meant === cause.key) : undefined;
      if (!isAboutAgents(file, same)) yield draftOf(file, same, written);
    }
    if (faults.length === 0) yield* draftOfEqualNames(file, analysis);
    const plugin = analysis.partial ? undefined : pluginWithout(analysis, file.uri);
    if (plugin && isForClaude(file, analysis)) yield draftOfUnlisted(file, plugin);
  },
};

const DOES: Readonly<Partial<Record<ReportedFault['effect'], Does>>> = {
  'not-loaded': { one: 'does not load this agent', many: 'do not load this agent' },
  'stops-client': { one: 'does not start because of this file', many: 'do not start because of this file' },
};

/** Returns whether a file without frontmatter is probably a text about the agents in its folder. */
const isAboutAgents = ({ uri, frontmatter: { open } }: SkillFile, [{ cause }]: SameFaults): boolean =>
  cause.code === 'open/no-frontmatter' && !open && /\/(?:README|CLAUDE|AGENTS|INDEX|CHANGELOG)\.md$/i.test(uri);

function draftOf(file: SkillFile, faults: SameFaults, misspelt: MisspeltKey | undefined): Draft {
  const [{ cause, effect }] = faults;
  const does = DOES[effect] ?? { one: '', many: '' };
  if (misspelt) {
    const draft = draftOfKey(file, file.frontmatter.tree.root, misspelt, `${clauseOf(clientsOf(faults), does)}. `);
    return { ...draft, severity: severityOf(faults) };
  }
  return {
    span: spanOfCause(file, cause),
    severity: effect === 'stops-client' ? 'error' : severityOf(faults),
    message: `${clauseOf(clientsOf(faults), does)}. ${explanationFor(cause, keyOf(faults))}`,
    fixes: fixesOf(file, cause, keyOf(faults)),
  };
}

/** Returns whether Claude Code is a target client, or no target clients are chosen. */
function isForClaude({ uri }: SkillFile, analysis: Analysis): boolean {
  const { clients, isChosen } = targetsBeside(analysis, uri);
  return !isChosen || clients.some(({ id }) => id === 'claude-code');
}

/** Reports an agent in the folder `agents` of a plugin whose manifest lists other agents, in place of this folder. */
const draftOfUnlisted = (file: SkillFile, { name, manifest }: Plugin): Draft => ({
  span: missingKeySpan(file),
  severity: 'hint',
  message: `Claude Code does not load this agent, because \`agents\` in the manifest of \`${name.slice(0, 100)}\` does not list it. Add it there, or remove that key.`,
  related: [{ uri: manifest, span: { start: 0, end: 0 }, message: 'The manifest is here.' }],
});

/** Reports agents of one name in one folder of Claude Code, which loads only one of them. */
function* draftOfEqualNames(file: SkillFile, analysis: Analysis): Iterable<Draft> {
  const own = analysis.agents.facts(file.uri);
  const isOfClaude = agentReaders(analysis, file).some(({ client }) => client.client === 'claude-code');
  if (!own || !isOfClaude || own.folder === undefined) return;
  const all = analysis.agents.named(own);
  const [first] = all;
  if (first === undefined || all.length < 2) return;
  const name = own.name.slice(0, 100);
  const others = all.filter((uri) => uri !== file.uri);
  yield {
    span: missingKeySpan(file),
    message: `Claude Code loads only one of the ${all.length} agents named \`${name}\`, without a message. Rename the others.`,
    related: others.map((uri) => ({
      uri,
      span: { start: 0, end: 0 },
      message: `\`${name}\` is also defined here`,
    })),
    ...(first !== file.uri && { repeats: first }),
  };
}

/** A file without frontmatter may be another text, and other clients of the folder may load the agent. */
const severityOf = (faults: SameFaults): 'warning' | 'hint' =>
  faults.some(({ reader: { isSure } }) => isSure) && faults[0].cause.code !== 'open/no-frontmatter'
    ? 'warning'
    : 'hint';

function fixesOf(file: SkillFile, cause: Cause, key: AgentKey | undefined): readonly Fix[] {
  const { root } = file.frontmatter.tree;
  if (cause.code === 'fields/type' && key && !key.types.includes('string')) return asBoolean(file, key);
  if (cause.code !== 'fields/missing') return fixesForFrontmatter(file, cause);
  const name = cause.key === 'name' && kebabName(agentFileOf(file.uri)?.name ?? '');
  if (!name || root?.kind !== 'map' || root.entries.some(({ key }) => key.value === 'name')) return [];
  const value = formatScalar(name);
  const [first] = root.entries;
  const where = first ? { before: String(first.key.value) } : {};
  return fixHere(file, `Add \`name: ${value}\``, insertEntry(file.text, root, 'name', value, where));
}

/** Returns the fix that writes a word such as `"true"` or `no` as `true` or `false`, for a key with only these values. */
function asBoolean(file: SkillFile, { name, types }: AgentKey): readonly Fix[] {
  const value = findValue(file.frontmatter.tree.root, name);
  if (value?.kind !== 'scalar' || types.join() !== 'boolean') return [];
  const word = String(value.value).toLowerCase();
  const meant = /^(?:true|yes|on|1)$/.test(word) ? true : /^(?:false|no|off|0)$/.test(word) ? false : undefined;
  if (meant === undefined) return [];
  return fixHere(file, `Replace with \`${meant}\``, setScalar(file.text, value, meant), true);
}
