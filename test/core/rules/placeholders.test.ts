/** The text that a client replaces in the body of a `SKILL.md`: inputs that the pages of the rules do not show. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyEdits } from '../../../server/src/text.ts';
import { withoutHang } from '../../hang.ts';
import { scaled } from '../../random.ts';
import { findingsOf } from './findings.ts';

const PATH = '.claude/skills/tidy-notes/SKILL.md';

const skill = (body: string, head = ''): string =>
  `---\nname: tidy-notes\ndescription: Tidies a novelist's notes. Use it when the notes folder has grown.\n${head}---\n\n${body}\n`;

/** The findings of one rule: the text of each, and the body after the first fix of each. */
function found(rule: string, body: string, clients = 'claude-code', head = ''): readonly (readonly string[])[] {
  const text = skill(body, head);
  const others = { 'skills.config.yaml': `agent_skills: {clients: [${clients}]}\n` };
  const start = text.length - body.length - 1;
  return findingsOf(PATH, text, others)
    .filter((finding) => finding.rule === rule)
    .map(({ span, fixes: [fix] }) => {
      const edits = fix?.edits.flatMap((one) => one.edits) ?? [];
      return [text.slice(span.start, span.end), ...(fix ? [applyEdits(text, edits).slice(start, -1)] : [])];
    });
}

const marked = (rule: string, body: string, clients?: string, head?: string): readonly (string | undefined)[] =>
  found(rule, body, clients, head).map(([text]) => text);

describe('unescaped-dollar', () => {
  for (const [body, ...expected] of [
    ["`awk -F: '{print $1, $NF}' x`", '$1'],
    ["```\nls -l | gawk '\n  $5 > 10 { print $9 }\n'\n```", '$5', '$9'],
    ['```bash\ncheck() { [ -n "$1" ] && echo "$2"; }\n```', '$1', '$2'],
    ['```sh\n#!/bin/sh\ncp "$1" "$2"\n```', '$1', '$2'],
    ['```bash\ncat > run.sh <<\'EOF\'\necho "$1"\nEOF\necho "$2"\n```', '$1'],
    ['```bash\nbash -c \'echo "$1"\' _ x\ncd "$(dirname "$0")"\n```', '$1', '$0'],
    ['```sql\nSELECT * FROM notes WHERE id = $1\n```', '$1'],
    ["```js\ntext.replace(/(a)/, '$1');\n```", '$1'],
    ['`rg "(a)" -r \'$1\'` and `perl -pe "s/(a)/$1/"`', '$1', '$1'],
    ['Cells such as `=A1*$B$2` and $C$3.', '$2', '$3'],
    [
      'It costs $5, about ~$3, $1.2M, $2 million, $4/month, $7 per user or $1,000.',
      '$5',
      '$3',
      '$1',
      '$2',
      '$4',
      '$7',
      '$1',
    ],
    ['The sum $1 \\le i$ is finite.', '$1'],
    ['A $5 coffee, then the $7 plan.', '$5', '$7'],
  ] as const) {
    it(`reports ${JSON.stringify(body)}`, () => assert.deepEqual(marked('unescaped-dollar', body), expected));
  }

  for (const body of [
    'Migrate the $0 component from $1 to $2.',
    '```bash\ngh pr view $1\n```',
    '`$1`: the file. Run `ls "$1"` and !`echo $0`.',
    "`awk '{print \\$1}'`, `${1}`, `$(1)`, `awk '{print}' \"$1\"`",
    'It costs $10K, $500 or US$20.50.',
    '```bash\nf() {\n  ls\n}\nf "$1"\n```',
  ]) {
    it(`accepts ${JSON.stringify(body)}`, () => assert.deepEqual(marked('unescaped-dollar', body), []));
  }

  it('offers a form that no client replaces if another client is a target', () => {
    const body = "`awk '{print $2}'` costs $5.";
    assert.deepEqual(found('unescaped-dollar', body, 'claude-code, vscode'), [
      ['$2', "`awk '{print $(2)}'` costs $5."],
      ['$5', "`awk '{print $2}'` costs \\$5."],
    ]);
    assert.deepEqual(marked('unescaped-dollar', body, 'codex'), []);
    assert.deepEqual(found('unescaped-dollar', 'It costs $5.', 'goose'), [['$5']]);
  });
});

describe('self-running-command', () => {
  for (const [body, fixed] of [
    ['```md\nOn !`git branch`\n```', '```md\nOn \\!`git branch`\n```'],
    ['Write `` !`git status` `` there.', 'Write ``!`git status` `` there.'],
    ['Write `` On !`git status` `` there.', 'Write `` On \\!`git status` `` there.'],
    ['<!-- !`git status` -->', '<!-- \\!`git status` -->'],
    ['````md\n```!\nls\n```\n````', '````md\n``` !\nls\n```\n````'],
    ['| `ship !` | a |\n| `b` | c |', '| ` ship ! ` | a |\n| `b` | c |'],
  ] as const) {
    it(`fixes ${JSON.stringify(body)}`, () => {
      assert.deepEqual(
        found('self-running-command', body).map(([, after]) => after),
        [fixed],
      );
      assert.deepEqual(marked('self-running-command', fixed), []);
      assert.deepEqual(marked('self-running-command', body, 'vscode'), []);
    });
  }
});

