/** What the status bar says of a file, and what a report of a fault may say of a workspace. */
import type { AboutReply } from '../protocol.ts';
import { findCatalog, type WorkspaceIndex } from '../workspace/workspace-index.ts';

export function about(index: WorkspaceIndex, uri: string | undefined): AboutReply {
  const document = uri === undefined ? undefined : index.documents.get(uri);
  const catalog = uri === undefined ? undefined : findCatalog(index, uri);
  return {
    ready: !index.partial,
    skills: index.graph.skills.size,
    // A catalog counts as a document that is no skill.
    dialect: document && (document.isSkill || document.dialect === 'catalog') ? document.dialect : null,
    catalog: catalog
      ? { uri: catalog.uri, tools: catalog.tools.size + index.graph.tools.size, toolsKnown: catalog.toolsKnown }
      : null,
  };
}

/** How many skills and catalogs there are of each dialect. Costs the workspace. */
export function countDialects({ documents }: WorkspaceIndex): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { dialect, isSkill } of documents.values()) {
    if (isSkill || dialect === 'catalog') counts[dialect] = (counts[dialect] ?? 0) + 1;
  }
  return counts;
}
