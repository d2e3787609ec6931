/** `export`: writes a project for LangGraph's server, and keeps the files that belong to the user. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { assertUsageError, folderWith, run, write } from './cli.ts';

const CATALOG = `tools:
  - {name: read_page, description: Reads a page., input_schema: {slug: string}, operation: READ}
  - {name: save_draft, description: Saves text., input_schema: {text: string}, operation: WRITE}
profiles:
  - {name: guest, tools: [read_page]}
`;

const JUDGE = `---
name: judge-page
description: Judges one page and saves the verdict.
version: 1.0.0
input_schema: {slug: string}
output_schema: {verdict: string}
tools: [read_page, {name: save_draft, optional: true}]
interrupts: [{name: before_write, message: May I save?}]
samples:
  tollhouse: {parameters: {slug: tollhouse}, answers: {before_write: true}}
  guest: {parameters: {slug: inn}, profile: guest}
  waiting: {parameters: {slug: inn}}
  missing: {expect: {fails: ParameterMismatch}}
---

Judge the named page. Be brief.

## Approach: two passes

1. **Read** the page with #tool:read_page.
2. **Write** the verdict and save it with #tool:save_draft.
`;

const files = {
  'skills.config.yaml': CATALOG,
  'judge-page.skill.md': JUDGE,
  'none.skill.md': JUDGE.replace('judge-page', 'none').replace(/samples:\n( .*\n)+/, ''),
  'lacking.skill.md': JUDGE.replace('judge-page', 'lacking').replace('{slug: inn}}', '{}}'),
  'broken.skill.md': JUDGE.replace('judge-page', 'broken').replace('#tool:read_page', '#tool:red_page'),
};

const PROJECT = [
  ...['graph.ts', 'README.md', 'package.json', 'langgraph.json', 'tsconfig.json', '.gitignore'],
  ...['skill/shape.json', 'skill/skill.json', 'skill/samples.json'],
  ...['skill/runtime.js', 'skill/runtime.d.ts', 'skill/dry-run.test.js'],
];

describe('skill-composer export', () => {
  const folder = folderWith(files);
  const exportTo = (out: string, ...words: string[]) =>
    run(folder, ['export', '--to', 'langgraph', '--out', out, ...words]);
  const textOf = (path: string): string => readFileSync(join(folder, path), 'utf8');
  const jsonOf = (path: string) => JSON.parse(textOf(path));

  it('writes the same project each time, with the runs of all samples and without a path of the machine', async () => {
    const { status, stdout, stderr } = await exportTo('made', 'judge-page.skill.md');
    assert.deepEqual([status, stderr], [0, '']);
    assert.equal(stdout, PROJECT.map((path) => `made/${path}\n`).join(''));
    const runs = jsonOf('made/skill/samples.json').map(({ name, expected }: never) => [name, expected]);
    assert.deepEqual(Object.fromEntries(runs), {
      tollhouse: { path: ['Read', 'Write'], interrupts: ['before_write'], end: 'output_schema' },
      guest: { path: ['Read'], interrupts: [], end: 'output_schema' },
      waiting: { path: ['Read', 'Write'], interrupts: ['before_write'], end: 'waits at before_write' },
    });
    assert.deepEqual(jsonOf('made/langgraph.json').graphs, { 'judge-page': './graph.ts:graph' });
    assert.match(textOf('made/skill/runtime.d.ts'), /\nexport type ToolName = "read_page" \| "save_draft";\n/);
    await exportTo('again', `${folder}/judge-page.skill.md`, '--quiet');
    for (const path of PROJECT) {
      assert.equal(textOf(`again/${path}`), textOf(`made/${path}`), path);
      assert.ok(!textOf(`made/${path}`).includes(folder), path);
    }
  });

  it('pins each package that the runtime imports, and exports what its types declare', async () => {
    await exportTo('pinned', 'none.skill.md');
    const imported = [...textOf('pinned/skill/runtime.js').matchAll(/^import .* from "((?:@[^/"]+\/)?[^/"]+)/gm)];
    const { dependencies } = jsonOf('pinned/package.json');
    const names = new Set(imported.map(([, name = '']) => name).filter((name) => !name.startsWith('node:')));
    // LangGraph requires its core as a peer.
    assert.deepEqual(Object.keys(dependencies).sort(), [...names, '@langchain/core'].sort());
    const ours = JSON.parse(readFileSync('package.json', 'utf8')).dependencies;
    for (const [name, version] of Object.entries(dependencies)) assert.equal(version, ours[name], name);
    const declared = [...textOf('pinned/skill/runtime.d.ts').matchAll(/^export function (\w+)/gm)].map(
      ([, name]) => name,
    );
    const [, exported = ''] = /^export \{\n([^}]*)\};$/m.exec(textOf('pinned/skill/runtime.js')) ?? [];
    assert.deepEqual(exported.match(/\w+/g)?.sort(), declared.sort());
  });

  it('runs a skill without samples with generated values', async () => {
    await exportTo('none', 'none.skill.md');
    assert.deepEqual(
      jsonOf('none/skill/samples.json').map(({ name }: { name: string }) => name),
      ['generated values'],
    );
  });

  it('contains only the tools that the caller may use', async () => {
    await exportTo('guest', 'judge-page.skill.md', '--profile', 'guest');
    assert.deepEqual(jsonOf('guest/skill/shape.json').toolAvailability, ['read_page']);
    assertUsageError(await exportTo('nobody', 'none.skill.md', '--profile', 'gest'), /unknown profile `gest`/);
  });

  it('overwrites only with `--force`, and never the files that belong to the user', async () => {
    await exportTo('kept', 'none.skill.md');
    assertUsageError(
      await exportTo('kept', 'judge-page.skill.md'),
      /^skill-composer: Not exported: `kept\/graph\.ts`, .* already exist\./,
    );
    write(folder, 'kept/graph.ts', '// mine\n');
    const { status, stdout, stderr } = await exportTo('kept/', 'judge-page.skill.md', '--force');
    assert.equal(status, 0);
    assert.equal(
      stdout,
      PROJECT.slice(6)
        .map((path) => `kept/${path}\n`)
        .join(''),
    );
    assert.match(stderr, /Not overwritten: `graph\.ts`, .*`\.gitignore`\./);
    assert.equal(textOf('kept/graph.ts'), '// mine\n');
    assert.match(textOf('kept/skill/samples.json'), /tollhouse/);
  });

  it('does not write through a symbolic link', async () => {
    const other = folderWith({ 'here.txt': '' });
    write(folder, 'linked/x', '');
    symlinkSync(other, join(folder, 'linked/skill'));
    const { status } = await exportTo('linked', 'none.skill.md', '--force');
    assert.equal(status, 2);
    assert.equal(existsSync(join(other, 'shape.json')), false);
  });

  it('reports a skill or a sample that does not compose with status 1', async () => {
    const broken = await exportTo('broken', 'broken.skill.md');
    assert.equal(broken.status, 1);
    assert.match(broken.stderr, /broken\.skill\.md:20:\d+ error UnknownTool/);
    assert.equal(existsSync(join(folder, 'broken')), false);
    const lacking = await exportTo('lacking', 'lacking.skill.md');
    assert.equal(lacking.status, 1);
    assert.match(lacking.stderr, /Not exported: the sample `waiting`, which does not compose\. /);
    assert.equal(jsonOf('lacking/skill/samples.json').length, 2);
  });

  it('requires a skill, a server and a folder', async () => {
    assertUsageError(await run(folder, ['export', 'none.skill.md', '--out', 'x']), /Missing option `--to`/);
    assertUsageError(await run(folder, ['export', 'none.skill.md', '--to', 'langgraph']), /Missing option `--out`/);
    assertUsageError(await run(folder, ['export', 'none.skill.md', '--to', 'langraph']), /`langgraph`/);
    assertUsageError(await exportTo('x', 'skills.config.yaml'), /is a catalog/);
    assertUsageError(await exportTo('x', 'none.skill.md', '--format', 'json'), /does not support `--format json`/);
  });

  it('makes a name for packages and graphs from every name of a skill', async () => {
    const named = (name: string) => JUDGE.replace('name: judge-page', `name: ${JSON.stringify(name)}`);
    const names = [`Straße "1" $\{x}`, '__proto__', '日本', '../../x'];
    for (const [at, name] of names.entries()) write(folder, `odd/${at}.skill.md`, named(name));
    const made: string[] = [];
    for (const at of names.keys()) {
      await exportTo(`named/${at}`, `odd/${at}.skill.md`);
      made.push(jsonOf(`named/${at}/package.json`).name);
      assert.deepEqual(Object.keys(jsonOf(`named/${at}/langgraph.json`).graphs), made.slice(-1));
    }
    assert.deepEqual(made, ['stra-e-1-x', 'proto', 'skill', 'x']);
  });
});
