/** A look at the workspace as if one of its files had another text: to compare with what was. */
import { parseSkill } from '../skill/document.ts';
import type { WorkspaceIndex } from './workspace-index.ts';

/** The snapshot with this text in the file's place. What other files know of it, its summary, stays as it is. */
export const withText = (index: WorkspaceIndex, uri: string, text: string): WorkspaceIndex => ({
  ...index,
  documents: index.documents.set(uri, parseSkill(uri, text)),
});
