import { type AgentReader, agentFaultsOf, agentReaders } from '../../analysis/agents.ts';
import type { AgentKey } from '../../clients/agents/agent-rules.ts';
import { spanOfCause } from '../../clients/matrix/cause-span.ts';
import { type Draft, type Fix, fixHere } from '../../finding.ts';
import { setScalar } from '../../languages/yaml/edit.ts';
import { findEntry } from '../../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
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
  renameAgentKey,
  type SameFaults,
} from './agent-findings.ts';

/** A key of an agent that a client ignores: misspelt, with a value that it does not accept, or in the agent of a plugin. */
export const agentKeyIgnored: Rule = {
  name: 'agent-key-ignored',
  severity: 'warning',
  ...ABOUT_AGENTS,
  readsCertainKeys: true,
  *check(file, analysis) {
    const ignored = agentFaultsOf(analysis, file).filter(({ effect }) => effect === 'ignored');
    for (const same of byCause(ignored)) yield draftOf(file, same);
    const readers = agentReaders(analysis, file);
    for (const misspelt of misspeltKeysOf(file, readers)) {
      // `agent-not-loaded` reports the misspelt name of a key that is missing.
      if (isRequired(readers, misspelt.meant)) continue;
      yield {
        span: misspelt.entry.key.span,
        message: `Unknown key \`${String(misspelt.entry.key.value).slice(0, 100)}\`.${didYouMean([misspelt.meant])}`,
        fixes: renameAgentKey(file, misspelt),
      };
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
    message: `${explanationFor(cause, key)} ${clauseOf(names, does)}.`,
    fixes: key ? valueFixes(file, key) : [],
  };
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
