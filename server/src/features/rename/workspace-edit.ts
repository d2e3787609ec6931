/** A plan as the edit that a client can carry out. */
import type { TextDocumentEdit, WorkspaceEdit } from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import type { Span } from '../../text.ts';
import type { Locate } from '../locate.ts';
import type { Plan } from './plan.ts';

/** What the client can carry out. */
export interface RenameClient {
  readonly documentChanges: boolean;
  readonly renamesFiles: boolean;
  readonly annotations: boolean;
  /** The version of an open file; null for any other. */
  readonly version: (uri: string) => number | null;
}

const ELSEWHERE = 'elsewhere';
const IN_WORDS = 'in-words';

/** Edits of texts come first, under the old URIs; renames of files follow. `here` is the file that the user renames in. */
export function toWorkspaceEdit(
  analysis: Analysis,
  here: string,
  { edits, moves }: Plan,
  newName: string,
  locate: Locate,
  { documentChanges, annotations, version }: RenameClient,
): WorkspaceEdit {
  const changed = edits.flatMap(({ uri, edits: all }) => {
    const file = analysis.file(uri);
    if (!file) return [];
    const inWords = new Set(
      (file.body?.plainReferences ?? []).flatMap(({ form, nameSpan }) => (form === 'link' ? [] : nameSpan.start)),
    );
    const kindOf = ({ start }: Span) => (inWords.has(start) ? IN_WORDS : ELSEWHERE);
    return [
      {
        uri,
        edits: all.map(({ span, newText }) => ({ range: locate.range(file, span), newText })),
        annotations: all.map(({ span }) => kindOf(span)),
      },
    ];
  });
  if (!documentChanges) return { changes: Object.fromEntries(changed.map(({ uri, edits: all }) => [uri, all])) };
  const annotated = annotations && (moves.length > 0 || changed.some(({ uri }) => uri !== here));
  const texts = changed.map(
    ({ uri, edits: all, annotations: ids }): TextDocumentEdit => ({
      textDocument: { uri, version: version(uri) },
      edits: annotated && uri !== here ? all.map((edit, at) => ({ ...edit, annotationId: ids[at] ?? ELSEWHERE })) : all,
    }),
  );
  const files = moves.map(({ from, to }) => ({
    kind: 'rename' as const,
    oldUri: from,
    newUri: to,
    ...(annotated ? { annotationId: ELSEWHERE } : {}),
  }));
  const isInWords = changed.some(({ uri, annotations: ids }) => uri !== here && ids.includes(IN_WORDS));
  const changeAnnotations = {
    [ELSEWHERE]: { label: `Rename to ${newName} in other files`, needsConfirmation: false },
    // A group of its own in the preview. To ask would leave it out by default, and the text would name nothing.
    ...(isInWords && {
      [IN_WORDS]: { label: `Rename to ${newName} in the text of other skills`, needsConfirmation: false },
    }),
  };
  return { documentChanges: [...texts, ...files], ...(annotated ? { changeAnnotations } : {}) };
}
