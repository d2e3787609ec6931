/** Laws of formatting: it is idempotent, and keeps the meaning, the body and the findings. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { Workspace } from '../../server/src/analysis/workspace.ts';
import { format } from '../../server/src/features/format/format.ts';
import { canonical } from '../../server/src/languages/schema/schema.ts';
import { jsonOf } from '../../server/src/languages/yaml/node.ts';
import { check } from '../../server/src/rules/engine/check.ts';
import { SkillFile } from '../../server/src/skill/skill-file.ts';
import { applyEdits, span } from '../../server/src/text.ts';
import { tableOf } from '../../server/src/vocabulary/tables.ts';
import { cases, scaled } from '../random.ts';
import { samples, soundSamples } from './corpus.ts';
import { anyPath, anyText, damagedSample } from './mutate.ts';

/** Checks that formatting is idempotent and keeps the values and the body. Returns the formatted text. */
function checkFormat(uri: string, text: string): string {
  const before = new SkillFile(uri, text);
  const { edits } = format(before);
  const result = applyEdits(text, edits);
  const after = new SkillFile(uri, result);
  assert.deepEqual(format(after).edits, [], 'formatting again changes nothing');
  assert.equal(canonical(jsonOf(after.frontmatter.tree.root)), canonical(jsonOf(before.frontmatter.tree.root)));
  assert.equal(linesOf(bodyOf(result, uri)), linesOf(bodyOf(text, uri)), 'the body');
  if (before.frontmatter.tree.broken) assert.equal(result, text);
  assert.equal(result.includes('\r'), text.includes('\r'));
  return result;
}

const bodyOf = (text: string, uri: string): string => text.slice(new SkillFile(uri, text).frontmatter.bodyStart);

/** The body without the lines that may be headings of artifacts, and without the line break at its end. */
const linesOf = (body: string): string =>
  body
    .replace(/[\r\n]+$/, '')
    .split(/\r\n|\n|\r/)
    .filter(
      (line) =>
        !/^\s*(#{2,3}|-+\s*$)/.test(line) && !/^\s*(description|approach|prompt[\s_-]?template|example)\b/i.test(line),
    )
    .join('\n');

const workspace = new Workspace();
for (const [path, text] of samples) workspace.apply({ kind: 'text', uri: `file:///samples/${path}`, text });

/** The findings in a sample with this text. */
function rules(uri: string, text: string): readonly string[] {
  const kept = workspace.analysis.file(uri)?.text ?? '';
  workspace.apply({ kind: 'text', uri, text });
  const analysis = workspace.analysis;
  const file = analysis.file(uri);
  assert.ok(file);
  const found = check(file, analysis).map(({ rule, message }) => `${rule} ${message}`);
  workspace.apply({ kind: 'text', uri, text: kept });
  return found.sort();
}

const entry = fc.oneof(
  fc.constantFrom(...tableOf('composer').map(({ name }) => `${name}: x`)),
  fc.constantFrom(
    'input: {a: string}  ',
    'x-own: 1',
    'typo: [a, b] # c',
    'tools:\n  - a\n  # - b',
    'tags:\n- a\n- b   ',
    'description: |\n  one   \n\n  # two',
    'description: |+\n  one\n\n',
    'owner: >-\n  one\n   two  ',
    'author: "one  \n  two"',
    'license: one  \n  two',
    'samples: &s {x: {request: y}}',
    'output: *s',
    'output: &s {a: string}',
    'id: &i x',
    'source: *i',
  ),
);
const above = fc.constantFrom(
  '',
  '',
  '',
  '# c\n',
  '\n',
  '# c\n\n',
  '  # deep\n',
  '\n# c\n# d  \n',
  '# skill-disable-next-line unknown-key\n',
);
const body = fc.constantFrom(
  '\nDo it.',
  '\n##  example :x\n\n###  INPUT\n\n```yaml\na: 1  \n```\n',
  '\n# T\n\nprompt-template: a b\n---\n\n{{ a }}  \n\n## Approach ##\n1. x',
  '\n##\tdescription:\tx\t\n\ny',
);

test('formatting is idempotent and keeps the meaning', () => {
  const file = fc
    .tuple(
      fc.array(fc.tuple(above, entry), { maxLength: 8 }),
      above,
      body,
      fc.constantFrom('\n', '\r\n'),
      fc.constantFrom('', '\uFEFF'),
    )
    .map(([entries, last, rest, lineBreak, mark]) => {
      const head = entries.map(([comment, text]) => `${comment}${text}\n`).join('');
      return mark + `---\n${head}${last}---\n${rest}`.replaceAll('\n', lineBreak);
    });
  let changed = 0;
  fc.assert(
    fc.property(file, (text) => {
      if (checkFormat('file:///samples/skills/x.skill.md', text) !== text) changed++;
    }),
    cases(120),
  );
  assert.ok(changed > scaled(60), `only ${changed} were changed`);
});

test('formatting a damaged sample is idempotent and keeps its findings', () => {
  const paths = [...samples.keys()].filter((path) => !path.endsWith('skills.config.yaml'));
  for (const path of paths) {
    const uri = `file:///samples/${path}`;
    const text = samples.get(path) ?? '';
    const result = checkFormat(uri, text);
    if (result !== text) assert.deepEqual(rules(uri, result), rules(uri, text), path);
  }
  fc.assert(
    fc.property(damagedSample, ({ path, text }) => {
      checkFormat(`file:///samples/${path}`, text);
    }),
    cases(100),
  );
});

test('the samples are formatted', () => {
  for (const [path, text] of soundSamples) {
    if (!path.endsWith('skills.config.yaml')) assert.deepEqual(format(new SkillFile(path, text)).edits, [], path);
  }
});

test('formats any text', () => {
  fc.assert(
    fc.property(anyPath, anyText, (path, text) => {
      checkFormat(`file:///w/${path}`, text);
    }),
    cases(150),
  );
});

test('formatting a range keeps the values of the frontmatter', () => {
  const paths = [...samples.keys()];
  fc.assert(
    fc.property(fc.constantFrom(...paths), fc.nat(), fc.nat(), (path, a, b) => {
      const text = samples.get(path) ?? '';
      const [start, end] = [a % text.length, b % text.length].sort((x, y) => x - y) as [number, number];
      const file = new SkillFile(`file:///samples/${path}`, text);
      const { edits } = format(file, span(start, end));
      assert.equal(
        canonical(jsonOf(new SkillFile(file.uri, applyEdits(text, edits)).frontmatter.tree.root)),
        canonical(jsonOf(file.frontmatter.tree.root)),
      );
    }),
    cases(100),
  );
});
