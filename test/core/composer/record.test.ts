/** Step 8 of docs/composer.md: the record lists all sources, and agrees with the decisions. */
import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { compose, composed, FENCE, type Files, type Options, prepared, skill } from './composing.ts';

const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const template = (name: string, text: string): string =>
  `\n## PromptTemplate: ${name}\n\n${FENCE}jinja\n${text}\n${FENCE}\n`;

const recordOf = (files: Files, options: Options = {}) => {
  const result = compose(prepared(files, options).request);
  return result.ok ? result.composition.invocationRecord : result.invocationRecord;
};

describe('the used artifacts', () => {
  const text = skill(
    'framing: main\n',
    [
      template('last', 'Never read.'),
      template('words', '{% macro end() %}The end.{% endmacro %}'),
      template('deep', '{# nothing #}'),
      template('part', 'B{% include "deep" %}'),
      template('main', '{% from "words" import end %}A {% include "part" %} {{ end() }}'),
      '\n## Description: style\n\nShort.\n',
      '\n## Example: one\n\n### Output\n\nDone.\n',
      '\n## Approach: slow\n\nTake your time.\n',
    ].join(''),
  );

  test('are all artifacts in the order in which they were read, including imports and includes at any depth', () => {
    assert.deepEqual(
      composed(text).usedArtifacts.map(({ id }) => id),
      [
        'PromptTemplate:main',
        'PromptTemplate:words',
        'PromptTemplate:part',
        'PromptTemplate:deep',
        'Description:style',
        'Example:one',
        'Approach:slow',
      ],
    );
  });

  test('are the artifacts that decisions mark as used, in the same order', () => {
    const { usedArtifacts, decisions } = composed(text);
    assert.deepEqual(
      decisions.flatMap(({ artifact, taken }) => (taken && artifact !== undefined ? [artifact] : [])),
      usedArtifacts.map(({ id }) => id),
    );
    assert.deepEqual(
      decisions.filter(({ subject }) => subject === 'artifact').map(({ name, taken, reason }) => [name, taken, reason]),
      [
        ['main', true, 'used as the framing template'],
        ['words', true, 'included by main'],
        ['part', true, 'included by main'],
        ['deep', true, 'included by part'],
        ['last', false, 'not included by the framing template'],
        ['style', true, 'always included'],
        ['one', true, 'it has no tags, so it fits every request'],
      ],
    );
  });

  test('are listed with the version of their skill and the digest of their text', () => {
    const style = composed(text).usedArtifacts.find(({ name }) => name === 'style');
    assert.deepEqual(style, {
      skill: 'test',
      id: 'Description:style',
      kind: 'Description',
      name: 'style',
      version: '1.0.0',
      digest: sha256('## Description: style\n\nShort.\n\n'),
    });
  });

  test('include the approaches of composed skills, with the names of the skills', () => {
    const files = {
      'skills/test.skill.md': skill('composes: [part]\n', '\nDo it.\n'),
      'skills/part.skill.md': skill('', '\nDo a part.\n\n## Approach: slow\n\nTake your time.\n').replace(
        'test',
        'part',
      ),
    };
    const { usedArtifacts, invocationRecord } = composed(files);
    assert.deepEqual(
      usedArtifacts.map(({ skill: name, id }) => `${name} ${id}`),
      ['part Approach:slow'],
    );
    assert.deepEqual(
      invocationRecord.skills,
      Object.entries(files).map(([path, file]) => ({
        id: path.slice('skills/'.length, -'.skill.md'.length),
        version: '1.0.0',
        digest: sha256(file),
      })),
    );
  });
});

