/** The table of rules in `docs/rules/README.md` is the table in the code. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { it } from 'node:test';
import { rules } from '../../../server/src/rules/index.ts';
import type { Rule } from '../../../server/src/rules/rule.ts';

const path = 'docs/rules/README.md';

/** The first sentence of a rule's page, on one line. */
function purposeOf({ name }: Rule): string {
  const page = readFileSync(`docs/rules/${name}.md`, 'utf8');
  const prose = page.split('\n## ')[0]?.split('\n\n').slice(2).join(' ').replace(/\s+/g, ' ').trim() ?? '';
  return /^.*?[.?!](?=\s|$)/.exec(prose)?.[0].replaceAll('|', '\\|') ?? '';
}

const row = (rule: Rule): string => {
  return `| [\`${rule.name}\`](${rule.name}.md) | ${rule.number ?? ''} | ${rule.severity} | ${rule.evidence.kind} | ${purposeOf(rule)} |`;
};

it('the list of rules says what the table of rules says', () => {
  const written = readFileSync(path, 'utf8');
  const table = ['| rule | number | severity | evidence | |', '|---|---|---|---|---|', ...rules.map(row)].join('\n');
  const expected = written.replace(/(?<=<!-- rules -->\n\n)[\s\S]*(?=\n\n<!-- end -->)/, () => table);
  if (process.env.UPDATE_EXPECT === '1') writeFileSync(path, expected);
  else assert.equal(written, expected);
});
