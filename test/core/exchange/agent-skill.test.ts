import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import type { Client } from '../../../server/src/clients/facts/client.ts';
import { clients } from '../../../server/src/clients/facts/clients.ts';
import type { Converted } from '../../../server/src/exchange/conversion.ts';
import { convert } from '../../../server/src/exchange/convert.ts';
import { format } from '../../../server/src/features/format/format.ts';
import { jsonOf } from '../../../server/src/languages/yaml/node.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { originOf, withOrigin } from '../../../server/src/skill/origin.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { urisToProbe } from '../../../server/src/skill-folder/referenced-files.ts';
import { SkillFolder } from '../../../server/src/skill-folder/skill-folder.ts';
import { applyEdits } from '../../../server/src/text.ts';
import { dialectOf, folderOf } from '../../../server/src/vocabulary/dialect.ts';
import { soundSamples } from '../../properties/corpus.ts';
import { convertAlone, emit, HEAD } from './emitting.ts';

const uriOf = (path: string): string => `file:///w/${encodeURI(path)}`;

const workspace = new Workspace();
for (const [path, text] of soundSamples) workspace.apply({ kind: 'text', uri: uriOf(path), text });

const emitted = [...soundSamples]
  .filter(([path, text]) => dialectOf(path) === 'composer' && new SkillFile(uriOf(path), text).isSkill)
  .map(([path, text]) => [path, emit(uriOf(path), text, workspace)] as const);

/** A workspace with the converted files in a folder that clients search. */
function installed(
  { files }: Converted,
  folder = '.agents/skills',
): { readonly uri: string; readonly analysis: Workspace['analysis'] } {
  const there = new Workspace();
  const root = `file:///w/${folder}/`;
  for (const { path, text } of files)
    if (path.endsWith('SKILL.md')) there.apply({ kind: 'text', uri: root + path, text });
  const uri = root + (files[0]?.path ?? '');
  const beside = files.slice(1).map(({ path, text }) => ({ path: path.slice(path.indexOf('/') + 1), text }));
  there.apply({ kind: 'folder', uri, folder: new SkillFolder(folderOf(uri), beside) });
  const file = there.analysis.file(uri);
  assert.ok(file);
  const isThere = (target: string): boolean => files.some(({ path }) => root + path === target);
  for (const target of urisToProbe(file, new Map(), there.analysis.folder(uri))) {
    there.apply({ kind: 'exists', uri: target, exists: isThere(target) });
  }
  return { uri, analysis: there.analysis };
}

describe('a skill that is converted to the open standard', () => {
  for (const [path, made] of emitted) {
    test(`${path} has no finding, and all clients load it completely`, () => {
      const { uri, analysis } = installed(made);
      const file = analysis.file(uri);
      assert.ok(file);
      assert.deepEqual(
        check(file, analysis).map(({ rule, message }) => `${rule}: ${message}`),
        [],
      );
      for (const client of clients) assertLoaded(made, client);
    });
  }

  // Formatting a file when it is saved would count as an edit.
  for (const [path, { text }] of [
    ...emitted.map(([name, { files }]) => [name, { text: files[0]?.text ?? '' }] as const),
    ...[
      'x-model: opus\nx-allowed-tools: [Read, Grep]',
      'x-allowed-tools: Read\nx-model: opus\nx-compatibility: Needs git.\nx-metadata: {team: docs}',
      'x-hooks:\n  Stop:\n    - hooks: [{type: command, command: "say done"}]\nx-context: fork\nlicense: MIT\ntools: [Read]',
    ].map(
      (keys) => [keys, { text: convertAlone(`---\n${HEAD}${keys}\n---\n\nDo it.\n`).files[0]?.text ?? '' }] as const,
    ),
  ]) {
    test(`${path} gives a file that is formatted, with and without an origin`, () => {
      const made = withOrigin(text, { source: '../../../a.skill.md', sources: '0123456789ab' }, new Map());
      for (const one of [text, made]) {
        const { edits } = format(new SkillFile('file:///w/a/SKILL.md', one));
        assert.equal(applyEdits(one, edits), one);
      }
      assert.ok(originOf(new SkillFile('file:///w/a/SKILL.md', made)));
    });
  }
});

/** Asserts that the client loads the converted skill without loss from a folder that it searches. */
function assertLoaded(made: Converted, client: Client): void {
  const folder = client.dirs.value.find(
    ({ at, path }) => at !== 'home' && at !== 'elsewhere' && !path.includes('*'),
  )?.path;
  const { uri, analysis } = installed(made, folder);
  const file = analysis.file(uri);
  const [row] = file ? analysis.agentSkills.rowsOf(file, [client]) : [];
  assert.ok(row);
  const { found, loaded, cut } = row;
  // A client to which users upload skills searches no folder.
  if (folder !== undefined)
    assert.notEqual(loaded.outcome, 'no', `${client.id} in ${folder}: ${JSON.stringify([found, loaded])}`);
  assert.ok(!loaded.reasons.some(({ isLoss }) => isLoss), `${client.id}: ${JSON.stringify(loaded)}`);
  assert.ok(!cut.reasons.some(({ isLoss }) => isLoss), `${client.id}: ${JSON.stringify(cut)}`);
}

