/** What a session finds out of the folder of a `SKILL.md`: read where a rule needs it, again when it changes. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { settled, uriOf } from './fake-session.ts';

const PATH = 'skills/send/SKILL.md';
const SCRIPT = 'skills/send/scripts/send.sh';
const skill = (compatibility: string): string =>
  `---\nname: send\ndescription: Sends notes.\ncompatibility: ${compatibility}\n---\n\nRun \`scripts/send.sh\`.\n`;
const files = { [PATH]: skill('No network access.'), [SCRIPT]: 'curl https://tidy.dev\n' };

test('a script that calls the network is told at the words that deny it, until it does so no more', async () => {
  const made = await settled(files);
  const change = async (text: string | undefined): Promise<void> => {
    if (text === undefined) made.disk.delete(uriOf(SCRIPT));
    else made.disk.set(uriOf(SCRIPT), text);
    made.session.receive({ kind: 'watched', uris: [uriOf(SCRIPT)] });
    await made.clock.pass(1_000);
  };
  made.open(PATH);
  await made.clock.pass(1_000);
  assert.equal(made.published.at(-1), `${PATH}: undeclared-network`);
  await change('echo done\n');
  assert.equal(made.published.at(-1), `${PATH}:`);
  await change('wget https://tidy.dev\n');
  assert.equal(made.published.at(-1), `${PATH}: undeclared-network`);
  made.type(PATH, skill('Bash.'));
  await made.clock.pass(1_000);
  assert.equal(made.published.at(-1), `${PATH}:`);
});

test('what was found of a folder goes with its skill, and when nobody asks for it any more', async () => {
  const made = await settled(files);
  const known = () => made.session.analysis.index.facts.networkCalls.has(uriOf(PATH));
  made.open(PATH);
  await made.clock.pass(1_000);
  assert.ok(known());
  made.type(PATH, skill('Bash.'));
  await made.clock.pass(1_000);
  assert.ok(!known());
  made.type(PATH, skill('Works offline.'));
  await made.clock.pass(1_000);
  assert.ok(known());
  made.disk.delete(uriOf(PATH));
  made.session.receive({ kind: 'close', uri: uriOf(PATH) });
  await made.clock.pass(1_000);
  assert.ok(!known());
});

test('the folder of an open skill is read once, whatever is typed of the network', async () => {
  const made = await settled({ ...files, [PATH]: skill('Bash.') });
  made.listed.length = 0;
  made.open(PATH);
  await made.clock.pass(1_000);
  assert.deepEqual(made.listed, ['skills/send', 'skills/send/scripts']);
  made.type(PATH, skill('No network access.'));
  await made.clock.pass(1_000);
  assert.equal(made.published.at(-1), `${PATH}: undeclared-network`);
  made.type(PATH, skill('No network access!'));
  await made.clock.pass(1_000);
  assert.equal(made.listed.length, 2);
});

test('of a closed skill the folder is read where it denies the network, and of it the scripts', async () => {
  const silent = await settled({ ...files, [PATH]: skill('Bash.'), 'skills/send/references/style.md': '' });
  assert.deepEqual(silent.listed, []);
  const denies = await settled({ ...files, 'skills/send/references/style.md': '' });
  assert.deepEqual(denies.listed, ['skills/send', 'skills/send/references', 'skills/send/scripts']);
  assert.ok(denies.session.analysis.networkCalls(uriOf(PATH)));
  assert.equal(denies.session.analysis.folder(uriOf(PATH)), undefined);
});

test('what is read of a skill that is closed is read whole once it is open', async () => {
  const made = await settled({ ...files, 'skills/send/references/style.md': '# Style\n' });
  let open = () => {};
  made.gate = new Promise((resolve) => {
    open = resolve;
  });
  made.session.receive({ kind: 'watched', uris: [uriOf(SCRIPT)] });
  await made.clock.pass(10);
  made.open(PATH);
  open();
  await made.clock.pass(1_000);
  assert.ok(made.session.analysis.folder(uriOf(PATH))?.find(uriOf('skills/send/references/style.md')));
});
