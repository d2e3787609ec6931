/** What an analysis takes over of the one before it, and what it makes anew. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Analysis } from '../../../server/src/analysis/analysis.ts';
import { type Change, Workspace } from '../../../server/src/analysis/workspace.ts';
import { check, draftsOf } from '../../../server/src/rules/check.ts';
import { rules } from '../../../server/src/rules/index.ts';
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

/** Computations that read of one kind each. */
const PROBES: Readonly<Record<string, (file: SkillFile, analysis: Analysis) => unknown>> = {
  head: (file) => file.contract.name,
  body: (file) => file.body,
  summary: (file) => file.summary,
  graph: (_, analysis) => analysis.isSkillName('part'),
  catalogs: (_, analysis) => analysis.catalogOf(OWN).tools.size,
  files: (_, analysis) => analysis.file(PART)?.contract.description,
  facts: (_, analysis) => analysis.exists(LINKED),
};

/** The probes that are run again for a file after a change to the workspace. */
function runAgainBy(...changes: readonly Change[]): readonly string[] {
  const workspace = open();
  const run = () => {
    const { analysis } = workspace;
    const file = fileIn(analysis, OWN);
    return Object.entries(PROBES).flatMap(([name, probe]) => {
      let isRun = false;
      analysis.observed(file, name, () => {
        isRun = true;
        return probe(file, analysis);
      });
      return isRun ? [name] : [];
    });
  };
  assert.deepEqual(run(), Object.keys(PROBES));
  assert.deepEqual(run(), []);
  for (const change of changes) workspace.apply(change);
  return run();
}

describe('what was found of a file is found again only where something changed that was read', () => {
  const cases: Readonly<Record<string, readonly [Change, readonly string[]]>> = {
    'an edit of its body': [textOf(OWN, skill('own', '', 'Do it well.')), ['body']],
    'an edit of its body that mentions another skill': [
      textOf(OWN, skill('own', '', 'Do it with #skill:part.')),
      ['body', 'summary', 'graph'],
    ],
    'an edit of its frontmatter': [textOf(OWN, skill('own', 'tags: [one]\n')), ['head', 'body', 'summary', 'files']],
    'an edit of another file’s body': [textOf(PART, skill('part', '', 'Do it well.')), []],
    'an edit of another file’s frontmatter': [textOf(PART, skill('part', 'tags: [one]\n')), ['files']],
    'another name of another skill': [textOf(PART, skill('parts')), ['graph', 'files']],
    'another catalog': [textOf(CATALOG, 'tools: [{name: save_page}]\n'), ['catalogs', 'files']],
    'a file that goes': [{ kind: 'delete', uri: PART }, ['graph', 'files']],
    'a file that was looked for': [{ kind: 'exists', uri: LINKED, exists: true }, ['facts']],
    'a baseline': [{ kind: 'released', uri: OWN, text: skill('own') }, ['facts']],
    'scripts that were read': [{ kind: 'network-calls', uri: OWN, calls: [] }, ['facts']],
    'samples that fail': [{ kind: 'samples', uri: OWN, failures: [] }, ['facts']],
    'other severities': [{ kind: 'severities', severities: { 'unknown-tool': 'off' } }, []],
    'the same text': [textOf(OWN, skill('own')), []],
    'files that are still read': [{ kind: 'partial', partial: true }, ['graph']],
  };
  for (const [what, [change, expected]] of Object.entries(cases)) {
    it(`after ${what}`, () => assert.deepEqual(runAgainBy(change), expected));
  }

  it('also where it is looked at only after several changes', () => {
    const body = textOf(OWN, skill('own', '', 'Do it well.'));
    const catalog = textOf(CATALOG, 'tools: []\n');
    assert.deepEqual(runAgainBy(body, catalog), ['body', 'catalogs', 'files']);
  });
});

describe('a rule', () => {
  const changedBy = (text: string): readonly string[] => {
    const workspace = open();
    const draftsNow = () =>
      new Map(rules.map((rule) => [rule.name, draftsOf(fileIn(workspace.analysis, OWN), workspace.analysis, rule)]));
    const before = draftsNow();
    workspace.apply(textOf(OWN, text));
    return [...draftsNow()].flatMap(([name, drafts]) => (drafts === before.get(name) ? [] : [name]));
  };

  it('that reads only the frontmatter is not run again by an edit of the body', () => {
    const again = changedBy(skill('own', '', 'Do it well.'));
    const headOnly = ['circular-dependency', 'budget-exceeded', 'level-violation', 'missing-scope', 'type-mismatch'];
    for (const name of headOnly) assert.ok(!again.includes(name), name);
    for (const name of ['undeclared-tool', 'skill-not-found', 'broken-link']) assert.ok(again.includes(name), name);
  });

  it('is run again by an edit of the frontmatter', () => {
    const again = changedBy(skill('own', 'tags: [one]\n'));
    for (const name of ['missing-key', 'invalid-value', 'undeclared-tool']) assert.ok(again.includes(name), name);
  });
});

describe('the next analysis', () => {
  it('is another one only when something has changed', () => {
    const workspace = open();
    const { analysis } = workspace;
    assert.equal(workspace.analysis, analysis);
    workspace.apply(textOf(OWN, skill('own')));
    assert.equal(workspace.analysis, analysis);
    workspace.apply(textOf(OWN, skill('own', '', 'Do it well.')));
    assert.notEqual(workspace.analysis, analysis);
  });

  it('takes over the resolved graph, the catalogs and the other files', () => {
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

  it('has the file that an edit of an open one made, with the head of before', () => {
    const workspace = open();
    const { frontmatter } = fileIn(workspace.analysis, OWN);
    workspace.apply(textOf(OWN, skill('own', '', 'Do it well.')));
    const file = fileIn(workspace.analysis, OWN);
    assert.equal(file, fileIn(workspace.analysis, OWN));
    assert.equal(file.frontmatter, frontmatter);
  });
});

describe('edits that are tried', () => {
  it('are seen in the analysis that they lead to, and not in the first one', () => {
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