const WORKFLOW = emitted.find(([path]) => path.endsWith('prepare-scene.skill.md'))?.[1];

test('writes the steps of a workflow in order, and a page for each of its five skills', () => {
  const [page, ...parts] = WORKFLOW?.files ?? [];
  assert.match(page?.text ?? '', /^1\. Follow \[plan-scene\]\(references\/plan-scene\.md\)\.$/m);
  assert.match(page?.text ?? '', /^2\. In any order, or in parallel:$/m);
  assert.match(page?.text ?? '', /^3\. If the `worst` of check-scene-against-canon is `blocking`:$/m);
  assert.match(
    page?.text ?? '',
    /^ {3}Otherwise:\n {3}- If `save` is true: follow \[save-candidate\]\(.*\) with `title` and the `outline` of plan-scene as `body`\. If it fails, try again, at most 2 times in total\.$/m,
  );
  assert.deepEqual(parts.map(({ path }) => path).slice(0, 5), [
    'prepare-scene/references/plan-scene.md',
    'prepare-scene/references/check-scene-against-canon.md',
    'prepare-scene/references/estimate-journey.md',
    'prepare-scene/references/propose-canon-ruling.md',
    'prepare-scene/references/save-candidate.md',
  ]);
});

test("the result has no templates, references or conditions in the composer's format", () => {
  for (const [path, { files, losses }] of emitted) {
    if (losses.some(({ why }) => why.startsWith('It cannot be expressed in words'))) continue;
    for (const { text } of files) assert.doesNotMatch(text, /\{\{|\{%|#(?:tool|skill|interrupt|artifact):/, path);
  }
});

test('writes tools with the names that target clients use, and reports tools without such a name', () => {
  const catalog =
    'tools: [{name: read_page}, {name: save}]\nagent_skills: {clients: [claude-code], tools: {claude-code: {read_page: Read}, codex: {save: put}}}\n';
  const { files, losses } = convertAlone(
    `---\n${HEAD}tools: [read_page, save]\n---\n\nUse #tool:read_page.\n`,
    catalog,
  );
  assert.match(files[0]?.text ?? '', /^allowed-tools: Read$/m);
  assert.match(files[0]?.text ?? '', /^Use `Read`\.$/m);
  assert.deepEqual(
    losses.map(({ what }) => what),
    ['tool `save`'],
  );
});

test('writes the tools of composed skills, and reports unconverted parts of a composed skill at its entry', () => {
  const there = new Workspace();
  const apply = (path: string, text: string) => there.apply({ kind: 'text', uri: `file:///own/${path}`, text });
  apply(
    'skills.config.yaml',
    'tools: [{name: read_page}, {name: save}]\nagent_skills: {tools: {claude-code: {read_page: Read}}}\n',
  );
  apply(
    'b.skill.md',
    '---\nname: b\ndescription: It reads.\ntools: [read_page]\ncomposes: [c]\nlevel: 2\n---\n\nRead.\n',
  );
  apply(
    'c.skill.md',
    '---\nname: c\ndescription: It saves.\ntools: [save]\ncomposes: [gone]\nlevel: 2\n---\n\nSave.\n',
  );
  const text = `---\n${HEAD}level: 3\ncomposes:\n  - skill: b\n---\n\nDo it.\n`;
  apply('a.skill.md', text);
  const { files, losses } = emit('file:///own/a.skill.md', text, there);
  assert.match(files[0]?.text ?? '', /^allowed-tools: Read$/m);
  assert.deepEqual(
    losses.map(({ what, span }) => [what, text.slice(span.start, span.end)]),
    [
      ['composed skill `gone` in `c`', 'b'],
      ['tool `save`', 'b'],
    ],
  );
});

test('writes a page for one of two versions of a composed skill, and reports the other version', () => {
  const there = new Workspace();
  const apply = (path: string, text: string) => there.apply({ kind: 'text', uri: `file:///own/${path}`, text });
  const part = (name: string, more: string): string => `---\nname: ${name}\ndescription: It does.\n${more}---\n\nDo.\n`;
  apply('p1.skill.md', part('p', 'version: 1.0.0\n'));
  apply('p2.skill.md', part('p', 'version: 2.0.0\n'));
  apply('b.skill.md', part('b', 'level: 2\ncomposes: [p]\nrequires: [{skill: p, version: ^1.0.0}]\n'));
  const text = part('a', 'level: 3\ncomposes: [p, b]\nrequires: [{skill: p, version: ^2.0.0}]\n');
  apply('a.skill.md', text);
  const { files, losses } = emit('file:///own/a.skill.md', text, there);
  assert.deepEqual(
    files.map(({ path }) => path),
    ['a/SKILL.md', 'a/references/p.md', 'a/references/b.md'],
  );
  assert.ok(losses.some(({ what }) => what === 'composed skill `p`'));
});

test('appends trigger phrases to the description if they fit', () => {
  const long = 'x'.repeat(1000);
  const [page] = convertAlone(
    `---\n${HEAD.replace('It does.', long)}trigger_phrases: [do it now, and again]\n---\n\nDo it.\n`,
  ).files;
  assert.match(page?.text ?? '', new RegExp(`^description: ${long}$`, 'm'));
  const [other] = convertAlone(`---\n${HEAD}trigger_phrases: [do it now]\n---\n\nDo it.\n`).files;
  assert.match(other?.text ?? '', /^description: It does\. Requests such as “do it now”\.$/m);
});

test('reports the locations of trigger phrases that do not fit', () => {
  const text = `---\n${HEAD.replace('It does.', 'x'.repeat(1000))}trigger_phrases: [do it now, and again]\n---\n\nDo it.\n`;
  assert.deepEqual(
    convertAlone(text).losses.map(({ what, span }) => [what, text.slice(span.start, span.end)]),
    [
      ['trigger `do it now`', 'do it now'],
      ['trigger `and again`', 'and again'],
    ],
  );
});

test('changes a name that clients do not accept, and reports the change', () => {
  const text = `---\n${HEAD.replace(/^name: .*$/m, 'name: My Skill_x')}---\n\nDo it.\n`;
  const { files, losses } = convertAlone(text);
  assert.equal(files[0]?.path, 'my-skill-x/SKILL.md');
  assert.deepEqual(
    losses.map(({ what, span }) => [what, text.slice(span.start, span.end)]),
    [['name `My Skill_x`', 'My Skill_x']],
  );
});

test('does not convert a skill without a description', () => {
  for (const description of ['', 'description:\n', 'description: "  "\n']) {
    const text = `---\n${HEAD.replace(/^description: .*\n/m, description)}---\n\nDo it.\n`;
    const made = convert({ uri: uriOf('a.skill.md'), text }, 'agent-skill', new Workspace().analysis);
    assert.match('problem' in made ? made.problem : '', /^It has no `description`/);
  }
});

test('copies linked files, and reports those that have no place in the folder', () => {
  const there = new Workspace();
  const part = `---\nname: part\n${HEAD}---\n\nRead [the list](lists/b.md) and [this](part.md).\n`;
  const text = `---\n${HEAD}composes: [part]\n---\n\nRead [it](refs/a%20b.md#x), [it](refs/a%20b.md), [gone](gone.md), [us](https://a.example), [up](../up.md), [other](part.skill.md), [page](references/part.md).\n`;
  const uri = 'file:///own/a.skill.md';
  there.apply({ kind: 'text', uri: 'file:///own/part.skill.md', text: part });
  there.apply({ kind: 'text', uri, text });
  there.apply({ kind: 'exists', uri: 'file:///own/gone.md', exists: false });
  const { losses, linked } = emit(uri, text, there);
  assert.deepEqual(
    linked?.map(({ from, path }) => [from, path]),
    [
      ['file:///own/refs/a%20b.md', 'a/refs/a b.md'],
      ['file:///own/lists/b.md', 'a/references/lists/b.md'],
      // An earlier conversion may have copied it.
      ['file:///own/gone.md', 'a/gone.md'],
    ],
  );
  assert.deepEqual(
    losses.map(({ what, span }) => [what, text.slice(span.start, span.end)]),
    [
      // The page of the composed skill has this path.
      ['file `part.md`', 'part'],
      ['file `../up.md`', '../up.md'],
      ['file `part.skill.md`', 'part.skill.md'],
      ['file `references/part.md`', 'references/part.md'],
    ],
  );
});

test('restores the keys of a skill that was converted from a SKILL.md', () => {
  const source = [
    '---',
    'name: tidy',
    'description: Tidies notes. Use it after a meeting.',
    'license: See LICENSE.txt',
    'allowed-tools: Read Grep',
    'model: haiku',
    'metadata: {version: 1.0.0, team: notes}',
    '---',
    '',
    'Tidy them.',
    '',
  ].join('\n');
  const there = convert({ uri: 'file:///own/tidy/SKILL.md', text: source }, 'skill-md', new Workspace().analysis);
  assert.ok('files' in there);
  const { files, losses } = convertAlone(there.files[0]?.text ?? '');
  assert.deepEqual(losses, []);
  const { frontmatter } = new SkillFile('file:///own/tidy/SKILL.md', files[0]?.text ?? '');
  assert.deepEqual(jsonOf(frontmatter.tree.root), {
    name: 'tidy',
    description: 'Tidies notes. Use it after a meeting.',
    license: 'See LICENSE.txt',
    'allowed-tools': 'Read Grep',
    model: 'haiku',
    metadata: { version: '1.0.0', team: 'notes' },
  });
});

test('reports a description that clients truncate', () => {
  const description = `Tidies ${'notes '.repeat(200)}well.`;
  const { losses } = convertAlone(
    `---\nname: tidy\nversion: 1.0.0\ninput_schema: {}\ndescription: ${description}\n---\n\nTidy them.\n`,
  );
  assert.deepEqual(
    losses.map(({ what, why }) => [what, why]),
    [['end of the description', 'It has 1,212 characters; clients accept at most 1,024. Shorten it.']],
  );
});
