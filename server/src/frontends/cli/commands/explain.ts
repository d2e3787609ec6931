/** `skill-composer explain`: prints the pages of the rules, which are in the package beside the bundle. */

import { join } from 'node:path';
import { readNamed } from '../../../io/read-file.ts';
import { UserError } from '../../../io/user-error.ts';
import { didYouMean, nearestNames } from '../../../nearest.ts';
import { docsOf, paintPage, purposeOf } from '../../../reports/rule-page.ts';
import { findRule, rules } from '../../../rules/engine/index.ts';
import type { Console } from '../console.ts';

/** Prints the page of one rule, or one line for each rule. */
export async function runExplain(word: string | undefined, console: Console): Promise<number> {
  if (word === undefined) {
    console.print(await listOfRules(console));
    return 0;
  }
  const rule = ruleCalled(word, 'explain');
  const page = await readPage(rule.name);
  if (page === undefined)
    throw new UserError(
      `File \`${docsOf(rule.name)}\` does not exist in this installation. Install \`skill-composer\` again.`,
    );
  console.print(paintPage(page.endsWith('\n') ? page : `${page}\n`, console.colors));
  return 0;
}

async function listOfRules({ colors }: Console): Promise<string> {
  const rows = await Promise.all(
    [...rules]
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(async (rule) => ({
        title: rule.number === undefined ? rule.name : `${rule.name} (${rule.number})`,
        severity: rule.severity,
        note: rule.offIn === undefined ? '' : ' Off in other files than `SKILL.md`.',
        purpose: purposeOf((await readPage(rule.name)) ?? ''),
      })),
  );
  const width = Math.max(0, ...rows.map(({ title }) => title.length));
  return rows
    .map(({ title, severity, purpose, note }) =>
      `${colors.bold(title.padEnd(width))}  ${severity.padEnd(7)}  ${purpose}${note}`.trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

/** Returns the rule with a name or number, ignoring case. Throws a `UserError` whose message begins with `where`. */
export function ruleCalled(word: string, where: string) {
  const rule = findRule(word) ?? findRule(word.toLowerCase());
  if (rule) return rule;
  const near = nearestNames(
    word,
    rules.flatMap(({ name, number }) => [name, ...(number === undefined ? [] : [number])]),
  );
  const advice = didYouMean(near) || ' Run `skill-composer explain` to list the rules.';
  throw new UserError(`${where}: unknown rule \`${word}\`.${advice}`);
}

/** Returns the text of a rule's page from the installation folder, or undefined if the page is missing. */
export async function readPage(rule: string): Promise<string | undefined> {
  const content = await readNamed(join(__dirname, '..', docsOf(rule)));
  return content.kind === 'text' ? content.text : undefined;
}
