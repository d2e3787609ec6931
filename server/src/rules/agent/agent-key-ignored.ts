import { type AgentReader, agentFaultsOf, agentReaders } from '../../analysis/agents.ts';
import type { AgentClient, AgentKey } from '../../clients/agents/agent-rules.ts';
import { spanOfCause } from '../../clients/matrix/cause-span.ts';
import { type Draft, type Fix, fixHere } from '../../finding.ts';
import { setScalar } from '../../languages/yaml/edit.ts';
import { findEntry } from '../../languages/yaml/node.ts';
import { closestSlip, didYouMean, nearestNames } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { clauseOf } from '../engine/merge-findings.ts';
import type { Rule } from '../engine/rule.ts';
import {
  ABOUT_AGENTS,
  byCause,
  clientsOf,
  explanationFor,
  keyOf,
  misspeltKeysOf,
  type SameFaults,
} from './agent-findings.ts';
import { draftOfKey } from './misspelt-keys.ts';
import { onlyInVsCode } from './vscode-agents.ts';

/** A key of an agent that a client ignores: misspelt, with a value that it does not accept, or in the agent of a plugin. */
export const agentKeyIgnored: Rule = {
  name: 'agent-key-ignored',
  severity: 'warning',
  ...ABOUT_AGENTS,
  readsCertainKeys: true,
  hasSharedCauses: true,
  *check(file, analysis) {
    const faults = agentFaultsOf(analysis, file);
    // Other rules report a key because of which another client does more than ignore it.
    const worse = new Set(faults.flatMap(({ effect, cause }) => (effect === 'ignored' ? [] : [cause.key])));
    const ignored = faults.filter(({ effect, cause }) => effect === 'ignored' && !worse.has(cause.key));
    for (const same of byCause(ignored)) yield draftOf(file, same);
    const readers = agentReaders(analysis, file);
    const vscode = readers.find(({ client }) => client.client === 'vscode');
    if (vscode) yield* onlyInVsCode(file, vscode);
    for (const { client } of readers) yield* misspeltValues(file, client);
    for (const misspelt of misspeltKeysOf(file, readers)) {
      // `agent-not-loaded` reports the misspelt name of a key that is missing.
      if (isRequired(readers, misspelt.meant)) continue;
      yield draftOfKey(file, file.frontmatter.tree.root, misspelt);
    }
  },
};

function draftOf(file: SkillFile, faults: SameFaults): Draft {
  const [{ cause, reader }] = faults;
  const names = clientsOf(faults);
  const key = keyOf(faults);
  if (cause.code === 'keys/no-effect') {
    return {
      span: spanOfCause(file, cause),
      message: `${clauseOf(names, { one: 'ignores', many: 'ignore' })} \`${cause.key}\` in the agent of a plugin (\`${reader.plugin?.name}\`). Set it in the project, or remove it.`,
    };
  }
  const does = { one: 'ignores this value', many: 'ignore this value' };
  return {
    span: spanOfCause(file, cause),
    ...(faults.every((one) => !one.reader.isSure) && { severity: 'hint' }),
    message: `${explanationFor(cause, key)} ${clauseOf(names, does)}.`,
    fixes: key ? valueFixes(file, key) : [],
  };
}

/** Reports values that a client uses as they are written, if they are misspellings of the names that it knows. */
function* misspeltValues(file: SkillFile, { keys, of }: AgentClient): Iterable<Draft> {
  for (const { name: key, otherwise, values = [] } of keys) {
    const value = findEntry(file.frontmatter.tree.root, key)?.value;
    if (otherwise !== 'unknown' || value?.kind !== 'scalar' || typeof value.value !== 'string') continue;
    const written = value.value.trim().toLowerCase();
    // Names with a digit may be versions.
    const meant = values.includes(written) || /\d/.test(written) ? undefined : closestSlip(written, values);
    if (meant === undefined) continue;
    yield {
      span: value.span,
      message: `Unknown ${key} \`${value.value.slice(0, 100)}\`.${didYouMean([meant])} ${of.name} uses the name as it is written.`,
      fixes: fixHere(file, `Replace with \`${meant}\``, setScalar(file.text, value, meant)),
    };
  }
}

function valueFixes(file: SkillFile, { name, values = [] }: AgentKey): readonly Fix[] {
  const value = findEntry(file.frontmatter.tree.root, name)?.value;
  if (value?.kind !== 'scalar') return [];
  return nearestNames(String(value.value), values).flatMap((near) =>
    fixHere(file, `Replace with \`${near}\``, setScalar(file.text, value, near)),
  );
}

/** Returns whether a client does not load an agent without a key. */
const isRequired = (readers: readonly AgentReader[], name: string): boolean =>
  readers.some(({ client, plugin }) => !plugin && client.keys.some((key) => key.name === name && key.required));
