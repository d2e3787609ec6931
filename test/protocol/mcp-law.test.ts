/** After any calls, the files on disk are exactly those in the responses. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { applyPatch, parsePatch } from 'diff';
import fc from 'fast-check';
import { cases } from '../random.ts';
import { CATALOG, folderWith, skill } from './cli.ts';
import { type Answer, agentIn } from './mcp.ts';

const FILES: Readonly<Record<string, string>> = {
  'skills.config.yaml': CATALOG,
  'skills/a.skill.md': skill('a', 'tools: [reed_page] # the wiki', 'tags:', '  - one', '  # two was here', '  - three'),
  'skills/b.skill.md': skill('b', 'composes: [a]', 'level: 2', 'output_schema: {}').replaceAll('\n', '\r\n'),
  'skills/c.skill.md': `${skill('c')}\n## Example: first\n\n### Input\n\nx\n\n### Output\n\ny\n\n## PromptTemplate: T\n\n\`\`\`jinja\n{{ user_request }}\n\`\`\``,
  'skills/f.skill.md': skill('g', 'composes: [e]', 'level: 2', 'output_schema: {}'),
};

type Step = readonly [tool: string, given: Readonly<Record<string, unknown>>];

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const draft = fc.constantFrom({}, {}, { allow_errors: true });
const prose = fc.constantFrom(
  'Do it.',
  'Do it\nwell.\n\n- a\n- b',
  '## Example: odd\n\nx',
  '```\nopen',
  '',
  '# Title\n\nDo.',
);
const values = fc.constantFrom(
  { version: '1.1.0' },
  { tags: ['x', 'y: z'], title: 'A\nB' },
  { input_schema: { topic: 'string', more: { type: 'integer', default: 3 } } },
  { samples: { s: { parameters: { topic: '#1' } } } },
  { tools: ['read_page'], composes: ['a'] },
  { source: 'marketplace' },
  { name: 'd' },
);
const artifact = fc.record({
  kind: fc.constantFrom('Description', 'Example', 'PromptTemplate', 'recipe'),
  name: fc.constantFrom('first', 'T', 'two words', 'a: b'),
});
const named = fc.oneof({ weight: 5, arbitrary: name }, fc.constantFrom('skills/a.skill.md', 'skills/b.skill.md'));
const of = (tool: string, ...parts: readonly fc.Arbitrary<object>[]): fc.Arbitrary<Step> =>
  fc.tuple(named, draft, ...parts).map(([skill, ...more]) => [tool, Object.assign({ skill }, ...more)]);
const step: fc.Arbitrary<Step> = fc.oneof(
  of(
    'update_skill',
    fc.oneof(
      values.map((set) => ({ set })),
      fc.record({ set: name.map((other) => ({ name: other })), even_if_used: fc.boolean() }),
      prose.map((framing) => ({ framing })),
    ),
  ),
  of(
    'update_skill',
    fc.subarray(['tags', 'tools', 'composes', 'x']).map((unset) => ({ unset })),
  ),
  of('update_skill', fc.constant({ digest: 'sha256:0', set: { tags: [] } })),
  of('add_artifact', artifact, fc.record({ content: prose, metadata: fc.constantFrom({}, { tags: ['x'] }) })),
  of('update_artifact', artifact, fc.record({ content: prose })),
  of('update_artifact', artifact, fc.record({ set: fc.constantFrom({ tags: ['z'] }, { include_when: 'true' }) })),
  of('remove_artifact', artifact),
  of(
    'apply_fix',
    fc.constantFrom({ rule: 'unknown-tool', title: 'Replace with `read_page`' }, { rule: 'x', title: 'y' }),
  ),
  // Fixes that create a file, and fixes that change a name.
  fc
    .constantFrom(['skill-not-found', 'Create `e`'], ['name-file-mismatch', 'Rename the skill to `f`'])
    .map(([rule, title]): Step => ['apply_fix', { skill: 'skills/f.skill.md', rule, title }]),
  name.map((skill): Step => ['delete_skill', { skill, even_if_used: skill !== 'a' }]),
  fc.tuple(name, prose, draft).map(([skill, framing, more]): Step => {
    const description = `Handles ${skill}. Use it for ${skill}.`;
    return ['create_skill', { name: skill, description, framing, ...more }];
  }),
  name.map((skill): Step => ['check_skill', { skill }]),
);

/** Applies the files of a response to the model. */
function take(
  model: Map<string, string>,
  tool: string,
  { ok, diff, written = [], deleted = [], digest, file }: Answer,
): void {
  if (!ok) return;
  if (tool === 'create_skill') assert.ok(!model.has(file), `${file} was there before`);
  for (const gone of deleted) assert.ok(model.delete(gone), gone);
  const patches = diff === undefined || diff === '' ? [] : parsePatch(diff);
  assert.deepEqual(
    patches.map(({ newFileName = '' }) => newFileName.replace(/^b\//, '')),
    written,
  );
  for (const patch of patches) {
    const changed = (patch.newFileName ?? '').replace(/^b\//, '');
    const text = applyPatch(model.get(changed) ?? '', patch, { autoConvertLineEndings: false });
    assert.notEqual(text, false, diff);
    model.set(changed, String(text));
  }
  const told = model.get(file);
  if (digest !== undefined)
    assert.equal(
      digest,
      `sha256:${createHash('sha256')
        .update(told ?? '')
        .digest('hex')}`,
    );
}

const filesIn = (folder: string): Map<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path): [string, string] => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  );

test('the files always match the responses, after any sequential and parallel calls', async () => {
  const folder = folderWith(FILES);
  const agents = [await agentIn(folder), await agentIn(folder, { era: '2025' })] as const;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: 6 }), async (turns) => {
      rmSync(join(folder, 'skills'), { recursive: true, force: true });
      for (const file of filesIn(folder).keys()) rmSync(join(folder, file));
      for (const [file, text] of Object.entries(FILES)) {
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), text);
      }
      const model = new Map(Object.entries(FILES));
      for (const [at, calls] of turns.entries()) {
        const agent = agents[at % 2] ?? agents[0];
        // The responses arrive in the order of the writes.
        await Promise.all(calls.map(async ([tool, given]) => take(model, tool, await agent.call(tool, given))));
        assert.deepEqual(new Map([...filesIn(folder)].sort()), new Map([...model].sort()));
      }
    }),
    cases(12),
  );
});
