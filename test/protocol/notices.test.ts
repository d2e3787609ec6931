/** The notices of third-party code, compared with the sources that the source maps of the bundles name. */
import { strict as assert } from 'node:assert';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const NOTICES = 'dist/third-party-notices.txt';
/** The accepted licences of shipped code. A new licence requires a decision. */
const ACCEPTED = new Set([
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-3.0',
  'CC0-1.0',
  'ISC',
  'MIT',
]);

const bundledPackages = (): Set<string> => {
  const bundles = readdirSync('dist').filter((name) => /\.c?js$/.test(name));
  const sources = bundles.flatMap((name): readonly string[] => {
    const { sources } = JSON.parse(readFileSync(join('dist', `${name}.map`), 'utf8'));
    return sources;
  });
  return new Set(sources.flatMap((path) => packageOf(path) ?? []));
};

/**
 * Returns the installed package that contains a source. Source maps of packages also contain the packages that they
 * bundle.
 */
function packageOf(path: string): string | undefined {
  const folders = [...path.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)(?=\/)/g)];
  const installed = folders.filter(({ 0: { length }, index }) =>
    existsSync(join('dist', path.slice(0, index + length), 'package.json')),
  );
  return installed.at(-1)?.[1];
}

/** The sections by package name; a package with two versions has two sections. */
const sections = () =>
  readFileSync(NOTICES, 'utf8')
    .split(`${'='.repeat(80)}\n`)
    .slice(1)
    .map((section) => {
      const [, name = '', license = '', text = ''] = /^(\S+) \S+, (\S+)\n\n(.*)$/s.exec(section) ?? [];
      return { name, license, text };
    });

test('every bundled package has a notice with the text of its licence', () => {
  const bundled = bundledPackages();
  assert.ok(bundled.has('yaml'), 'the bundles name their packages');
  const noticed = new Set(sections().map(({ name }) => name));
  assert.deepEqual(
    [...bundled].filter((name) => !noticed.has(name)),
    [],
  );
  for (const { name, text } of sections()) assert.match(text, /copyright|public domain|license/i, name);
});

test('all shipped code has an accepted licence', () => {
  const others = sections().filter(({ license }) => !ACCEPTED.has(license));
  assert.deepEqual(others, []);
});
