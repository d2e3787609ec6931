import { type AgentReader, agentReaders, needsBareNames } from '../../analysis/agents.ts';
import type { Analysis } from '../../analysis/analysis.ts';
import { type PreloadedSkill, skillsOfAgent } from '../../clients/agents/preloaded.ts';
import { findClient } from '../../clients/facts/clients.ts';
import { loaderFor, predictionsFor } from '../../clients/matrix/prediction.ts';
import type { Subject } from '../../clients/matrix/subject.ts';
import { isLost } from '../../clients/pipeline/predict.ts';
import { type Draft, fixHere, type RelatedLocation } from '../../finding.ts';
import { findEntry } from '../../languages/yaml/node.ts';
import { didYouMean } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { agentFileOf } from '../../vocabulary/dialect.ts';
import type { Rule } from '../engine/rule.ts';
import { ABOUT_AGENTS } from './agent-findings.ts';

/** An item of `skills` in an agent that hands over no skill, or may hand over another one (docs/clients.md, "Agents"). */
export const skillNotPreloaded: Rule = {
  name: 'skill-not-preloaded',
  severity: 'warning',
  ...ABOUT_AGENTS,
  *check(file, analysis) {
    if (analysis.partial) return;
    const readers = agentReaders(analysis, file);
    const copilot = readers.find(({ client }) => client.client === 'copilot-cli');
    const claude = readers.find(({ client }) => client.client === 'claude-code');
    for (const item of skillsOfAgent(file)) {
      if (item.name === undefined) {
        if (readers.some(({ client }) => client.keys.some(({ name }) => name === 'skills')))
          yield draftOfForm(file, item);
      } else if (copilot?.isSure && item.name.includes(':')) {
        yield draftOfPrefix(file, item, item.name, claude !== undefined);
      } else if (claude) {
        const draft =
          draftOfHidden(claude.plugin?.root ?? agentFileOf(file.uri)?.root, analysis, item, item.name) ??
          draftOfOtherCase(analysis, file, item, item.name) ??
          draftOfBareName(file, analysis, claude, item);
        if (draft) yield draft;
      }
    }
  },
};

/** Reports a path, a command or a pattern. */
function draftOfForm(file: SkillFile, { text, span }: PreloadedSkill): Draft {
  const [, name] = /(?:^|[/\\])([\w.-]+?)(?:[/\\]SKILL\.md|[/\\])?$/i.exec(text) ?? [];
  const isName = name !== undefined && /\w/.test(name) && name !== '.' && name !== '..';
  return {
    span,
    message: `\`${text.slice(0, 100)}\` is not the name of a skill, so no skill is handed over. Write ${isName ? `\`${name.slice(0, 100)}\`` : 'the names of the skills'}.`,
    fixes: isName ? fixHere(file, `Replace with \`${name}\``, [{ span, newText: name }]) : [],
  };
}

/** Reports the name of a plugin before that of a skill, which Copilot CLI does not find (observed: 1.0.102). */
function draftOfPrefix(file: SkillFile, { span }: PreloadedSkill, written: string, isForClaude: boolean): Draft {
  const name = written.slice(written.indexOf(':') + 1);
  return {
    span,
    severity: isForClaude ? 'hint' : 'warning',
    message: `GitHub Copilot CLI hands over no skill \`${written.slice(0, 100)}\`: it finds skills only without the name of their plugin. Write \`${name.slice(0, 100)}\`.`,
    // In Claude Code, the name without that of the plugin may be the name of another skill.
    fixes: isForClaude ? [] : fixHere(file, `Replace with \`${name}\``, [{ span, newText: name }]),
  };
}

const CLAUDE = findClient('claude-code');

/** Reports a skill that its own keys hide from the model, so that Claude Code does not hand it over. */
function draftOfHidden(
  root: string | undefined,
  analysis: Analysis,
  { span }: PreloadedSkill,
  name: string,
): Draft | undefined {
  const folder = name.slice(name.indexOf(':') + 1);
  const uri = `${root}/skills/${encodeURIComponent(folder)}/SKILL.md`;
  const subject = analysis.agentSkills.find(uri);
  const key = subject && hidingKey(subject);
  if (key === undefined) return undefined;
  const skill = analysis.file(uri);
  const entry = skill && findEntry(skill.frontmatter.tree.root, key);
  const related: readonly RelatedLocation[] = entry ? [{ uri, span: entry.key.span, message: 'The key is here.' }] : [];
  return {
    span,
    message: `Claude Code does not hand over \`${name.slice(0, 100)}\`, because of \`${key}\` in the skill. Remove the key there, or this item.`,
    related,
  };
}

/** Returns the key because of which Claude Code does not show a skill to the model at once; undefined if it does. */
function hidingKey(subject: Subject): string | undefined {
  if (!CLAUDE) return undefined;
  const results =
    predictionsFor(
      loaderFor(CLAUDE, () => []),
      subject,
    ) ?? [];
  const [first, ...others] = results.map(({ value }) => (isLost(value) ? undefined : value.admitted.hidden?.key));
  return others.every((key) => key === first) ? first : undefined;
}

/** Reports a name that differs from that of a skill only in upper and lower case. `skill-not-found` reports other slips. */
function draftOfOtherCase(
  analysis: Analysis,
  file: SkillFile,
  { span }: PreloadedSkill,
  written: string,
): Draft | undefined {
  const colon = written.lastIndexOf(':') + 1;
  const name = written.slice(colon);
  const lower = name.toLowerCase();
  const isNamed = (one: string) => analysis.isSkillName(one) || analysis.agentSkills.isNamed(one);
  if (name === lower || isNamed(name) || !isNamed(lower) || analysis.mayBeUnreadable(name)) return undefined;
  if (analysis.clientFiles.some((one) => one.name === name)) return undefined;
  const meant = written.slice(0, colon) + lower;
  return {
    span,
    severity: 'hint',
    message: `Unknown skill \`${written.slice(0, 100)}\`.${didYouMean([meant])} Upper and lower case differ in Claude Code.`,
    fixes: fixHere(file, `Replace with \`${meant}\``, [{ span, newText: meant }]),
  };
}

/** Reports the bare name of a plugin's own skill: a skill of the user's project with this name is used instead. */
function draftOfBareName(
  file: SkillFile,
  analysis: Analysis,
  { plugin }: AgentReader,
  { name = '', span }: PreloadedSkill,
): Draft | undefined {
  if (!plugin || name.includes(':') || needsBareNames(analysis, file)) return undefined;
  if (!analysis.agentSkills.find(`${plugin.root}/skills/${encodeURIComponent(name)}/SKILL.md`)) return undefined;
  const full = `${plugin.name}:${name}`;
  const [short, shortFull] = [name.slice(0, 100), full.slice(0, 100)];
  return {
    span,
    severity: 'hint',
    message: `In Claude Code, a skill \`${short}\` of the user's project replaces this skill of the plugin. Write \`${shortFull}\`.`,
    fixes: fixHere(file, `Replace with \`${full}\``, [{ span, newText: full }]),
  };
}
