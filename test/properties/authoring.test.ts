/** The tools for agents change only the named part of a file, whatever its text. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { addArtifact, removeArtifact, updateArtifact } from '../../server/src/authoring/artifacts.ts';
import { isRefused, type Rewriting } from '../../server/src/authoring/refusal.ts';
import { type Fields, setFields } from '../../server/src/authoring/set-fields.ts';
import { framingOf, setFraming } from '../../server/src/authoring/set-framing.ts';
import { canonical } from '../../server/src/languages/schema/schema.ts';
import { type Json, jsonOf } from '../../server/src/languages/yaml/node.ts';
import { findSkillEntry } from '../../server/src/skill/contract.ts';
import { SkillFile } from '../../server/src/skill/skill-file.ts';
import { cases } from '../random.ts';
import { samples } from './corpus.ts';
import { mutation } from './mutate.ts';

const skills = [...samples].filter(([path]) => !path.endsWith('skills.config.yaml'));
const sample = fc.constantFrom(...skills).map(([path, text]) => ({ path, text }));
const withBreaks = fc
  .tuple(sample, fc.boolean())
  .map(([{ path, text }, isCrlf]) => ({ path, text: isCrlf ? text.replaceAll(/\r?\n/g, '\r\n') : text }));
const damaged = fc
  .tuple(withBreaks, fc.array(mutation, { maxLength: 2 }))
  .map(([{ path, text }, changes]) => ({ path, text: changes.reduce((now, change) => change(now), text) }));

const word = fc.constantFrom(
  'x',
  'a: b',
  '# no comment',
  '',
  'yes',
  '1.0',
  'two\nlines',
  'é💡',
  "it's",
  '[',
  '{{ x }}',
);
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    word,
    fc.integer({ min: -9, max: 9 }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b c', 'topic', 'x: y'), tie('value'), { maxKeys: 3 }),
  ),
})).value;
const KEYS = ['description', 'version', 'tags', 'tools', 'input_schema', 'samples', 'composes', 'x-own', 'policy'];
const fields = fc.dictionary(fc.constantFrom(...KEYS), value, { minKeys: 1, maxKeys: 3 });

const opened = ({ path, text }: { path: string; text: string }) => new SkillFile(`file:///w/${path}`, text);

const after = (file: SkillFile, result: Rewriting): SkillFile | undefined =>
  isRefused(result) ? undefined : new SkillFile(file.uri, result.text);

const valueIn = (file: SkillFile, key: string): Json | undefined => {
  const entry = findSkillEntry(file.frontmatter.tree.root, key);
  return entry && jsonOf(entry.value);
};
const keysOf = ({ frontmatter: { tree } }: SkillFile): readonly string[] =>
  tree.root?.kind === 'map' ? tree.root.entries.map(({ key }) => String(key.value)) : [];
const bodyOf = ({ text, frontmatter, dialect }: SkillFile): string =>
  dialect === 'contract' ? '' : text.slice(frontmatter.bodyStart);

describe('fields of the frontmatter', () => {
  test('get the new values without changes to other fields or the body', () => {
    fc.assert(
      fc.property(damaged, fields, fc.subarray([...KEYS, 'author']), (text, set, keys) => {
        const file = opened(text);
        const unset = keys.filter((key) => !Object.hasOwn(set, key));
        const edited = after(file, setFields(file, set as Fields, unset));
        if (!edited) return;
        assert.equal(bodyOf(edited), bodyOf(file));
        for (const [key, wanted] of Object.entries(set)) {
          assert.equal(canonical(valueIn(edited, key) ?? null), canonical(wanted));
        }
        for (const key of keysOf(file)) {
          if (Object.hasOwn(set, key) || unset.includes(key)) continue;
          const old = valueIn(file, key);
          const now = valueIn(edited, key);
          if (old !== undefined && now !== undefined) assert.equal(canonical(now), canonical(old));
        }
      }),
      cases(120),
    );
  });

  test('can all be set in a valid skill', () => {
    fc.assert(
      fc.property(fc.constantFrom(...skills), fields, ([path, text], set) => {
        const file = opened({ path, text });
        if (file.frontmatter.tree.broken || file.frontmatter.tree.problems.length > 0 || !file.frontmatter.open) return;
        assert.ok(after(file, setFields(file, set as Fields, [])), `${path} ${JSON.stringify(set)}`);
      }),
      cases(80),
    );
  });

  test('do not change when they are set to equal values', () => {
    for (const [path, text] of skills) {
      const file = opened({ path, text });
      const json = jsonOf(file.frontmatter.tree.root) as Fields | null;
      if (!json) continue;
      const result = setFields(file, json, []);
      if (!isRefused(result)) assert.equal(result.text, text);
    }
  });
});

const prose = fc.constantFrom(
  'Do it.',
  '# New title\n\nDo it.',
  'Two.\n\nParagraphs.',
  '- a\n- b',
  '### Deeper\n\nx',
  '## Odd',
  '## Example: x',
  '```\nx',
);

/**
 * Removes the empty lines at the end of the text and below a heading's underline, where an edit may add an empty line.
 */
const apart = (text = ''): string => text.trimEnd().replace(/^((?:-+|=+)[ \t]*\r?\n)(?:[ \t]*\r?\n)+/gm, '$1');

describe('framing and artifacts', () => {
  test('a new framing keeps the frontmatter and every artifact', () => {
    fc.assert(
      fc.property(damaged, prose, (text, framing) => {
        const file = opened(text);
        const edited = after(file, setFraming(file, framing));
        if (!edited) return;
        const { bodyStart } = file.frontmatter;
        assert.equal(edited.text.slice(0, bodyStart), file.text.slice(0, bodyStart));
        const names = ({ body }: SkillFile) => body?.artifacts.map(({ kind, name }) => `${kind} ${name}`);
        assert.deepEqual(names(edited), names(file));
        const again = after(edited, setFraming(edited, framing));
        assert.equal(again?.text, edited.text);
        if (/^(?:Do|Two|- a)/.test(framing)) assert.equal(framingOf(edited)?.text.replaceAll(/\r\n?/g, '\n'), framing);
      }),
      cases(120),
    );
  });

  test('removing an added artifact restores the text', () => {
    const kind = fc.constantFrom('Description', 'Approach', 'PromptTemplate', 'Example');
    const metadata = fc.constantFrom(undefined, { tags: ['x', 'y: z'] });
    fc.assert(
      fc.property(damaged, kind, prose, metadata, (text, of, content, own) => {
        const file = opened(text);
        const wanted = { kind: of, name: 'of the law' };
        const added = after(file, addArtifact(file, wanted, content, own));
        if (!added) return;
        const changed = after(added, updateArtifact(added, wanted, { content: 'Other words.', set: { 'x-a': [1] } }));
        assert.ok(changed);
        const back = after(changed, removeArtifact(changed, wanted));
        assert.equal(apart(back?.text), apart(file.text));
      }),
      cases(120),
    );
  });
});
