/**
 * A client with `itemDefaults` and lazily resolved documentation gets the same items as any other client, once it has
 * merged them.
 */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { type CompletionItem, type CompletionList, InsertReplaceEdit } from 'vscode-languageserver-types';
import type { Analysis } from '../../../server/src/analysis/analysis.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { completion } from '../../../server/src/features/completion/completion.ts';
import {
  type CompletionClient,
  type DeferredDocs,
  resolveDocs,
} from '../../../server/src/features/completion/items.ts';
import { utf16 } from '../../../server/src/features/locate.ts';
import type { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { scaled, stride } from '../../random.ts';
import { samples } from '../corpus.ts';

const DATA = 7;
const CLIENTS = [
  [],
  ['editRange'],
  ['insertTextFormat', 'data'],
  ['commitCharacters', 'editRange', 'insertTextFormat', 'insertTextMode', 'data'],
];

/** Returns the resolved items, merged as the protocol requires of a client. */
function understood(analysis: Analysis, answer: CompletionItem[] | CompletionList, deferred: DeferredDocs | undefined) {
  const { items, itemDefaults: all = {} } = Array.isArray(answer) ? { items: answer } : answer;
  return items.map((item) => {
    const { textEditText, data = all.data, ...rest } = item;
    const range = all.editRange;
    const whole: CompletionItem = {
      ...(all.insertTextFormat ? { insertTextFormat: all.insertTextFormat } : {}),
      ...(all.insertTextMode ? { insertTextMode: all.insertTextMode } : {}),
      ...(range && { textEdit: { ...('start' in range ? { range } : range), newText: textEditText ?? item.label } }),
      ...rest,
    };
    const { textEdit } = whole;
    if (textEdit && InsertReplaceEdit.is(textEdit)) {
      const { insert, replace, newText } = textEdit;
      assert.deepEqual(insert.start, replace.start);
      assert.ok(insert.end.line === replace.end.line && insert.end.character < replace.end.character);
      whole.textEdit = { range: replace, newText };
    }
    return deferred && data === DATA ? resolveDocs(whole, deferred, analysis) : whole;
  });
}

/**
 * Compares the items of a client with those of a client without capabilities. Returns the number of items with
 * documentation.
 */
function checkAt(analysis: Analysis, file: SkillFile, offset: number, names: readonly string[]): number {
  const whole = completion(analysis, file, offset, utf16);
  const items = Array.isArray(whole) ? whole : whole.items;
  let deferred: DeferredDocs | undefined;
  const defer = (left: DeferredDocs): number => {
    deferred = left;
    return DATA;
  };
  const supportsInsertReplace = names.includes('insertTextFormat');
  const client: CompletionClient = { defaults: new Set(names), defer, supportsSnippets: true, supportsInsertReplace };
  const answer = completion(analysis, file, offset, utf16, client);
  assert.deepEqual(understood(analysis, answer, deferred), items, `${file.uri} at ${offset}, with ${names.join()}`);
  const isIncomplete = !Array.isArray(answer) && answer.isIncomplete;
  assert.equal(isIncomplete, !Array.isArray(whole) && whole.isIncomplete);
  assert.ok(!JSON.stringify(answer).includes('documentation'), 'no documentation before it is asked for');
  const eager = completion(analysis, file, offset, utf16, { defaults: new Set(names), supportsSnippets: true });
  assert.deepEqual(understood(analysis, eager, undefined), items);
  return items.filter(({ documentation }) => documentation).length;
}

test('all clients get the same completion items at many offsets of every sample', () => {
  const workspace = new Workspace();
  for (const [path, text] of samples) workspace.apply({ kind: 'text', uri: `file:///s/${path}`, text });
  const analysis = workspace.analysis;
  let resolved = 0;
  let places = 0;
  for (const path of samples.keys()) {
    const file = analysis.file(`file:///s/${path}`);
    assert.ok(file);
    for (let offset = 0; offset <= file.text.length; offset += stride(13)) {
      resolved += checkAt(analysis, file, offset, CLIENTS[places++ % CLIENTS.length] ?? []);
    }
  }
  assert.ok(resolved > scaled(1_000), `${resolved} items with words`);
});
