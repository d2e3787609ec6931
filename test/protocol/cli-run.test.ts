/** `run`: prints the trace of a run, with the same bytes on every machine, or reports why there is no run. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
  'guest.skill.yaml': `name: guest
description: Greets a guest.
version: 1.0.0
input_schema: {name: string, title: string?, warm: {type: boolean, default: true}}
output_schema: {text: string?}
level: 2
composes: [{skill: hall, as: h}]
execution: [{step: h, condition: '$input.title | length > 1', inputs: {slug: $input.title}}]
samples: {lord: {parameters: {name: Ada, title: Lady}}}
`,
  'hall.skill.yaml': `name: hall
description: Finds a hall.
version: 1.0.0
input_schema: {slug: string}
output_schema: {text: string}
`,
  'remember.skill.md': `---
name: remember
description: Greets a guest who was here before.
version: 1.0.0
input_schema: {name: string}
framing: main
samples: {known: {parameters: {name: Ada}, memory: [{id: m, tier: thread, text: She likes tea.}]}}
---

## PromptTemplate: main

Greet {{ name }}. {{ memory[0].text }} {{ scope }} {{ source }} {{ model }}
`,
  'page.json': '{"text": "From a file."}',
};

describe('skill-composer run', () => {
  const folder = folderWith(files);

  it('runs with the memory of a sample, and with every option of an invocation', async () => {
    const prompt = async (...options: string[]) => {
      const { stdout, stderr } = await run(folder, ['run', 'remember.skill.md', '--format', 'json', ...options]);
      assert.equal(stderr, '');
      const { events } = JSON.parse(stdout);
      return events.flatMap((event: { prompt?: { text: string } }) => event.prompt?.text ?? []).join();
    };
    assert.match(await prompt('--sample', 'known'), /^Greet Ada\. She likes tea\. workspace explicit none/);
    const memory = '[{"id": "n", "tier": "thread", "text": "She left."}]';
    const options = ['--memory', memory, '--channel', 'c', '--source', 'scheduled', '--model', 'big', '--thread', 't'];
    assert.match(await prompt('--sample', 'known', ...options), /^Greet Ada\. She left\. channel scheduled big/);
    assertUsageError(
      await run(folder, ['run', 'remember.skill.md', '--memory', '{}']),
      /--memory` must be a JSON list/,
    );
  });

  it('leaves out an optional parameter with `--omit`', async () => {
    const parameters = async (...options: string[]) => {
      const { stdout } = await run(folder, ['run', 'guest.skill.yaml', '--format', 'json', ...options]);
      const { parameters: given, end } = JSON.parse(stdout);
      return [Object.keys(given).join(' '), end.code ?? 'met'];
    };
    assert.deepEqual(await parameters('--params', '{}'), ['warm name title', 'met']);
    assert.deepEqual(await parameters('--params', '{}', '--omit', 'title'), ['warm name', 'CONDITION_FAILED']);
    assert.deepEqual(await parameters('--sample', 'lord', '--omit', 'title', '--omit', 'warm'), [
      'name warm',
      'CONDITION_FAILED',
    ]);
  });

  it('reports a parameter that cannot be left out', async () => {
    const omit = (name: string, file = 'guest.skill.yaml') => run(folder, ['run', file, '--omit', name]);
    assertUsageError(
      await omit('name'),
      /`--omit`: the parameter `name` is required\. Known optional parameters: `title` and `warm`\./,
    );
    assertUsageError(await omit('titel'), /`--omit`: unknown parameter `titel`\. Did you mean `title`\?/);
    assertUsageError(await omit('slug', 'hall.skill.yaml'), /The skill has no optional parameters\./);
  });
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
    const { events, end, invocationRecord, ...head } = JSON.parse(stdout);
    assert.deepEqual([status, stderr], [0, '']);
    assert.deepEqual(head, {
      ...{ ok: true, skill: 'one', file: 'one.skill.md', sample: 'tollhouse', parameters: { slug: 'tollhouse' } },
      ...{ generated: [], path: ['Read', 'Write'], interrupts: ['before_write'] },
      assertions: { run: 0, passed: 0 },
    });
    assert.deepEqual(end, { kind: 'met', on: 'output_schema', output: { verdict: 'It holds.' } });
    assert.deepEqual([invocationRecord.skillId, invocationRecord.succeeded], ['one', true]);
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
    assert.equal(json.invocationRecord.error, 'UnknownTool');
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

/** Calls each tool once, then gives its output. Appends each input to `log.jsonl`. */
const MODEL = `let text = '';
process.stdin.on('data', (part) => (text += part)).on('end', () => {
  require('fs').appendFileSync('log.jsonl', text);
  const { tools, results, output_schema } = JSON.parse(text);
  const call = tools.find((name) => !results.some(({ tool }) => tool === name));
  const output = output_schema ? '{"verdict": "It holds."}' : 'read';
  const input = call === 'save_draft' ? { text: 'It holds.' } : { slug: 'inn' };
  console.log(call ? JSON.stringify({ call, input }) : output);
});
`;

