/** Saving a sample makes small edits, which preserve comments, order, quotes and line endings. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { saveSample } from '../../../server/src/features/preview/samples.ts';
import type { Invocation } from '../../../server/src/protocol.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { applyEdits } from '../../../server/src/text.ts';

const URI = 'file:///w/skills/draft-scene.skill.md';

const skill = (...lines: string[]): string =>
  ['---', 'name: draft-scene', 'input_schema: {tone: string}', ...lines, '---', '', 'Draft it.', ''].join('\n');

function saved(text: string, name: string, invocation: Invocation): string {
  const result = saveSample(new SkillFile(URI, text), name, invocation);
  if ('problem' in result) assert.fail(result.problem);
  return applyEdits(text, result.edits);
}

const cases: Readonly<Record<string, readonly [string, Invocation, string]>> = {
  'writes and replaces the memory': [
    skill('samples:', '  storm:', '    memory: [{id: a, tier: canon, text: Dry.}]'),
    { memory: [{ id: 'b', tier: 'thread', text: 'It rains.' }] },
    skill('samples:', '  storm:', '    memory: [{id: b, tier: thread, text: It rains.}]'),
  ],
  'keeps what the sample expects': [
    skill('samples:', '  storm:', '    request: x', '    expect: {snapshot: true} # kept'),
    { request: 'y' },
    skill('samples:', '  storm:', '    request: y', '    expect: {snapshot: true} # kept'),
  ],
  'adds the key `samples` at its position in the key order': [
    skill('level: 1 # atomic'),
    { request: 'Draft: the storm', parameters: { tone: 'grim' } },
    skill(
      'samples:',
      '  storm:',
      '    request: "Draft: the storm"',
      '    parameters:',
      '      tone: grim',
      'level: 1 # atomic',
    ),
  ],
  'adds the first sample to an empty `samples`': [
    skill('samples: # none yet', 'level: 1'),
    { parameters: { tone: 'grim' } },
    skill('samples: # none yet', '  storm:', '    parameters:', '      tone: grim', 'level: 1'),
  ],
  'writes each value of lists, maps and long strings on a separate line': [
    skill('samples:', '  calm:', '    request: x'),
    {
      request: 'Draft it.\n\nKeep it short.',
      parameters: { who: ['Ann, a guard', 'Bo'], places: [{ name: 'gate', open: true }], notes: {}, none: [] },
    },
    skill(
      'samples:',
      '  calm:',
      '    request: x',
      '  storm:',
      '    request: |-',
      '      Draft it.',
      '',
      '      Keep it short.',
      '    parameters:',
      '      who:',
      '        - Ann, a guard',
      '        - Bo',
      '      places:',
      '        - name: gate',
      '          open: true',
      '      notes: {}',
      '      none: []',
    ),
  ],
  'adds a sample in the style of the other samples': [
    skill('samples:', '  calm: {request: x} # c'),
    { request: 'y' },
    skill('samples:', '  calm: {request: x} # c', '  storm: {request: y}'),
  ],
  'adds a sample to samples in braces': [
    skill('samples: {calm: {request: x}}'),
    { request: 'y, z' },
    skill('samples: {calm: {request: x}, storm: {request: "y, z"}}'),
  ],
  'changes only the value that differs': [
    skill(
      'samples:',
      '  storm: # s',
      "    request: 'x' # r",
      '    parameters:',
      '      # t',
      '      tone: wry',
      '      n: 1.0',
    ),
    { request: 'x', parameters: { tone: 'grim', n: 1 } },
    skill(
      'samples:',
      '  storm: # s',
      "    request: 'x' # r",
      '    parameters:',
      '      # t',
      '      tone: grim',
      '      n: 1.0',
    ),
  ],
  'removes keys that the invocation lacks, and adds new keys': [
    skill('samples:', '  storm:', '    channel: 7', '    profile: p', '    request: x', 'level: 1'),
    { request: 'x', channel: '7', model: 'm', thread_id: 't-1' },
    skill('samples:', '  storm:', '    channel: 7', '    request: x', '    model: m', '    thread_id: t-1', 'level: 1'),
  ],
  'changes nothing if the sample already has all values': [
    skill('samples: {storm: {request: x}}'),
    { request: 'x' },
    skill('samples: {storm: {request: x}}'),
  ],
};

describe('saving a sample', () => {
  for (const [title, [before, invocation, after]] of Object.entries(cases)) {
    it(title, () => {
      assert.equal(saved(before, 'storm', invocation), after);
      const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
      assert.equal(saved(crlf(before), 'storm', invocation), crlf(after), 'with CRLF');
    });
  }

  it('reports why the sample cannot be saved', () => {
    const problemOf = (text: string, name = 'storm'): string => {
      const result = saveSample(new SkillFile(URI, text), name, {});
      return 'problem' in result ? result.problem : 'none';
    };
    assert.match(problemOf(skill('tools: [')), /frontmatter is invalid/);
    assert.match(problemOf(skill('samples: [a]')), /cannot be added automatically/);
    assert.match(problemOf(skill(), ' '), /one line/);
    assert.match(problemOf(skill(), 'a\nb'), /one line/);
  });
});
