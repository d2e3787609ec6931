/**
 * The files in `client/editors` for editors that tests cannot start, compared with the requirements of these editors.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'smol-toml';
import manifest from '../../package.json' with { type: 'json' };

const read = (...path: readonly string[]): string => readFileSync(join('client', 'editors', ...path), 'utf8');
/** Reads a TOML file as plain data, since the tables that the parser returns have no prototype. */
const toml = (...path: readonly string[]) => JSON.parse(JSON.stringify(parse(read(...path))));

const COMMAND = ['skill-composer', 'lsp', '--stdio'];

test('the Zed manifest declares the name, the version and the languages of the extension', () => {
  const { id, name, version, schema_version, authors, language_servers } = toml('zed', 'extension.toml');
  assert.deepEqual([id, name, version, schema_version], [manifest.name, manifest.displayName, manifest.version, 1]);
  assert.ok(Array.isArray(authors));
  assert.deepEqual(language_servers, {
    [manifest.name]: { name: manifest.displayName, languages: ['Markdown', 'YAML'] },
  });
});

test('the Zed crate is a WebAssembly library that depends only on the Zed API', () => {
  const { lib, dependencies, package: about } = toml('zed', 'Cargo.toml');
  assert.deepEqual(lib, { 'crate-type': ['cdylib'] });
  assert.deepEqual(Object.keys(dependencies), ['zed_extension_api']);
  assert.equal(about.version, manifest.version);
});

test('the Zed extension starts the language server', () => {
  const source = read('zed', 'src', 'lib.rs');
  const [command, ...args] = COMMAND;
  assert.ok(source.includes(`worktree.which("${command}")`));
  assert.ok(source.includes(`vec![${args.map((arg) => `"${arg}".into()`).join(', ')}]`));
});

test('the Helix configuration starts the language server for Markdown and YAML, and matches the docs', () => {
  const { 'language-server': servers, language: languages } = toml('helix', 'languages.toml');
  const { command, args } = servers[manifest.name];
  assert.deepEqual([command, ...args], COMMAND);
  for (const name of ['markdown', 'yaml']) {
    const language = languages.find((one: { readonly name: string }) => one.name === name);
    assert.equal(language['language-servers'][0], manifest.name, name);
  }
  assert.ok(
    readFileSync('docs/editors.md', 'utf8').includes(
      `\`\`\`toml helix-languages\n${read('helix', 'languages.toml')}\`\`\``,
    ),
  );
});

test('the Emacs package declares the version of the extension', () => {
  assert.ok(read('emacs', 'skill-composer.el').includes(`;; Version: ${manifest.version}\n`));
});
