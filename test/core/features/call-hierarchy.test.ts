/** The call hierarchy, in which composites call their composed skills. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { Range } from 'vscode-languageserver-types';
import { utf16 } from '../../../server/src/features/locate.ts';
import {
  incomingCalls,
  outgoingCalls,
  prepareCallHierarchy,
} from '../../../server/src/features/navigation/call-hierarchy.ts';
import { contract } from '../workspace/skills.ts';
import { at } from './cursor.ts';

const files = (whole: string) => ({
  'whole.skill.yaml': whole,
  'part.skill.yaml': contract('part', 'version: 1.2.0', 'level: 1'),
  'next/part.skill.yaml': contract('part', 'version: 2.0.0', 'level: 1', 'deprecated: true'),
  'other.skill.yaml': contract('other', 'composes: [part]', 'requires: [{skill: part, version: ^2.0.0}]'),
});

const WHOLE = contract(
  'whole',
  'level: 2',
  'composes: [part, {skill: part, as: again}, gone]',
  'execution: [{step: again}]',
);

/** The name, detail and file of the skill at the marked position. */
function prepared(marked: string): readonly string[] | undefined {
  const { analysis, file, offset } = at(files(marked));
  const [item] = prepareCallHierarchy(analysis, file, offset, utf16) ?? [];
  return item && [item.name, item.detail ?? '', item.uri.replace('file:///skills-here/', '')];
}

const PART = ['part', '1.2.0 · level 1', 'part.skill.yaml'];
const OWN = ['whole', '1.0.0 · level 2', 'whole.skill.yaml'];

for (const [place, marked, expected] of [
  ['an entry', WHOLE.replace('[part,', '[pa$0rt,'), PART],
  ['the name of a step', WHOLE.replace('as: again', 'as: aga$0in'), PART],
  ['a step of the execution', WHOLE.replace('step: again', 'step: $0again'), PART],
  ['the name of the skill itself', WHOLE.replace('name: whole', 'name: who$0le'), OWN],
  ['`composes`', WHOLE.replace('composes', 'comp$0oses'), OWN],
  ['an unknown skill', WHOLE.replace('gone', 'go$0ne'), undefined],
  ['any other key', WHOLE.replace('description', 'descr$0iption'), undefined],
] as const) {
  test(`shows ${expected?.[0] ?? 'nothing'} for ${place}`, () => assert.deepEqual(prepared(marked), expected));
}

const { analysis } = at(files(`$0${WHOLE}`));
const uri = (path: string): string => `file:///skills-here/${path}`;
const textAt = (path: string, range: Range): string => {
  const file = analysis.file(uri(path));
  assert.ok(file);
  return file.text.slice(utf16.offset(file, range.start), utf16.offset(file, range.end));
};

test('lists the skills that compose exactly this version, with all their entries', () => {
  const calls = incomingCalls(analysis, uri('part.skill.yaml'), utf16);
  assert.deepEqual(
    calls.map(({ from, fromRanges }) => [from.name, fromRanges.map((range) => textAt('whole.skill.yaml', range))]),
    [['whole', ['part', 'part']]],
  );
  const newer = incomingCalls(analysis, uri('next/part.skill.yaml'), utf16);
  assert.deepEqual(
    newer.map(({ from }) => from.name),
    ['other'],
  );
});

test('lists the composed versions, and marks deprecated versions', () => {
  const [call, ...rest] = outgoingCalls(analysis, uri('whole.skill.yaml'), utf16);
  assert.deepEqual([call?.to.uri, call?.fromRanges.length, rest.length], [uri('part.skill.yaml'), 2, 0]);
  assert.deepEqual(outgoingCalls(analysis, uri('other.skill.yaml'), utf16)[0]?.to.tags, [1]);
});

test('returns nothing for a deleted skill', () => {
  assert.deepEqual(incomingCalls(analysis, uri('gone.skill.yaml'), utf16), []);
  assert.deepEqual(outgoingCalls(analysis, uri('gone.skill.yaml'), utf16), []);
});
