/** Every command, in a workspace whose authors try to write lines and commands of a pipeline into its output. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isUnseen } from '../properties/unseen.ts';
import { folderWith, run } from './cli.ts';

const HOSTILE = '::error file=x::forged\n::add-mask::x\r##[error]y\u001b[31m\u202e##vso[task.x]\u2028::z\u0085\u00ad';
const QUOTED = JSON.stringify(HOSTILE);
const NAME = '::error title=by\n::notice::a name##[error]';

const FILES = {
  [`${NAME}.skill.md`]: `---
name: ${QUOTED}
description: ${QUOTED}
version: 1.0.0
owner: ${QUOTED}
${QUOTED}: 1
composes: [${QUOTED}]
samples:
  - name: ${QUOTED}
    input: {${QUOTED}: ${QUOTED}}
---

${HOSTILE}
`,
  'tested.skill.md': `---
name: tested
description: ${QUOTED}
version: 1.0.0
input_schema: {}
samples:
  - name: ${QUOTED}
    input: {}
    expect: {contains: [${QUOTED}]}
---

Read it.
`,
  [`.claude/skills/${NAME}/SKILL.md`]: `---\nname: ${QUOTED}\ndescription: ${QUOTED}\n---\n\n${HOSTILE}\n`,
  'old.skill.json': JSON.stringify({ name: 'old', description: HOSTILE, [HOSTILE]: 1 }),
};

const COMMANDS: readonly (readonly string[])[] = [
  ...['pretty', 'junit', 'checkstyle', 'sarif'].map((format) => ['check', '--format', format]),
  ...['pretty', 'junit', 'json'].map((format) => ['test', '--format', format]),
  ['clients'],
  ['clients', '--format', 'markdown'],
  ['match', 'forged mask'],
  ['audit'],
  ['graph'],
  ['catalog', '--format', 'markdown'],
  ['compose', `${NAME}.skill.md`],
  ['compose', 'tested.skill.md', '--sample', HOSTILE],
  ['run', `${NAME}.skill.md`],
  ['run', 'tested.skill.md', '--sample', HOSTILE],
  ['run', 'tested.skill.md', '--answer', `${HOSTILE}=${HOSTILE}`],
  ['diff', 'tested.skill.md', '--base-file', `${NAME}.skill.md`],
  ['convert', 'old.skill.json', '--to', 'skill-md', '--out', 'made'],
  ['install', NAME],
  ['explain', HOSTILE],
  [HOSTILE],
  ['check', '--format', HOSTILE],
];

describe('a workspace with hostile text', () => {
  for (const words of COMMANDS) {
    it(`shows all its text, and no command, in \`${words.slice(0, 3).join(' ').slice(0, 40).split('\n')[0]}\``, async () => {
      const { status, stdout, stderr } = await run(folderWith(FILES), words);
      const output = stdout + stderr;
      assert.ok(status !== null && output !== '' && !output.includes('Internal error'), output);
      assert.deepEqual([...output].filter(isUnseen), []);
      assert.deepEqual(
        output.split('\n').filter((line) => /^\s*::|##[a-z]*\[/i.test(line)),
        [],
      );
    });
  }

  it('prints a prompt unchanged to a pipe', async () => {
    const folder = folderWith({
      'a.skill.md': `---\nname: a\ndescription: A.\ninput_schema: {}\n---\n\n::error::b\u202e\n`,
    });
    assert.match((await run(folder, ['compose', 'a.skill.md'])).stdout, /^::error::b\u202e$/m);
  });
});
