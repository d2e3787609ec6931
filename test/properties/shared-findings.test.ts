/** After any changes, the findings that many files share are those of a new session (docs/ci.md, "One cause, one finding"). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { check } from '../../server/src/rules/engine/check.ts';
import { type FakeSession, settled, uriOf } from '../core/session/fake-session.ts';
import { cases } from '../random.ts';

const FOLDERS = ['a', 'b', 'c', 'd', 'e'].flatMap((name) => [`one/skills/${name}`, `two/skills/${name}`]);
const HEADS = ['', 'kind: x\n', 'kind: x\nflavour: y\n', 'alowed-tools: Read\n', 'metadata: {kind: z}\nkind: x\n'];

interface Text {
  readonly head: number;
  readonly isPrefixed: boolean;
  readonly isSuppressed: boolean;
  readonly hasCarriageReturns: boolean;
}

/** Returns a skill, with the findings that its keys and its name cause. */
function skill(folder: string, { head, isPrefixed, isSuppressed, hasCarriageReturns }: Text): string {
  const name = folder.slice(folder.lastIndexOf('/') + 1);
  const comment = isSuppressed ? '# skill-disable-next-line agent-skill-name-folder\n' : '';
  const keys = `${comment}name: ${isPrefixed ? 'boat-' : ''}${name}\n${HEADS[head]}`;
  const text = `---\n${keys}description: Moors the boat ${name}. Use it when it arrives.\n---\n\nMoor it.\n`;
  return hasCarriageReturns ? text.replaceAll('\n', '\r\n') : text;
}

const text = fc.record({
  head: fc.nat({ max: HEADS.length - 1 }),
  isPrefixed: fc.boolean(),
  isSuppressed: fc.boolean(),
  hasCarriageReturns: fc.boolean(),
});
interface Step {
  readonly kind: string;
  readonly folder: string;
  readonly text: Text;
}

const kind = fc.constantFrom('open', 'close', 'type', 'write', 'delete', 'rest');
const step = fc.record({ kind, folder: fc.constantFrom(...FOLDERS), text });
const start = fc.array(fc.option(text, { freq: 4 }), { minLength: FOLDERS.length, maxLength: FOLDERS.length });

const nameOf = (folder: string): string => `${folder}/SKILL.md`;

async function send(made: FakeSession, open: Map<string, string>, { kind, folder, text }: Step): Promise<void> {
  const name = nameOf(folder);
  const uri = uriOf(name);
  const written = skill(folder, text);
  if (kind === 'rest') await made.clock.pass(5_000);
  const saved = made.disk.get(uri);
  if (kind === 'open' && !open.has(name) && saved !== undefined) {
    open.set(name, saved);
    made.open(name, saved);
  }
  if (kind === 'close' && open.delete(name)) made.session.receive({ kind: 'close', uri });
  if (kind === 'type' && open.has(name)) {
    open.set(name, written);
    made.type(name, written);
  }
  // A session leaves out an open file that is deleted, which a new session cannot know.
  if (kind !== 'write' && !(kind === 'delete' && !open.has(name))) return;
  if (kind === 'write') made.disk.set(uri, written);
  else made.disk.delete(uri);
  made.session.receive({ kind: 'watched', uris: [uri] });
}

/** Returns the diagnostics and the fixes of each file. */
const shownBy = ({ session }: FakeSession, names: readonly string[]) =>
  names.map((name) => {
    const file = session.analysis.file(uriOf(name));
    const fixes = file && session.withSharedFixes(file.uri, check(file, session.analysis)).map(({ fixes }) => fixes);
    return { name, items: session.report(uriOf(name)).items, fixes };
  });

describe('findings that many files share', () => {
  const checkAsFresh = async (
    names: readonly string[],
    files: Readonly<Record<string, string>>,
    steps: readonly Step[],
  ): Promise<void> => {
    const made = await settled(files);
    const open = new Map<string, string>();
    for (const one of steps) await send(made, open, one);
    await made.clock.pass(10_000);
    const disk = [...made.disk].map(([uri, text]) => [uri.slice(uriOf('').length), text]);
    const fresh = await settled(Object.fromEntries(disk));
    for (const [name, text] of open) fresh.open(name, text);
    await fresh.clock.pass(10_000);
    assert.deepEqual(shownBy(made, names), shownBy(fresh, names));
    assert.deepEqual([...made.logged, ...made.warned], []);
  };

  it('are those of a new session after any changes', async () => {
    const names = FOLDERS.map(nameOf);
    await fc.assert(
      fc.asyncProperty(start, fc.array(step, { maxLength: 12 }), async (texts, steps) => {
        const files = texts.flatMap((one, at) => (one ? [[names[at], skill(FOLDERS[at] ?? '', one)]] : []));
        await checkAsFresh(names, Object.fromEntries(files), steps);
      }),
      cases(300),
    );
  });

  it('change with a name or a place in another file, and leave the other findings of a file that loses its cause', async () => {
    const plain = { head: 1, isPrefixed: false, isSuppressed: false, hasCarriageReturns: false };
    const folders = ['one/skills/a', 'two/skills/d', 'two/skills/e'];
    const files = Object.fromEntries(folders.map((folder) => [nameOf(folder), skill(folder, plain)]));
    const changes = [{ head: 2 }, { isPrefixed: true }, { head: 0, isSuppressed: true }];
    for (const change of changes) {
      const steps = folders.map((folder) => ({ kind: 'write', folder, text: { ...plain, ...change } }));
      for (const one of steps) await checkAsFresh(folders.map(nameOf), files, [{ ...one, kind: 'open' }, one]);
      await checkAsFresh(folders.map(nameOf), files, steps.slice(2));
    }
  });
});
