/** Findings with one cause in many files, as an editor shows them (docs/ci.md, "One cause, one finding"). */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver-types';
import { settled, startFakeSession, uriOf } from './fake-session.ts';

const file = (folder: string): string => `.agents/skills/${folder}/SKILL.md`;
const skill = (name: string, more = ''): string =>
  `---\nname: ${name}\ndescription: Moors a boat. Use it when a boat arrives.\n${more}---\n\nMoor the bow first.\n`;
const FOLDERS = ['bow', 'hull', 'mast', 'rope'];
const prefixed = (): Record<string, string> =>
  Object.fromEntries(FOLDERS.map((folder) => [file(folder), skill(`boat-${folder}`)]));

const textOf = (item: Diagnostic | undefined): string => String(item?.message ?? '');

/** Opens a workspace, and returns what was published until all files were checked. */
async function opened(files: Readonly<Record<string, string>>) {
  const made = startFakeSession(files);
  made.session.receive({ kind: 'start' });
  await made.clock.pass(3_000);
  return made;
}

const RULE = 'agent-skill-name-folder';

describe('a cause that many skills share', () => {
  it('is one finding at the first closed file, and never at the others', async () => {
    const { session, published } = await opened(prefixed());
    assert.deepEqual(published, [`${file('bow')}: ${RULE}`]);
    const [item] = session.report(uriOf(file('bow'))).items;
    assert.match(textOf(item), / 3 more skills have names that begin with `boat-`\.$/);
    assert.deepEqual(
      item?.relatedInformation?.map(({ location }) => location.uri),
      FOLDERS.slice(1).map((folder) => uriOf(file(folder))),
    );
  });

  it('is also a hint at its place in an open file, which disappears when the file is closed', async () => {
    const { session, clock, open } = await settled(prefixed());
    open(file('mast'));
    await clock.pass(1_000);
    const items = () => session.report(uriOf(file('mast'))).items;
    assert.deepEqual(
      items().map((item) => [item.code, item.severity, textOf(item).slice(0, 25)]),
      [[RULE, DiagnosticSeverity.Hint, 'The name `boat-mast` diff']],
    );
    session.receive({ kind: 'close', uri: uriOf(file('mast')) });
    await clock.pass(3_000);
    assert.deepEqual(items(), []);
  });

  it('has the new number when one file is fixed, and moves when the first file is fixed', async () => {
    const { session, clock, open, type } = await settled(prefixed());
    open(file('mast'));
    type(file('mast'), skill('mast'));
    await clock.pass(3_000);
    const messageAt = (folder: string) => textOf(session.report(uriOf(file(folder))).items[0]);
    assert.match(messageAt('bow'), / 2 more skills /);
    open(file('bow'));
    type(file('bow'), skill('bow'));
    await clock.pass(3_000);
    // Two skills of four are too few.
    assert.deepEqual(FOLDERS.map(messageAt), ['', messageAt('hull'), '', messageAt('rope')]);
    for (const folder of ['hull', 'rope']) assert.doesNotMatch(messageAt(folder), /more skills/);
  });

  it('keeps the places of the other files up to date', async () => {
    const { session, clock, open, type } = await settled(prefixed());
    open(file('rope'));
    type(file('rope'), `---\nlicense: MIT\n${skill('boat-rope').slice(4)}`);
    await clock.pass(3_000);
    const related = session.report(uriOf(file('bow'))).items[0]?.relatedInformation ?? [];
    assert.deepEqual(
      related.map(({ location }) => location.range.start.line),
      [1, 1, 2],
    );
  });

  it('leaves out a file that suppresses the finding', async () => {
    const files = {
      ...prefixed(),
      [file('bow')]: skill('boat-bow').replace('---\n', `---\n# skill-disable-next-line ${RULE}\n`),
    };
    const { session, published } = await opened(files);
    assert.deepEqual(published, [`${file('hull')}: ${RULE}`]);
    assert.match(textOf(session.report(uriOf(file('hull'))).items[0]), / 2 more skills /);
  });

  it('is several findings if fewer than three skills, or less than half of them, have it', async () => {
    const two = Object.fromEntries(FOLDERS.map((one, at) => [file(one), skill(at < 2 ? `boat-${one}` : one)]));
    assert.equal((await opened(two)).published.length, 2);
    const others = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((one) => [file(one), skill(one)]));
    const three = { ...others, ...Object.fromEntries(Object.entries(prefixed()).slice(0, 3)) };
    assert.equal((await opened(three)).published.length, 3);
  });
});
