/** Links that an editor follows: to files beside the skill, and to the files that a catalog takes tools from. */
import type { DocumentLink } from 'vscode-languageserver-types';
import { inner } from '../rules/common/naming-fixes.ts';
import { folderOf } from '../skill/dialect.ts';
import type { SkillDocument } from '../skill/document.ts';
import { findValue } from '../skill/yaml/node.ts';
import { linkTargets, resolvePath } from '../workspace/links.ts';
import type { WorkspaceIndex } from '../workspace/workspace-index.ts';
import type { Locate } from './locate.ts';

/** A link to a file that is known to be missing is none: a rule says so at the place. */
export function documentLinks(index: WorkspaceIndex, document: SkillDocument, locate: Locate): DocumentLink[] {
  const isThere = (uri: string) => index.exists.get(uri) ?? index.documents.has(uri);
  const inBody = linkTargets(document).filter(({ uri }) => isThere(uri));
  return [...inBody, ...sourcesOf(document).filter(({ uri }) => index.exists.get(uri) !== false)].map(
    ({ uri, span }) => ({
      range: locate.range(document, span),
      target: uri,
    }),
  );
}

/** The `from:` of a catalog's tools. Nobody has looked whether the file is there. */
function sourcesOf({ uri, dialect, text, frontmatter }: SkillDocument) {
  const tools = dialect === 'catalog' ? findValue(frontmatter.tree.root, 'tools') : undefined;
  if (tools?.kind !== 'list') return [];
  return tools.items.flatMap((item) => {
    const from = findValue(item, 'from');
    if (from?.kind !== 'scalar' || typeof from.value !== 'string' || /^(?:[a-z][a-z0-9+.-]*:|[/~])/i.test(from.value))
      return [];
    return [{ uri: resolvePath(folderOf(uri), from.value), span: inner(text, from.span) }];
  });
}
