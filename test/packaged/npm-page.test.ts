/** The package of the command line, read like the npm registry: its manifest, its list of files, and its page. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import spawnProgram from 'cross-spawn';
import { schemaTexts } from '../../server/src/vocabulary/published/schemas.ts';
import { addresses, brokenLinks, linksOf, nodesOf } from '../store/page.ts';
import { temporaryFolder } from '../temporary.mjs';
import { env, installed, program, TARBALL } from './installed.ts';

interface Packed {
  readonly name: string;
  readonly version: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly mode: number }[];
  readonly bundled: readonly string[];
}

const words = ['pack', TARBALL, '--dry-run', '--json', '--ignore-scripts', '--offline', '--loglevel=error'];
const { stdout } = spawnProgram.sync('npm', words, { cwd: temporaryFolder(), encoding: 'utf8' });
// Newer versions of npm print an object with the name of each package as the key.
const [packed] = Object.values(JSON.parse(stdout)) as [Packed];
const files = packed.files.map(({ path }) => path);

const folder = join(installed, 'node_modules', 'skill-composer');
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
const manifest = JSON.parse(read('package.json'));
const extension = JSON.parse(readFileSync('package.json', 'utf8'));
const page = read('README.md');

describe('the manifest of the command line', () => {
  it('has the name and the version of the extension, and texts for the search', () => {
    assert.deepEqual([packed.name, packed.version], [extension.name, extension.version]);
    assert.match(manifest.description, /^[A-Z][^%]{40,120}\.$/);
    assert.ok(manifest.keywords.includes('agent skills') && !manifest.keywords.includes('multi-root ready'));
    assert.deepEqual([manifest.license, manifest.author], ['MIT', 'Skill Composer contributors']);
  });

  it('has the addresses of the repository and its issues, in the form that npm does not correct', () => {
    assert.deepEqual(manifest.repository, { type: 'git', url: `git+${addresses.repository}.git` });
    assert.deepEqual(manifest.bugs, { url: addresses.bugs });
    assert.match(manifest.homepage, /^https:\/\//);
    // Only stores of extensions read this key.
    assert.equal(manifest.qna, undefined);
  });

  it('runs no scripts, has no dependencies, and can be published', () => {
    for (const key of ['scripts', 'dependencies', 'devDependencies', 'optionalDependencies', 'private', 'files']) {
      assert.equal(manifest[key], undefined, key);
    }
    assert.deepEqual(packed.bundled, []);
  });

  it('has one executable program, which Node runs', () => {
    assert.deepEqual(manifest.bin, { 'skill-composer': 'dist/cli.cjs' });
    assert.match(read('dist/cli.cjs'), /^#!\/usr\/bin\/env node\n/);
    const mode = packed.files.find(({ path }) => path === 'dist/cli.cjs')?.mode ?? 0;
    // Windows has no such permission; npm adds it when it installs the package.
    if (process.platform !== 'win32') assert.equal(mode & 0o111, 0o111, mode.toString(8));
  });
});

describe('the files of the command line', () => {
  it('are bundles, schemas, rule pages, files for pipelines and editors, and texts', () => {
    const known =
      /^(dist\/[\w.-]+\.(c?js|mjs|txt)|dist\/schemas\/[\w-]+\.schema\.json|docs\/rules\/[\w-]+\.md|client\/pipelines\/(action\.mjs|gitlab\.yml)|client\/editors\/[\w/-]+\.(el|lua|rs|toml)|package\.json|README\.md|LICENSE|action\.yml|\.pre-commit-hooks\.yaml)$/;
    assert.deepEqual(
      files.filter((path) => !known.test(path)),
      [],
    );
    for (const path of ['LICENSE', 'README.md', 'dist/third-party-notices.txt']) assert.ok(files.includes(path), path);
  });

  it('include every schema', () => {
    const schemas = files.filter((path) => path.startsWith('dist/schemas/'));
    assert.deepEqual(schemas.sort(), [...schemaTexts().keys()].map((file) => `dist/schemas/${file}`).sort());
    for (const [file, text] of schemaTexts()) assert.equal(read(`dist/schemas/${file}`), text, file);
  });

  it('take at most 6 MB to download, and 20 MB on disk', () => {
    assert.ok(packed.size < 6e6, `${packed.size} bytes`);
    assert.ok(packed.unpackedSize < 20e6, `${packed.unpackedSize} bytes`);
  });
});

describe('the page of the command line', () => {
  it('has only links that work on the page of a registry', () => {
    assert.ok(linksOf(page).length > 10);
    assert.deepEqual(brokenLinks(page), []);
  });

  it('contains no HTML, which registries remove', () => {
    assert.deepEqual(
      nodesOf(page).filter(({ type }) => type === 'html'),
      [],
    );
  });

  it('shows what the command prints', () => {
    const [, path = '', skill = ''] = /^````markdown (\S+)\n([\s\S]*?)^````$/m.exec(page) ?? [];
    const [, output] = /^```\n([.][\s\S]*?)^```$/m.exec(page) ?? [];
    const cwd = temporaryFolder();
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), skill);
    const { stdout, status } = spawnSync(program, ['check'], { cwd, env, encoding: 'utf8' });
    assert.deepEqual([stdout, status], [output, 0]);
  });
});
