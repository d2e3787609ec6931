/** The results that an analysis reuses from the previous one, and those that it computes again. */
import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import type { Analysis } from '../../../server/src/analysis/analysis.ts';
import { type Change, Workspace } from '../../../server/src/analysis/workspace.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import type { SkillFile } from '../../../server/src/skill/skill-file.ts';

const OWN = 'file:///w/own.skill.md';
const PART = 'file:///w/part.skill.md';
const CATALOG = 'file:///w/skills.config.yaml';
const LINKED = 'file:///w/linked.md';

const skill = (name: string, lines = '', body = 'Do it.'): string =>
  `---\nname: ${name}\ndescription: Does it.\nversion: 1.0.0\n${lines}---\n\n${body}\n`;

const TEXTS: Readonly<Record<string, string>> = {
  [OWN]: skill('own'),
  [PART]: skill('part'),
  [CATALOG]: 'tools: [{name: read_page}]\n',
};

const textOf = (uri: string, text: string): Change => ({ kind: 'text', uri, text, isOpen: uri === OWN });

function open(): Workspace {
  const workspace = new Workspace();
  for (const [uri, text] of Object.entries(TEXTS)) workspace.apply(textOf(uri, text));
  return workspace;
}

function fileIn(analysis: Analysis, uri: string): SkillFile {
  const file = analysis.file(uri);
  assert.ok(file, uri);
  return file;
}

test('computes a derived value once for each analysis', () => {
  const workspace = open();
  let count = 0;
  const make = (file: SkillFile, analysis: Analysis) => [++count, file.uri, analysis.isSkillName('more')];
  const derived = (uri: string) => workspace.analysis.derive(fileIn(workspace.analysis, uri), make);
  assert.deepEqual(
    [derived(OWN), derived(OWN)],
    [
      [1, OWN, false],
      [1, OWN, false],
    ],
  );
  assert.deepEqual(derived(PART), [2, PART, false]);
  workspace.apply(textOf(PART, skill('more')));
  assert.deepEqual(derived(OWN), [3, OWN, true]);
});

describe('the next analysis', () => {
  it('is a new object only after a change', () => {
    const workspace = open();
    const { analysis } = workspace;
    assert.equal(workspace.analysis, analysis);
    workspace.apply(textOf(OWN, skill('own')));
    assert.equal(workspace.analysis, analysis);
    workspace.apply(textOf(OWN, skill('own', '', 'Do it well.')));
    assert.notEqual(workspace.analysis, analysis);
  });

  it('reuses the resolved graph, the catalogs and the unchanged files', () => {
    const workspace = open();
    const { analysis } = workspace;
    const before = [analysis.graph, analysis.catalogOf(OWN), fileIn(analysis, PART)];
    workspace.apply(textOf(OWN, skill('own', '', 'Do it well.')));
    const next = workspace.analysis;
    assert.deepEqual(
      [next.graph, next.catalogOf(OWN), fileIn(next, PART)].map((one, i) => one === before[i]),
      [...[true, true, true]],
    );
  });

  it('reuses the frontmatter of a file in which only the body has changed', () => {
    const workspace = open();
    const { frontmatter } = fileIn(workspace.analysis, OWN);
    workspace.apply(textOf(OWN, skill('own', '', 'Do it well.')));
    const file = fileIn(workspace.analysis, OWN);
    assert.equal(file, fileIn(workspace.analysis, OWN));
    assert.equal(file.frontmatter, frontmatter);
  });
});

describe('trial edits', () => {
  it('change the resulting analysis, but not the original analysis', () => {
    const workspace = open();
    const { analysis } = workspace;
    const findings = () => [OWN, PART].map((uri) => check(fileIn(analysis, uri), analysis));
    const before = findings();
    const tried = analysis.edited([
      { uri: OWN, text: skill('mine', 'tools: [save_page]\n', 'Use #tool:save_page.') },
      { uri: CATALOG, text: 'tools: [{name: save_page}]\n' },
      { uri: PART, text: undefined },
    ]);
    assert.ok(tried.isSkillName('mine') && !tried.isSkillName('own') && !tried.isSkillName('part'));
    assert.equal(tried.file(PART), undefined);
    assert.deepEqual([...tried.catalogOf(OWN).tools.keys()], ['save_page']);
    const found = check(fileIn(tried, OWN), tried).map(({ rule }) => rule);
    assert.ok(found.includes('name-file-mismatch') && !found.includes('unknown-tool'), `${found}`);

    assert.equal(workspace.analysis, analysis);
    assert.ok(analysis.isSkillName('own') && analysis.isSkillName('part'));
    assert.deepEqual([...analysis.catalogOf(OWN).tools.keys()], ['read_page']);
    assert.equal(fileIn(analysis, OWN).text, TEXTS[OWN]);
    assert.deepEqual(findings(), before);
  });

  it('keep facts and severities', () => {
    const workspace = open();
    workspace.apply({ kind: 'exists', uri: LINKED, exists: false });
    workspace.apply({ kind: 'severities', severities: { 'broken-link': 'error' } });
    const tried = workspace.analysis.edited([{ uri: OWN, text: skill('own', '', '[it](linked.md)') }]);
    const found = check(fileIn(tried, OWN), tried).filter(({ rule }) => rule === 'broken-link');
    assert.deepEqual(
      found.map(({ severity }) => severity),
      ['error'],
    );
  });
});
