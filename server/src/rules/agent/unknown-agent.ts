import type { Analysis } from '../../analysis/analysis.ts';
import { targetClients } from '../../analysis/targets.ts';
import { BUILT_IN_AGENTS } from '../../clients/agents/agent-rules.ts';
import { readersOf } from '../../clients/matrix/client-folders.ts';
import { subjectOf } from '../../clients/matrix/subject.ts';
import { type Draft, fixHere } from '../../finding.ts';
import { setScalar } from '../../languages/yaml/edit.ts';
import { findValue, stringOf } from '../../languages/yaml/node.ts';
import { closestTypo, didYouMean } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { isPluginOfClaude } from '../../skill-folder/plugins.ts';
import type { KnownAgent } from '../../workspace/known-agents.ts';
import type { Rule } from '../engine/rule.ts';
import { ABOUT_AGENTS } from './agent-findings.ts';

/** The `agent` of a skill with `context: fork` that Claude Code does not have, so that its general agent runs the skill. */
export const unknownAgent: Rule = {
  name: 'unknown-agent',
  severity: 'warning',
  ...ABOUT_AGENTS,
  dialects: ['agent-skill'],
  *check(file, analysis) {
    const { root } = file.frontmatter.tree;
    const value = findValue(root, 'agent');
    const name = stringOf(value);
    if (value?.kind !== 'scalar' || name === undefined || name.trim() === '' || analysis.partial) return;
    if (stringOf(findValue(root, 'context')) !== 'fork' || !isForClaude(file, analysis)) return;
    const called = analysis.agents.called(name);
    if (BUILT_IN_AGENTS.includes(name) || called.some(({ isLoaded }) => isLoaded)) return;
    const [unloaded] = called;
    if (unloaded) {
      yield {
        span: value.span,
        message: `Claude Code does not load the agent \`${name.slice(0, 100)}\`, so its general agent runs this skill. Correct the agent.`,
        related: [{ uri: unloaded.uri, span: { start: 0, end: 0 }, message: 'The agent is here.' }],
      };
      return;
    }
    if (isMaybeListed(file, analysis, name)) return;
    yield draftOf(
      file,
      value,
      name,
      analysis.agents.all.filter(({ isLoaded }) => isLoaded),
    );
  },
};

/** Returns whether a name may be that of an agent that the manifest of a plugin lists, and that was not read. */
function isMaybeListed(file: SkillFile, { plugins, agents: known }: Analysis, name: string): boolean {
  const owners = name.includes(':') ? plugins.named(name.slice(0, name.indexOf(':'))) : plugins.shipping(file.uri);
  return owners.some(({ agents = [] }) => agents.some((uri) => !known.facts(uri)));
}

function draftOf(
  file: SkillFile,
  value: Parameters<typeof setScalar>[1],
  name: string,
  known: readonly KnownAgent[],
): Draft {
  const callNames = [...BUILT_IN_AGENTS, ...known.map(({ callName }) => callName)];
  const lower = name.toLowerCase();
  const ofPlugin = (isOne: (own: string) => boolean) =>
    known.find((one) => one.callName !== one.name && isOne(one.name));
  const meant =
    ofPlugin((own) => own === name)?.callName ??
    callNames.find((one) => one.toLowerCase() === lower) ??
    ofPlugin((own) => own.toLowerCase() === lower)?.callName ??
    closestTypo(name, callNames);
  const result = 'Claude Code runs this skill with its general agent, without a message.';
  return {
    span: value.span,
    // The agent may be among the user's own ones.
    severity: meant === undefined ? 'hint' : 'warning',
    message:
      meant === undefined
        ? `The workspace has no agent \`${name.slice(0, 100)}\`. Without it, ${result}`
        : `Unknown agent \`${name.slice(0, 100)}\`.${didYouMean([meant])} ${result}`,
    fixes: meant === undefined ? [] : fixHere(file, `Replace with \`${meant}\``, setScalar(file.text, value, meant)),
  };
}

/** Returns whether Claude Code is a target client. Without target clients, it must read the folder of the skill, or its plugin. */
function isForClaude(file: SkillFile, analysis: Analysis): boolean {
  const targets = targetClients(analysis, file);
  if (targets.length === 0 && analysis.plugins.shipping(file.uri).some(isPluginOfClaude)) return true;
  const { agentSkill } = file.summary;
  const clients = targets.length > 0 || !agentSkill ? targets : (readersOf(subjectOf(file.uri, agentSkill)) ?? []);
  return clients.some(({ id }) => id === 'claude-code');
}
