/** Conflicts that git left in a file: lines `<<<<<<<`, `=======` and `>>>>>>>` around two versions of some lines. */
import { afterBreak, endOfLine, type Span, sliceOf, span, type TextEdit } from '../../text.ts';

/** The lines between two markers, and the name that git wrote after a marker. */
interface Version {
  readonly content: Span;
  readonly label: string;
}

export interface MergeConflict {
  /** The whole conflict with its markers. */
  readonly span: Span;
  /** The line `<<<<<<<` without its line break. */
  readonly marker: Span;
  readonly versions: readonly [first: Version, second: Version];
}

export const CONFLICT_MESSAGE =
  'Unresolved merge conflict. Keep one of the two versions, and remove the lines `<<<<<<<`, `=======` and `>>>>>>>`.';

const MARKER = /^(?:(<{7}|>{7}|\|{7})(?:[ \t]+(.*))?|={7})$/;

/** Returns the conflicts of a text in their order. A conflict that is not complete is left out. Linear time; never throws. */
export function findMergeConflicts(text: string): readonly MergeConflict[] {
  if (!text.includes('<<<<<<<')) return [];
  const found: MergeConflict[] = [];
  let open: { readonly marker: Span; readonly label: string; first?: Span; second?: number } | undefined;
  for (let at = text.startsWith('\uFEFF') ? 1 : 0; at < text.length; ) {
    const end = endOfLine(text, at);
    const next = afterBreak(text, end);
    const [line = '', sign = '=', label = ''] = (end - at < 300 && MARKER.exec(text.slice(at, end).trimEnd())) || [];
    if (line !== '') {
      const start = open ? afterBreak(text, open.marker.end) : at;
      if (sign[0] === '<') open = { marker: span(at, end), label };
      else if (sign[0] === '|' && open) open.first ??= span(start, at);
      else if (sign[0] === '=' && open && open.second === undefined) {
        open.first ??= span(start, at);
        open.second = next;
      } else if (sign[0] === '>' && open?.first && open.second !== undefined) {
        const versions: MergeConflict['versions'] = [
          { content: open.first, label: open.label },
          { content: span(open.second, at), label },
        ];
        found.push({ span: span(open.marker.start, next), marker: open.marker, versions });
        open = undefined;
      }
    }
    at = next;
  }
  return found;
}

/** A way to resolve all conflicts of a file. */
export interface Resolution {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

/** Returns the ways to resolve all conflicts of a file: with the first version of each, or with the second. */
export function resolutionsOf(text: string, conflicts: readonly MergeConflict[]): readonly Resolution[] {
  return ([0, 1] as const).map((at) => {
    const label = conflicts[0]?.versions[at].label.slice(0, 40) ?? '';
    const name = label === '' ? `the ${at === 0 ? 'first' : 'second'} version` : `the version of \`${label}\``;
    const edits = conflicts.map(({ span: whole, versions }) => ({
      span: whole,
      newText: sliceOf(text, versions[at].content),
    }));
    return { title: `Keep ${name}`, edits };
  });
}
