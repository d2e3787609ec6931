import { toolsUnder } from '../../abilities/permissions.ts';
import { agentFaultsOf, agentReaders } from '../../analysis/agents.ts';
import type { Analysis } from '../../analysis/analysis.ts';
import { skillsOfAgent } from '../../clients/agents/preloaded.ts';
import { spanOfCause } from '../../clients/matrix/cause-span.ts';
import { type Draft, type Fix, fixHere, placesHere } from '../../finding.ts';
import { appendItem, removeEntry, setScalar } from '../../languages/yaml/edit.ts';
import { findValue } from '../../languages/yaml/node.ts';
import type { PlainReference } from '../../skill/plain-references.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { lineStart } from '../../text.ts';
import { mentionsInBody } from '../../workspace/skill-mentions.ts';
import { clauseOf } from '../engine/merge-findings.ts';
import type { Rule } from '../engine/rule.ts';
import { ABOUT_AGENTS, byCause, clientsOf, explanationFor, keyOf } from './agent-findings.ts';

/** An agent that starts without any tool, or that cannot use the skills that its text names. */
export const agentTools: Rule = {
  name: 'agent-tools',
  severity: 'warning',
  ...ABOUT_AGENTS,
  *check(file, analysis) {
    for (const faults of byCause(agentFaultsOf(analysis, file).filter(({ effect }) => effect === 'no-tools'))) {
      const [{ cause }] = faults;
      const isEmpty = cause.code === 'fields/value';
      yield {
        span: spanOfCause(file, cause),
        message: `${clauseOf(clientsOf(faults), { one: 'starts this agent without any tool', many: 'start this agent without any tool' })}. ${isEmpty ? 'Name the tools, or remove the key for all tools.' : explanationFor(cause, keyOf(faults))}`,
        fixes: isEmpty ? withoutKey(file, cause.key ?? '') : [],
      };
    }
    const isOfClaude = agentReaders(analysis, file).some(({ client }) => client.client === 'claude-code');
    if (!isOfClaude) return;
    yield* removedSkillTool(file);
    if (!analysis.partial) yield* withoutSkillTool(file, analysis);
  },
};

/** Reports a pattern such as `Skill(name)` in `disallowedTools`, which removes the whole tool and the list of skills. */
function* removedSkillTool(file: SkillFile): Iterable<Draft> {
  for (const { name, text, span } of toolsUnder(file, 'disallowedTools')) {
    if (name !== 'Skill' || text === 'Skill') continue;
    yield {
      span,
      message: `\`${text}\` takes all skills from this agent in Claude Code, not only this one. Remove it, or write \`Skill\`.`,
    };
  }
}

/** Reports the first skill that the text tells the agent to use, although it has no tool to load skills with. */
function* withoutSkillTool(file: SkillFile, analysis: Analysis): Iterable<Draft> {
  const tools = toolsUnder(file, 'tools');
  if (tools.length === 0 || tools.some(({ name }) => name === 'Skill' || name === '*' || name.includes('*'))) return;
  const preloaded = new Set(skillsOfAgent(file).map(({ name = '' }) => name.slice(name.indexOf(':') + 1)));
  const mentions = mentionsInBody(file);
  // The agent can read a skill whose file the text names.
  const read = new Set(mentions.filter(({ form }) => form === 'path' || form === 'link').map(({ name }) => name));
  const used = mentions.filter(
    (one) =>
      isCall(file, one) && !preloaded.has(one.name) && !read.has(one.name) && analysis.agentSkills.isNamed(one.name),
  );
  const [first] = used;
  if (!first) return;
  const others = used.filter(({ name, span }) => name === first.name && span !== first.span);
  yield {
    span: first.span,
    severity: 'hint',
    message: `This agent cannot load the skill \`${first.name}\` in Claude Code, because \`tools\` does not contain \`Skill\`. Add it, or name the skill under \`skills\`.`,
    related: placesHere(file, others, `\`${first.name}\` is also named here`),
    fixes: withSkillTool(file),
  };
}

/** The words that ask for a command. A command without them may be one that the user calls. */
const VERB_BEFORE = /\b(?:us|invok|run|call|load|start|trigger|execut|appl)\w{0,4}\s(?:the\s)?[`"'*_(]{0,3}$/i;

/** Returns whether a text tells the agent to use a skill, and not to name it to the user in quotes. */
function isCall({ text }: SkillFile, { form, span: place }: PlainReference): boolean {
  const before = text.slice(Math.max(lineStart(text, place.start), place.start - 1000), place.start);
  const isQuoted = before.replace(/["'`*_]{1,3}(?:[\w-]+:)?$/, '').split('"').length % 2 === 0;
  return !isQuoted && (form === 'words' || form === 'list' || (form === 'command' && VERB_BEFORE.test(before)));
}

function withSkillTool(file: SkillFile): readonly Fix[] {
  const { root } = file.frontmatter.tree;
  const value = findValue(root, 'tools');
  if (root?.kind !== 'map' || !value || value.kind === 'map') return [];
  const edits =
    value.kind === 'list'
      ? appendItem(file.text, root, 'tools', 'Skill')
      : typeof value.value === 'string'
        ? setScalar(file.text, value, `${value.value.trimEnd()}, Skill`)
        : [];
  return fixHere(file, 'Add `Skill` to `tools`', edits);
}

function withoutKey(file: SkillFile, key: string): readonly Fix[] {
  const { root } = file.frontmatter.tree;
  return root?.kind === 'map' ? fixHere(file, `Remove \`${key}\``, removeEntry(file.text, root, key)) : [];
}
