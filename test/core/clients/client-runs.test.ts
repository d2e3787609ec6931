/** The runs of clients in workflow files: only commands that are understood completely. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { clientRuns } from '../../../server/src/clients/matrix/client-runs.ts';
import { readCommands } from '../../../server/src/clients/matrix/shell-commands.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { sliceOf } from '../../../server/src/text.ts';

const GITLAB = 'file:///w/.gitlab-ci.yml';
const GITHUB = 'file:///w/.github/workflows/a.yml';

/** Returns the client, the permission and the text of each run in a script of GitLab. */
const runsIn = (script: string, uri = GITLAB) => {
  const file = new SkillFile(uri, script);
  return clientRuns(file).map(({ client, allows, span }) => [client, allows, sliceOf(file.text, span)]);
};
const inScript = (command: string) =>
  runsIn(`a:\n  script:\n    - |\n${command.replace(/^/gm, '      ')}\n`).map(([client, allows]) => [client, allows]);

describe('the runs in a workflow', () => {
  it('have their client, what they allow, and their place', () => {
    assert.deepEqual(
      runsIn('a:\n  script:\n    - npm ci && claude -p "Tidy it." > out.txt 2>&1\n    - gemini -y -p hi\n'),
      [
        ['claude-code', [], 'claude -p "Tidy it." > out.txt 2>&1'],
        ['gemini-cli', 'all', 'gemini -y -p hi'],
      ],
    );
    const text =
      'jobs:\n  a:\n    steps:\n      - uses: actions/checkout@v4\n      - run: |\n          claude -p \\\n            "a\n          b"\n';
    assert.deepEqual(runsIn(text, GITHUB), [['claude-code', [], 'claude -p \\\n            "a\n          b"']]);
    assert.deepEqual(runsIn(text.replace('actions/checkout@v4', 'actions/cache@v4'), GITHUB), []);
  });

  it('are read in linear time', () => {
    const [blank, open] = ['\n'.repeat(300_000), 'a('.repeat(100_000)];
    assert.equal(runsIn(`a:\n  script:\n    - claude -p x\n${blank}`).length, 1);
    assert.equal(runsIn(`a:\n  script:\n    - claude -p x --allowedTools "${open}"\n`).length, 1);
  });

  const understood: readonly (readonly [string, string, string | readonly string[]])[] = [
    ['claude -p --model sonnet "Tidy it."', 'claude-code', []],
    ['cat a | claude --print --output-format=json', 'claude-code', []],
    ['claude -p "x" --allowedTools "Skill(a),Read" Edit', 'claude-code', ['Skill(a)', 'Read', 'Edit']],
    ["claude -p 'x' --allowed-tools='Bash(git log:*) Skill'", 'claude-code', ['Bash(git log:*)', 'Skill']],
    ['claude -p "x" --allowedTools "Skill(a), Bash("', 'claude-code', ['Skill(a)', 'Bash']],
    ['qwen --prompt "x" -m a', 'qwen-code', []],
    ['gemini --prompt="x" --yolo', 'gemini-cli', 'all'],
    ['echo $HOST; qwen -p x # with -y', 'qwen-code', []],
    ['pi --no-session -p "Tidy it."', 'pi', []],
    ['pi -a --print --model=x/y "Tidy it."', 'pi', 'all'],
  ];
  for (const [command, client, allows] of understood)
    it(`include \`${command}\``, () => assert.deepEqual(inScript(command), [[client, allows]]));

  const ignored = [
    'claude "Tidy it."',
    'claude -p "$PROMPT"',
    'claude -p x $OPTIONS',
    'claude -p x --permission-mode plan',
    'claude -p x --dangerously-skip-permissions',
    'claude -p x --settings a.json',
    'IS_SANDBOX=1 claude -p x',
    'npx claude -p x',
    'echo claude -p x',
    '# claude -p x',
    'x=$(claude -p x)',
    'cd app\nclaude -p x',
    'claude -p "x',
    'cat <<END\nclaude -p x\nEND',
    'gemini -p x --approval-mode yolo',
    'qwen x',
    'pi x',
    'pi -p --no-skills x',
    'pi -p --skill .pi/skills/a x',
  ];
  for (const command of ignored) it(`do not include \`${command}\``, () => assert.deepEqual(inScript(command), []));
});

describe('the commands of a script', () => {
  it('have spans in the script, in order, and are the same after more commands', () => {
    const part = fc.constantFrom(
      'claude',
      ' ',
      '\n',
      '-p',
      "'",
      '"',
      '\\',
      '$',
      '|',
      ';',
      '2>&1',
      '>',
      '#',
      'é',
      '<',
      '(',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string({ maxLength: 3 })), { maxLength: 20 }), (parts) => {
        const script = parts.join('');
        const commands = readCommands(script);
        let end = 0;
        for (const { span, words } of commands ?? []) {
          assert.ok(end <= span.start && span.start < span.end && span.end <= script.length);
          assert.ok(words.length > 0);
          end = span.end;
        }
        if (commands && !/\\$/.test(script)) assert.deepEqual(readCommands(`${script}\n`), commands);
      }),
    );
  });
});
