// biome-ignore-all lint/suspicious/noTemplateCurlyInString: authors write references in braces.
/** Steps that run too early or never, and conditions without outputs: one finding each, and a fix that repairs it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyEdits } from '../../../server/src/text.ts';
import { contract } from '../workspace/skills.ts';
import { findingsOf } from './findings.ts';

const PATH = 'skills/whole.skill.yaml';

const OTHERS = {
  'skills/find.skill.yaml': contract('find', 'input_schema: {topic: string}', 'output_schema: {facts: "string[]"}'),
  'skills/draft.skill.yaml': contract('draft', 'input_schema: {facts: "string[]"}', 'output_schema: {note: string}'),
  'skills/rate.skill.yaml': contract('rate', 'input_schema: {note: string}', 'output_schema: {score: integer}'),
  'skills/post.skill.yaml': contract('post', 'input_schema: {note: string, score: integer?}', 'output_schema: {}'),
};

const composite = (...execution: string[]): string =>
  contract(
    'whole',
    'level: 2',
    'input_schema: {topic: string, tone: string?}',
    'output_schema: {score: integer?}',
    'composes: [find, draft, rate, post]',
    'execution:',
    ...execution,
  );

/** Returns the findings as `rule at TEXT`, and the `execution` after the first fix of the only finding. */
function repaired(...execution: string[]): { readonly found: readonly string[]; readonly after: readonly string[] } {
  const text = composite(...execution);
  const findings = findingsOf(PATH, text, OTHERS);
  const found = findings.map(({ rule, span }) => `${rule} at ${text.slice(span.start, span.end)}`);
  const edits = findings[0]?.fixes[0]?.edits.flatMap((one) => one.edits) ?? [];
  const after = applyEdits(text, edits);
  assert.deepEqual(findingsOf(PATH, after, OTHERS), [], after);
  return { found, after: after.slice(after.indexOf('execution:')).split('\n').slice(1).filter(Boolean) };
}

describe('a step whose output another step needs', () => {
  it('is moved out of a parallel group, which is removed if one step is left', () => {
    assert.deepEqual(
      repaired(
        '  - step: find',
        '  - parallel:',
        '      # the text',
        '      - step: draft',
        '      - step: rate',
        '        inputs: {note: $draft.output.note}  # as it is',
        '  - step: post',
      ),
      {
        found: ['step-order at $draft.output.note'],
        after: [
          '  - step: find',
          '  # the text',
          '  - step: draft',
          '  - step: rate',
          '    inputs: {note: $draft.output.note}  # as it is',
          '  - step: post',
        ],
      },
    );
  });

  it('is moved out of a parallel group that keeps its other steps', () => {
    const { found, after } = repaired('  - step: find', '  - parallel: [{step: rate}, {step: draft}, {step: post}]');
    assert.deepEqual(found, ['missing-required-field at rate']);
    assert.deepEqual(after, ['  - step: find', '  - {step: draft}', '  - parallel: [{step: rate}, {step: post}]']);
  });

  it('is moved within an arm', () => {
    const { found, after } = repaired(
      '  - step: find',
      '  - when:',
      '      - condition: tone == "short"',
      '        steps:',
      '          - {step: rate, inputs: {note: $draft.output.note}}',
      '          - {step: draft}',
      '          - {step: post}',
    );
    assert.deepEqual(found, ['step-order at $draft.output.note']);
    assert.deepEqual(after.slice(4, 6), [
      '          - {step: draft}',
      '          - {step: rate, inputs: {note: $draft.output.note}}',
    ]);
  });

  it('is reported once, although several steps wait for it', () => {
    const { found } = repaired('  - step: find', '  - step: rate', '  - step: post', '  - step: draft');
    assert.deepEqual(found, ['missing-required-field at rate']);
  });

  it('is added before these steps if it never runs', () => {
    const steps = ['  - step: find', '  - step: draft', '  - step: rate', '  - step: post'];
    const without = (step: string) => steps.filter((line) => !line.endsWith(step));
    assert.deepEqual(repaired(...without('find')), { found: ['missing-required-field at draft'], after: steps });
    assert.deepEqual(repaired(...without('draft')), { found: ['missing-required-field at rate'], after: steps });
    // Its only reader has an optional input.
    assert.deepEqual(repaired(...without('rate')), { found: ['unused-step at rate'], after: steps });
    assert.deepEqual(repaired(...without('post')), { found: ['unused-step at post'], after: steps });
  });

  it('is added before a reference to it', () => {
    const { found, after } = repaired(
      '  - step: find',
      '  - step: draft',
      '  - when:',
      '      - condition: $rate.output.score > 3',
      '        steps: [{step: post}]',
    );
    assert.deepEqual(found, ['step-order at $rate.output.score']);
    assert.deepEqual(after.slice(0, 4), ['  - step: find', '  - step: draft', '  - step: rate', '  - when:']);
  });

  it('keeps the comments of a parallel group, and its place in a list with comments or aliases', () => {
    const { after } = repaired(
      '  - step: find',
      '  - parallel: [{step: rate}, {step: draft}]  # both',
      '  - step: post',
    );
    assert.deepEqual(after.slice(1, 3), ['  - {step: draft}', '  - parallel: [{step: rate}]  # both']);
    for (const steps of [
      ['  [{step: find},', '   {step: rate}, # about rate', '   {step: draft}, {step: post}]'],
      ['  - step: find', '  - {step: rate, condition: &c tone == "x"}', '  - {step: draft, condition: *c}'],
    ]) {
      const titles = findingsOf(PATH, composite(...steps), OTHERS).flatMap(({ fixes }) =>
        fixes.map(({ title }) => title),
      );
      assert.ok(!titles.some((title) => title.startsWith('Run `draft`')), titles.join());
    }
  });

  it('stays in an arm, because it must not run in every case', () => {
    const text = composite(
      '  - step: find',
      '  - {step: rate, inputs: {note: $draft.output.note}}',
      '  - {when: [{condition: tone == "short", steps: [{step: draft}, {step: post}]}]}',
    );
    const [early] = findingsOf(PATH, text, OTHERS);
    assert.equal(early?.rule, 'step-order');
    assert.deepEqual(early.fixes, []);
  });
});

