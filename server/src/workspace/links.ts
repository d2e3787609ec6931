/** The files that a document links to, as URIs; hosts find out whether they are there. */
import { decoded, folderOf } from '../skill/dialect.ts';
import type { SkillDocument } from '../skill/document.ts';
import type { Span } from '../text.ts';

export interface LinkTarget {
  readonly uri: string;
  /** The link's address as written. */
  readonly span: Span;
  /** The path as written, without `#fragment` and `?query`, percent-decoded. */
  readonly path: string;
}

/** Links to files beside the document; addresses with a scheme, anchors and absolute paths are not judged. */
export function linkTargets(document: SkillDocument): readonly LinkTarget[] {
  return (document.body?.links ?? []).flatMap(({ url, urlSpan }) => {
    const path = decoded(url.replace(/[?#].*$/s, ''));
    if (path === '' || path.startsWith('/') || /^[a-z][a-z0-9+.-]*:/i.test(path)) return [];
    return [{ uri: resolvePath(folderOf(document.uri), path), span: urlSpan, path }];
  });
}

/** A relative path, read from a folder's URI; `..` above the root stays at the root. */
export function resolvePath(folder: string, path: string): string {
  const root = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i.exec(folder)?.[0] ?? '';
  const parts = folder.slice(root.length).split('/');
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '..') parts.length = Math.max(1, parts.length - 1);
    else if (part !== '.' && part !== '') parts.push(encodeURIComponent(part).replaceAll('%40', '@'));
  }
  return root + parts.join('/');
}
