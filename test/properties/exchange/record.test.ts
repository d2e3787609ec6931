/**
 * Laws of records: converting a file to a record and back changes nothing, and a changed field changes only its own
 * lines.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readRecord, recordOf, type SkillRecord, withPlainLineBreaks } from '../../../server/src/exchange/record.ts';
import { writeRecord } from '../../../server/src/exchange/write-record.ts';
import type { Json } from '../../../server/src/languages/yaml/node.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { cases, stride } from '../../random.ts';
import { samples } from '../corpus.ts';
import { mutation } from '../mutate.ts';
import { randomSkill } from './random-files.ts';

const skills = [...samples].filter(([path]) => !path.endsWith('skills.config.yaml'));
const uriOf = (path: string): string => `file:///w/${encodeURI(path)}`;

/** The record after it was written as JSON, as by a store, and read again. */
const passed = (record: SkillRecord): SkillRecord => {
  const read = readRecord(JSON.stringify(record));
  assert.ok(read && 'record' in read, JSON.stringify(read));
  return read.record;
};

function assertRoundTrip(uri: string, text: string): void {
  const { text: back, lost } = writeRecord(passed(recordOf(new SkillFile(uri, text))));
  assert.equal(back, text);
  assert.deepEqual(lost, []);
}

test('converting every sample and every mistake to a record and back restores every byte', () => {
  for (const [path, text] of skills) assertRoundTrip(uriOf(path), text);
});

test('converting a damaged file to a record and back restores every byte', () => {
  const damaged = fc.tuple(fc.constantFrom(...skills), fc.array(mutation, { minLength: 1, maxLength: 4 }));
  fc.assert(
    fc.property(damaged, ([[path, text], mutations]) => {
      assertRoundTrip(
        uriOf(path),
        mutations.reduce((now, mutate) => mutate(now), text),
      );
    }),
    cases(400),
  );
});

test('converting any text to a record and back restores every byte', () => {
  fc.assert(
    fc.property(fc.constantFrom('x.skill.md', 'x/SKILL.md', 'x.skill.yaml'), randomSkill, (path, text) =>
      assertRoundTrip(uriOf(path), text),
    ),
    cases(450),
  );
});

/** A field of a record: its value, and the record with another value. */
interface Field {
  readonly what: string;
  readonly change: (record: SkillRecord) => SkillRecord;
}

function fieldsOf(record: SkillRecord): readonly Field[] {
  const values = (part: 'identity' | 'contract' | 'other'): Field[] =>
    Object.entries(record[part]).map(([key, value]) => ({
      what: `${part}.${key}`,
      change: (one) => ({ ...one, [part]: { ...one[part], [key]: other(value) } }),
    }));
  const artifacts = record.artifacts.flatMap((artifact, at): Field[] => {
    const set = (more: object): SkillRecord => ({
      ...record,
      artifacts: record.artifacts.with(at, { ...artifact, ...more }),
    });
    return [
      { what: `artifacts[${at}].name`, change: () => set({ name: `${artifact.name} anew` }) },
      { what: `artifacts[${at}].content`, change: () => set({ content: inOneLine(artifact.content) }) },
      { what: `artifacts[${at}].metadata`, change: () => set({ metadata: { ...artifact.metadata, 'x-new': 1 } }) },
    ];
  });
  const framing = record.framing.map(
    (text, at): Field => ({
      what: `framing[${at}]`,
      change: (one) => ({ ...one, framing: one.framing.with(at, inOneLine(text)) }),
    }),
  );
  return [...values('identity'), ...values('contract'), ...values('other'), ...artifacts, ...framing];
}

/** Returns another value of the same kind, with one leaf changed. */
function other(value: Json): Json {
  if (typeof value === 'string') return `${value} anew`;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (value === null) return 'anew';
  if (Array.isArray(value)) return value.length === 0 ? ['anew'] : [other(value[0] as Json), ...value.slice(1)];
  const [key] = Object.keys(value);
  const map = value as { readonly [key: string]: Json };
  return key === undefined ? { anew: 1 } : { ...map, [key]: other(map[key] as Json) };
}

