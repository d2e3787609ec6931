/**
 * Generates `SKILL.md` files for the benchmark in the folders of several clients. The files have no errors and are
 * identical in every run.
 */
import type { GeneratedSkill } from './skills.ts';
import { chooserOf, NOUNS, paragraph, sentence, VERBS } from './words.ts';

const ROOTS = ['.claude/skills', '.github/skills', '.agents/skills', 'plugins/first/skills', 'plugins/second/skills'];

const nameOf = (number: number): string =>
  `${VERBS[number % VERBS.length]}-${NOUNS[number % NOUNS.length]}-${String(number).padStart(5, '0')}`;

/**
 * Generates `count` skills. Every fifth skill has the same name as the previous skill, but is in another client's
 * folder.
 */
export function* agentSkillsOf(count: number): Iterable<GeneratedSkill> {
  for (let number = 0; number < count; number++) {
    const name = nameOf(number % 5 === 4 ? number - 1 : number);
    const folder = ROOTS[Math.floor((number * ROOTS.length) / count + (number % 5 === 4 ? 1 : 0)) % ROOTS.length];
    yield { path: `${folder}/${name}/SKILL.md`, text: agentSkill(number, name, count) };
  }
}

/** Generates `count` skills of one name whose frontmatter is not valid YAML, so that clients differ in what they read. */
export function* brokenAgentSkillsOf(count: number): Iterable<GeneratedSkill> {
  for (let number = 0; number < count; number++) {
    const text = agentSkill(number, 'tell-all', 1).replace('description: ', 'description: "');
    yield { path: `.claude/skills/group-${number}/tell-all/SKILL.md`, text };
  }
}

/** A skill with a longer description than any generated skill, and a skill with a description of the usual length. */
export const LONG_AGENT_SKILL = { path: '.claude/skills/tell-long/SKILL.md', text: agentSkill(0, 'tell-long', 1, 60) };
export const SHORT_AGENT_SKILL = { path: '.claude/skills/tell-short/SKILL.md', text: agentSkill(0, 'tell-short', 1) };

function agentSkill(number: number, name: string, count: number, words = 14): string {
  const choose = chooserOf(number * 7_000_003 + 5);
  const other = nameOf(choose.int(0, count - 1));
  return [
    ...['---', `name: ${name}`, `description: ${sentence(choose, words)}`, 'license: MIT', '---', ''],
    ...[`# ${name}`, '', paragraph(choose, 4), '', `Use the \`${other}\` skill, or /${other}, when it is done.`, ''],
    ...Array.from({ length: 30 }, (_, at) => `${at + 1}. ${paragraph(choose, 1)}`),
    '',
  ].join('\n');
}
