/** The forms in which files name a skill: which ones are references, and which ones a rename changes without asking. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { movedPathEdits } from '../../../../server/src/features/rename/moved-paths.ts';
import { occurrencesOf, targetAt } from '../../../../server/src/features/symbol/occurrences.ts';
import { applyEdits, lineAt } from '../../../../server/src/text.ts';
import { afterRename, analysisOf, at, type Files, referencesAt, renamedAt } from './world.ts';

const SKILL = '.claude/skills/log-reader/SKILL.md';
const AT = 'name: log¦-reader';
const skill = (name: string, body: string, more = '') =>
  `---\nname: ${name}\ndescription: Does ${name}. Use it when asked.\n${more}---\n\n${body}\n`;

const withSkill = (files: Files): Files => ({
  [SKILL]: skill('log-reader', 'Read the logs.').replace('Does log-reader', 'Reads logs'),
  ...files,
});

/** The references to the skill outside its own file: `sure` or `asks`, the file and the text around the name. */
function mentionsIn(files: Files, path = SKILL, marked = AT): readonly string[] {
  const { analysis, file, offset } = at(path, marked, files);
  const target = targetAt(analysis, file, offset)?.target;
  assert.ok(target);
  return occurrencesOf(analysis, target)
    .filter((one) => one.file.uri !== file.uri)
    .map(({ file: { uri, text, lines }, span, isSure }) => {
      const line = text.split('\n')[lineAt(lines, span.start)]?.trim() ?? '';
      return `${isSure ? 'sure' : 'asks'} ${uri.replace('file:///skills-here/', '')}: ${line}`;
    });
}

/** Returns which of the sentences name the skill: `$0` is the name. */
function found(sentences: readonly string[], name = 'log-reader'): readonly string[] {
  const path = `.claude/skills/${name}/SKILL.md`;
  return sentences.map((sentence) => {
    const files = {
      [path]: skill(name, 'Do it.'),
      '.claude/skills/other/SKILL.md': skill('other', sentence.replaceAll('$0', name)),
    };
    const all = mentionsIn(files, path, `name: ¦${name}`).map((one) => one.slice(0, 4));
    return `${all.join(' ')}|${sentence}`;
  });
}

const SURE = [
  'the `$0` skill',
  'the skill `$0`',
  'Use the skill `$0` first.',
  'Der Skill `$0` liest.',
  'Skill: `$0`',
  'the **`$0`** skill',
  'the skill **`$0`**',
  'the `ops:$0` skill',
  'the skill `ops:$0`',
  'the "$0" skill',
  'the skill “$0”',
  'the skill named `$0`',
  'the sub-skill `$0`',
  'the skill (`$0`)',
  'The skill name: `$0`',
  '<skill name="$0" />',
  '{"skill_name": "$0"}',
  'the skills `deploy` and `$0`',
  'the `$0`, `deploy` and `test` skills',
  'the `deploy` or `$0` skill',
  '`$0` スキル',
  'the skill\n`$0`',
  'Run /$0 now.',
  'Run `/$0 staging`.',
  'Run /ops:$0.',
  '`$$0`',
  'Call Skill($0).',
  'Call Skill(skill: "$0").',
  '```\nSkill(skill="$0")\n```',
  '{"skill": "$0"}',
  '[how](../$0/SKILL.md)',
  '[how](../$0/notes.md#top)',
  'See `.claude/skills/$0/SKILL.md`.',
  'See skills/$0/SKILL.md.',
  'See ~/.claude/skills/$0/SKILL.md',
  '```sh\npython .claude/skills/$0/scripts/run.py\n```',
  '`$${CLAUDE_PLUGIN_ROOT}/skills/$0/run.sh`'.replace('$$', '$'),
  '`bash ../$0/run.sh`',
];

