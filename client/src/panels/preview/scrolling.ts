/** The editors' scrolling as the previews hear of it, and theirs as the editors follow it: neither answers the other's echo. */
import * as vscode from 'vscode';
import { isOfWorkspace, rangeOf } from '../reveal.ts';
import type { WirePlace } from './messages.ts';

export interface Scrolling extends vscode.Disposable {
  /** Brings a place to the top of the editors that show its file; no cursor moves. */
  readonly lead: (place: WirePlace) => void;
  /** What editors scroll in the next moment is a preview's doing. */
  readonly hush: () => void;
}

/** How long an editor takes to follow, over a slow connection and with its smooth scrolling. In milliseconds. */
const settling = 500;

/** `tell` hears what an author scrolls to, while `wanted` says so. */
export function followScrolling(tell: (place: WirePlace) => void, wanted: () => boolean): Scrolling {
  /** The first line on the screen: an edit changes the last one, and scrolls nothing. */
  const tops = new WeakMap<vscode.TextEditor, number>();
  let quietUntil = 0;
  const note = (editor: vscode.TextEditor): void => {
    const top = editor.visibleRanges[0]?.start.line;
    if (top !== undefined) tops.set(editor, top);
  };
  const hush = (): void => {
    quietUntil = performance.now() + settling;
  };
  const onScroll = ({ textEditor, visibleRanges }: vscode.TextEditorVisibleRangesChangeEvent): void => {
    const { uri } = textEditor.document;
    const [first, last] = [visibleRanges[0], visibleRanges.at(-1)];
    if (!first || !last || !isOfWorkspace(uri)) return;
    const before = tops.get(textEditor);
    tops.set(textEditor, first.start.line);
    // An editor that has just opened was scrolled by nobody.
    if (before === undefined || before === first.start.line || !wanted() || performance.now() < quietUntil) return;
    const { start } = first;
    const { end } = last;
    const position = ({ line, character }: vscode.Position) => ({ line, character });
    tell({ uri: uri.toString(), range: { start: position(start), end: position(end) } });
  };
  for (const editor of vscode.window.visibleTextEditors) note(editor);
  const listening = vscode.Disposable.from(
    vscode.window.onDidChangeTextEditorVisibleRanges(onScroll),
    vscode.window.onDidChangeVisibleTextEditors((editors) => {
      for (const editor of editors) note(editor);
    }),
  );
  return {
    hush,
    lead: ({ uri, range }) => {
      if (!wanted()) return;
      for (const editor of vscode.window.visibleTextEditors) {
        if (editor.document.uri.toString() !== uri) continue;
        hush();
        editor.revealRange(rangeOf(range), vscode.TextEditorRevealType.AtTop);
      }
    },
    dispose: () => listening.dispose(),
  };
}
