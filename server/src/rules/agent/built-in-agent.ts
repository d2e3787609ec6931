import { agentReaders } from '../../analysis/agents.ts';
import { BUILT_IN_AGENTS } from '../../clients/agents/agent-rules.ts';
import { findValue, stringOf } from '../../languages/yaml/node.ts';
import type { Rule } from '../engine/rule.ts';
import { ABOUT_AGENTS } from './agent-findings.ts';

/** An agent of a project with the name of an agent that Claude Code brings, which it replaces. */
export const builtInAgent: Rule = {
  name: 'built-in-agent',
  severity: 'hint',
  ...ABOUT_AGENTS,
  *check(file, analysis) {
    const value = findValue(file.frontmatter.tree.root, 'name');
    const name = stringOf(value);
    if (!value || name === undefined || !BUILT_IN_AGENTS.includes(name)) return;
    // The agents of plugins have the name of the plugin before their own.
    const isReplaced = agentReaders(analysis, file).some(
      ({ client, plugin }) => client.builtIn?.includes(name) && !plugin,
    );
    if (!isReplaced || analysis.agents.facts(file.uri)?.isLoaded !== true) return;
    const runs = name === 'general-purpose' ? ' It also runs the skills with `context: fork`.' : '';
    yield {
      span: value.span,
      message: `This agent replaces \`${name}\` of Claude Code, with its prompt and its tools. Rename it, unless you want this.${runs}`,
    };
  },
};