it('unescaped-dollar reports a backslash for a shell that the client removes', () => {
  const body = '```bash\nawk "{print \\$1}" x\ncat <<EOF\n\\$2 \\$HOME\nEOF\necho "\\$3" | awk \'{print \\$1}\'\n```';
  assert.deepEqual(found('unescaped-dollar', body), [
    ['\\$1', body.replace('\\$1', '\\$(1)')],
    ['\\$2', body.replace('\\$2', () => '\\${2}')],
  ]);
});

it('argument-numbers renumbers arguments, but not those in code', () => {
  const hint = 'argument-hint: "[a] [b]"\n';
  const body = "Compare $1 with $2.\n\n```bash\ndiff $1 $2 | awk '{print $1}'\n```";
  assert.deepEqual(found('argument-numbers', body, 'claude-code', hint), [
    ['$1', "Compare $0 with $1.\n\n```bash\ndiff $0 $1 | awk '{print $1}'\n```"],
  ]);
  assert.deepEqual(found('argument-numbers', 'Fix $ARGUMENTS[1] by $ARGUMENTS[2].'), [
    ['$ARGUMENTS[1]', 'Fix $ARGUMENTS[0] by $ARGUMENTS[1].'],
  ]);
  for (const other of ['Compare $0 with $1.', '$ARGUMENTS[0] and $1.', 'It costs $1.', 'Step $2.'])
    assert.deepEqual(marked('argument-numbers', other, 'claude-code', hint), [], other);
  assert.deepEqual(marked('argument-numbers', 'Compare $1 with $2.', 'opencode', hint), []);
  assert.deepEqual(marked('argument-numbers', 'Postgres uses `$1`.'), []);
});

it('unfilled-placeholder names what a client leaves, and offers a fix only if no target fills it', () => {
  const all = '`"${CLAUDE_SKILL_DIR}"/a.sh` $ARGUMENTS[0] $day ${CLAUDE_SESSION_ID} \\$ARGUMENTS';
  const head = 'arguments: [day]\n';
  const expected = ['$ARGUMENTS[0]', '$day', '${CLAUDE_SKILL_DIR}', '${CLAUDE_SESSION_ID}'];
  assert.deepEqual([...marked('unfilled-placeholder', all, 'zed', head)].sort(), [...expected].sort());
  assert.deepEqual(marked('unfilled-placeholder', all, 'claude-code', head), []);
  assert.deepEqual(marked('unfilled-placeholder', all, 'cursor', head), []);
  assert.deepEqual(found('unfilled-placeholder', '`$CLAUDE_SKILL_DIR/a.sh`'), [
    ['$CLAUDE_SKILL_DIR', '`${CLAUDE_SKILL_DIR}/a.sh`'],
  ]);
  assert.deepEqual(marked('unfilled-placeholder', '`CLAUDE_SKILL_DIR=x; ls $CLAUDE_SKILL_DIR`'), []);
  assert.deepEqual(
    marked(
      'unfilled-placeholder',
      'x',
      'claude-code',
      'hooks: {Stop: [{hooks: [{command: sh, args: ["${CLAUDE_SKILL_DIR}/a"]}]}]}\n',
    ),
    ['${CLAUDE_SKILL_DIR}'],
  );
  assert.deepEqual(marked('unfilled-placeholder', '`${CLAUDE_PLUGIN_ROOT}/a.sh`'), ['${CLAUDE_PLUGIN_ROOT}']);
  assert.deepEqual(found('unfilled-placeholder', '`${CLAUDE_SKILL_DIR}/a.sh`, !`ls`', 'zed'), [
    ['${CLAUDE_SKILL_DIR}', '`a.sh`, !`ls`'],
    ['!`ls`', '`${CLAUDE_SKILL_DIR}/a.sh`, `ls`'],
  ]);
  assert.deepEqual(found('unfilled-placeholder', 'See $ARGUMENTS.', 'claude-code, zed'), [['$ARGUMENTS']]);
  assert.deepEqual(marked('unfilled-placeholder', '```markdown\nFix $ARGUMENTS\n```', 'zed'), []);
});

it('takes linear time for many dollar signs, backslashes and commands', () => {
  const size = scaled(2000);
  for (const part of ["awk '$1 ", 'f() { $1 ', '\\', '!`a` ', '```! ', '$0.1 ', '${CLAUDE_SKILL_DIR}/'])
    withoutHang(() => void found('unescaped-dollar', part.repeat(size)), `many ${part}`);
});
