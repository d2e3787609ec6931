/** Links that an editor follows: to files beside the skill, and to the files that a catalog takes tools from. */
import type { DocumentLink } from 'vscode-languageserver-types';
import type { SkillDocument } from '../../skill/document.ts';
import { linkTargets } from '../../workspace/links.ts';
import type { WorkspaceIndex } from '../../workspace/workspace-index.ts';
import type { Locate } from '../locate.ts';

/** A link is one only where its target is known to be there; of one that is missing a rule tells at the place. */
export function documentLinks(index: WorkspaceIndex, document: SkillDocument, locate: Locate): DocumentLink[] {
  return linkTargets(document).flatMap(({ uri, span }) => {
    const isThere = index.exists.get(uri) ?? index.documents.has(uri);
    return isThere ? [{ range: locate.range(document, span), target: uri }] : [];
  });
}
