/** What is kept for the next start is believed as a whole or not at all, and nothing in it stops a server. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { diagnostics } from '../../server/src/features/diagnostics.ts';
import { utf16 } from '../../server/src/features/locate.ts';
import { type CachedFile, headOf, lineOf, readCached, textOf } from '../../server/src/hosts/index-cache/cached.ts';
import { digestOf } from '../../server/src/skill/digest.ts';
import { parseSkill } from '../../server/src/skill/document.ts';
import { sameSummary } from '../../server/src/skill/summary.ts';
import { Workspace } from '../../server/src/workspace/workspace.ts';
import { RUNS } from './corpus.ts';
import { damagedSample } from './mutate.ts';

const runs = { numRuns: Math.round(100 * RUNS) };
const KEY = 'program and settings';
const ACCOUNT = ['file:///skills'];

const file: fc.Arbitrary<CachedFile> = fc
  .record({
    sample: damagedSample,
    size: fc.nat(),
    mtime: fc.double({ min: 0, max: 2e12, noNaN: true }),
    samples: fc.constantFrom('none' as const, 'unknown' as const, [
      { sample: 's', message: 'm', cause: undefined },
      { sample: 't', message: 'n', cause: { uri: 'file:///w/a.skill.md', span: { start: 1, end: 2 } } },
    ]),
    exists: fc.boolean(),
  })
  .map(({ sample: { path, text }, size, mtime, samples, exists }) => {
    const uri = `file:///w/${path}`;
    const { isSkill, summary } = parseSkill(uri, text);
    const workspace = new Workspace();
    workspace.apply({ kind: 'text', uri, text });
    const document = workspace.index().documents.get(uri);
    const items = document ? diagnostics(workspace.index(), document, utf16) : [];
    const known = { isSkill, summary, items, links: [['file:///w/other.md', exists] as const], samples };
    return { uri, stamp: { size, mtime }, known };
  });
const files = fc.array(file, { maxLength: 4 });

const written = (all: readonly CachedFile[]): string => textOf([headOf(KEY, ACCOUNT), ...all.map(lineOf)]);
const read = (text: string, key = KEY) => readCached(text, key, () => undefined);

describe('the text of a cache', () => {
  test('says what was written', async () => {
    await fc.assert(
      fc.asyncProperty(files, async (all) => {
        const cached = await read(written(all));
        assert.deepEqual(cached?.account, ACCOUNT);
        assert.equal(cached.files.length, all.length);
        for (const [i, { uri, stamp, known }] of all.entries()) {
          const back: CachedFile | undefined = cached.files[i];
          assert.equal(back?.uri, uri);
          assert.ok(back.known && known);
          assert.deepEqual(back.known.items, JSON.parse(JSON.stringify(known.items)));
          assert.deepEqual([back.known.isSkill, back.known.links], [known.isSkill, known.links]);
          assert.deepEqual(back.known.samples, known.samples);
          // A number that JSON does not have is lost, and with it the stamp, so that the file is read again.
          if (back.stamp) assert.ok(sameSummary(back.known.summary, known.summary));
          if (back.stamp) assert.deepEqual(back.stamp, stamp);
          else assert.match(JSON.stringify(back.known.summary), /null/);
        }
      }),
      runs,
    );
  });

  test('is nothing under another key', async () => {
    assert.equal(await read(written([]), 'other settings'), undefined);
  });

  test('is nothing where it ends early or a letter of it is another', async () => {
    await fc.assert(
      fc.asyncProperty(files, fc.nat(), fc.string({ minLength: 1, maxLength: 3 }), async (all, place, other) => {
        const text = written(all);
        const at = place % text.length;
        assert.equal(await read(text.slice(0, at)), undefined);
        const changed = text.slice(0, at) + other + text.slice(at + other.length);
        if (changed !== text) assert.equal(await read(changed), undefined);
      }),
      runs,
    );
  });

  test('throws nothing, whatever it holds under a digest that is right', async () => {
    const any = fc.oneof(
      fc.string(),
      fc.array(fc.jsonValue(), { maxLength: 4 }).map((lines) => lines.map((one) => JSON.stringify(one)).join('\n')),
      fc
        .tuple(files, fc.nat(), fc.nat(20), fc.constantFrom('', 'null', '1', '""', '[]', '{}', '['))
        .map(([all, place, length, other]) => {
          const rest = written(all).replace(/^.*\n/, '');
          const at = place % rest.length;
          return rest.slice(0, at) + other + rest.slice(at + length);
        }),
    );
    await fc.assert(
      fc.asyncProperty(any, async (rest) => {
        const cached = await read(`${digestOf(rest)}\n${rest}`);
        // Whatever is believed has its form, and can be put into a workspace.
        const workspace = new Workspace();
        for (const { uri, known } of cached?.files ?? []) {
          if (known)
            workspace.apply({ kind: 'stored', uri, ...known, hasSamples: known.samples !== 'none', again: () => '' });
        }
      }),
      { numRuns: Math.round(400 * RUNS) },
    );
  });
});