test('finds the forms that always name a skill', () => {
  for (const name of ['log-reader', 'review']) {
    assert.deepEqual(
      found(SURE, name),
      SURE.map((sentence) => `sure|${sentence}`),
    );
  }
});

test('finds a name in a code span after a verb, which is sure only for a name of several words', () => {
  const verbs = ['Use `$0` first.', 'Invoke `$0`.', 'Run **`$0`** twice.', 'It uses the `$0` for this.'];
  assert.deepEqual(
    found(verbs),
    verbs.map((sentence) => `sure|${sentence}`),
  );
  assert.deepEqual(
    found(verbs, 'review'),
    verbs.map((sentence) => `asks|${sentence}`),
  );
});

test('finds words that may name the skill, and asks before it changes them', () => {
  const unsure = [
    'use the $0 skill',
    'Use the skill $0 first.',
    'the skill named $0',
    'use the $0\nskill',
    'Run the $0 skill.',
  ];
  for (const name of ['log-reader', 'review']) {
    assert.deepEqual(
      found(unsure, name),
      unsure.map((sentence) => `asks|${sentence}`),
    );
  }
  const joined = ['a $0 skill', 'the **$0 skill**', 'then `$0`', 'skill: $0', 'skill_name: $0', 'the skill *$0*'];
  assert.deepEqual(
    found(joined),
    joined.map((sentence) => `asks|${sentence}`),
  );
});

test('does not find other words, parts of words, addresses, paths and comments', () => {
  const others = [
    'Read the $0.',
    'the $0s skill',
    'the `$0-2` skill',
    'the `a-$0` skill',
    'the skill `$0.md`',
    'the skill `--$0`',
    'the skill `a/$0`',
    'Read skills/$0.md and skills/$0-2/SKILL.md.',
    'https://example.com/skills/$0/SKILL.md',
    'GET /$0',
    'a/$0/b',
    '/$0/x',
    '<!-- the `$0` skill -->',
    'skill\n\n`a`, $0',
    'pre$0 skill',
    '$0_skill',
  ];
  for (const name of ['log-reader', 'review']) {
    assert.deepEqual(
      found(others, name),
      others.map((sentence) => `|${sentence}`),
    );
  }
  const ordinary = ['a code $0 skill', 'The $0 of the skill.', 'a skill $0 board', '`$0` the text', 'Skills: $0, edit'];
  assert.deepEqual(
    found(ordinary, 'review'),
    ordinary.map((sentence) => `|${sentence}`),
  );
});

const AROUND: Files = withSkill({
  '.claude/skills/crash-report/SKILL.md': `---
name: crash-report
description: Writes a report. Use the skill \`log-reader\` before, not the log-reader skill of others.
allowed-tools: Skill(log-reader) Bash(python .claude/skills/log-reader/run.py:*)
---

Report.
`,
  '.claude/agents/sre.md': `---
name: sre
description: Runs services with the \`log-reader\` skill.
tools: Read, Skill(log-reader)
skills: [log-reader, "ops:log-reader", crash-report]
---

Use \`log-reader\`, then use the log-reader skill.
`,
  '.claude/agents/comma.md': '---\nname: comma\ndescription: Runs.\nskills: crash-report, log-reader\n---\n\nRun.\n',
  '.claude/agents/block.md': "---\nname: block\ndescription: Runs.\nskills:\n  - 'log-reader' # first\n---\n\nRun.\n",
  '.claude/commands/fix.md':
    '---\ndescription: Fixes.\n---\n\nRun /log-reader, see @.claude/skills/log-reader/SKILL.md.\n',
  'CLAUDE.md': [
    'Use the skill `log-reader`, or /log-reader; then `log-reader`.',
    '[how](.claude/skills/log-reader/SKILL.md), .claude/skills/log-reader/run.py',
  ].join('\n'),
  'packages/web/AGENTS.md': 'Use the log-reader skill.',
  '.claude/skills/log-reader/evals/evals.json': JSON.stringify({
    skill_name: 'log-reader',
    evals: [{ id: 1, prompt: 'Use /log-reader.\nThen "use the skill `log-reader`".', expected_output: 'log-reader' }],
  }),
  'evals/routing.json': '[{"query": "why?", "expected_skill": "ops:log-reader"}, {"skills": ["log-reader", "x"]}]',
  '.claude-plugin/marketplace.json':
    '{"name": "m", "plugins": [{"name": "ops", "source": "./.claude", "skills": ["./skills/log-reader", "./skills/crash-report/"]}]}',
  '.claude/.claude-plugin/plugin.json': '{"name": "ops", "skills": ["./skills\\/log-reader/"]}',
});

