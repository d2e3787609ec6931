/** What is said of an item only when it is shown: of the workspace as it is by then. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { CompletionItem } from 'vscode-languageserver-types';
import { Workspace } from '../../../../server/src/analysis/workspace.ts';
import { completion } from '../../../../server/src/features/completion/index.ts';
import { tell, type Untold } from '../../../../server/src/features/completion/items.ts';
import { utf16 } from '../../../../server/src/features/locate.ts';

const OWN = 'file:///w/own.skill.md';
const PART = 'file:///w/part.skill.md';
const part = (description: string) => `---\nname: part\ndescription: ${description}\nversion: 1.0.0\n---\n`;

/** A workspace with a skill, and the item that names it in another. */
function offered() {
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri: PART, text: part('As it was.') });
  workspace.apply({ kind: 'text', uri: OWN, text: '---\nname: own\n---\n\nSee #skill:' });
  const analysis = workspace.analysis;
  const file = analysis.file(OWN);
  assert.ok(file);
  let untold: Untold | undefined;
  const defer = (left: Untold) => {
    untold = left;
    return 1;
  };
  const answer = completion(analysis, file, file.text.length, utf16, { defaults: new Set(), defer });
  const [item] = Array.isArray(answer) ? answer : answer.items;
  assert.ok(item && untold);
  assert.deepEqual([item.label, item.data, item.documentation], ['#skill:part', 1, undefined]);
  return { workspace, untold, item };
}

const words = ({ documentation }: CompletionItem): string => JSON.stringify(documentation) ?? '';

test('what is documented elsewhere is said of an item when somebody looks at it', () => {
  const { workspace, untold, item } = offered();
  assert.match(words(tell(item, untold, workspace.analysis)), /As it was/);
});

test('what has changed since is said as it is now', () => {
  const { workspace, untold, item } = offered();
  workspace.apply({ kind: 'text', uri: PART, text: part('As it is now.') });
  assert.match(words(tell(item, untold, workspace.analysis)), /As it is now/);
});

test('of what is gone nothing is said', () => {
  const { workspace, untold, item } = offered();
  assert.deepEqual(tell({ ...item, label: 'else' }, untold, workspace.analysis), { ...item, label: 'else' });
  workspace.apply({ kind: 'delete', uri: PART });
  assert.deepEqual(tell(item, untold, workspace.analysis), item);
  workspace.apply({ kind: 'delete', uri: OWN });
  assert.deepEqual(tell(item, untold, workspace.analysis), item);
});
