/** Facts about a file for the status bar, and about a workspace for a bug report. */
import type { Analysis } from '../analysis/analysis.ts';
import type { AboutReply } from '../protocol.ts';

export function about(analysis: Analysis, uri: string | undefined): AboutReply {
  const file = uri === undefined ? undefined : analysis.file(uri);
  const catalog = uri === undefined ? undefined : analysis.findCatalog(uri);
  return {
    ready: !analysis.partial,
    skills: analysis.graph.skills.size,
    dialect: file && (file.isSkill || file.dialect === 'catalog') ? file.dialect : null,
    catalog: catalog
      ? { uri: catalog.uri, tools: catalog.tools.size + analysis.graph.tools.size, toolsKnown: catalog.toolsKnown }
      : null,
  };
}

/** Counts the skills and catalogs of each dialect. */
export function countDialects({ index }: Analysis): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { dialect, isSkill } of index.files.values()) {
    if (isSkill || dialect === 'catalog') counts[dialect] = (counts[dialect] ?? 0) + 1;
  }
  return counts;
}