/** Adds a word to the last line that has letters. */
const inOneLine = (text: string): string => text.replace(/\w(?=\W*$)/, '$& anew') || 'anew';

/** Returns the different lines of `before` and `after`, without the equal lines at both ends. */
function changedLines(before: string, after: string): { readonly old: string; readonly new: string } {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < Math.min(a.length, b.length) - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  return { old: a.slice(head, a.length - tail).join('\n'), new: b.slice(head, b.length - tail).join('\n') };
}

test('a changed field in a record changes only the lines of the field, and is read again without loss', () => {
  for (const [path, text] of skills) {
    const file = new SkillFile(uriOf(path), text);
    const record = recordOf(file);
    for (const [at, { what, change }] of fieldsOf(record).entries()) {
      if (at % stride(1) > 0) continue;
      const wanted = change(record);
      const { text: next, lost } = writeRecord(passed(wanted));
      assert.deepEqual(lost, [], `${path}: ${what}`);
      const { old, new: added } = changedLines(text, next);
      assert.ok(linesOf(file, what).includes(old), `${path}: ${what}\n--- ${old}\n+++ ${added}`);
      const now = recordOf(new SkillFile(uriOf(path), next));
      assert.deepEqual(written(now), written(wanted), `${path}: ${what}`);
    }
  }
});

test('a changed field in the record of a damaged file changes only the lines of the field, or is reported', () => {
  const damaged = fc.tuple(fc.constantFrom(...skills), fc.array(mutation, { minLength: 1, maxLength: 3 }), fc.nat());
  fc.assert(
    fc.property(damaged, ([[path, whole], mutations, at]) => {
      const text = mutations.reduce((now, mutate) => mutate(now), whole);
      const file = new SkillFile(uriOf(path), text);
      const record = recordOf(file);
      const fields = fieldsOf(record);
      if (fields.length === 0) return;
      const { what, change } = fields[at % fields.length] as Field;
      const wanted = change(record);
      const { text: next, lost } = writeRecord(passed(wanted));
      if (lost.length > 0) return assert.equal(next, text, what);
      const { old, new: added } = changedLines(withPlainLineBreaks(text), withPlainLineBreaks(next));
      assert.ok(withPlainLineBreaks(linesOf(file, what)).includes(old), `${what}\n--- ${old}\n+++ ${added}`);
      assert.deepEqual(written(recordOf(new SkillFile(uriOf(path), next))), written(wanted), what);
    }),
    cases(300),
  );
});

/** The record without derived data. */
const written = ({ identity, contract, other: rest, heading, framing, artifacts }: SkillRecord): unknown =>
  JSON.parse(
    JSON.stringify({
      keys: { ...identity, ...contract, ...rest },
      heading,
      framing,
      artifacts: artifacts.map(({ id: _, ...artifact }) => artifact),
    }),
  );

/** The text of a field's lines, as written in the file. */
function linesOf(file: SkillFile, what: string): string {
  const { text, body, frontmatter } = file;
  const lines = (start: number, end: number): string => {
    const from = text.lastIndexOf('\n', start - 1) + 1;
    const to = text.indexOf('\n', end);
    return text.slice(from, to < 0 ? text.length : to);
  };
  const [, part = '', key = ''] = /^(\w+)[.[](.*)$/.exec(what) ?? [];
  if (part === 'artifacts') {
    const { span } = body?.artifacts[Number.parseInt(key, 10)] ?? { span: { start: 0, end: 0 } };
    return text.slice(text.lastIndexOf('\n', span.start - 1) + 1, span.end);
  }
  if (part === 'framing') {
    const wanted = recordOf(file).framing[Number.parseInt(key, 10)] ?? '';
    const whole = withPlainLineBreaks(text);
    const at = whole.indexOf(wanted);
    const end = whole.indexOf('\n', at + wanted.length);
    return whole.slice(whole.lastIndexOf('\n', at - 1) + 1, end < 0 ? whole.length : end);
  }
  const { root } = frontmatter.tree;
  const entry = root?.kind === 'map' ? root.entries.find((one) => one.key.value === key) : undefined;
  return entry ? lines(entry.span.start, entry.span.end) : '';
}
