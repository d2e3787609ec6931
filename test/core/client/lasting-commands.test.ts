/** The command of a code action can be run after VS Code has forgotten the list of code actions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LastingCommands } from '../../../client/src/language-server/lasting-commands.ts';

function open() {
  const registered = new Map<string, () => unknown>();
  const executed: (readonly unknown[])[] = [];
  const commands = new LastingCommands(
    'after.',
    (id, run) => {
      assert(!registered.has(id), 'A name is registered once.');
      registered.set(id, run);
      return { dispose: () => registered.delete(id) };
    },
    (...call) => executed.push(call),
  );
  const rename = (line: number) =>
    commands.lasting({ title: 'Rename', command: 'rename', arguments: [{ line, path: 'a.md' }] });
  return { commands, rename, registered, executed };
}

test('a command with arguments becomes one without arguments, which passes them on', () => {
  const { rename, registered, executed } = open();
  const { title, command } = rename(3);
  assert.equal(title, 'Rename');
  registered.get(command)?.();
  assert.deepEqual(executed, [['rename', { line: 3, path: 'a.md' }]]);
});

test('a command without arguments stays the same', () => {
  const { commands, registered } = open();
  const suggest = { title: 'Suggest', command: 'suggest' };
  assert.equal(commands.lasting(suggest), suggest);
  assert.equal(registered.size, 0);
});

test('equal commands share a name, and others do not', () => {
  const { rename } = open();
  assert.equal(rename(1).command, rename(1).command);
  assert.notEqual(rename(1).command, rename(2).command);
});

test('the last fifty commands are kept, counted from their last use', () => {
  const { commands, rename, registered } = open();
  const first = rename(0).command;
  const second = rename(1).command;
  for (let line = 2; line < 50; line++) rename(line);
  rename(0);
  rename(50);
  assert.deepEqual([registered.has(first), registered.has(second), registered.size], [true, false, 50]);
  commands.dispose();
  assert.equal(registered.size, 0);
});
