/**
 * Each file in `samples/mistakes` has exactly the mistakes that its row in the folder's README names. The action that
 * the row recommends changes something.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { rules } from '../../../server/src/rules/engine/index.ts';

const FOLDER = join('samples', 'mistakes');

/** The rules that need facts from a host. */
const OF_HOSTS = ['sample-fails', 'broken-link'];

const TIMES = ['none', 'one', 'two', 'three', 'four'];

function workspaceOfMistakes(): Workspace {
  const workspace = new Workspace();
  for (const path of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.(?:md|yaml)$/.test(path) || path.endsWith('README.md')) continue;
    const uri = `file:///mistakes/${path.replaceAll('\\', '/')}`;
    workspace.apply({ kind: 'text', uri, text: readFileSync(join(FOLDER, path), 'utf8') });
  }
  return workspace;
}

/** The code spans of a string. */
const spansOf = (text: string): readonly string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);

/** The files of each row, the rules that it names (repeated as often as the row says), and the action to use. */
const rows = readFileSync(join(FOLDER, 'README.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split(' | '))
  .map(([files = '', named = '', press = '']) => ({
    files: spansOf(files),
    named: named.split(/, (?=`)/).flatMap((part) => {
      const [name = ''] = spansOf(part);
      const times = TIMES.findIndex((word) => new RegExp(`\\b${word}\\b`).test(part));
      return rules.some((rule) => rule.name === name) ? Array<string>(Math.max(1, times)).fill(name) : [];
    }),
    codes: named.match(/\bE\d{3}\b/g) ?? [],
    press,
  }));

const workspace = workspaceOfMistakes();

const checked = (file: string) => {
  const skill = workspace.analysis.file(`file:///mistakes/${file}`);
  assert.ok(skill, 'there is no such file');
  return { text: skill.text, findings: check(skill, workspace.analysis) };
};

for (const { files, named, codes, press } of rows) {
  for (const file of files) {
    test(`${file} contains the mistakes ${named.join(', ')}`, () => {
      const { findings } = checked(file);
      const found = findings.map(({ rule }) => rule);
      assert.deepEqual(found.sort(), named.filter((name) => !OF_HOSTS.includes(name)).sort());
      assert.deepEqual(
        codes.filter((code) => !findings.some((finding) => finding.code === code)),
        [],
      );
    });

    test(`${file} has a fix wherever the table recommends Ctrl+.`, () => {
      const { text, findings } = checked(file);
      const fixed = findings.filter(({ fixes }) => fixes.length > 0);
      // Leaves out `snapshot`, whose fix writes the result of a test.
      const places = [...press.matchAll(/Ctrl\+\.((?:,? on `[^`]+`)*)/g)].map(([, on = '']) => spansOf(on));
      for (const place of places.flat().filter((one) => one !== 'snapshot')) {
        const at = fixed.some(
          ({ span }) => text.slice(span.start, span.end).includes(place) || text.startsWith(place, span.start),
        );
        assert.ok(at, `nothing is fixed at ${place}`);
      }
      if (places.some((one) => one.length === 0)) assert.ok(fixed.length > 0, 'nothing is fixed');
    });

    test(`${file} contains the text that the table quotes`, () => {
      const { text, findings } = checked(file);
      const titles = findings.flatMap(({ fixes }) => fixes.map(({ title }) => title));
      // The file does not yet contain the text that the author should write.
      const named = spansOf(press.replace(/([Ww]rite|Give it an|into a) `[^`]+`/g, ''));
      const there = [text, ...titles].join('\n');
      assert.deepEqual(
        named.filter((word) => !there.includes(word) && word !== '{{ }}'),
        [],
      );
    });
  }
}

test('every file with a mistake has a row in the table', () => {
  const known = new Set(rows.flatMap(({ files }) => files));
  const paths = readdirSync(FOLDER).filter((path) => /\.skill\.(?:md|yaml)$/.test(path));
  assert.deepEqual(
    paths.filter((path) => !known.has(path)),
    [],
  );
});