test('finds names in escaped quotes', () => {
  const path = 'evals/a.json';
  const prompt = '{"skill_name": "a", "evals": [{"prompt": "Use the \\"log-reader\\" skill"}]}';
  const agent = '---\nname: b\ndescription: "Runs the skill \\"log-reader\\"."\n---\n\nRun.\n';
  const found = mentionsIn({ ...AROUND, [path]: prompt, '.claude/agents/b.md': agent });
  assert.ok(found.includes(`sure ${path}: ${prompt}`));
  assert.ok(found.includes('sure .claude/agents/b.md: description: "Runs the skill \\"log-reader\\"."'));
});

test('finds the names in descriptions, agents, commands, instructions, evals and manifests', () => {
  assert.deepEqual(mentionsIn(AROUND), [
    'sure .claude-plugin/marketplace.json: {"name": "m", "plugins": [{"name": "ops", "source": "./.claude", "skills": ["./skills/log-reader", "./skills/crash-report/"]}]}',
    'sure .claude/.claude-plugin/plugin.json: {"name": "ops", "skills": ["./skills\\/log-reader/"]}',
    "sure .claude/agents/block.md: - 'log-reader' # first",
    'sure .claude/agents/comma.md: skills: crash-report, log-reader',
    'sure .claude/agents/sre.md: description: Runs services with the `log-reader` skill.',
    'sure .claude/agents/sre.md: tools: Read, Skill(log-reader)',
    'sure .claude/agents/sre.md: skills: [log-reader, "ops:log-reader", crash-report]',
    'sure .claude/agents/sre.md: skills: [log-reader, "ops:log-reader", crash-report]',
    'sure .claude/agents/sre.md: Use `log-reader`, then use the log-reader skill.',
    'asks .claude/agents/sre.md: Use `log-reader`, then use the log-reader skill.',
    'sure .claude/commands/fix.md: Run /log-reader, see @.claude/skills/log-reader/SKILL.md.',
    'sure .claude/commands/fix.md: Run /log-reader, see @.claude/skills/log-reader/SKILL.md.',
    'sure .claude/skills/crash-report/SKILL.md: description: Writes a report. Use the skill `log-reader` before, not the log-reader skill of others.',
    'asks .claude/skills/crash-report/SKILL.md: description: Writes a report. Use the skill `log-reader` before, not the log-reader skill of others.',
    'sure .claude/skills/crash-report/SKILL.md: allowed-tools: Skill(log-reader) Bash(python .claude/skills/log-reader/run.py:*)',
    'sure .claude/skills/crash-report/SKILL.md: allowed-tools: Skill(log-reader) Bash(python .claude/skills/log-reader/run.py:*)',
    ...Array.from({ length: 3 }, () => {
      const text = AROUND['.claude/skills/log-reader/evals/evals.json'];
      return `sure .claude/skills/log-reader/evals/evals.json: ${text}`;
    }),
    'asks CLAUDE.md: Use the skill `log-reader`, or /log-reader; then `log-reader`.',
    'asks CLAUDE.md: Use the skill `log-reader`, or /log-reader; then `log-reader`.',
    'asks CLAUDE.md: Use the skill `log-reader`, or /log-reader; then `log-reader`.',
    'sure CLAUDE.md: [how](.claude/skills/log-reader/SKILL.md), .claude/skills/log-reader/run.py',
    'sure CLAUDE.md: [how](.claude/skills/log-reader/SKILL.md), .claude/skills/log-reader/run.py',
    'sure evals/routing.json: [{"query": "why?", "expected_skill": "ops:log-reader"}, {"skills": ["log-reader", "x"]}]',
    'sure evals/routing.json: [{"query": "why?", "expected_skill": "ops:log-reader"}, {"skills": ["log-reader", "x"]}]',
    'asks packages/web/AGENTS.md: Use the log-reader skill.',
  ]);
});

