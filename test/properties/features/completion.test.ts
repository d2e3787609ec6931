/**
 * A client may have the completion list made smaller: what all items share said once (`itemDefaults`), and the words of an
 * item only when it is looked at (`completionItem/resolve`). Put together again, they are the items that any client gets.
 */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { CompletionItem, CompletionList } from 'vscode-languageserver-types';
import { completion } from '../../../server/src/features/completion/index.ts';
import { type CompletionClient, tell, type Untold } from '../../../server/src/features/completion/items.ts';
import { utf16 } from '../../../server/src/features/locate.ts';
import type { SkillDocument } from '../../../server/src/skill/document.ts';
import { Workspace } from '../../../server/src/workspace/workspace.ts';
import type { WorkspaceIndex } from '../../../server/src/workspace/workspace-index.ts';
import { RUNS, samples } from '../corpus.ts';

const DATA = 7;
const CLIENTS = [
  [],
  ['editRange'],
  ['insertTextFormat', 'data'],
  ['commitCharacters', 'editRange', 'insertTextFormat', 'insertTextMode', 'data'],
];

/** The items as a client understands them by the protocol, each with what it is told when it asks. */
function understood(index: WorkspaceIndex, answer: CompletionItem[] | CompletionList, untold: Untold | undefined) {
  const { items, itemDefaults: all = {} } = Array.isArray(answer) ? { items: answer } : answer;
  return items.map((item) => {
    const { textEditText, data = all.data, ...rest } = item;
    const range = all.editRange;
    const whole: CompletionItem = {
      ...(all.insertTextFormat ? { insertTextFormat: all.insertTextFormat } : {}),
      ...(all.insertTextMode ? { insertTextMode: all.insertTextMode } : {}),
      ...(range && 'start' in range ? { textEdit: { range, newText: textEditText ?? item.label } } : {}),
      ...rest,
    };
    return untold && data === DATA ? tell(whole, untold, index) : whole;
  });
}

function checkAt(index: WorkspaceIndex, document: SkillDocument, offset: number): number {
  const whole = completion(index, document, offset, utf16);
  const items = Array.isArray(whole) ? whole : whole.items;
  for (const names of CLIENTS) {
    let untold: Untold | undefined;
    const defer = (left: Untold): number => {
      untold = left;
      return DATA;
    };
    const client: CompletionClient = { defaults: new Set(names), defer };
    const answer = completion(index, document, offset, utf16, client);
    assert.deepEqual(understood(index, answer, untold), items, `${document.uri} at ${offset}, with ${names.join()}`);
    const isIncomplete = !Array.isArray(answer) && answer.isIncomplete;
    assert.equal(isIncomplete, !Array.isArray(whole) && whole.isIncomplete);
    assert.ok(!JSON.stringify(answer).includes('documentation'), 'nothing is told before it is asked for');
    const eager = completion(index, document, offset, utf16, { defaults: new Set(names) });
    assert.deepEqual(understood(index, eager, undefined), items);
  }
  return items.filter(({ documentation }) => documentation).length;
}

test('at many places of every sample', () => {
  const workspace = new Workspace();
  for (const [path, text] of samples) workspace.apply({ kind: 'text', uri: `file:///s/${path}`, text });
  const index = workspace.index();
  let told = 0;
  for (const path of samples.keys()) {
    const document = index.documents.get(`file:///s/${path}`);
    assert.ok(document);
    for (let offset = 0; offset <= document.text.length; offset += RUNS > 1 ? 1 : 13) {
      told += checkAt(index, document, offset);
    }
  }
  assert.ok(told > 1_000, `${told} items with words`);
});