describe('a condition in the words of another place', () => {
  /** The message of the only error, and the condition after its first fix. */
  const corrected = (where: 'when' | 'condition' | 'include_when', condition: string): readonly string[] => {
    const head = ['---', 'name: a', 'description: Says it.', 'version: 1.0.0', 'input_schema: {topic: string}'];
    const artifact = ['## Description: b', '```yaml artifact', `include_when: ${condition}`, '```', 'Text.'];
    const text =
      where === 'condition'
        ? composite(
            '  - step: find',
            `    condition: ${condition}`,
            '  - step: draft',
            '  - step: rate',
            '  - step: post',
          )
        : [
            ...head,
            'output_schema: {ok: boolean}',
            ...(where === 'when' ? ['interrupts:', '  - name: before_exit', `    when: ${condition}`] : []),
            '---',
            'Say it.',
            ...(where === 'include_when' ? artifact : []),
            '',
          ].join('\n');
    const path = where === 'condition' ? PATH : 'skills/a.skill.md';
    const ofCondition = ['undefined-variable', 'invalid-condition', 'unknown-step'];
    const [finding, ...others] = findingsOf(path, text, OTHERS).filter(({ rule }) => ofCondition.includes(rule));
    assert.deepEqual(others, []);
    const edits = finding?.fixes[0]?.edits.flatMap((one) => one.edits) ?? [];
    const after = new RegExp(`^ *(${where}: .*)`, 'm').exec(applyEdits(text, edits))?.[1] ?? '';
    return [finding?.message ?? '', after];
  };

  it('names the input where references cannot be used', () => {
    for (const place of ['when', 'include_when'] as const) {
      for (const written of ['$input.topic', '$topic']) {
        assert.deepEqual(corrected(place, `${written} == "a"`), [
          `Only conditions of steps can use references such as \`${written}\`. Did you mean \`topic\`?`,
          `${place}: topic == "a"`,
        ]);
      }
      assert.deepEqual(
        corrected(place, '$input.topic > "a" and $input.topic < "c"')[1],
        `${place}: topic > "a" and topic < "c"`,
      );
      assert.deepEqual(corrected(place, 'input.topic == "a"')[1], `${place}: topic == "a"`);
    }
  });

  it('says that an output cannot be used, and removes the condition', () => {
    assert.deepEqual(corrected('when', 'ok == false'), [
      'This condition can use only inputs, and `ok` is an output. Use an input, or remove `when`, so that the interrupt always fires.',
      '',
    ]);
    assert.deepEqual(corrected('include_when', 'output.ok'), [
      'This condition can use only inputs, not outputs. Use an input, or remove `include_when`, so that the artifact is always included.',
      '',
    ]);
    assert.match(corrected('when', '$draft.output.note == "a"')[0] ?? '', /Use an input, or remove `when`/);
  });

  it('writes the reference where a step uses it', () => {
    for (const written of ['$topic', 'input.topic', 'inputs.topic', '"${input.topic}"', '"{{ $input.topic }}"']) {
      const [, after] = corrected('condition', written);
      assert.equal(after?.replaceAll('"', ''), 'condition: $input.topic', written);
    }
  });

  it('removes the braces of a template', () => {
    assert.equal(corrected('when', `"{{ topic }} == 'a'"`)[1], "when: topic == 'a'");
  });
});
