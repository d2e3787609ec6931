/**
 * Cases of `sample-fails` that its page cannot show: a defect with its own rule is reported once, and results remain
 * after edits.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { composeSamples, ROOT } from './page.ts';

const URI = `${ROOT}/a.skill.md`;

const skill = (lines: readonly string[], body: string, name = 'a'): string =>
  [
    '---',
    `name: ${name}`,
    'description: Tests one thing.',
    'version: 1.0.0',
    'input_schema: {place: "string?", places: {type: array, default: []}}',
    'output_schema: {text: string}',
    ...lines,
    '---',
    '',
    body,
    '',
  ].join('\n');

const SAMPLE = ['samples:', '  s: {request: x, parameters: {}, profile: guest}'];
const CATALOG = `tools:
  - {name: read_page, description: Reads a page., operation: READ}
profiles:
  - {name: guest, tools: []}
`;

function opened(files: Readonly<Record<string, string>>): Workspace {
  const workspace = new Workspace();
  for (const [path, text] of Object.entries(files)) workspace.apply({ kind: 'text', uri: `${ROOT}/${path}`, text });
  composeSamples(workspace, URI);
  return workspace;
}

function findingsOf(workspace: Workspace) {
  const file = workspace.analysis.file(URI);
  return file ? check(file, workspace.analysis) : [];
}

/** The rules of findings that are errors or warnings. */
const rulesOf = (workspace: Workspace): readonly string[] =>
  findingsOf(workspace)
    .filter(({ severity }) => severity === 'error' || severity === 'warning')
    .map(({ rule }) => rule);

const template = (text: string): string => `## PromptTemplate: main\n\n${text}`;

describe('a fault that another rule reports', () => {
  const cases: Readonly<Record<string, readonly [string, readonly string[], string]>> = {
    'a misspelt variable': ['undefined-variable', [], template('{{ palce }}')],
    'a variable that is misspelt twice': [
      'undefined-variable',
      [],
      template('{% if false %}{{ palce }}{% endif %}{{ palce }}'),
    ],
    'an optional value without a guard': ['unguarded-value', [], template('{{ place }}')],
    'an unknown filter': ['unknown-filter', [], template('{{ 1 | titel }}')],
    'an unknown test': ['unknown-test', [], template('{% if 1 is evn %}{% endif %}')],
    'a tag that is not closed': ['template-syntax', [], template('{% if true %}')],
    'a template that does not exist': ['missing-include', [], template('{% include "nope" %}')],
    'an invalid condition': [
      'invalid-condition',
      [],
      'Do it.\n\n## Description: d\n\n```yaml artifact\ninclude_when: "== 1"\n```\n\nText.',
    ],
    'an unknown tool': ['unknown-tool', ['tools: [reed_page]', 'requires_tools: false'], 'Do it.'],
    'a tool that only the body names': ['undeclared-tool', [], 'Use #tool:read_page.'],
    'a skill that does not exist': ['skill-not-found', ['level: 2', 'composes: [nope]'], 'Do it.'],
    'a schema that is wrong': ['invalid-schema', ['# x'], 'Do it.'],
    'a framing that does not exist': [
      'unknown-artifact',
      ['framing: nope'],
      'Do it.\n\n## PromptTemplate: main\n\nText.',
    ],
  };
  for (const [title, [rule, lines, body]] of Object.entries(cases)) {
    it(`is not reported for the sample: ${title}`, () => {
      let text = skill([...lines, ...SAMPLE], body);
      if (rule === 'invalid-schema') text = text.replace('"string?"', 'strng');
      const found = rulesOf(opened({ 'a.skill.md': text, 'skills.config.yaml': CATALOG }));
      assert.ok(found.includes(rule), `${rule} among ${found}`);
      assert.ok(!found.includes('sample-fails'), `${found}`);
    });
  }
});