describe('the invocation record', () => {
  const text = skill(
    'tools: [a, b]\nsamples:\n  one: {request: Go., channel: north, thread_id: t-17, source: scheduled}\n',
    '\nFirst #tool:b, then #tool:a.\n',
  );

  test('contains every documented field', () => {
    assert.deepEqual(recordOf(text, { sample: 'one' }), {
      skillId: 'test',
      skillVersion: '1.0.0',
      skills: [{ id: 'test', version: '1.0.0', digest: sha256(text) }],
      invocationSource: 'scheduled',
      threadId: 't-17',
      channelId: 'north',
      usedArtifacts: [],
      expectedToolCalls: ['b', 'a'],
      declaredInterrupts: [],
      succeeded: true,
      error: null,
    });
  });

  test('contains the thread from the invocation, or null', () => {
    assert.equal(recordOf(text, { sample: 'one', thread_id: 't-18' }).threadId, 't-18');
    assert.deepEqual([recordOf(text).threadId, recordOf(text).channelId], [null, null]);
  });

  test('contains the kind of a failure, and the artifacts that were read before it', () => {
    const failing = skill('framing: main\n', template('main', '{% include "part" %}') + template('part', '{{ nope }}'));
    const { succeeded, error, usedArtifacts, threadId } = recordOf(failing, { thread_id: 't-1' });
    assert.deepEqual([succeeded, error, threadId], [false, 'MalformedTemplate', 't-1']);
    assert.deepEqual(
      usedArtifacts.map(({ name }) => name),
      ['main', 'part'],
    );
  });
});

describe('the expected tools and interrupts of a composite', () => {
  const named = (name: string, head: string, body: string): string =>
    skill(head, body).replace('name: test', `name: ${name}`);
  const catalog = [
    'tools:',
    '  - {name: read_page, description: Reads a page., operation: READ}',
    '  - {name: save_draft, description: Saves text., operation: WRITE}',
    '  - {name: search, description: Searches., operation: READ}',
  ].join('\n');
  const part = named(
    'part',
    'tools: [save_draft, read_page]\ninterrupts: [before_write]\n',
    '\nRead it with #tool:read_page, then save it with #tool:save_draft.\n',
  );
  const listsOf = (test: string, others: Readonly<Record<string, string>> = {}) => {
    const files = {
      'skills/test.skill.md': test,
      'skills/part.skill.md': part,
      'skills.config.yaml': catalog,
      ...others,
    };
    const { expectedToolCalls, declaredInterrupts, invocationRecord: record } = composed(files);
    assert.deepEqual(record.expectedToolCalls, expectedToolCalls);
    assert.deepEqual(record.declaredInterrupts, declaredInterrupts);
    return { expectedToolCalls, declaredInterrupts };
  };

  test('are those of its composed skills, before its own', () => {
    const text = skill('composes: [part]\ntools: [search, read_page]\n', '\nUse #tool:read_page and #tool:search.\n');
    assert.deepEqual(listsOf(text), {
      expectedToolCalls: ['read_page', 'save_draft', 'search'],
      declaredInterrupts: ['before_write'],
    });
  });

  test('are in the order of the stages', () => {
    const text = skill(
      'composes: [part]\ntools: [search]\ninterrupts: [before_stage]\n',
      '\nDo it.\n\n## Approach: two\n\n1. **Find** it with #tool:search.\n2. **Write** it with #skill:part.\n',
    );
    assert.deepEqual(listsOf(text), {
      expectedToolCalls: ['search', 'read_page', 'save_draft'],
      declaredInterrupts: ['before_stage', 'before_write'],
    });
  });

  test('leave out a branch that the parameters rule out, and the tools of a fallback', () => {
    const head = (condition: string): string =>
      `composes: [part]\ninput_schema: {go: {type: boolean, default: false}}\nexecution: [{when: [{condition: ${condition}, steps: [{step: part}]}]}]\n`;
    assert.deepEqual(listsOf(skill(head('go'), '\nDo it.\n')), { expectedToolCalls: [], declaredInterrupts: [] });
    assert.deepEqual(listsOf(skill(head('not go'), '\nDo it.\n')).expectedToolCalls, ['read_page', 'save_draft']);
    const failing = skill('errors: [{code: GONE, fallback: part}]\n', '\nDo it.\n');
    assert.deepEqual(listsOf(failing), { expectedToolCalls: [], declaredInterrupts: ['before_write'] });
  });
});
