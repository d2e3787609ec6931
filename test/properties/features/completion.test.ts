/**
 * A client may have the completion list made smaller: what all items share said once (`itemDefaults`), and the words of an
 * item only when it is looked at (`completionItem/resolve`). Put together again, they are the items that any client gets.
 */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { CompletionItem, CompletionList } from 'vscode-languageserver-types';
import type { Analysis } from '../../../server/src/analysis/analysis.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { completion } from '../../../server/src/features/completion/index.ts';
import { type CompletionClient, tell, type Untold } from '../../../server/src/features/completion/items.ts';
import { utf16 } from '../../../server/src/features/locate.ts';
import type { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { RUNS, samples } from '../corpus.ts';

const DATA = 7;
const CLIENTS = [
  [],
  ['editRange'],
  ['insertTextFormat', 'data'],
  ['commitCharacters', 'editRange', 'insertTextFormat', 'insertTextMode', 'data'],
];

/** The items as a client understands them by the protocol, each with what it is told when it asks. */
function understood(analysis: Analysis, answer: CompletionItem[] | CompletionList, untold: Untold | undefined) {
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
    return untold && data === DATA ? tell(whole, untold, analysis) : whole;
  });
}

function checkAt(analysis: Analysis, file: SkillFile, offset: number): number {
  const whole = completion(analysis, file, offset, utf16);
  const items = Array.isArray(whole) ? whole : whole.items;
  for (const names of CLIENTS) {
    let untold: Untold | undefined;
    const defer = (left: Untold): number => {
      untold = left;
      return DATA;
    };
    const client: CompletionClient = { defaults: new Set(names), defer };
    const answer = completion(analysis, file, offset, utf16, client);
    assert.deepEqual(understood(analysis, answer, untold), items, `${file.uri} at ${offset}, with ${names.join()}`);
    const isIncomplete = !Array.isArray(answer) && answer.isIncomplete;
    assert.equal(isIncomplete, !Array.isArray(whole) && whole.isIncomplete);
    assert.ok(!JSON.stringify(answer).includes('documentation'), 'nothing is told before it is asked for');
    const eager = completion(analysis, file, offset, utf16, { defaults: new Set(names) });
    assert.deepEqual(understood(analysis, eager, undefined), items);
  }
  return items.filter(({ documentation }) => documentation).length;
}

test('at many places of every sample', () => {
  const workspace = new Workspace();
  for (const [path, text] of samples) workspace.apply({ kind: 'text', uri: `file:///s/${path}`, text });
  const analysis = workspace.analysis;
  let told = 0;
  for (const path of samples.keys()) {
    const file = analysis.file(`file:///s/${path}`);
    assert.ok(file);
    for (let offset = 0; offset <= file.text.length; offset += RUNS > 1 ? 1 : 13) {
      told += checkAt(analysis, file, offset);
    }
  }
  assert.ok(told > 1_000, `${told} items with words`);
});