describe('a fault that only the sample shows', () => {
  const part = (tool: string): string => skill([`tools: [${tool}]`, 'level: 1'], `Use #tool:${tool}.`, 'part');
  const whole = skill(['level: 2', 'composes: [part]', ...SAMPLE], 'Do it.');

  it('is reported if the caller may not use the tools of a composed skill', () => {
    const files = { 'a.skill.md': whole, 'part.skill.md': part('read_page'), 'skills.config.yaml': CATALOG };
    const found = findingsOf(opened(files)).filter(({ rule }) => rule === 'sample-fails');
    assert.deepEqual(
      found.map(({ message }) => message.slice(0, 80)),
      ['The sample `s` does not compose: The composed skill `part` requires tools, but n'],
    );
    assert.deepEqual(found[0]?.related[0]?.uri, URI);
  });

  it('does not include an unknown tool of a composed skill', () => {
    const profile = CATALOG.replace('tools: []', 'tools: [reed_page]');
    const text = part('reed_page').replace('level: 1', 'requires_tools: false');
    const files = { 'a.skill.md': whole, 'part.skill.md': text, 'skills.config.yaml': profile };
    assert.ok(!rulesOf(opened(files)).includes('sample-fails'));
  });
});

describe('the result of a sample', () => {
  const bad = skill(SAMPLE, template('{{ places[0] }}'));

  it('is kept until the sample or the file is removed, or a newer result is known', () => {
    const workspace = opened({ 'a.skill.md': bad });
    assert.deepEqual(rulesOf(workspace), ['sample-fails']);
    workspace.apply({ kind: 'text', uri: URI, text: bad.replace('Tests', 'Tries') });
    assert.deepEqual(rulesOf(workspace), ['sample-fails']);
    workspace.apply({ kind: 'text', uri: URI, text: bad.replace('  s:', '  t:') });
    assert.deepEqual(rulesOf(workspace), []);
    workspace.apply({ kind: 'text', uri: URI, text: bad });
    assert.deepEqual([...(workspace.apply({ kind: 'samples', uri: URI, failures: [] }) as Set<string>)], [URI]);
    assert.deepEqual(rulesOf(workspace), []);
    composeSamples(workspace, URI);
    workspace.apply({ kind: 'delete', uri: URI });
    assert.equal(workspace.index.facts.sampleFailures.size, 0);
  });

  it('must be known before a suppression of its findings is reported as unused', () => {
    const suppressed = (text: string): string => text.replace('  s:', '  # skill-disable-next-line sample-fails\n  s:');
    const rules = (text: string): readonly string[][] => {
      const workspace = new Workspace();
      workspace.apply({ kind: 'text', uri: URI, text: suppressed(text) });
      const unused = () => findingsOf(workspace).flatMap(({ rule }) => (rule === 'unused-suppression' ? [rule] : []));
      const before = unused();
      composeSamples(workspace, URI);
      return [before, unused()];
    };
    assert.deepEqual(rules(bad), [[], []]);
    assert.deepEqual(rules(skill(SAMPLE, 'Do it.')), [[], ['unused-suppression']]);
  });

  it('without failures affects only files that suppress `sample-fails`', () => {
    const workspace = new Workspace();
    const compose = (text: string): unknown => {
      workspace.apply({ kind: 'text', uri: URI, text });
      return workspace.apply({ kind: 'samples', uri: URI, failures: [] });
    };
    assert.deepEqual(compose(skill(SAMPLE, 'Do it.')), new Set());
    workspace.apply({ kind: 'delete', uri: URI });
    assert.deepEqual(compose(skill(['# skill-disable-next-line sample-fails', ...SAMPLE], 'Do it.')), new Set([URI]));
  });

  it('affects no file if it equals the previous result', () => {
    const workspace = opened({ 'a.skill.md': bad });
    const failures = workspace.analysis.sampleFailures(URI) ?? [];
    assert.deepEqual(workspace.apply({ kind: 'samples', uri: URI, failures: structuredClone(failures) }), new Set());
  });
});
