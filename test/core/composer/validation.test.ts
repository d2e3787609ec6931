/**
 * Errors that prevent composing (docs/composer.md): all are reported, including the caller's tools and the parameters.
 */
import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { composed, errorLines, FENCE, failures, skill } from './composing.ts';

describe('validation', () => {
  test('reports all errors', () => {
    const text = '---\ndescription: x\nversion: 1.0.0\ntools: [read_page]\ninput_schema: {tone: strnig}\n---\n';
    const files = { 'skills/test.skill.md': text, 'skills.config.yaml': 'tools:\n  - {name: write_page}\n' };
    assert.deepEqual(
      failures(files).map(({ kind, subject }) => `${kind} ${subject}`),
      [
        'MissingRequiredField name',
        'MissingRequiredField framing',
        'MissingRequiredField input_schema',
        'UnknownTool read_page',
      ],
    );
  });

  test('reports invalid frontmatter as one error', () => {
    const errors = failures('---\nname: [a\ntools: [b\n---\nDo it.\n');
    assert.deepEqual(
      errors.map(({ kind, subject }) => `${kind} ${subject}`),
      ['MissingRequiredField frontmatter'],
    );
  });

  const catalog = `tools:
  - {name: read_page, scope: read:pages, operation: READ}
  - {name: write_page, scope: write:pages, operation: WRITE}
scopes: [read:pages, write:pages]
roles: {reader: [read:pages], writer: [read:pages, write:pages]}
profiles:
  - {name: reader, role: reader}
  - {name: writer, role: writer}
  - {name: nobody, scopes: []}
`;

  test('reports a tool that the caller may not use, with the reason', () => {
    const files = {
      'skills/test.skill.md': skill('tools: [read_page, write_page]\n', '\nDo it.\n'),
      'skills.config.yaml': catalog,
    };
    assert.deepEqual(errorLines(failures(files, { profile: 'reader' })), [
      'UnknownTool at "write_page": The tool `write_page` is not available: reader lacks write:pages.',
    ]);
    assert.deepEqual(composed(files, { profile: 'writer' }).subgraph.toolAvailability, ['read_page', 'write_page']);
  });

  test('accepts a missing optional tool', () => {
    const text = skill('tools: [read_page, {name: write_page, optional: true}]\n', '\nUse #tool:write_page.\n');
    const { subgraph, decisions } = composed(
      { 'skills/test.skill.md': text, 'skills.config.yaml': catalog },
      { profile: 'reader' },
    );
    assert.deepEqual(subgraph.toolAvailability, ['read_page']);
    assert.deepEqual(
      decisions.map(({ name, taken, reason }) => `${name} ${taken}: ${reason}`),
      ['read_page true: declared, and available to reader', 'write_page false: reader lacks write:pages'],
    );
  });

  test('reports required tools if none is available', () => {
    const files = {
      'skills/test.skill.md': skill('tools: [read_page]\n', '\nDo it.\n'),
      'skills.config.yaml': catalog,
    };
    assert.deepEqual(errorLines(failures(files, { profile: 'nobody' })), [
      'CapabilityNarrowing at "[read_page]": The skill requires tools, but `nobody` may use none of them: `read_page`: nobody lacks read:pages.',
    ]);
  });

  test('reports a tool in the body that is not declared', () => {
    const text = skill('tools: [read_page]\n', '\nUse #tool:read_page and #tool:raed_page.\n');
    assert.deepEqual(errorLines(failures(text)), [
      'UnknownTool at "#tool:raed_page": The body refers to the tool `raed_page`, which is not in `tools`.',
    ]);
  });

  test('provides the authoring tools only if the source is `authoring`', () => {
    const text = skill('tools: [create_skill]\n', '\nDo it.\n');
    assert.deepEqual(composed(text, { source: 'authoring' }).subgraph.toolAvailability, ['create_skill']);
    assert.equal(failures(text).length, 1);
  });

  test('validates parameters against the schema, and reports an invalid parameter in its sample', () => {
    const text = skill(
      'input_schema: {tone: [grim, wry], n: {type: integer, default: 3}}\nsamples:\n  one: {parameters: {tone: sad, n: 4}}\n',
      '\nDo it.\n',
    );
    const [error] = failures(text, { sample: 'one' });
    assert.equal(error?.kind, 'ParameterMismatch');
    assert.equal(error?.at, 'sad');
    assert.deepEqual(
      failures(text, { parameters: {} }).map(({ subject, at }) => [subject, at]),
      [['tone', 'tone']],
    );
    assert.match(composed(text, { parameters: { tone: 'wry' } }).prompt, /"n": 3\ntone: wry/);
  });
});

test('a tool that the approach does not use appears in only one decision', () => {
  const text = skill(
    'tools: [a, b]\n',
    `\nDo it.\n\n## Approach: narrow\n${FENCE}yaml artifact\ntools: [a]\n${FENCE}\n\nUse little.\n`,
  );
  const { decisions, subgraph } = composed(text);
  assert.deepEqual(subgraph.toolAvailability, ['a']);
  assert.deepEqual(
    decisions.filter(({ subject }) => subject === 'tool').map(({ name, taken }) => `${name} ${taken}`),
    ['a true', 'b false'],
  );
});

describe('a reference to a tool that is not declared', () => {
  const when = (condition: string): string =>
    skill(
      'input_schema: {tone: string}\n',
      `Do it.\n\n## Description: d\n${FENCE}yaml artifact\ninclude_when: ${condition}\n${FENCE}\n\nUse #tool:other.\n`,
    );
  const options = { parameters: { tone: 'grim' } };

  test('fails in an included description', () => {
    assert.deepEqual(errorLines(failures(when('tone == "grim"'), options)), [
      'UnknownTool at "#tool:other": The body refers to the tool `other`, which is not in `tools`.',
    ]);
  });

  test('is ignored in a description that is not included', () => {
    assert.doesNotMatch(composed(when('tone == "wry"'), options).prompt, /other/);
  });

  test('is ignored in prose that a template replaces', () => {
    const text = skill('framing: main\n', 'Use #tool:other.\n\n## PromptTemplate: main\n\nDo it.\n');
    assert.doesNotMatch(composed(text).prompt, /other/);
  });

  test('fails in a template that the framing includes', () => {
    const text = skill(
      'framing: main\n',
      '## PromptTemplate: main\n\n{% include "part" %}\n\n## PromptTemplate: part\n\nUse #tool:other.\n',
    );
    assert.deepEqual(
      failures(text).map(({ kind }) => kind),
      ['UnknownTool'],
    );
  });
});