describe('skill-composer run --runner', () => {
  const runSkill = async (model: string, ...words: string[]) => {
    const folder = folderWith({ ...files, 'model.cjs': model });
    const command = `"${process.execPath}" 'model.cjs'`;
    const result = await run(folder, ['run', 'one.skill.md', '--runner', command, ...words]);
    const log = join(folder, 'log.jsonl');
    const inputs = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
    return { ...result, inputs: inputs.map((line) => JSON.parse(line)) };
  };

  it('asks the model at each step, and shows what it says', async () => {
    const { status, stdout, stderr, inputs } = await runSkill(MODEL, '--stub', 'save_draft={"ok": true}');
    assert.equal(
      stderr,
      'skill-composer: Asking the model, with at most 30 requests. The first prompt has 20 tokens.\n',
    );
    assert.equal(
      stdout,
      `one  sample tollhouse  one.skill.md

› validate_input  {slug: "tollhouse"}
› Read            20 tokens  tools: read_page
  · read_page({slug: "inn"}) → {text: "The gate held."}  (stub)
  → "read"  (model)
› Write           tools: save_draft
  ? before_write at call_tools_2: May I save?  answer: true
  · save_draft({text: "It holds."}) → {ok: true}  (stub)
  → {verdict: "It holds."}  (model)
■ output_schema met: {verdict: "It holds."}
`,
    );
    assert.equal(status, 0);
    const [first, , third, last] = inputs;
    assert.deepEqual(Object.keys(first).slice(0, 4), ['prompt', 'tools', 'model', 'output_schema']);
    assert.match(first.prompt, /^Judge the named page\./);
    assert.deepEqual(
      [first.tools, first.model, first.output_schema, first.stage, first.results, first.outputs],
      [['read_page'], null, null, 'Read', [], []],
    );
    assert.match(first.instructions, /^\*\*Read\*\* the page/);
    const [details] = first.tool_details;
    assert.deepEqual([details.name, details.description], ['read_page', 'Reads a page.']);
    assert.deepEqual(details.input_schema.required, ['slug']);
    assert.deepEqual([third.stage, third.outputs], ['Write', [{ name: 'Read', value: 'read' }]]);
    assert.deepEqual(third.output_schema.required, ['verdict']);
    assert.deepEqual(last.results.at(-1), { tool: 'save_draft', input: { text: 'It holds.' }, result: { ok: true } });
  });

  it('ends at a tool without a stub, and shows how to give its result', async () => {
    const { status, stdout, stderr } = await runSkill(MODEL);
    assert.equal(status, 1);
    assert.match(stdout, /\n {2}· save_draft\(.*\)\n\? `call_tools_2` waits for the result of `save_draft`\.\n$/);
    assert.match(stderr, /\n.*Give the result with `--stub save_draft=JSON`, or with the key `stubs` of the sample/);
  });

  it('ends at the limit of requests', async () => {
    const { status, stdout, stderr, inputs } = await runSkill(MODEL, '--max-runs', '1');
    assert.deepEqual([status, inputs.length], [1, 1]);
    assert.match(stdout, /\n\? `plan_1` waits for the model\.\n$/);
    assert.match(stderr, /\n.*The limit of 1 request to the model is reached\. Increase `--max-runs`\.\n$/);
  });

  it('prints JSON with the origins of values', async () => {
    const { status, stdout } = await runSkill(MODEL, '--stub', 'save_draft=1', '--format', 'json');
    const { events, end } = JSON.parse(stdout);
    const origins = events.flatMap(({ from = [] }) => from).filter((from: string) => from !== 'flow');
    assert.deepEqual([status, origins], [0, ['stub', 'model', 'stub', 'model']]);
    assert.deepEqual(end.output, { verdict: 'It holds.' });
  });

  const failing: readonly (readonly [string, string, RegExp])[] = [
    ['a failed command', 'process.exit(3)', /error MODEL_FAILED\n {2}The command ended with status 3\./],
    ['a tool that is not available', 'console.log(\'{"call": "__proto__"}\')', /error CAPABILITY_DENIED\n/],
    [
      'an output with other keys, which is no call',
      'console.log(\'{"call": "x", "y": 1}\')',
      /error OUTPUT_MISMATCH\n/,
    ],
  ];
  for (const [what, model, end] of failing) {
    it(`reports ${what}`, async () => {
      const { status, stdout } = await runSkill(model);
      assert.equal(status, 1);
      assert.match(stdout, end);
    });
  }

  it('refuses options that make no sense', async () => {
    const folder = folderWith(files);
    const refused = (...words: string[]) => run(folder, ['run', 'one.skill.md', ...words]);
    assertUsageError(await refused('--max-runs', '3'), /has no effect without a model\. Add `--runner COMMAND`/);
    assertUsageError(await refused('--runner', ''), /`--runner` has no command/);
    assertUsageError(await refused('--runner', 'node "a b'), /has an unclosed `"`/);
  });
});
