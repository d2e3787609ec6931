/** Values with very many levels end no command with an internal error, and the message names the value. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertUsageError, folderWith, run } from './cli.ts';

const deep = (levels: number, open = '{"a":', close = '}'): string => `${open.repeat(levels)}1${close.repeat(levels)}`;

/** The runner prints the file in its argument. */
const PRINT =
  "import { readFileSync } from 'node:fs';\nprocess.stdin.resume().on('end', () => process.stdout.write(readFileSync(process.argv[2])));\n";

const skill = (name: string, more: string): string =>
  `---\nname: ${name}\ndescription: Does ${name}.\nversion: 1.0.0\nlevel: 1\n${more}---\n\nDo it.\n`;

const FILES = {
  'rd.skill.md': skill('rd', 'input_schema: {a: "object?"}\noutput_schema: {}\ntools: [rd]\n'),
  'ask.skill.md': skill('ask', 'input_schema: {}\noutput_schema: {}\ninterrupts: [before_plan]\n'),
  'out.skill.md': skill(
    'out',
    'input_schema: {}\noutput_schema: {a: object}\nsamples:\n  one: {parameters: {}, expect: {output: [{type: equals, value: {a: 3}}, {type: structural, schema: {b: string}}]}}\n',
  ),
  'skills.config.yaml': 'tools:\n  - {name: rd, description: Reads., input_schema: {}, operation: READ}\n',
  'print.mjs': PRINT,
};

describe('a value with very many levels', () => {
  for (const levels of [600, 5_000, 100_000]) {
    const folder = () =>
      folderWith({
        ...FILES,
        'deep.json': deep(levels),
        'list.json': deep(levels, '[', ']'),
        'call.json': `{"call": "rd", "input": ${deep(levels)}}`,
      });

    it(`is reported as a parameter (${levels} levels)`, async () => {
      for (const command of ['run', 'compose']) {
        const { status, stderr, stdout } = await run(folder(), [command, 'rd.skill.md', '--params', '@deep.json']);
        assert.equal(status, 1);
        assert.match(
          stdout + stderr,
          /ParameterMismatch\n {2}The value of `a` has more than 500 levels\. Use fewer levels\./,
        );
        assert.doesNotMatch(stderr, /Internal error|worker/);
      }
    });

    it(`is reported as a stub, an answer and memory (${levels} levels)`, async () => {
      for (const [file, option, name] of [
        ['rd', '--stub', 'rd'],
        ['ask', '--answer', 'before_plan'],
      ] as const)
        for (const value of ['@deep.json', '@list.json', ...(levels < 5_000 ? [deep(levels)] : [])])
          assertUsageError(
            await run(folder(), ['run', `${file}.skill.md`, option, `${name}=${value}`]),
            new RegExp(`The value of \`${option} ${name}\` has more than 500 levels\\. Use fewer levels\\.`),
          );
      assertUsageError(
        await run(folder(), ['compose', 'rd.skill.md', '--memory', '@list.json']),
        /`--memory` must be a JSON list/,
      );
    });

    it(`is reported as the output and the call of a model (${levels} levels)`, async () => {
      for (const [file, reply, expected] of [
        ['out', 'deep.json', /WRONG_REPLY\n {2}The output of the model is nested more than 200 levels deep\./],
        ['rd', 'call.json', /WRONG_REPLY\n {2}The input of `rd` is nested more than 200 levels deep\./],
      ] as const) {
        const words = ['run', `${file}.skill.md`, '--runner', `node print.mjs ${reply}`];
        const { status, stdout } = await run(folder(), words);
        assert.equal(status, 1);
        assert.match(stdout, expected);
      }
    });

    it(`is reported as an output in a test, and the other tests run (${levels} levels)`, async () => {
      const words = ['test', 'out.skill.md', '--runner', 'node print.mjs deep.json'];
      const { status, stdout } = await run(folder(), words);
      assert.equal(status, 1, stdout);
      assert.equal(stdout.match(/The JSON is nested more than 200 levels deep\./g)?.length, 3, stdout);
      assert.match(stdout, /1 passed, 3 failed\./);
    });

    it(`is reported as a recorded output (${levels} levels)`, async () => {
      const cwd = folderWith({ ...FILES, '__outputs__/out.one.json': deep(levels) });
      const { status, stdout } = await run(cwd, ['run', 'out.skill.md']);
      assert.equal(status, 1);
      assert.match(
        stdout,
        /TOO_DEEP\n {2}The recorded output of the sample has more than 500 levels\. Use fewer levels\./,
      );
      assert.match((await run(cwd, ['test', 'out.skill.md'])).stdout, /The JSON is nested more than 200 levels deep\./);
    });

    it(`is reported in a skill, in evals and in a record (${levels} levels)`, async () => {
      const yaml = deep(levels, '{a: ');
      const cwd = folderWith({
        ...FILES,
        'bad.skill.md': skill(
          'bad',
          `input_schema: {}\nsamples:\n  one: {parameters: {a: ${yaml}}, stubs: {b: {returns: ${yaml}}}}\n`,
        ),
        'record.json': `{"skill_id": "x", "artifacts": [], "metadata": ${deep(levels)}}`,
        's/SKILL.md': '---\nname: s\ndescription: Does it.\n---\n\nDo it.\n',
        's/evals/evals.json': `{"skill_name": "s", "evals": [${deep(levels)}]}`,
      });
      for (const words of [
        ['check', 'bad.skill.md'],
        ['compose', 'bad.skill.md', '--sample', 'one'],
        ['run', 'bad.skill.md', '--sample', 'one'],
        ['convert', 'record.json', '--to', 'skill-md'],
        ['test', 's/SKILL.md'],
      ]) {
        const { status, stdout, stderr } = await run(cwd, words);
        assert.ok(status === 1 || status === 2, `${words}: ${stdout}${stderr}`);
        assert.doesNotMatch(stdout + stderr, /Internal error|call stack|worker/, words.join(' '));
      }
    });
  }
});
