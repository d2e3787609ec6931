/** *Play* in the tab *Run*: the dry run is shown in the graph, box by box or event by event, and asks for answers. */
import { strict as assert } from 'node:assert';
import { after, describe, it } from 'node:test';
import type { DebugProgress, ShownRun } from '../../server/src/protocol.ts';
import { closeBrowser, openPreview, type Preview } from './page.ts';
import { runOf, show, skill } from './reply.ts';

after(closeBrowser);

const part = (name: string, head = ''): string =>
  `name: ${name}\ndescription: Does one thing.\nversion: 1.0.0\ninput_schema: {n: integer}\noutput_schema: {${name}: integer}\nbacking_service: {endpoint: "x:1"}\n${head}`;

const files = {
  'road.skill.yaml': `name: road
description: Plans a road.
version: 1.0.0
level: 2
input_schema: {n: integer}
output_schema: {b: integer?}
composes: [a, b, c]
execution:
  - step: a
  - {when: [{condition: $a.output.a > 1, steps: [{step: b}]}], else: [{step: c}]}
samples:
  far: {parameters: {n: 1}, stubs: {a: {returns: {a: 7}, fails: BUSY, times: 2}}}
`,
  'a.skill.yaml': part('a', 'retry: {max_attempts: 3, backoff: none}\n'),
  'b.skill.yaml': part('b'),
  'c.skill.yaml': part('c'),
};
const road = 'road.skill.yaml';

const line = ({ page }: Preview): Promise<string | null> => page.locator('.play-line').textContent();
const current = ({ page }: Preview): Promise<readonly (string | null)[]> =>
  page.locator('.node[aria-current="step"]').evaluateAll((all) => all.map((one) => one.getAttribute('data-path')));

const dimmed = ({ page }: Preview): Promise<readonly (string | undefined)[]> =>
  page.locator('.node.untaken').evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.path));

async function opened(): Promise<Preview> {
  const preview = await openPreview();
  await preview.send(show(files, road, { sample: 'far' }));
  await preview.send({ type: 'focus', what: 'run' });
  return preview;
}

const press = ({ page }: Preview, name: string): Promise<void> =>
  page.getByRole('group', { name: 'Dry run' }).getByRole('button', { name, exact: true }).press('Enter');

/** Steps until the line matches. */
async function stepTo(preview: Preview, text: RegExp): Promise<void> {
  for (let steps = 0; steps < 60; steps++) {
    if (text.test((await line(preview)) ?? '')) return;
    await press(preview, 'Step');
  }
  assert.fail(`no line matches ${text}; the last is ${await line(preview)}`);
}

