/** A law of names in prose: a rename changes every reference to the skill, and nothing else. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { Workspace } from '../../server/src/analysis/workspace.ts';
import { movedUri } from '../../server/src/features/rename/plan.ts';
import { isRefusal, planRename } from '../../server/src/features/rename/rename.ts';
import { type Occurrence, occurrencesOf, targetAt } from '../../server/src/features/symbol/occurrences.ts';
import { applyEdits } from '../../server/src/text.ts';
import { cases } from '../random.ts';

const ROOT = 'file:///w';

/** Sentences that name the skill `@N`, or another thing whose name contains it. */
const sentence = fc.constantFrom(
  'Use the skill `@N` first.',
  'The `@N` and `other` skills help.',
  'Run /@N, or `/ops:@N now`.',
  'Use `@N` twice.',
  'Call Skill(@N).',
  'See ../@N/SKILL.md and `.claude/skills/@N/run.sh`.',
  '[how](../@N/notes.md#a)',
  '```\n/@N all\n```',
  'the @N skill',
  'then `@N`',
  'A @N-like word, `@N-2`, `a-@N`, x@N and @N.',
  'The `@N.md` file, /@N/a and https://example.com/skills/@N/SKILL.md.',
  '日本語の`@N`スキル。',
  'Der Skill `@N`\r\nliest.',
);

/** A file that may name the skill, with the path from which its links are relative. */
const fileOf = (text: string) =>
  fc.constantFrom(
    {
      path: '.claude/skills/other/SKILL.md',
      text: `---\nname: other\ndescription: Does other things. Use the skill \`@N\` first.\n---\n\n${text}\n`,
    },
    {
      path: '.claude/agents/a.md',
      text: `---\nname: a\ndescription: Helps.\nskills: [@N, "ops:@N", @N-2]\n---\n\n${text}\n`,
    },
    { path: '.claude/commands/c.md', text },
    { path: 'CLAUDE.md', text },
    { path: 'packages/a/AGENTS.md', text },
    {
      path: '.claude/skills/@N/evals/evals.json',
      text: JSON.stringify({ skill_name: '@N', evals: [{ prompt: text }] }),
    },
    {
      path: '.claude-plugin/marketplace.json',
      text: '{"plugins": [{"name": "ops", "source": "./.claude", "skills": ["./skills/@N"]}]}',
    },
  );

const files = fc
  .array(
    fc.array(sentence, { minLength: 1, maxLength: 5 }).chain((all) => fileOf(all.join('\n\n'))),
    { maxLength: 6 },
  )
  .map((all) => new Map(all.map(({ path, text }) => [path, text])));

const names = fc.uniqueArray(fc.constantFrom('log-reader', 'a1-b', 'read-logs-2', 'x-y-z'), {
  minLength: 2,
  maxLength: 2,
});

function read(texts: ReadonlyMap<string, string>) {
  const workspace = new Workspace();
  workspace.apply({ kind: 'roots', folders: [ROOT] });
  for (const [uri, text] of texts) workspace.apply({ kind: 'text', uri, text });
  return workspace.analysis;
}

function occurrencesIn(texts: ReadonlyMap<string, string>, name: string): readonly Occurrence[] {
  const analysis = read(texts);
  const file = analysis.file(`${ROOT}/.claude/skills/${name}/SKILL.md`);
  const here = file && targetAt(analysis, file, file.text.indexOf(name) + 1);
  return here ? occurrencesOf(analysis, here.target) : [];
}

test('a rename of a skill keeps the number of references, and leaves no reference to the old name', () => {
  fc.assert(
    fc.property(files, names, (others, [name = '', newName = '']) => {
      const own = `---\nname: @N\ndescription: Reads. Use it when asked.\n---\n\nRead.\n`;
      const texts = new Map(
        [['.claude/skills/@N/SKILL.md', own] as const, ...others].map(([path, text]) => [
          `${ROOT}/${path.replaceAll('@N', name)}`,
          text.replaceAll('@N', name),
        ]),
      );
      const before = occurrencesIn(texts, name);
      const analysis = read(texts);
      const file = analysis.file(`${ROOT}/.claude/skills/${name}/SKILL.md`);
      assert.ok(file && before.length > 0);
      const plan = planRename(analysis, file, file.text.indexOf(name) + 1, newName);
      assert.ok(!isRefusal(plan), isRefusal(plan) ? plan.refusal : '');
      const after = new Map(
        [...texts].map(([uri, text]) => [
          movedUri(uri, plan.moves),
          applyEdits(text, plan.edits.find((one) => one.uri === uri)?.edits ?? []),
        ]),
      );
      for (const [uri, text] of after) if (uri.endsWith('.json')) JSON.parse(text);
      const shown = (all: readonly Occurrence[]) =>
        all.map(({ isSure, file: { uri } }) => `${isSure} ${movedUri(uri, plan.moves)}`).sort();
      assert.deepEqual(shown(occurrencesIn(after, newName)), shown(before));
      // With a skill of the old name, only names that are no references would be found.
      const left = new Map([...after, [`${ROOT}/.claude/skills/${name}/SKILL.md`, own.replaceAll('@N', name)]]);
      assert.equal(occurrencesIn(left, name).length, 1);
    }),
    cases(300),
  );
});