test('a rename changes every reference, keeps JSON valid, and leaves the same references to the new name', () => {
  for (const newName of ['log-detective', 'logs', 'on', '123', 'null']) {
    const after = afterRename(SKILL, AT, newName, AROUND);
    for (const [path, text] of Object.entries(after)) {
      if (path.endsWith('.json')) assert.doesNotThrow(() => JSON.parse(text), `${path}: ${text}`);
    }
    const rest = Object.values(after).join('\n').replaceAll('"expected_output":"log-reader"', '');
    assert.doesNotMatch(rest, /log-reader/);
    const own = SKILL.replace('log-reader', newName);
    const named = after[own]?.includes(`name: ${newName}`) ? `name: ¦${newName}` : `name: "¦${newName}`;
    const [before, now] = [referencesAt(SKILL, AT, true, AROUND), referencesAt(own, named, true, after)];
    if (newName.includes('-')) assert.equal(now.length, before.length);
    assert.ok(now.length >= mentionsIn(AROUND).filter((one) => one.startsWith('sure')).length);
  }
});

test('references and rename agree wherever they begin', () => {
  const before = referencesAt(SKILL, AT, true, AROUND);
  const edits = renamedAt(SKILL, AT, 'log-detective', AROUND);
  const places: readonly (readonly [string, string])[] = [
    ['.claude/agents/sre.md', 'skills: [log¦-reader'],
    ['.claude/agents/sre.md', '"ops:log¦-reader"'],
    ['CLAUDE.md', 'the skill `log¦-reader`'],
    ['packages/web/AGENTS.md', 'the log¦-reader skill'],
    ['.claude-plugin/marketplace.json', './skills/log¦-reader'],
    ['.claude/skills/log-reader/evals/evals.json', '"skill_name":"log¦-reader"'],
    ['.claude/skills/crash-report/SKILL.md', 'skills/log¦-reader/run.py'],
  ];
  for (const [path, marked] of places) {
    assert.deepEqual(referencesAt(path, marked, true, AROUND), before, marked);
    assert.deepEqual(renamedAt(path, marked, 'log-detective', AROUND), edits, marked);
  }
});

test('a path or a manifest refers only to the skill in its folder', () => {
  const files = withSkill({
    'other/SKILL.md': skill('other', 'See old/skills/log-reader/SKILL.md, and `.agents/skills/log-reader/run.sh`.'),
    '.claude-plugin/plugin.json': '{"name": "p", "skills": ["./old/log-reader"]}',
  });
  assert.deepEqual(mentionsIn(files), []);
});

test('a list with an alias is not changed', () => {
  const files = withSkill({
    '.claude/agents/a.md': '---\nname: a\ndescription: &log-reader log-reader\nskills: [*log-reader, 1]\n---\n\nRun.\n',
  });
  assert.deepEqual(mentionsIn(files), []);
});

test('a name with a plugin refers only to the skill that this plugin ships, if the plugin is known', () => {
  const files = withSkill({
    '.claude/.claude-plugin/plugin.json': '{"name": "ops"}',
    'other/.claude-plugin/plugin.json': '{"name": "other"}',
    'other/skills/more/SKILL.md': skill('more', 'Run /ops:log-reader, not /other:log-reader or /elsewhere:log-reader.'),
  });
  assert.deepEqual(mentionsIn(files), [
    'sure other/skills/more/SKILL.md: Run /ops:log-reader, not /other:log-reader or /elsewhere:log-reader.',
  ]);
});

