/** `run`: prints the trace of a dry run, with the same bytes on every machine, or reports why there is no run. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertUsageError, folderWith, run } from './cli.ts';

const CATALOG = `tools:
  - {name: read_page, description: Reads a page., input_schema: {slug: string}, operation: READ}
  - {name: save_draft, description: Saves text., input_schema: {text: string}, operation: WRITE}
profiles:
  - {name: guest, tools: [read_page]}
`;

const JUDGE = `---
name: judge-page
description: Judges one page and saves the verdict.
version: 1.0.0
input_schema: {slug: string}
output_schema: {verdict: string}
tools: [read_page, save_draft]
interrupts: [{name: before_write, message: May I save?}]
samples:
  tollhouse:
    parameters: {slug: tollhouse}
    stubs: {read_page: {returns: {text: The gate held.}}}
    answers: {before_write: true}
  unanswered: {parameters: {slug: inn}}
---

Judge the named page. Be brief.

## Approach: two passes

1. **Read** the page with #tool:read_page.
2. **Write** the verdict and save it with #tool:save_draft.
`;

const files = {
  'skills.config.yaml': CATALOG,
  'judge-page.skill.md': JUDGE,
  'one.skill.md': JUDGE.replace('judge-page', 'one').replace(/ {2}unanswered.*\n/, ''),
  'none.skill.md': JUDGE.replace('judge-page', 'none').replace(/samples:\n( .*\n)+/, ''),
  'broken.skill.md': JUDGE.replace('judge-page', 'broken').replace('#tool:read_page', '#tool:red_page'),
  '__outputs__/one.tollhouse.json': '{"verdict": "It holds."}',
  'page.json': '{"text": "From a file."}',
};

describe('skill-composer run', () => {
  const folder = folderWith(files);
  const runSkill = (...words: string[]) => run(folder, ['run', ...words]);

  it('prints the trace of the only sample, with its stubs, its answers and its recorded output', async () => {
    const { status, stdout, stderr } = await runSkill('one.skill.md');
    assert.equal(stderr, '');
    assert.equal(status, 0);
    assert.match(stdout, /^one {2}sample tollhouse {2}one\.skill\.md\n\n› validate_input {2}\{slug: "tollhouse"\}\n/);
    assert.match(stdout, /\n {2}· read_page\(\{slug: ".*"\}\) → \{text: "The gate held\."\} {2}\(stub\)\n/);
    assert.match(stdout, /\n {2}\? before_write at call_tools_2: May I save\? {2}answer: true\n/);
    assert.match(stdout, /\n■ output_schema met: \{verdict: "It holds\."\}\n$/);
    assert.deepEqual(await runSkill('one.skill.md'), { status, stdout, stderr });
  });

  it('prefers the stubs and the answers of the options', async () => {
    const { status, stdout } = await runSkill(
      ...['one.skill.md', '--stub', 'read_page=@page.json', '--answer', 'before_write=false'],
    );
    assert.match(stdout, /→ \{text: "From a file\."\}/);
    assert.match(stdout, /answer: false\n(?! +· save_draft)/);
    assert.equal(status, 0);
  });

  it('generates the parameters of a skill without samples, and says so', async () => {
    const { stdout, stderr } = await runSkill('none.skill.md', '--answer', 'before_write=true');
    assert.match(stdout, /^none {2}none\.skill\.md\nGenerated parameters: slug\.\n\n› validate_input {2}\{slug: "/);
    assert.equal(stderr, '');
    const named = await runSkill('judge-page.skill.md', '--answer', 'before_write=true');
    assert.match(named.stdout, /Generated parameters: slug\./);
    assert.match(named.stderr, /Use `--sample` to select one of the skill's samples: `tollhouse` and `unanswered`\./);
  });

  it('ends at an interrupt without an answer, and shows how to answer', async () => {
    const { status, stdout, stderr } = await runSkill('judge-page.skill.md', '--sample', 'unanswered');
    assert.equal(status, 1);
    assert.match(
      stdout,
      /\n\? before_write at call_tools_2 waits for an answer: May I save\? {2}judge-page\.skill\.md:8:/,
    );
    assert.match(
      stderr,
      /Answer with `--answer before_write=true`, or with the key `answers` of the sample `unanswered`\./,
    );
  });

  it('prints JSON with files and ranges as locations', async () => {
    const { status, stdout, stderr } = await runSkill('one.skill.md', '--format', 'json');
    const { events, end, ...head } = JSON.parse(stdout);
    assert.deepEqual([status, stderr], [0, '']);
    assert.deepEqual(head, {
      ...{ ok: true, skill: 'one', file: 'one.skill.md', sample: 'tollhouse', parameters: { slug: 'tollhouse' } },
      ...{ generated: [], path: ['Read', 'Write'], interrupts: ['before_write'] },
    });
    assert.deepEqual(end, { kind: 'met', on: 'output_schema', output: { verdict: 'It holds.' } });
    assert.equal(events[0].file, 'one.skill.md');
    assert.doesNotMatch(stdout, /"uri"|"span"|file:|"state"/);
  });

  it('reports a failure with its line', async () => {
    const { status, stdout } = await runSkill('one.skill.md', '--max-steps', '2');
    assert.equal(status, 1);
    assert.match(stdout, /\n■ failed at \w+\none\.skill\.md:\d+:\d+ error STEP_LIMIT\n/);
  });

  it('reports the errors of a skill that does not compose', async () => {
    const { status, stdout, stderr } = await runSkill('broken.skill.md', '--sample', 'tollhouse');
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /^broken\.skill\.md:21:\d+ error UnknownTool\n/);
    const json = JSON.parse((await runSkill('broken.skill.md', '--format', 'json')).stdout);
    assert.deepEqual([json.ok, json.errors[0].kind, json.errors[0].file], [false, 'UnknownTool', 'broken.skill.md']);
  });

  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [['one.skill.md', '--sample', 'tolhouse'], /unknown sample `tolhouse`\. Did you mean `tollhouse`\?/],
    [
      ['one.skill.md', '--answer', 'before_wrte=true'],
      /unknown interrupt `before_wrte`\. Did you mean `before_write`\?/,
    ],
    [['one.skill.md', '--stub', 'red_page=1'], /unknown tool `red_page`\. Did you mean `read_page`\?/],
    [['one.skill.md', '--stub', 'read_page'], /`--stub read_page` must have the form `NAME=JSON`\./],
    [['one.skill.md', '--stub', 'read_page={a: 1}'], /is not valid JSON\. .*`--stub 'read_page="…"'`/],
    [['one.skill.md', '--answer', 'before_write=no'], /is not valid JSON/],
    [['one.skill.md', '--stub', 'read_page=1', '--stub', 'read_page=2'], /names `read_page` twice/],
    [['one.skill.md', '--stub', 'read_page=@gone.json'], /`--stub @gone\.json` cannot be read/],
    [['one.skill.md', '--profile', 'gest'], /unknown profile `gest`\. Did you mean `guest`\?/],
  ];
  for (const [words, message] of wrong) {
    it(`refuses \`${words.slice(1).join(' ')}\``, async () => {
      assertUsageError(await runSkill(...words), message);
    });
  }
});
