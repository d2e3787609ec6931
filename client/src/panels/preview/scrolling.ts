/** Synchronises the scrolling of previews and editors, without feedback loops. */
import * as vscode from 'vscode';
import { fileRangeOf, hasWorkspaceScheme, rangeOf } from '../../locations.ts';
import type { FileRange } from '../kit/file-range.ts';

export interface Scrolling extends vscode.Disposable {
  /** Scrolls the editors of a file to a location, without moving their cursors. */
  readonly scrollEditors: (place: FileRange) => void;
  /** Ignores the scrolling of editors for a moment, because a preview caused it. */
  readonly ignoreEditors: () => void;
}

/** The maximum time that an editor needs to scroll, with a slow connection and smooth scrolling. */
const SETTLE_MILLISECONDS = 500;

/** Calls `onScroll` when the user scrolls an editor while `isEnabled` returns true. */
export function followScrolling(onScroll: (place: FileRange) => void, isEnabled: () => boolean): Scrolling {
  /**
   * The first visible line of each editor. The last visible line is not compared, because an edit can change it without
   * scrolling.
   */
  const firstLines = new WeakMap<vscode.TextEditor, number>();
  let ignoredUntil = 0;
  const rememberFirstLine = (editor: vscode.TextEditor): void => {
    const line = editor.visibleRanges[0]?.start.line;
    if (line !== undefined) firstLines.set(editor, line);
  };
  const ignoreEditors = (): void => {
    ignoredUntil = performance.now() + SETTLE_MILLISECONDS;
  };
  const onVisibleRanges = ({ textEditor, visibleRanges }: vscode.TextEditorVisibleRangesChangeEvent): void => {
    const { uri } = textEditor.document;
    const [first, last] = [visibleRanges[0], visibleRanges.at(-1)];
    if (!first || !last || !hasWorkspaceScheme(uri)) return;
    const before = firstLines.get(textEditor);
    firstLines.set(textEditor, first.start.line);
    // Without a previous line, the editor has just opened.
    if (before === undefined || before === first.start.line) return;
    if (!isEnabled() || performance.now() < ignoredUntil) return;
    onScroll(fileRangeOf(uri, new vscode.Range(first.start, last.end)));
  };
  for (const editor of vscode.window.visibleTextEditors) rememberFirstLine(editor);
  const listeners = vscode.Disposable.from(
    vscode.window.onDidChangeTextEditorVisibleRanges(onVisibleRanges),
    vscode.window.onDidChangeVisibleTextEditors((editors) => {
      for (const editor of editors) rememberFirstLine(editor);
    }),
  );
  return {
    ignoreEditors,
    scrollEditors: ({ uri, range }) => {
      if (!isEnabled()) return;
      for (const editor of vscode.window.visibleTextEditors) {
        if (editor.document.uri.toString() !== uri) continue;
        ignoreEditors();
        editor.revealRange(rangeOf(range), vscode.TextEditorRevealType.AtTop);
      }
    },
    dispose: () => listeners.dispose(),
  };
}
