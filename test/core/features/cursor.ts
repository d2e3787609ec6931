/** Small workspaces as strings: file contents by path, one of them with the cursor as `$0`. */
import type { CompletionItem } from 'vscode-languageserver-types';
import type { Analysis } from '../../../server/src/analysis/analysis.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { completion } from '../../../server/src/features/completion/completion.ts';
import { hover } from '../../../server/src/features/hover/hover.ts';
import { utf16 } from '../../../server/src/features/locate.ts';
import type { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { applyEdits } from '../../../server/src/text.ts';
import { serverNames } from '../../../server/src/tools/read-servers.ts';
import { withCursor } from '../with-cursor.ts';

export interface CursorPosition {
  readonly analysis: Analysis;
  readonly file: SkillFile;
  readonly offset: number;
}

/** Files by path. The first file that contains `$0` is the current file. */
export function at(files: Readonly<Record<string, string>> | string): CursorPosition {
  const all = typeof files === 'string' ? { 'skills/test.skill.md': files } : files;
  const workspace = new Workspace();
  let found: { uri: string; offset: number } | undefined;
  for (const [path, marked] of Object.entries(all)) {
    const uri = `file:///skills-here/${path}`;
    const isHere = found === undefined && marked.includes('$0');
    const { text, offset } = isHere ? withCursor(marked) : { text: marked, offset: 0 };
    if (isHere) found = { uri, offset };
    workspace.apply({ kind: 'text', uri, text });
    const servers = path.endsWith('mcp.json') ? serverNames(text) : undefined;
    if (servers) workspace.apply({ kind: 'exists', uri, exists: true, servers });
  }
  const analysis = workspace.analysis;
  const file = found && analysis.file(found.uri);
  if (!found || !file) throw new Error('No file has a cursor `$0`.');
  return { analysis, file, offset: found.offset };
}

export interface Completions {
  /** The labels of the items, in the order in which an editor shows the items. */
  readonly labels: readonly string[];
  readonly items: readonly CompletionItem[];
  readonly isIncomplete: boolean;
  /** Returns the item with this label, or fails if no item has the label. */
  item(label: string): CompletionItem;
  /** Returns the whole text after the item is accepted, including its tab stops. */
  accept(label: string): string;
}

export function complete(files: Readonly<Record<string, string>> | string): Completions {
  const { analysis, file, offset } = at(files);
  const answer = completion(analysis, file, offset, utf16);
  const unsorted = Array.isArray(answer) ? answer : answer.items;
  const items = [...unsorted].sort((a, b) => ((a.sortText ?? a.label) < (b.sortText ?? b.label) ? -1 : 1));
  const item = (label: string): CompletionItem => {
    const found = items.find((candidate) => candidate.label === label);
    if (!found)
      throw new Error(`\`${label}\` is not offered, but ${items.map((one) => one.label).join(', ') || 'nothing'}.`);
    return found;
  };
  return {
    items,
    labels: items.map(({ label }) => label),
    isIncomplete: !Array.isArray(answer) && answer.isIncomplete,
    item,
    accept(label) {
      const { textEdit } = item(label);
      if (!textEdit || !('range' in textEdit)) throw new Error(`\`${label}\` has no edit.`);
      const start = utf16.offset(file, textEdit.range.start);
      const end = utf16.offset(file, textEdit.range.end);
      return applyEdits(file.text, [{ span: { start, end }, newText: textEdit.newText }]);
    },
  };
}

export interface Hovered {
  /** The Markdown of the hover. */
  readonly text: string;
  /** The part of the file that the hover describes. */
  readonly marked: string;
}

export const hoverAt = (files: Readonly<Record<string, string>> | string): Hovered | undefined => hoverIn(at(files));

export function hoverIn({ analysis, file, offset }: CursorPosition): Hovered | undefined {
  const answer = hover(analysis, file, offset, utf16);
  if (!answer?.range || typeof answer.contents !== 'object' || !('value' in answer.contents)) return undefined;
  const start = utf16.offset(file, answer.range.start);
  const marked = file.text.slice(start, utf16.offset(file, answer.range.end));
  return { text: answer.contents.value, marked };
}
