/** What is said of an item only when it is shown: of the workspace as it is by then, and nothing is read before. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { CompletionItem } from 'vscode-languageserver-types';
import { completion } from '../../../../server/src/features/completion/index.ts';
import { tell, type Untold } from '../../../../server/src/features/completion/items.ts';
import { utf16 } from '../../../../server/src/features/locate.ts';
import { parseSkill } from '../../../../server/src/skill/document.ts';
import { Workspace } from '../../../../server/src/workspace/workspace.ts';

const OWN = 'file:///w/own.skill.md';
const PART = 'file:///w/part.skill.md';
const part = (description: string) => `---\nname: part\ndescription: ${description}\nversion: 1.0.0\n---\n`;

/** A workspace with a closed skill, and the item that names it in another. */
function offered() {
  const workspace = new Workspace();
  let reads = 0;
  const { isSkill, hasSamples, summary } = parseSkill(PART, part('As it was.'));
  const again = () => {
    reads++;
    return part('As it was.');
  };
  workspace.apply({ kind: 'stored', uri: PART, isSkill, hasSamples, summary, again });
  workspace.apply({ kind: 'text', uri: OWN, text: '---\nname: own\n---\n\nSee #skill:' });
  const index = workspace.index();
  const document = index.documents.get(OWN);
  assert.ok(document);
  let untold: Untold | undefined;
  const defer = (left: Untold) => {
    untold = left;
    return 1;
  };
  const answer = completion(index, document, document.text.length, utf16, { defaults: new Set(), defer });
  const [item] = Array.isArray(answer) ? answer : answer.items;
  assert.ok(item && untold);
  assert.deepEqual([item.label, item.data, item.documentation], ['#skill:part', 1, undefined]);
  return { workspace, untold, item, reads: () => reads };
}

const words = ({ documentation }: CompletionItem): string => JSON.stringify(documentation) ?? '';

test('a closed file is read for its words when somebody looks at them, not before', () => {
  const { workspace, untold, item, reads } = offered();
  assert.equal(reads(), 0);
  assert.match(words(tell(item, untold, workspace.index())), /As it was/);
  assert.ok(reads() > 0);
});

test('what has changed since is said as it is now', () => {
  const { workspace, untold, item } = offered();
  workspace.apply({ kind: 'text', uri: PART, text: part('As it is now.') });
  assert.match(words(tell(item, untold, workspace.index())), /As it is now/);
});

test('of what is gone nothing is said', () => {
  const { workspace, untold, item } = offered();
  assert.deepEqual(tell({ ...item, label: 'else' }, untold, workspace.index()), { ...item, label: 'else' });
  workspace.apply({ kind: 'delete', uri: PART });
  assert.deepEqual(tell(item, untold, workspace.index()), item);
  workspace.apply({ kind: 'delete', uri: OWN });
  assert.deepEqual(tell(item, untold, workspace.index()), item);
});