test('a command in `.claude` needs no frontmatter', () => {
  const files = withSkill({
    '.claude/commands/ship.md': 'Run /log-reader.\n',
    'docs/commands/x.md': 'Run /log-reader.\n',
  });
  assert.deepEqual(mentionsIn(files), ['sure .claude/commands/ship.md: Run /log-reader.']);
});

/** The changed lines after a move in the explorer that keeps the names. */
function movedIn(files: Files, from: string, to: string): readonly string[] {
  const root = 'file:///skills-here/';
  return movedPathEdits(analysisOf(files), [{ from: root + from, to: root + to }]).flatMap(({ uri, edits }) => {
    const before = files[uri.slice(root.length)] ?? '';
    const lines = new Set(before.split('\n'));
    return applyEdits(before, edits)
      .split('\n')
      .filter((line) => !lines.has(line))
      .map((line) => `${uri.slice(root.length)}: ${line}`);
  });
}

test('a move in the explorer changes the paths to and from the moved files', () => {
  const files: Files = {
    ...AROUND,
    '.claude/skills/crash-report/SKILL.md': skill(
      'crash-report',
      'See [how](../log-reader/SKILL.md#how), [x](<../log-reader/a b.md>), [own](references/steps.md?x#y) and [no](https://a.b/log-reader).',
    ),
  };
  assert.deepEqual(movedIn(files, '.claude/skills/log-reader', 'shared/log-reader'), [
    '.claude-plugin/marketplace.json: {"name": "m", "plugins": [{"name": "ops", "source": "./.claude", "skills": ["../shared/log-reader", "./skills/crash-report/"]}]}',
    '.claude/.claude-plugin/plugin.json: {"name": "ops", "skills": ["../shared/log-reader/"]}',
    '.claude/commands/fix.md: Run /log-reader, see @shared/log-reader/SKILL.md.',
    '.claude/skills/crash-report/SKILL.md: See [how](../../../shared/log-reader/SKILL.md#how), [x](<../../../shared/log-reader/a b.md>), [own](references/steps.md?x#y) and [no](https://a.b/log-reader).',
    'CLAUDE.md: [how](shared/log-reader/SKILL.md), shared/log-reader/run.py',
  ]);
  assert.deepEqual(movedIn(files, '.claude/skills/crash-report', '.claude/skills/deep/crash-report'), [
    '.claude-plugin/marketplace.json: {"name": "m", "plugins": [{"name": "ops", "source": "./.claude", "skills": ["./skills/log-reader", "./skills/deep/crash-report/"]}]}',
    '.claude/skills/crash-report/SKILL.md: See [how](../../log-reader/SKILL.md#how), [x](<../../log-reader/a b.md>), [own](references/steps.md?x#y) and [no](https://a.b/log-reader).',
  ]);
  assert.deepEqual(movedIn(files, '.claude/skills/crash-report/references', '.claude/skills/crash-report/docs'), [
    '.claude/skills/crash-report/SKILL.md: See [how](../log-reader/SKILL.md#how), [x](<../log-reader/a b.md>), [own](docs/steps.md?x#y) and [no](https://a.b/log-reader).',
  ]);
  assert.deepEqual(movedIn(files, '.claude', '.other'), [
    '.claude-plugin/marketplace.json: {"name": "m", "plugins": [{"name": "ops", "source": "./.other", "skills": ["./skills/log-reader", "./skills/crash-report/"]}]}',
    '.claude/commands/fix.md: Run /log-reader, see @.other/skills/log-reader/SKILL.md.',
    'CLAUDE.md: [how](.other/skills/log-reader/SKILL.md), .other/skills/log-reader/run.py',
  ]);
});
