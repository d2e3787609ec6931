/** Skills that a workflow of the repository cannot call: what an edit affects, and what is not certain. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { urisToProbe } from '../../../server/src/skill-folder/referenced-files.ts';

const ROOT = 'file:///w';
const SKILL = `${ROOT}/.claude/skills/tidy-notes/SKILL.md`;
const OTHER = `${ROOT}/notes.skill.md`;
const WORKFLOW = `${ROOT}/.gitlab-ci.yml`;
const skill = (line: string) => `---\nname: tidy-notes\ndescription: Tidies notes.\n${line}\n---\n\nMerge notes.\n`;
const workflow = (command: string, before = '') => `${before}a:\n  script:\n    - ${command}\n`;

/** A workspace with a skill and a workflow. `existing` are the files that exist beside them. */
function open(line: string, command: string, existing: readonly string[] = [], uri = SKILL): Workspace {
  const workspace = new Workspace();
  workspace.apply({ kind: 'roots', folders: [ROOT] });
  for (const [at, text] of [
    [uri, skill(line)],
    [OTHER, '---\nname: notes\n---\n'],
    [WORKFLOW, workflow(command)],
  ] as const)
    workspace.apply({ kind: 'text', uri: at, text });
  const file = workspace.analysis.file(uri);
  assert.ok(file);
  for (const target of urisToProbe(file, { get: () => undefined }, undefined, [ROOT]))
    workspace.apply({ kind: 'exists', uri: target, exists: existing.includes(target) });
  return workspace;
}

const messagesIn = ({ analysis }: Workspace, uri = SKILL): readonly string[] => {
  const file = analysis.file(uri);
  assert.ok(file);
  return check(file, analysis).flatMap(({ rule, message }) =>
    rule === 'agent-skill-refused-in-workflow' ? [message] : [],
  );
};

describe('a workflow that cannot call a skill', () => {
  const fault = (line: number) => [
    `\`claude -p\` refuses this skill because of \`hooks\` (\`.gitlab-ci.yml\`, line ${line}). Add \`--allowedTools "Skill(tidy-notes)"\`.`,
  ];

  it('is reported with its line, and affects only the skills, and these only if its commands change', () => {
    const workspace = open('hooks: {Stop: []}', 'claude -p x');
    assert.deepEqual(messagesIn(workspace), fault(3));
    const moved = workspace.apply({ kind: 'text', uri: WORKFLOW, text: workflow('claude -p x', '# A job.\n') });
    assert.deepEqual(moved, new Set([WORKFLOW]));
    assert.deepEqual(messagesIn(workspace), fault(4));
    const changed = workspace.apply({
      kind: 'text',
      uri: WORKFLOW,
      text: workflow('claude -p x --allowedTools Skill'),
    });
    assert.deepEqual(changed, new Set([WORKFLOW, SKILL]));
    assert.deepEqual(messagesIn(workspace), []);
    workspace.apply({ kind: 'text', uri: WORKFLOW, text: workflow('claude -p x') });
    assert.deepEqual(messagesIn(workspace), fault(3));
    assert.deepEqual(workspace.apply({ kind: 'delete', uri: WORKFLOW }), new Set([WORKFLOW, SKILL]));
    assert.deepEqual(messagesIn(workspace), []);
  });

  it('is not reported for a skill that needs no permission, or that only users call', () => {
    assert.deepEqual(messagesIn(open('license: MIT', 'claude -p x')), []);
    assert.deepEqual(messagesIn(open('allowed-tools: []', 'claude -p x')), []);
    assert.deepEqual(messagesIn(open('allowed-tools: Read\ndisable-model-invocation: true', 'claude -p x')), []);
  });

  it('is not reported if settings of the client exist, or if that is not known', () => {
    const settings = `${ROOT}/.claude/settings.json`;
    const workspace = open('allowed-tools: Read', 'claude -p x', [settings]);
    assert.deepEqual(messagesIn(workspace), []);
    workspace.apply({ kind: 'exists', uri: settings, exists: false });
    assert.equal(messagesIn(workspace).length, 1);
  });

  it('is not reported for a skill that the client does not find where it starts', () => {
    for (const uri of [`${ROOT}/app/.claude/skills/tidy-notes/SKILL.md`, `${ROOT}/.gemini/skills/tidy-notes/SKILL.md`])
      assert.deepEqual(messagesIn(open('allowed-tools: Read', 'claude -p x', [], uri), uri), []);
  });

  it('is reported for each client that finds the skill', () => {
    const uri = `${ROOT}/.agents/skills/tidy-notes/SKILL.md`;
    const workspace = open('license: MIT', 'gemini -p x && qwen -p x', [], uri);
    assert.deepEqual(messagesIn(workspace, uri), [
      '`gemini -p` does not offer this skill to its model (`.gitlab-ci.yml`, line 3). Add `-y`, which approves all calls.',
      '`qwen -p` refuses this skill (`.gitlab-ci.yml`, line 3). Add `-y`, which approves all calls.',
    ]);
  });
});
