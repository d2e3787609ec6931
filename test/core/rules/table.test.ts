/**
 * The table in `docs/rules/README.md` and the setting `skillComposer.rules` in the manifest match the rules in the
 * code.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { it } from 'node:test';
import { rules } from '../../../server/src/rules/engine/index.ts';
import { type Rule, severityText } from '../../../server/src/rules/engine/rule.ts';

const path = 'docs/rules/README.md';
const update = process.env.UPDATE_EXPECT === '1';

/** The first sentence of a rule's page, on one line. */
function purposeOf({ name }: Rule): string {
  const page = readFileSync(`docs/rules/${name}.md`, 'utf8');
  const prose = page.split('\n## ')[0]?.split('\n\n').slice(2).join(' ').replace(/\s+/g, ' ').trim() ?? '';
  return /^.*?[.?!](?=\s|$)/.exec(prose)?.[0].replaceAll('|', '\\|') ?? '';
}

const row = (rule: Rule): string => {
  return `| [\`${rule.name}\`](${rule.name}.md) | ${rule.number ?? ''} | ${severityText(rule)} | ${rule.evidence.kind} | ${purposeOf(rule)} |`;
};

it('lists the rules in alphabetical order', () => {
  const names = rules.map(({ name }) => name);
  assert.deepEqual(names, names.toSorted());
});

it('the list in docs/rules/README.md matches the table of rules', () => {
  const written = readFileSync(path, 'utf8');
  const table = ['| rule | number | severity | evidence | |', '|---|---|---|---|---|', ...rules.map(row)].join('\n');
  const expected = written.replace(/(?<=<!-- rules -->\n\n)[\s\S]*(?=\n\n<!-- end -->)/, () => table);
  if (update) writeFileSync(path, expected);
  else assert.equal(written, expected);
});

it('the setting `skillComposer.rules` in the manifest offers every rule with its severity', () => {
  const written = readFileSync('package.json', 'utf8');
  const manifest = JSON.parse(written) as Manifest;
  const setting = manifest.contributes.configuration.properties['skillComposer.rules'];
  setting.propertyNames = {
    enum: rules.map(({ name }) => name),
    markdownEnumDescriptions: rules.map(described),
  };
  const expected = `${JSON.stringify(manifest, null, 2)}\n`;
  if (update) writeFileSync('package.json', expected);
  else assert.equal(written, expected, 'UPDATE_EXPECT=1 npm run test:core -- --filter core/rules writes it');
});

interface Manifest {
  readonly contributes: {
    readonly configuration: {
      readonly properties: {
        readonly 'skillComposer.rules': RulesSetting;
      };
    };
  };
}

interface RulesSetting {
  propertyNames: { readonly enum: readonly string[]; readonly markdownEnumDescriptions: readonly string[] };
}

/**
 * The text that an editor shows beside a rule's name, without the page's relative links, which have no target there.
 */
const described = (rule: Rule): string =>
  `Default: ${rule.offIn ? severityText(rule) : `\`${rule.severity}\``}. ${purposeOf(rule).replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')}`;
