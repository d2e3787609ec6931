/** The keys of an agent that have parts, as VS Code reads them according to its package (docs/clients.md, "Agents"). */
import type { AgentReader } from '../../analysis/agents.ts';
import type { Draft, Fix } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { appendItem } from '../../languages/yaml/edit.ts';
import { findEntry, findValue, listItems, mapEntries, type YamlNode } from '../../languages/yaml/node.ts';
import { inWords } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';

/** Yields the findings about `handoffs`, `agents` and `skills` of an agent for VS Code. */
export function* onlyInVsCode(file: SkillFile, { isSure }: AgentReader): Iterable<Draft> {
  const { root } = file.frontmatter.tree;
  const isHint = isSure ? {} : { severity: 'hint' as const };
  for (const handoff of listItems(findValue(root, 'handoffs'))) yield* draftOfHandoff(handoff, isHint);
  yield* draftOfAgents(file, root, isHint);
  const skills = findEntry(root, 'skills');
  // Other clients of the folder read this key.
  if (skills && isSure)
    yield {
      span: skills.key.span,
      severity: 'hint',
      message: 'VS Code ignores `skills`, so it hands over no skill. Name the skills in the text, too.',
    };
}

const HANDOFF = ['label', 'agent', 'prompt'];

function* draftOfHandoff(handoff: YamlNode, isHint: Pick<Draft, 'severity'>): Iterable<Draft> {
  const entries = mapEntries(handoff);
  const missing = HANDOFF.filter((name) => !entries.some(({ key }) => key.value === name));
  if (missing.length === 0) return;
  const what = handoff.kind === 'map' ? `has no ${inWords(missing, 'and')}` : 'is not a map';
  yield {
    span: entries[0]?.key.span ?? handoff.span,
    ...isHint,
    message: `VS Code ignores this handoff, because it ${what}. ${handoff.kind === 'map' ? 'Add it.' : `Write ${inWords(HANDOFF, 'and')}.`}`,
  };
}

/** Reports agents that cannot be started, because `tools` lacks the tool for it. */
function* draftOfAgents(file: SkillFile, root: YamlNode | undefined, isHint: Pick<Draft, 'severity'>): Iterable<Draft> {
  const agents = findEntry(root, 'agents');
  const tools = findValue(root, 'tools');
  if (!agents || listItems(agents.value).length === 0 || !tools || tools.kind === 'map') return;
  const names =
    tools.kind === 'list'
      ? tools.items.map((one) => (one.kind === 'scalar' ? String(one.value) : ''))
      : String(tools.value).split(/\s*,\s*/);
  if (
    names.some((name) => name === 'agent' || name.startsWith('agent/') || name.includes('*') || name === 'runSubagent')
  )
    return;
  yield {
    span: agents.key.span,
    ...isHint,
    message: 'VS Code starts none of these agents, because `tools` does not contain `agent`. Add it.',
    fixes: withAgentTool(file, root, tools),
  };
}

function withAgentTool(file: SkillFile, root: YamlNode | undefined, tools: YamlNode): readonly Fix[] {
  if (root?.kind !== 'map' || tools.kind !== 'list') return [];
  return fixHere(file, 'Add `agent` to `tools`', appendItem(file.text, root, 'tools', 'agent'));
}
