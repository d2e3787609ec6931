/** Keys of clients that have no effect where they stand: without the key they belong to, or under no known event. */
import type { Draft } from '../../../finding.ts';
import { insertEntry } from '../../../languages/yaml/edit.ts';
import { findEntry, mapEntries } from '../../../languages/yaml/node.ts';
import { didYouMean, plainlyMeant } from '../../../nearest.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import { hookEvents } from '../../../vocabulary/agent-skill-clients.ts';
import { fixHere } from '../../rule.ts';

/** `agent` says which subagent runs a skill that is forked. */
export function* agentWithoutFork(file: SkillFile): Iterable<Draft> {
  const { root } = file.frontmatter.tree;
  const agent = findEntry(root, 'agent');
  if (root?.kind !== 'map' || !agent || findEntry(root, 'context')) return;
  yield {
    severity: 'hint',
    span: agent.key.span,
    message:
      '`agent` names the subagent that runs a forked skill, and has no effect without `context: fork`. Add that key.',
    fixes: fixHere(file, 'Add `context: fork`', insertEntry(file.text, root, 'context', 'fork', { before: 'agent' })),
  };
}

/** More are not looked at. */
const MAX_EVENTS = 100;

/** A hint, because events are added often; a warning where the name is plainly another one misspelt. */
export function* unknownHookEvents(file: SkillFile): Iterable<Draft> {
  for (const { key } of mapEntries(findEntry(file.frontmatter.tree.root, 'hooks')?.value).slice(0, MAX_EVENTS)) {
    const name = String(key.value);
    if (hookEvents.includes(name)) continue;
    const meant = plainlyMeant(name, hookEvents);
    yield {
      severity: meant ? 'warning' : 'hint',
      span: key.span,
      message: `Claude Code documents no event \`${name.slice(0, 100)}\`, so its hooks never run.${meant ? didYouMean([meant]) : ' Take one of its events, such as `PreToolUse`, `PostToolUse` or `Stop`.'}`,
      fixes: meant ? fixHere(file, `Replace with \`${meant}\``, [{ span: key.span, newText: meant }]) : [],
    };
  }
}
