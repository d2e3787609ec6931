/** Cases of the rules for `SKILL.md` that their pages cannot show: line endings, unusual styles, valid files. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import type { Finding } from '../../../server/src/finding.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { rules } from '../../../server/src/rules/engine/index.ts';
import { readToolWords } from '../../../server/src/skill/tool-words.ts';
import { sliceOf } from '../../../server/src/text.ts';
import { clientKeyTables, findMeantKey } from '../../../server/src/vocabulary/agent-skill-clients.ts';
import { crlf, findingsOf as findingsIn, fixed as fixedIn } from './findings.ts';

const PATH = 'file:///w/tidy-notes/SKILL.md';

const findingsOf = (text: string, uri = PATH): readonly Finding[] => findingsIn(uri, text);
const rulesOf = (text: string, uri = PATH): string[] => findingsOf(text, uri).map(({ rule }) => rule);

const fixed = (text: string, title: string): string => fixedIn(PATH, text, title);
const skill = (...lines: string[]): string => ['---', ...lines, '---', '', '# Tidy notes', ''].join('\n');
const whole = ['name: tidy-notes', 'description: Tidies notes when asked.'];

describe('related locations', () => {
  it('show the actual and the intended end of a fence that ends too early', () => {
    const fences = ['```markdown', 'Say:', '', '```bash', 'run it', '```', '', 'Then stop.', '```', '', 'Go on.'];
    const text = [...skill(...whole).split('\n'), ...fences, ''].join('\n');
    const finding = findingsOf(text).find(({ rule }) => rule === 'unclosed-fence');
    const told = finding?.related.map(({ span, message }) => [text.slice(0, span.start).split('\n').length, message]);
    assert.deepEqual(told, [
      [13, 'The fence ends here'],
      [16, 'The fence should end here'],
    ]);
  });
});

describe('no finding is reported for', () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    'every key of the standard': [
      ...whole,
      'license: MIT',
      'compatibility: Needs git',
      'metadata: {author: me, version: "1.0"}',
      'allowed-tools: Read',
    ],
    'missing keys of the composer’s format': whole,
    'a key that is both at the top level and below `metadata`': [
      ...whole,
      'argument-hint: x',
      'metadata: {argument-hint: x}',
    ],
    'scalars in `metadata` whose values equal their spelling': [
      ...whole,
      'metadata: {year: 2024, internal: true, since: 2026-01-01}',
    ],
    'keys without a value': [...whole, 'license:', 'compatibility:', 'metadata:', 'allowed-tools:'],
    'spaces around a quoted name': ['name: " tidy-notes "', 'description: Tidies notes when asked.'],
    'a description of 1024 characters, each of them two code units': [
      whole[0] as string,
      `description: ${'😀'.repeat(1024)}`,
    ],
  };
  for (const [title, lines] of Object.entries(cases)) it(title, () => assert.deepEqual(rulesOf(skill(...lines)), []));

  it('a folder name in another Unicode form', () => {
    const uri = `file:///w/${encodeURIComponent('u\u0308ber')}/SKILL.md`;
    assert.deepEqual(rulesOf(skill('name: \u00fcber', 'description: Tidies notes when asked.'), uri), []);
  });

  it('a file at the root, which has no folder to compare with', () => {
    assert.deepEqual(rulesOf(skill(...whole), 'file:///SKILL.md'), []);
  });

  it('content of a SKILL.md that is invalid only in the composer’s format', () => {
    const text = skill(
      ...whole,
      'level: 9',
      'tools: [nope]',
      'composes: [nope]',
      'policy: {timeout_ms: x}',
      'samples: {a: 1}',
    ).concat('\n## PromptTemplate: x\n\n{% if %} {{ nope | nope }} #tool:nope\n\n## Signature: y\n');
    assert.deepEqual([...new Set(rulesOf(text))], ['agent-skill-unknown-key']);
  });
});

describe('each defect is reported once', () => {
  const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    [
      'a bad name in a folder of another name',
      ['name: Other', 'description: Tidies notes when asked.'],
      ['agent-skill-name'],
    ],
    ['a misspelt mandatory key', ['name: tidy-notes', 'Description: x'], ['agent-skill-missing-key']],
    ['a bad name and no description', ['name: Tidy'], ['agent-skill-missing-key', 'agent-skill-name']],
    ['many unknown keys', [...whole, 'a: 1', 'b: 2', 'c: 3', 'a: 4'], ['agent-skill-unknown-key', 'duplicate-key']],
    ['many keys of clients', [...whole, 'model: x', 'effort: low'], []],
    [
      'two spellings of one key',
      [...whole, 'allowedTools: x', 'allowed_tools: y'],
      ['agent-skill-unknown-key', 'agent-skill-unknown-key'],
    ],
    ['broken YAML', ['name: Tidy', 'description: a: b'], ['agent-skill-name', 'invalid-yaml']],
    ['frontmatter that is not a map', ['- name'], ['agent-skill-missing-key']],
  ];
  for (const [title, lines, expected] of cases) {
    it(title, () => assert.deepEqual(rulesOf(skill(...lines)).sort(), [...expected].sort()));
  }
});

describe('fixes', () => {
  it('keep line breaks, comments and the surrounding text', () => {
    const text = `\uFEFF${crlf(skill('# Keep.', ...whole, 'tags: [a, b]', 'license: MIT # so', 'author: "me" # no'))}`;
    assert.equal(
      fixed(text, 'Move `tags` under `metadata`'),
      `\uFEFF${crlf(skill('# Keep.', ...whole, 'license: MIT # so', 'author: "me" # no', 'metadata:', '  tags: a, b'))}`,
    );
  });

  it('move a key into a `metadata` map in braces', () => {
    assert.equal(
      fixed(skill(...whole, 'metadata: {author: me}', 'tags: [a, b]'), 'Move `tags` under `metadata`'),
      skill(...whole, 'metadata: {author: me, tags: "a, b"}'),
    );
  });

  it('do not move values that cannot be written as a string', () => {
    const text = skill(...whole, 'requires: {bins: [x]}', 'notes: |', '  a', '  b', 'empty:', 'list: ["a, b"]');
    assert.deepEqual(findingsOf(text)[0]?.fixes, []);
  });

  it('do not move the only key of `metadata`, or a key with a block value', () => {
    for (const lines of [
      ['metadata:', '  argument-hint: x'],
      ['metadata:', '  a: b', '  argument-hint: |', '    x'],
    ]) {
      assert.deepEqual(
        findingsOf(skill(...whole, ...lines)).map(({ rule, fixes }) => [rule, fixes]),
        [['agent-skill-metadata', []]],
      );
    }
  });

  it('join two parts of frontmatter with the line breaks of the file', () => {
    const text = crlf(`---\n${whole[0]}\n---\n${whole[1]}\nlicense: MIT`);
    assert.equal(
      fixed(text, 'Join the two parts of the frontmatter'),
      crlf(`---\n${whole[0]}\n${whole[1]}\nlicense: MIT\n---\n`),
    );
  });

  it('quote numbers in their original spelling', () => {
    const text = skill(...whole, 'metadata: {version: 1.10, hex: 0x1F, plain: 3}');
    assert.equal(
      fixed(text, 'Quote the numbers'),
      skill(...whole, 'metadata: {version: "1.10", hex: "0x1F", plain: 3}'),
    );
  });
});

describe('the finding for a long body', () => {
  const long = 'Look at the notes.\n'.repeat(501);
  const comment = '<!-- skill-disable-next-line agent-skill-body-size -->\n';

  for (const [title, above] of [
    ['only the comment', comment],
    ['a comment for people before it', `<!-- By hand. -->\n\n${comment}`],
    ['a comment for people after it', `${comment}\n<!-- By hand. -->\n\n`],
  ] as const) {
    it(`is suppressed by a comment above the body: ${title}`, () => {
      assert.deepEqual(rulesOf(`---\n${whole.join('\n')}\n---\n\n${above}${long}`), []);
    });
  }

  it('is at the comment if the body contains nothing else', () => {
    const text = `---\n${whole.join('\n')}\n---\n<!--\n${long}-->\n`;
    assert.ok(rulesOf(text).includes('agent-skill-body-size'));
  });
});

describe('locations', () => {
  it('cover exactly the value or the key', () => {
    const text = skill(
      'name: "Tidy" # x',
      'descripton: y',
      'metadata: z',
      'effort: hihg',
      'allowed-tools: "a, b"',
      'tags: [a]',
    );
    assert.deepEqual(
      findingsOf(text).map(({ rule, span }) => [rule.slice('agent-skill-'.length), sliceOf(text, span)]),
      [
        ['name', '"Tidy"'],
        ['missing-key', 'descripton'],
        ['metadata', 'z'],
        ['key-value', 'hihg'],
        ['unknown-key', 'tags'],
      ],
    );
  });
});

describe('keys and tools', () => {
  it('misspelt keys are distinguished from other unknown keys', () => {
    const meant = (word: string) => findMeantKey(word, new Set());
    assert.deepEqual(
      ['user-invokable', 'when-to-use', 'allowedTools', 'Name', 'descrption', 'nmae', 'compatability'].map(meant),
      ['user-invocable', 'when_to_use', 'allowed-tools', 'name', 'description', 'name', 'compatibility'],
    );
    assert.equal(meant('alowed-tools'), 'allowed-tools');
    assert.equal(meant('allowed-tool'), 'allowed-tools');
    for (const other of [
      'models',
      'description-cn',
      'dspy-compatibility',
      'mode',
      'tags',
      'command',
      'parent',
      'contact',
      'compatible-with',
      'agentic',
      'description_zh',
    ]) {
      assert.equal(meant(other), undefined, other);
    }
  });

  it('a misspelt key is reported as a warning, and any other unknown key as a hint', () => {
    const severities = (key: string) =>
      findingsOf(skill(...whole, `${key}: Read`)).map(({ rule, severity }) => [rule, severity]);
    assert.deepEqual(severities('alowed-tools'), [['agent-skill-unknown-key', 'warning']]);
    assert.deepEqual(severities('desk'), [['agent-skill-unknown-key', 'hint']]);
    assert.deepEqual(severities('tools'), [['agent-skill-unknown-key', 'warning']]);
  });

  it('`tools` is reported only as a hint if no client has the listed tools', () => {
    const severities = findingsOf(skill(...whole, 'tools: [claude, cursor]')).map(({ severity }) => severity);
    assert.deepEqual(severities, ['hint']);
  });

  it('tools are separated only outside of brackets', () => {
    assert.deepEqual(readToolWords('Read,Bash(git add:*, x) , Edit  Grep(').words, [
      'Read',
      'Bash(git add:*, x)',
      'Edit',
      'Grep(',
    ]);
  });
});

describe('the keys and values of clients', () => {
  const found = (folder: string, ...lines: string[]) =>
    findingsOf(skill(...whole, ...lines), `file:///w/${folder}/tidy-notes/SKILL.md`).map(
      ({ rule, span, message }) => `${rule} ${span.start > 0 ? message : ''}`,
    );
  const value = (folder: string, ...lines: string[]) =>
    found(folder, ...lines).filter((text) => text.startsWith('agent-skill-key-value'));

  it('allow what the client of the folder reads', () => {
    for (const line of [
      'context: inline',
      'context: fork',
      'effort: 5',
      'effort: "12"',
      'effort: -1',
      'effort: xhigh',
      'user-invocable: no',
      'user-invocable: Off',
      'user-invocable: "0"',
      'disable-model-invocation: 1',
      'disable-model-invocation: YES',
      'hooks: {PreSkillShellCommand: [], MessageDisplay: [], DirectoryAdded: [], PostModelSwitch: []}',
    ]) {
      assert.deepEqual(value('.claude/skills', line), [], line);
    }
    for (const line of [
      'triggers: [user]',
      'subagent: true',
      'agent: reviewer',
      'permissions: {allow: [Read(src/**)]}',
    ]) {
      assert.deepEqual(found('.devin/skills', line), [], line);
    }
    assert.deepEqual(found('.factory/skills', 'enabled: false', 'tools: [Read, Grep]', 'version: 1.2'), []);
  });

  it('report a name that Claude Code reserves for synced skills', () => {
    const text = [
      '---',
      'name: anthropic-skills:pdf',
      'description: Tidies notes when asked.',
      '---',
      '',
      'Do it.',
      '',
    ].join('\n');
    const reported = findingsOf(text, 'file:///w/.claude/skills/pdf/SKILL.md');
    assert.ok(reported.some(({ message }) => message.includes('reserved word `anthropic-skills:`')));
  });

  it('name only the clients that do not read a word as a Boolean', () => {
    const [message = ''] = value('skills', 'user-invocable: no');
    assert.match(message, /must be `true` or `false` for VS Code, GitHub Copilot CLI/);
    assert.doesNotMatch(message, /Claude Code/);
    assert.equal(value('.github/skills', 'user-invocable: no').length, 1);
    assert.equal(value('.claude/skills', 'user-invocable: maybe').length, 1);
    assert.equal(value('.claude/skills', 'effort: 2.5').length, 1);
    assert.equal(value('.claude/skills', 'context: inlined').length, 1);
    assert.match(
      value('.claude/skills', 'hooks: {OnSave: []}')[0] ?? '',
      /Use an event of Claude Code \(as of [\d.]+\), such as/,
    );
    assert.match(value('.claude/skills', 'context: inline', 'agent: x')[0] ?? '', /Replace `inline` with `fork`/);
  });

  it('are not judged in the folder of a client that the data does not describe', () => {
    const lines = [
      'category: notes',
      'effort: hihg',
      'agent: x',
      'inclusion: auto',
      'tools: [Read]',
      'hooks: {OnSave: []}',
    ];
    for (const client of ['.cursor', '.augment', '.warp', '.trae', '.qoder', '.grok', '.kiro', '.junie', '.agent']) {
      assert.deepEqual(found(`${client}/skills`, ...lines, 'metadata: {a: b, argument-hint: x}'), [], client);
    }
    assert.deepEqual(
      found('.trae/skills', 'compatability: git').map((text) => text.split(' ', 1)[0]),
      ['agent-skill-unknown-key'],
    );
    assert.equal(found('.claude/skills', 'category: notes').length, 1);
    assert.deepEqual(found('.config/devin/skills', 'triggers: [user]', 'category: notes'), []);
    assert.equal(found('packages/.config/notes/skills', 'category: notes').length, 1);
    assert.deepEqual(found('skills', 'triggers: [user]', 'permissions: [read]', 'subagent: reviewer'), []);
  });
});

describe('tables', () => {
  it('the date of rules from vendors is the newest date in the tables', () => {
    const newest = clientKeyTables
      .map(({ checked }) => checked)
      .sort()
      .at(-1);
    for (const { evidence, name } of rules) {
      if (name.startsWith('agent-skill-') && evidence.kind === 'vendor') assert.equal(evidence.checked, newest);
    }
  });
});

describe('the skills in a folder', () => {
  const uris = ['a', 'b', 'c'].map((name) => `file:///w/skills/${name}/SKILL.md`) as [string, string, string];
  const text = (name: string, ...lines: string[]) =>
    skill(`name: ${name}`, 'description: Tidies notes when asked.', ...lines);

  it('may have the same names as skills in other folders', () => {
    const workspace = new Workspace();
    const elsewhere = 'file:///w/.claude/skills/a/SKILL.md';
    for (const uri of [uris[0], elsewhere]) workspace.apply({ kind: 'text', uri, text: text('a') });
    const file = workspace.analysis.file(elsewhere);
    assert.deepEqual(file && check(file, workspace.analysis), []);
  });
});

describe('a name that differs from the folder', () => {
  const PLACE = 'file:///w/.agents/skills/Tidy_Notes/SKILL.md';
  const fixes = (others: Readonly<Record<string, string>> = {}) =>
    findingsIn(PLACE, skill(...whole), others).flatMap((finding) => finding.fixes);

  it('renames a folder whose name is not valid', () => {
    const [fix, ...rest] = fixes();
    assert.deepEqual([fix?.title, rest.length], ['Rename the folder to `tidy-notes`', 0]);
    const folder = 'file:///w/.agents/skills';
    assert.deepEqual(fix?.moves, { from: `${folder}/Tidy_Notes`, to: `${folder}/tidy-notes` });
  });

  it('keeps the folder if there is one with this name', () => {
    assert.deepEqual(
      fixes({ '.agents/skills/tidy-notes/SKILL.md': skill('name: other', 'description: Tidies notes when asked.') }),
      [],
    );
  });
});
