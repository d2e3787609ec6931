/**
 * An item's documentation is created only when the user selects the item, from the workspace in its state at that time.
 */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { CompletionItem } from 'vscode-languageserver-types';
import { Workspace } from '../../../../server/src/analysis/workspace.ts';
import { completion } from '../../../../server/src/features/completion/completion.ts';
import { type DeferredDocs, resolveDocs } from '../../../../server/src/features/completion/items.ts';
import { utf16 } from '../../../../server/src/features/locate.ts';

const OWN = 'file:///w/own.skill.md';
const PART = 'file:///w/part.skill.md';
const part = (description: string) => `---\nname: part\ndescription: ${description}\nversion: 1.0.0\n---\n`;

/** A workspace with a skill, and the completion item that offers its name in another skill. */
function offered() {
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri: PART, text: part('As it was.') });
  workspace.apply({ kind: 'text', uri: OWN, text: '---\nname: own\n---\n\nSee #skill:' });
  const analysis = workspace.analysis;
  const file = analysis.file(OWN);
  assert.ok(file);
  let deferred: DeferredDocs | undefined;
  const defer = (left: DeferredDocs) => {
    deferred = left;
    return 1;
  };
  const answer = completion(analysis, file, file.text.length, utf16, {
    defaults: new Set(),
    defer,
    supportsSnippets: true,
  });
  const [item] = Array.isArray(answer) ? answer : answer.items;
  assert.ok(item && deferred);
  assert.deepEqual([item.label, item.data, item.documentation], ['#skill:part', 1, undefined]);
  return { workspace, deferred, item };
}

const words = ({ documentation }: CompletionItem): string => JSON.stringify(documentation) ?? '';

test('adds documentation when an item is resolved', () => {
  const { workspace, deferred, item } = offered();
  assert.match(words(resolveDocs(item, deferred, workspace.analysis)), /As it was/);
});

test('reads documentation from the newest state of the workspace', () => {
  const { workspace, deferred, item } = offered();
  workspace.apply({ kind: 'text', uri: PART, text: part('As it is now.') });
  assert.match(words(resolveDocs(item, deferred, workspace.analysis)), /As it is now/);
});

test('returns an item with an unknown label or a deleted file unchanged', () => {
  const { workspace, deferred, item } = offered();
  assert.deepEqual(resolveDocs({ ...item, label: 'else' }, deferred, workspace.analysis), { ...item, label: 'else' });
  workspace.apply({ kind: 'delete', uri: PART });
  assert.deepEqual(resolveDocs(item, deferred, workspace.analysis), item);
  workspace.apply({ kind: 'delete', uri: OWN });
  assert.deepEqual(resolveDocs(item, deferred, workspace.analysis), item);
});