describe('a dry run in the tab Run', () => {
  it('is requested on the first step, and shows each event with its node', async () => {
    const preview = await opened();
    assert.deepEqual(await current(preview), []);
    const announced = await preview.page.evaluate('sentTypes()');
    assert.ok((announced as string[]).includes('prepareRun'), 'the worker starts with the tab');
    await press(preview, 'Step');
    assert.deepEqual(await preview.sent(), [{ type: 'run', answered: [] }]);
    await preview.send(await runOf(files, road, 'far'));
    assert.equal(await line(preview), 'Validate input');
    assert.deepEqual(await current(preview), ['validate_input']);
    await stepTo(preview, /^Run a with/);
    assert.deepEqual(await current(preview), ['skill_a']);
    await press(preview, 'Step back');
    assert.deepEqual(await current(preview), ['validate_input']);
    await preview.close();
  });

  it('marks passed edges, and dims edges and nodes that were not taken', async () => {
    const preview = await opened();
    const { page } = preview;
    await press(preview, 'Step');
    await preview.send(await runOf(files, road, 'far'));
    await stepTo(preview, /^\$a.output.a > 1 is true$/);
    assert.deepEqual(await current(preview), ['branch_1']);
    await stepTo(preview, /^The run is complete: /);
    const marked = (mark: string) =>
      page
        .locator(`.edge.${mark}`)
        .evaluateAll((all) => all.map((one) => `${one.getAttribute('data-from')} > ${one.getAttribute('data-to')}`));
    assert.deepEqual((await marked('passed')).sort(), [
      'branch_1 > skill_b',
      'skill_a > branch_1',
      'skill_b > check_exit',
      'validate_input > skill_a',
    ]);
    assert.deepEqual(await dimmed(preview), ['skill_c']);
    await press(preview, 'Restart');
    assert.equal(await line(preview), '');
    assert.equal(await page.locator('.edge.passed').count(), 0);
    await preview.close();
  });

  it('dims a branch as soon as it is not taken', async () => {
    const preview = await opened();
    const { page } = preview;
    await press(preview, 'Step');
    await preview.send(await runOf(files, road, 'far'));
    await stepTo(preview, /^\$a.output.a > 1 is true$/);
    assert.deepEqual(await dimmed(preview), []);
    await stepTo(preview, /^Run b with/);
    assert.deepEqual(await dimmed(preview), ['skill_c']);
    assert.equal(await page.locator('.edge.untaken[data-from="skill_c"]').count(), 1);
    await preview.close();
  });

  it('marks the node of an open composed skill, and counts retries', async () => {
    const preview = await opened();
    const { page } = preview;
    await press(preview, 'Step');
    await preview.send(await runOf(files, road, 'far'));
    await stepTo(preview, /^a › Call the service$/);
    assert.deepEqual(await current(preview), ['skill_a']);
    await page.locator('.node[data-path="skill_a"] .sign').dispatchEvent('click');
    assert.deepEqual(await current(preview), ['skill_a/call_service']);
    await stepTo(preview, /^Attempt 3 of 3 after BUSY$/);
    assert.equal(await page.locator('.node .retries').textContent(), '2 retries');
    await page.getByRole('button', { name: 'Show as a list' }).click();
    assert.match((await page.locator('.shape-list [aria-current]').textContent()) ?? '', /^a/);
    await preview.close();
  });

  it('plays to the end by itself, and can be paused', async () => {
    const preview = await opened();
    await press(preview, 'Play');
    await press(preview, 'Pause');
    await preview.send(await runOf(files, road, 'far'));
    assert.equal(await line(preview), '');
    await press(preview, 'Play');
    await preview.page.locator('.node[data-path="skill_a"][aria-current]').waitFor();
    await preview.page.getByRole('button', { name: 'Pause' }).waitFor();
    await stepTo(preview, /^The run is complete/);
    await preview.page.getByRole('button', { name: 'Play' }).waitFor();
    await preview.close();
  });

  /** Plays to the end. Returns the shown states: the counter, the box, the line and the values. */
  async function played(preview: Preview, run: Awaited<ReturnType<typeof runOf>>): Promise<readonly string[]> {
    const { page } = preview;
    await page.evaluate(() => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      const textOf = (selector: string) =>
        [...document.querySelectorAll(selector)].map((one) => one.textContent).join(' ');
      const note = (): void => {
        const box = document.querySelector('.node[aria-current="step"]')?.getAttribute('data-path');
        const state = `${textOf('.play-buttons .count')} ${box}: ${textOf('.play-line')} | ${textOf('.play-values > *')}`;
        if (box && seen.at(-1) !== state) seen.push(state);
      };
      new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true });
    });
    await press(preview, 'Play');
    await preview.send(run);
    await page.locator('.play-line', { hasText: 'The run is complete' }).waitFor();
    return page.evaluate(() => (window as unknown as { readonly seen: readonly string[] }).seen);
  }

  it('plays box by box, each with its input and its output', async () => {
    const preview = await opened();
    assert.deepEqual(await played(preview, await runOf(files, road, 'far')), [
      '1/4 validate_input: Validate input | Input {n: 1}',
      '2/4 skill_a: a › Output | Input {n: 1} Output {a: 7}',
      '3/4 branch_1: $a.output.a > 1 is true | ',
      '4/4 skill_b: b › Output | Input {n: 1} Output {b: 1}',
      '4/4 check_exit: The run is complete: {b: 1} | ',
    ]);
    await preview.close();
  });

  it('counts boxes, and neither those that only connect others nor those inside a closed one', async () => {
    const head = (name: string, level: number, schema: string) =>
      `name: ${name}\ndescription: Plans a trip.\nversion: 1.0.0\nlevel: ${level}\ninput_schema: {n: integer}\n${schema}`;
    const trip = {
      ...files,
      'trip.skill.yaml': `${head('trip', 3, 'output_schema: {c: integer?}\n')}composes: [plan, a, c]
execution:
  - step: plan
  - parallel: [{step: a}, {step: c}]
`,
      'plan.skill.yaml': `${head('plan', 2, '')}composes: [a, b]\nexecution:\n  - step: a\n  - step: b\n`,
    };
    const preview = await openPreview();
    await preview.send(show(trip, 'trip.skill.yaml'));
    await preview.send({ type: 'focus', what: 'run' });
    const run = await runOf(trip, 'trip.skill.yaml');
    assert.deepEqual(await played(preview, run), [
      '1/4 validate_input: Validate input | Input {n: 1}',
      '2/4 skill_plan: plan › Output | Input {n: 1} Output {n: 1, a: 1, b: 1}',
      '3/4 skill_a: a › Output | Input {n: 1} Output {a: 1}',
      '4/4 skill_c: c › Output | Input {n: 1} Output {c: 1}',
      '4/4 check_exit: The run is complete: {c: 1} | ',
    ]);
    await preview.page.locator('.node[data-path="skill_plan"] .sign').dispatchEvent('click');
    const count = preview.page.locator('.play-buttons .count');
    assert.equal(await count.textContent(), '6/6');
    await press(preview, 'Restart');
    await stepTo(preview, /^plan › Check exit$/);
    assert.equal(await count.textContent(), '4/6');
    await preview.close();
  });

  it('shows an output once, and moves neither the buttons nor the graph', async () => {
    const preview = await opened();
    const { page } = preview;
    await press(preview, 'Step');
    await preview.send(await runOf(files, road, 'far'));
    const places = new Set<string>();
    let text = '';
    while (!text.startsWith('The run is complete')) {
      const parts = page.locator('.play-buttons button, .run > :last-child');
      const tops = await parts.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
      places.add(tops.join(' '));
      await press(preview, 'Step');
      text = (await line(preview)) ?? '';
      if (text.includes('Output')) assert.match(text, /^(?:a › |b › )?Output(?: \(\w+\))?$/);
    }
    assert.equal(places.size, 1, [...places].join('; '));
    await preview.close();
  });

  it('asks for answers, and goes on with them', async () => {
    const asking = { 'test.skill.md': skill('input_schema: {place: string}\ninterrupts: [before_exit]\n', 'Do it.\n') };
    const preview = await openPreview();
    const { page } = preview;
    await preview.send(show(asking, 'test.skill.md'));
    await preview.send({ type: 'focus', what: 'run' });
    await press(preview, 'Step');
    await preview.send(await runOf(asking, 'test.skill.md'));
    await stepTo(preview, /^before_exit/);
    assert.match((await page.locator('.node.current').getAttribute('aria-label')) ?? '', /^before_exit/);
    await preview.sent();
    await page.getByRole('button', { name: 'Yes' }).press('Enter');
    assert.deepEqual(await preview.sent(), [{ type: 'run', answered: [true] }]);
    await preview.send(await runOf(asking, 'test.skill.md', undefined, [true]));
    await stepTo(preview, /^The run is complete/);
    await press(preview, 'Restart');
    assert.deepEqual(await preview.sent(), [{ type: 'run', answered: [] }]);
    await preview.close();
  });

  it('asks for JSON if the answer has a schema, and shows what is wrong with an answer', async () => {
    const text = skill(
      'input_schema: {}\noutput_schema: {text: string}\ninterrupts: [on_output_mismatch]\n',
      'Do it.\n',
    );
    const preview = await openPreview();
    const { page } = preview;
    const message = show({ 'test.skill.md': text }, 'test.skill.md');
    await preview.send(message);
    await preview.send({ type: 'focus', what: 'run' });
    await press(preview, 'Step');
    const question = {
      ...{ name: 'on_output_mismatch', path: 'check_exit', problem: 'The field `text` is missing.' },
      schema: { type: 'object', properties: { text: { type: 'string' } } },
    };
    const { uri } = message.reply;
    await preview.send({ type: 'run', run: { uri, events: [], end: { kind: 'waiting', question } } });
    await page.getByText('on_output_mismatch asks for an answer').waitFor();
    await page.getByText('The field `text` is missing.').waitFor();
    const answer = page.getByRole('textbox', { name: 'Answer as JSON' });
    assert.equal(await answer.inputValue(), '{\n  "text": null\n}');
    await preview.sent();
    await answer.fill('{');
    await page.getByRole('button', { name: 'Answer' }).click();
    await page.getByText('This is not JSON.').waitFor();
    await answer.fill('{"text": "yes"}');
    await page.getByRole('button', { name: 'Answer' }).click();
    assert.deepEqual(await preview.sent(), [{ type: 'run', answered: [{ text: 'yes' }] }]);
    await preview.close();
  });

  it('ends if it gets no reply, also after an answer, and can be tried again', async () => {
    const asking = { 'test.skill.md': skill('input_schema: {place: string}\ninterrupts: [before_exit]\n', 'Do it.\n') };
    const preview = await openPreview();
    const { page } = preview;
    const message = show(asking, 'test.skill.md');
    const failed = { kind: 'failed', message: 'The server has stopped.' } as const;
    const fail = () => preview.send({ type: 'run', run: { uri: message.reply.uri, events: [], end: failed } });
    await preview.send(message);
    await preview.send({ type: 'focus', what: 'run' });
    await press(preview, 'Play');
    await fail();
    await page.getByText('The run failed: The server has stopped.').waitFor();
    await page.getByRole('button', { name: 'Play' }).waitFor();
    await preview.sent();
    await press(preview, 'Play');
    assert.deepEqual(await preview.sent(), [{ type: 'run', answered: [] }]);
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await preview.send(await runOf(asking, 'test.skill.md'));
    await stepTo(preview, /^before_exit/);
    await press(preview, 'Play');
    await page.getByRole('button', { name: 'Play' }).waitFor();
    await page.getByRole('button', { name: 'Yes' }).press('Enter');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await fail();
    await page.getByRole('button', { name: 'Play' }).waitFor();
    await page.getByText('The run failed: The server has stopped.').waitFor();
    await preview.close();
  });

  it('names the composed skill in which the run failed', async () => {
    const failing = { ...files, 'a.skill.yaml': part('a') };
    const preview = await openPreview();
    await preview.send(show(failing, road, { sample: 'far' }));
    await preview.send({ type: 'focus', what: 'run' });
    await press(preview, 'Step');
    await preview.send(await runOf(failing, road, 'far'));
    await stepTo(preview, /^The run failed/);
    assert.equal(await line(preview), 'The run failed in a: a failed with BUSY, as its stub says.');
    await preview.close();
  });

  it('is dropped when the skill changes, and is not offered for a skill that does not compose', async () => {
    const preview = await opened();
    const { page } = preview;
    await press(preview, 'Step');
    await preview.send(await runOf(files, road, 'far'));
    assert.equal(await line(preview), 'Validate input');
    const message = show(files, road, { sample: 'far' });
    await preview.send({ ...message, serial: 2 });
    assert.equal(await line(preview), 'Validate input');
    await preview.send({ ...message, serial: 3, reply: { ...message.reply, version: 2 } });
    assert.equal(await line(preview), '');
    await preview.send({ type: 'stale', reason: 'The server has stopped.' });
    assert.equal(await page.getByRole('button', { name: 'Play' }).getAttribute('aria-disabled'), 'true');
    assert.equal(await page.getByRole('button', { name: 'Step', exact: true }).count(), 0);
    await preview.close();
  });
});

