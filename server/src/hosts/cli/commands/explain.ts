/** `skill-composer explain`: prints the pages of the rules, which are in the package beside the bundle. */
import { rules } from '../../../rules/index.ts';
import type { Console } from '../console.ts';
import { docsOf } from '../formats/json.ts';
import { paintPage, purposeOf } from '../formats/page-text.ts';
import { readPage } from '../rule-pages.ts';
import { Stop } from '../stop.ts';
import { ruleCalled } from './rule-words.ts';

/** Prints the page of one rule, or a line for every rule. */
export async function runExplain(word: string | undefined, console: Console): Promise<number> {
  if (word === undefined) {
    console.print(await listOfRules(console));
    return 0;
  }
  const rule = ruleCalled(word, 'explain');
  const page = await readPage(rule.name);
  if (page === undefined) throw new Stop(`The page \`${docsOf(rule.name)}\` is missing in this installation.`);
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
        purpose: purposeOf((await readPage(rule.name)) ?? ''),
      })),
  );
  const width = Math.max(0, ...rows.map(({ title }) => title.length));
  return rows
    .map(({ title, severity, purpose }) =>
      `${colors.bold(title.padEnd(width))}  ${severity.padEnd(7)}  ${purpose}`.trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}