describe('a debug session in the tab Run', () => {
  /** Returns the session whose position is the first event that matches. */
  const session = async (isAt: (event: ShownRun['events'][number]) => boolean, more = {}): Promise<DebugProgress> => {
    const { run } = await runOf(files, road, 'far');
    return { sample: 'far', files: [], run, past: run.events.findIndex(isAt) + 1, ...more };
  };
  const entering = (path: string) => (event: ShownRun['events'][number]) =>
    event.kind === 'enter' && event.path === path;

  it('shows its position instead of the controls, and gives them back at its end', async () => {
    const preview = await opened();
    const { page } = preview;
    await press(preview, 'Play');
    await preview.send(await runOf(files, road, 'far'));
    await stepTo(preview, /^Run a with/);
    const progress = await session(entering('branch_1'));
    await preview.send({ type: 'debug', progress: { ...progress, past: 0 } });
    await page.getByText('Follows the debugger: sample “far”').waitFor();
    assert.equal(await page.getByRole('group', { name: 'Dry run' }).count(), 0);
    assert.deepEqual([await current(preview), await line(preview)], [[], '']);
    const { past } = progress;
    await preview.send({ type: 'debug', progress: { past } });
    assert.deepEqual([await current(preview), await line(preview)], [['branch_1'], 'Branch']);
    assert.deepEqual(
      await page.locator('.edge.passed').evaluateAll((all) => all.map((one) => one.getAttribute('data-to'))),
      ['skill_a', 'branch_1'],
    );
    assert.equal(await page.locator('.node .retries').textContent(), '2 retries');
    await page.getByRole('button', { name: /^a .*; 2 retries$/ }).waitFor();
    const inner = await session(entering('a/call_service'));
    await preview.send({ type: 'debug', progress: { past: inner.past } });
    assert.deepEqual(await current(preview), ['skill_a']);
    await preview.send({ type: 'debug', progress: { past: progress.run.events.length + 1 } });
    assert.match((await line(preview)) ?? '', /^The run is complete/);
    assert.deepEqual(await dimmed(preview), ['skill_c']);
    await preview.send({ type: 'debug', progress: null });
    await page.getByRole('button', { name: 'Play' }).waitFor();
    assert.deepEqual([await current(preview), await line(preview)], [['skill_a'], 'Run a with {n: 1}']);
    await preview.close();
  });

  it('stays when the file changes, without marks on nodes that are other nodes now', async () => {
    const preview = await opened();
    await preview.send({ type: 'debug', progress: await session(entering('skill_b')) });
    assert.deepEqual(await current(preview), ['skill_b']);
    const other = { ...files, [road]: (files[road] ?? '').replaceAll('step: b', 'step: c').replace('b, c]', 'c]') };
    await preview.send({ ...show(other, road, { sample: 'far' }), serial: 2 });
    assert.deepEqual(await current(preview), []);
    assert.equal(await line(preview), 'Run b with {n: 1}');
    await preview.send({ type: 'debug', progress: await session(entering('branch_1')) });
    assert.deepEqual(await current(preview), ['branch_1']);
    await preview.close();
  });

  it('draws the branches that the shown sample rules out, because the session may have another one', async () => {
    const text = (files[road] ?? '').replace('$a.output.a > 1', '$input.n > 1');
    const preview = await openPreview();
    await preview.send(show({ ...files, [road]: text }, road, { sample: 'far' }));
    await preview.send({ type: 'focus', what: 'run' });
    assert.deepEqual(await dimmed(preview), ['skill_b']);
    await preview.send({ type: 'debug', progress: await session(entering('skill_a'), { sample: undefined }) });
    await preview.page.getByText('Follows the debugger', { exact: true }).waitFor();
    assert.deepEqual(await dimmed(preview), []);
    await preview.close();
  });
});
